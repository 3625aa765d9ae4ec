package builtin

import (
	"slices"
	"strings"

	"parley.dev/parley/domain/meaning"
)

// rowNoun returns the noun for the rows of the table in a question: orders for a table with an order
// number, or with a common noun as its name, such as retail_orders. The names of files may be anything,
// so for all other tables it returns "rows".
func (t *table) rowNoun() string {
	for _, c := range t.columns {
		words := splitName(c.Name)
		if n := len(words); n > 1 && c.unique() && c.keyLike() && countable(words[n-2]) {
			return plural(strings.Join(words[:n-1], " "))
		}
	}
	words := strings.Fields(t.entity())
	if n := len(words); n > 0 && countable(words[n-1]) {
		return plural(strings.Join(words, " "))
	}
	return "rows"
}

// repeating returns the column that names the things for which a table is named, if they have several rows each: a table of garages
// that has a row for each garage and month; nil if each row is such a thing.
func (t *table) repeating() *column {
	_, _, keys := t.panel()
	if len(keys) != 1 || !keys[0].isText() {
		return nil
	}
	words := keys[0].words
	if n := len(words); n > 1 && words[n-1] == "name" {
		words = words[:n-1]
	}
	if !slices.Equal(words, t.words) {
		return nil
	}
	return keys[0]
}

// rowsNamed returns the noun for the rows of the table where they are counted: the table's name if it
// is a plain English noun, such as retail orders, and otherwise "rows of" the name, which is correct
// for any name: rows of Umsätze 2025 Filialen.
func (t *table) rowsNamed() string {
	words := strings.Fields(t.entity())
	for len(words) > 1 && onlyDigits(words[len(words)-1]) {
		words = words[:len(words)-1] // survey 2025 has no plural
	}
	if len(words) == 0 {
		return "rows"
	}
	last := words[len(words)-1]
	switch {
	case isOne(last, "file", "files", "list", "lists", "report", "reports", "sample", "record", "sheets", "tables", "exports", "stats",
		"statistics", "analytics", "metrics", "news", "series", "details", "totals", "figures", "logistics", "sheet1"):
	case countable(last):
		return plural(strings.Join(words, " "))
	case isPlural(last):
		return strings.Join(words, " ")
	}
	return "rows of " + t.label()
}

// isPlural reports whether a word looks like an English plural.
func isPlural(word string) bool {
	return ascii(word) && len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us") &&
		!strings.HasSuffix(word, "is")
}

// numberOf reports whether the heading begins with the sign for a number and names several things: "# Employees" counts them, while
// "# Order" and "Order #" number them.
func (c *column) numberOf() bool {
	heading := strings.TrimSpace(c.Description)
	name := splitName(c.Name)
	return strings.HasPrefix(heading, "#") && !strings.HasSuffix(heading, "#") && len(name) > 0 && isPlural(name[len(name)-1])
}

// openPart reports whether a column is what is still open of an amount of its own row: the open balances of invoices add up, while the
// balances after the bookings of an account do not.
func (c *column) openPart() bool {
	m := c.meant()
	return m != nil && m.Number != nil && m.Number.Adds == meaning.Amount &&
		slices.ContainsFunc(c.words, func(w string) bool { return isOne(w, "open", "outstanding", stem("outstanding"), "unpaid") })
}

// countable reports whether the name of a column has a known plural.
func (c *column) countable() bool {
	words := strings.Fields(coreTitle(c))
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	return countable(last) || isPlural(last) || slices.ContainsFunc([]string{last, singular(last)}, func(w string) bool {
		return isOne(w,
			"category", "subcategory", "channel", "segment", "type", "kind", "brand", "site", "topic", "status", "dept", "genre", "industry",
			"sector",
			"market", "size", "plan", "gender", "color", "colour", "method", "source", "medium", "stage", "location", "place", "zone", "area",
			"district", "county", "carrier", "route", "model", "unit", "group", "class", "level", "title", "role", "language", "currency",
			"nation", "browser", "page", "reason", "outcome", "result", "owner", "artist", "director", "program", "programme", "specialty",
			"treatment", "procedure", "species", "crop", "field", "variety", "origin", "destination", "airline", "counterparty", "day", "week",
			"month", "year", "date", "hour", "name", "address", "mode", "priority", "severity", "rank", "cluster", "label", "tag", "option",
			"service", "line", "code", "version", "format", "queue", "platform", "supplier", "recruiter", "insurer", "gene", "meter", "tariff")
	})
}

// many returns the noun for the distinct values of a column.
func (c *column) many() string {
	if c.countable() {
		return plural(coreTitle(c))
	}
	return "values of " + c.heading()
}

// countable reports whether an English word, in the singular or plural, is a common noun for what a row
// of data describes.
func countable(word string) bool {
	return slices.ContainsFunc([]string{word, singular(word)}, func(w string) bool {
		return isOne(w,
			// people
			"person", "people", "customer", "client", "buyer", "user", "member", "subscriber", "visitor", "guest", "passenger", "employee", "worker",
			"candidate", "applicant", "patient", "doctor", "student", "teacher", "player", "driver", "agent", "seller", "author", "contact", "lead",
			"participant", "respondent", "donor", "tenant", "voter", "manager", "child", "children",
			// organisations and places
			"company", "organization", "organisation", "supplier", "vendor", "partner", "merchant", "school", "hotel", "hospital", "restaurant",
			"store",
			"shop", "branch", "office", "warehouse", "city", "country", "region", "state", "airport", "station", "house", "home", "building",
			"apartment", "property", "room", "team", "department", "club",
			// things
			"product", "item", "article", "book", "movie", "film", "song", "album", "game", "car", "vehicle", "machine", "device", "sensor", "asset",
			"part", "file", "document", "photo", "recipe", "drug", "wine", "plant", "animal", "penguin", "flower",
			// what happens
			"order", "sale", "purchase", "transaction", "payment", "invoice", "bill", "refund", "return", "shipment", "delivery", "booking",
			"reservation", "appointment", "meeting", "event", "visit", "session", "trip", "ride", "flight", "journey", "match", "fixture", "goal",
			"ticket", "case", "incident", "issue", "complaint", "claim", "accident", "crime", "error", "alarm", "fault", "failure", "inspection",
			"test",
			"call", "message", "email", "comment", "review", "rating", "response", "answer", "question", "post", "tweet", "click",
			"measurement", "observation", "experiment", "task", "project", "campaign", "contract", "subscription", "account", "loan", "policy",
			"deal", "opportunity", "offer", "quote", "donation", "expense", "trade", "bond", "course", "exam", "enrollment", "admission", "request",
			"line", "position", "entry", "record", "reading")
	})
}
