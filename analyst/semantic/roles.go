package semantic

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
	"parley.dev/parley/internal/sqltext"
)

const (
	// classesMax is the number of different whole numbers up to which they may be codes.
	classesMax = 20
	// yearLeast and yearMost are the range of whole numbers that may be years.
	yearLeast, yearMost = 1500, 2200
	// partMost is the largest part of the calendar: the week of a year.
	partMost = 53
	// serialLeast is the number of rows from which numbers without gaps are a serial number and no chance.
	serialLeast = 8
	// textLeast is the length of values from which a text is prose, in characters.
	textLeast = 60
)

// sortablePeriod matches a period as text that sorts like its periods: 2026-03, 2026-Q1.
var sortablePeriod = regexp.MustCompile(`^\d{4}(?:-?(?:0[1-9]|1[0-2])|-?Q[1-4]|-?W\d{2})$`)

// roles finds the role of each column. The first rule that holds decides.
func (t *table) roles() {
	for _, c := range t.columns {
		role, why := c.findRole()
		c.m.Role = role
		c.m.Reasons["role"] = why
		if role == meaning.Flag {
			c.m.Yes = c.yes()
		}
		c.m.Ordered = c.ordered()
		if c.m.Ordered != nil {
			c.m.Reasons["ordered"] = meaning.Reason{State: meaning.Inferred, Evidence: "Its values have a usual order."}
		}
	}
}

// inferred is a reason from names or statistics.
func inferred(format string, args ...any) meaning.Reason {
	return meaning.Reason{State: meaning.Inferred, Evidence: fmt.Sprintf(format, args...)}
}

// declared is a reason that a remote database guarantees.
func declared(format string, args ...any) meaning.Reason {
	return meaning.Reason{State: meaning.Declared, Evidence: fmt.Sprintf(format, args...)}
}

// measured is a reason that was counted exactly.
func measured(format string, args ...any) meaning.Reason {
	return meaning.Reason{State: meaning.Measured, Evidence: fmt.Sprintf(format, args...)}
}

// findRole decides the role of a column.
func (c *column) findRole() (meaning.Role, meaning.Reason) {
	if role, why, ok := c.keyRole(); ok {
		return role, why
	}
	if role, why, ok := c.timeRole(); ok {
		return role, why
	}
	if c.isFlag() {
		return meaning.Flag, inferred("It has only values that say yes and no.")
	}
	if role, why, ok := c.placeRole(); ok {
		return role, why
	}
	switch {
	case in(c.last(), "codes") && len(stemOf(c.words)) > 0 && !c.isTime():
		return meaning.Dimension, inferred("It is named like a code.")
	case c.isNumber() && c.isClass():
		return meaning.Dimension, inferred("It has %d whole numbers that are named like classes.", c.distinct())
	case c.isNumber():
		return meaning.Measure, inferred("It is a number that names nothing.")
	case c.isText() && c.table.m.Rows == 0:
		return meaning.Text, inferred("It is a text; there are no rows that would say more.")
	case c.isText() && (c.isProse() || !c.repeats() && !c.namesRow()):
		return meaning.Text, inferred("Its values are different in most rows.")
	case c.isText() && c.table.single(c.Name) && c.namesRow():
		return meaning.Dimension, measured("Each of the %d rows has its own value, and it is a name.", c.table.m.Rows)
	case c.isText() && !c.repeats():
		return meaning.Dimension, inferred("It is named like the name of a row.")
	}
	return meaning.Dimension, inferred("Its values repeat.")
}

// keyRole decides whether a column names the row, another thing, or a place in an order.
func (c *column) keyRole() (meaning.Role, meaning.Reason, bool) {
	t := c.table
	if c.isTime() || c.Type == domain.ColumnBoolean || c.Type == domain.ColumnNumber && !keyNamed(c.words) {
		return "", meaning.Reason{}, false
	}
	named := keyNamed(c.words) || c.headedByNumber()
	if t.single(c.Name) && (named || t.isNoun(c.words) || in(c.last(), "codes")) {
		if t.facts == nil {
			return meaning.Key, t.unique("It is"), true
		}
		return meaning.Key, measured("Each of the %d rows has its own value.", t.m.Rows), true
	}
	if len(c.links) > 0 {
		return meaning.Foreign, c.links[0].Reason, true
	}
	return c.nameRole(named)
}

// nameRole decides by the name whether a column that is no measured key names something.
func (c *column) nameRole(named bool) (meaning.Role, meaning.Reason, bool) {
	t := c.table
	switch {
	case in(c.last(), "orders") && c.Type == domain.ColumnInteger:
		return meaning.Order, inferred("It is named like a place in an order."), true
	case named && !t.m.KeysKnown && len(t.m.Keys) == 0 && (len(c.words) == 1 || t.isNoun(stemOf(c.words))):
		return meaning.Key, inferred("It is named like the key of the table; it is not measured."), true
	case named && (len(c.words) > 1 || c.words[0] == "id" || c.words[0] == "uuid") && !slices.Equal(c.words, []string{"number"}) &&
		!(len(c.words) > 1 && in(c.words[0], "sums")):
		if c.isText() || c.last() == "id" || c.distinct() > classesMax {
			return meaning.Foreign, inferred("It is named like a key, and its values repeat."), true
		}
		return meaning.Dimension, inferred("It is named like a key of few things."), true
	case c.isSerial():
		return meaning.Order, measured("It numbers the rows without a gap."), true
	}
	return "", meaning.Reason{}, false
}

// headedByNumber reports whether the heading ends in a sign for a number: Ticket #.
func (c *column) headedByNumber() bool {
	heading := strings.TrimSpace(c.Description)
	return strings.HasSuffix(heading, "#") || strings.HasSuffix(heading, "№")
}

// isSerial reports whether whole numbers only number the rows: 1, 2, 3 and so on, or 1001, 1002, 1003.
func (c *column) isSerial() bool {
	low, high, ok := c.ends()
	return ok && c.Type == domain.ColumnInteger && c.table.m.Rows >= serialLeast && c.table.single(c.Name) &&
		high-low+1 == float64(c.table.m.Rows) && !c.counts()
}

// counts reports whether the name is one of a number of things: goals, order count, quantity.
func (c *column) counts() bool {
	return c.flows() && (strings.HasSuffix(c.last(), "s") || slices.Contains([]string{"count", "number", "quantity", "sum", "total"},
		c.last()))
}

// timeRole decides whether a column is a time or a part of the calendar.
func (c *column) timeRole() (meaning.Role, meaning.Reason, bool) {
	switch {
	case c.isTime():
		return meaning.Time, meaning.Reason{State: meaning.Inferred, Evidence: "Its type is a date or a time."}, true
	case c.isYear():
		least, most := c.edges()
		return meaning.Time, inferred("It has years from %s to %s.", least, most), true
	case c.isPeriodText():
		return meaning.Time, inferred("It has periods that sort by their text."), true
	case c.isPart():
		return meaning.Part, inferred("It is a part of the calendar."), true
	}
	return "", meaning.Reason{}, false
}

// isYear reports whether a column contains calendar years.
func (c *column) isYear() bool {
	low, high, ok := c.ends()
	named := anyIn(c.words, "years") || in(c.last(), "yearnames") ||
		len(c.words) == 1 && strings.TrimFunc(c.Name, func(r rune) bool { return r < '0' || r > '9' }) == ""
	return ok && c.Type == domain.ColumnInteger && named && low >= yearLeast && high <= yearMost
}

// isPeriodText reports whether the values are periods such as 2026-03.
func (c *column) isPeriodText() bool {
	return c.isText() && len(c.Values) > 1 && !slices.ContainsFunc(c.Values, func(v string) bool { return !sortablePeriod.MatchString(v) })
}

// isPart reports whether a column has parts of the calendar, such as months 1 to 12 or Monday.
func (c *column) isPart() bool {
	if len(c.words) > 2 || !in(c.last(), "parts") || strings.HasSuffix(c.last(), "s") && c.last() != "stats" {
		return false // delivery days are a duration, and no days of a calendar
	}
	if c.isText() {
		return c.distinct() > 0 && c.distinct() <= partMost && len(c.words) == 1
	}
	low, high, ok := c.ends()
	return ok && c.Type == domain.ColumnInteger && low >= 0 && high <= partMost
}

// isFlag reports whether a column says yes or no.
func (c *column) isFlag() bool {
	switch {
	case c.Type == domain.ColumnBoolean:
		return true
	case c.Type == domain.ColumnInteger:
		low, high, ok := c.ends()
		return ok && low == 0 && high == 1 && !c.counts()
	case c.isText() && len(c.Values) == 2:
		return c.yes() != "" && slices.ContainsFunc(c.Values, func(v string) bool { return in(strings.ToLower(v), "no") })
	}
	return false
}

// yes is the value that says yes, as in SQL.
func (c *column) yes() string {
	if c.Type == domain.ColumnBoolean {
		return "true"
	}
	if c.Type == domain.ColumnInteger {
		return "1"
	}
	for _, v := range c.Values {
		if in(strings.ToLower(v), "yes") {
			return sqltext.QuoteText(v)
		}
	}
	return ""
}

// placeRole decides whether a column has places: by its name, or by the names of countries.
func (c *column) placeRole() (meaning.Role, meaning.Reason, bool) {
	switch {
	case c.isText() && c.hasCountries():
		return meaning.Geo, inferred("Most of its values are countries."), true
	case in(c.last(), "places") && (c.isText() || in(c.last(), "codes")):
		return meaning.Geo, inferred("It is named like a place."), true
	case in(c.last(), "coordinates") && c.isNumber():
		return meaning.Geo, inferred("It is named like a coordinate."), true
	}
	return "", meaning.Reason{}, false
}

// isClass reports whether whole numbers are classes, such as a zone of 1 to 5.
func (c *column) isClass() bool {
	return c.Type == domain.ColumnInteger && c.distinct() <= classesMax && in(c.last(), "classes") && !in(c.last(), "rates")
}

// isProse reports whether a text is long.
func (c *column) isProse() bool {
	long := 0
	for _, v := range c.Values {
		if len([]rune(v)) > textLeast {
			long++
		}
	}
	return long*2 > len(c.Values)
}

// namesRow reports whether a text that is different in each row names the row for people: customer_name in customers.
func (c *column) namesRow() bool {
	stem := c.words
	if len(stem) > 1 && slices.Contains([]string{"name", "title", "label"}, c.last()) {
		stem = stem[:len(stem)-1]
	}
	if slices.ContainsFunc(c.table.columns, func(k *column) bool {
		return k != c && c.table.single(k.Name) && keyNamed(k.words) && slices.Equal(stemOf(k.words), stem)
	}) {
		return true
	}
	return c.table.isNoun(stem) || len(c.words) == 1 && slices.Contains([]string{"name", "title", "label"}, c.last())
}

// orders are values with a usual order.
func orders() [][]string {
	return [][]string{
		{"xxs", "xs", "s", "m", "l", "xl", "xxl", "3xl"},
		{"very low", "low", "normal", "medium", "high", "very high", "urgent", "critical"},
		{"trivial", "minor", "moderate", "major", "critical", "blocker"},
		{"bronze", "silver", "gold", "platinum", "diamond"},
		{"junior", "mid", "senior", "lead", "principal"},
		{"tiny", "small", "medium", "large", "huge"},
		{"never", "rarely", "sometimes", "often", "always"},
		{"very poor", "poor", "fair", "good", "very good", "excellent"},
		{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"},
		{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"},
		{"mon", "tue", "wed", "thu", "fri", "sat", "sun"},
		{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"},
	}
}

// ordered returns the values in their usual order; nil if not all of them have one.
func (c *column) ordered() []string {
	if !c.isText() || len(c.Values) < 3 || int64(len(c.Values)) != c.distinct() {
		return nil
	}
	for _, order := range orders() {
		place := func(v string) int { return slices.Index(order, strings.ToLower(v)) }
		if slices.ContainsFunc(c.Values, func(v string) bool { return place(v) < 0 }) {
			continue
		}
		out := slices.Clone(c.Values)
		slices.SortFunc(out, func(a, b string) int { return place(a) - place(b) })
		return out
	}
	return nil
}
