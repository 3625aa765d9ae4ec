package semantic

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"parley.dev/parley/domain/meaning"
)

// defaults chooses what a question leaves out: the table's main measure, and its name column.
func (t *table) defaults() {
	if t.m.MainReason.State != meaning.Said {
		t.m.Main, t.m.MainReason = t.mainNumber()
	}
	t.m.Called = t.calledBy()
}

// mainNumber returns the number by which things are ranked if a question names none: the money that moved, or else the only amount.
// If nothing says whether a further number adds up, the question may mean that one as well, and there is no main number. Of several
// amounts of money the one with the largest value is taken, because a part, such as a tax or a fee, is less than its whole. Only
// tables of events have a main number: the numbers of a thing itself describe it, and do not say what it brought.
func (t *table) mainNumber() (string, meaning.Reason) {
	if t.m.Kind != meaning.Event {
		return "", meaning.Reason{}
	}
	var money, others []*column
	unclear := false
	for _, c := range t.columns {
		switch {
		case !c.ranks():
			unclear = unclear || c.m.Number != nil && c.m.Number.Adds == meaning.Unknown
		case c.m.Number.Unit.Kind == meaning.Money:
			money = append(money, c)
		default:
			others = append(others, c)
		}
	}
	switch {
	case len(money) == 1:
		return money[0].Name, inferred("It is the only amount of money.")
	case len(money) > 1:
		best := slices.MaxFunc(money, func(a, b *column) int { return cmp.Compare(a.most(), b.most()) })
		return best.Name, inferred("Of its amounts of money it has the largest values.")
	case len(others) == 1 && !unclear:
		return others[0].Name, inferred("It is the only number that adds up.")
	}
	return "", meaning.Reason{}
}

// ranks reports whether the total of a number can rank things: it adds up over all rows, and most of them have it.
func (c *column) ranks() bool {
	n := c.m.Number
	return n != nil && c.m.Role == meaning.Measure && n.Adds == meaning.Amount && n.Default == meaning.Sum &&
		c.m.Missing*2 <= c.table.m.Rows &&
		!slices.ContainsFunc(n.Barriers, func(b meaning.Barrier) bool { return b.Resolve == meaning.FixOrGroup })
}

// most is the largest value of a number; 0 if it is not known.
func (c *column) most() float64 {
	_, most := c.edges()
	value, err := strconv.ParseFloat(most, 64)
	if err != nil {
		return 0 // a column without a value
	}
	return value
}

// nameLeast is how many of the rows of a table must have different names, in percent: two people can have one name.
const nameLeast = 80

// calledBy returns the text column by which people call a thing, instead of its key: one that is named so, or else the first one
// that is different in nearly all rows. It is empty if there is none, and for tables that are not of things.
func (t *table) calledBy() string {
	if t.m.Kind != meaning.EntityTable || !t.m.KeysKnown && t.m.Rows == 0 {
		return ""
	}
	var first string
	for _, c := range t.columns {
		if !c.isText() || keyNamed(c.words) || in(c.last(), "codes") || c.m.Role == meaning.Geo || c.isProse() || c.m.Missing > 0 ||
			c.distinct()*100 < t.m.Rows*nameLeast || slices.ContainsFunc(c.Values, func(v string) bool { return strings.ContainsAny(v, "@/") }) {
			continue
		}
		if c.namesRow() {
			return c.Name
		}
		if first == "" {
			first = c.Name
		}
	}
	return first
}
