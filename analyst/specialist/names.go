package specialist

import (
	"fmt"
	"strings"
)

// nameLimit is how many characters a value of the data keeps as a name in a chart. What is drawn is cut by the
// viewer; the data that it hands out, as CSV or beside the drawing, are whole, and names that begin alike stay apart.
// labelLimit is the same of a column's name.
const (
	nameLimit  = 500
	labelLimit = 60
	// exactLimit bounds the names that are handed on as the data have them.
	exactLimit = 4000
)

// names are how the texts of a chart are written. A chart holds no markup (I03), and a file of its numbers is to have
// the data's own names: so each text has a plain name that is drawn, no two have the same one, and what the data
// call it stands apart, where a viewer reads it for a file alone.
type names struct {
	shown map[nameKey]string
	taken map[string]string // the text that has a plain name
	// exact are the plain names that differ from their text, each with the text.
	exact [][2]string
	// nothing is the name of the rows without a value, emptyNamed whether it was given.
	nothing    string
	emptyNamed bool
}

type nameKey struct {
	text  string
	limit int
}

// named gives a text its plain name.
func (n *names) named(text string, limit int) string {
	if n.shown == nil {
		n.shown, n.taken = make(map[nameKey]string), make(map[string]string)
	}
	key := nameKey{text, limit}
	if name, ok := n.shown[key]; ok {
		return name
	}
	bare := plain(text, limit)
	name := bare
	for i := 2; ; i++ {
		if of, ok := n.taken[name]; !ok || of == text {
			break
		}
		name = fmt.Sprintf("%s (%d)", bare, i)
	}
	n.shown[key], n.taken[name] = name, text
	if name != text && len(text) <= exactLimit {
		n.exact = append(n.exact, [2]string{name, text})
	}
	return name
}

// IsEmpty tells a cell without a value: NULL, or a text of blanks.
func IsEmpty(v any) bool {
	s, ok := v.(string)
	return v == nil || ok && strings.TrimSpace(s) == ""
}

// text is what a row's group is called; those without a value have a name that no value of the data has.
func (p *plan) text(row []any, c *profile) string {
	v := cell(row, c.index)
	if !IsEmpty(v) {
		return Text(v)
	}
	p.emptyNamed = true
	return p.nothing
}

// nameNothing finds a name for rows without a value: the usual one, unless a value of the data is called so.
func (p *plan) nameNothing() {
	taken := make(map[string]bool)
	for _, c := range []*profile{p.axis, p.split} {
		for _, row := range p.table.Rows {
			if c == nil {
				break
			}
			if s, ok := cell(row, c.index).(string); ok {
				taken[s] = true
			}
		}
	}
	p.nothing = Text(nil)
	for i := 0; taken[p.nothing]; i++ {
		p.nothing = "(no value)"
		if i > 0 {
			p.nothing = fmt.Sprintf("(no value %d)", i+1)
		}
	}
}
