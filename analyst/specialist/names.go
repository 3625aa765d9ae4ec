package specialist

import (
	"fmt"
	"strings"
)

// nameLimit is the maximum length in characters of a value of the data as a name in a chart.
// It is long because only the viewer cuts names, and only in its drawing: names in its table and
// its CSV are complete, and names with the same beginning stay different. labelLimit is the
// maximum length of a column's label.
const (
	nameLimit  = 500
	labelLimit = 60
	// exactLimit is the maximum length in bytes of an original text that is passed to the viewer.
	exactLimit = 4000
)

// names assigns names to the texts of a chart. A chart contains no markup (I03), but a file
// of its numbers must have the data's original names. So each text has a plain name that is
// drawn, no two texts have the same plain name, and the original text is stored separately,
// where a viewer reads it only for a file.
type names struct {
	shown map[nameKey]string
	taken map[string]string // the text of each plain name
	// exact holds the plain names that differ from their text, each with the text.
	exact [][2]string
	// emptyName is the name of the rows without a value; emptyUsed is true if it was used.
	emptyName string
	emptyUsed bool
}

type nameKey struct {
	text  string
	limit int
}

// named returns the plain name of a text.
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
		if owner, ok := n.taken[name]; !ok || owner == text {
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

// IsEmpty reports whether a cell has no value: it is NULL or a text of blanks.
func IsEmpty(v any) bool {
	s, ok := v.(string)
	return v == nil || ok && strings.TrimSpace(s) == ""
}

// text returns the name of a row's group. The name of rows without a value is different from
// every value of the data.
func (p *plan) text(row []any, c *profile) string {
	v := cell(row, c.index)
	if !IsEmpty(v) {
		return Text(v)
	}
	p.emptyUsed = true
	return p.emptyName
}

// nameEmpty chooses the name for rows without a value: the usual name, unless a value of the
// data is equal to it.
func (p *plan) nameEmpty() {
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
	p.emptyName = Text(nil)
	for i := 0; taken[p.emptyName]; i++ {
		p.emptyName = "(no value)"
		if i > 0 {
			p.emptyName = fmt.Sprintf("(no value %d)", i+1)
		}
	}
}
