package builtin

import (
	"slices"
	"strings"
)

// rowNoun is what people call the rows of the table in a question: the orders of one that has
// an order number, or whose own name is a common noun, such as retail_orders. Names of
// files say anything, so for all others the rows are rows.
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

// countable tells an English word, in the singular or plural, of which data often holds one
// in each row.
func countable(word string) bool {
	return slices.ContainsFunc([]string{word, singular(word)}, func(w string) bool {
		return isOne(w,
			// people
			"person", "people", "customer", "client", "buyer", "user", "member", "subscriber", "visitor", "guest", "passenger", "employee", "worker",
			"candidate", "applicant", "patient", "doctor", "student", "teacher", "player", "driver", "agent", "seller", "author", "contact", "lead",
			"participant", "respondent", "donor", "tenant", "voter", "manager", "child", "children",
			// organisations and places
			"company", "organization", "organisation", "supplier", "vendor", "partner", "merchant", "school", "hotel", "hospital", "restaurant", "store",
			"shop", "branch", "office", "warehouse", "city", "country", "region", "state", "airport", "station", "house", "home", "building",
			"apartment", "property", "room", "team", "department", "club",
			// things
			"product", "item", "article", "book", "movie", "film", "song", "album", "game", "car", "vehicle", "machine", "device", "sensor", "asset",
			"part", "file", "document", "photo", "recipe", "drug", "wine", "plant", "animal", "penguin", "flower",
			// what happens
			"order", "sale", "purchase", "transaction", "payment", "invoice", "bill", "refund", "return", "shipment", "delivery", "booking",
			"reservation", "appointment", "meeting", "event", "visit", "session", "trip", "ride", "flight", "journey", "match", "fixture", "goal",
			"ticket", "case", "incident", "issue", "complaint", "claim", "accident", "crime", "error", "alarm", "fault", "failure", "inspection", "test",
			"call", "message", "email", "comment", "review", "rating", "response", "answer", "question", "post", "tweet", "click",
			"measurement", "observation", "experiment", "task", "project", "campaign", "contract", "subscription", "account", "loan", "policy",
			"deal", "opportunity", "offer", "quote", "donation", "expense", "trade", "bond", "course", "exam", "enrollment", "admission", "request",
			"line", "position", "entry", "record", "reading")
	})
}
