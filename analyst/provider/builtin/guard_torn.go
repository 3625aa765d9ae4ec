package builtin

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/analyst/specialist"
)

// torn is a table to which several equally good ways lead from the base of a view, as those from a flight to its two airports.
type torn struct {
	table string
	ways  []string // as people read them
}

// guardTorn asks for the way between two tables if the question has words of both, and one of them could not be joined. No
// rule says which of the ways is meant, and a person can say it once for all questions.
func (p *planner) guardTorn(f *form) {
	for i, v := range p.views {
		if v != f.view && slices.ContainsFunc(f.ignored, p.indexes[i].calls) {
			f.tear(v)
		}
	}
}

// tear asks for the way between the view of the form and another table, if there are several. It reports whether it has asked.
func (f *form) tear(other *view) bool {
	for _, pair := range [2][2]*view{{f.view, other}, {other, f.view}} {
		for _, t := range pair[0].torn {
			if t.table == pair[1].base.Name {
				f.ask(fmt.Sprintf("There are several ways from %s to %s: %s. Which one do you mean? %sSomeone who may edit the data source "+
					"can prefer one of them on its page.", pair[0].base.entity(), pair[1].base.entity(), strings.Join(t.ways, "; or "),
					pair[0].namesOfWays(t.table)))
				return true
			}
		}
	}
	return false
}

// namesOfWays says which words of a question name one of several ways to a table; empty if there are none.
func (v *view) namesOfWays(table string) string {
	for _, several := range v.parted {
		if several.table != table {
			continue
		}
		var names []string
		for _, p := range several.parts {
			names = append(names, "“"+p.link.Part+"”")
		}
		return fmt.Sprintf("Please say %s in the question. ", specialist.List(names, "or"))
	}
	return ""
}

// apart refuses words that are in a table of another view.
func (f *form) apart(words string, other *view, name string) {
	switch {
	case f.tear(other):
	case other.joins(f.view.base):
		f.block(fmt.Sprintf("“%s” is in %s, which may have several rows for one row of %s, and I could not bring both into one answer. "+
			"Ask for it alone.", words, name, f.view.base.entity()))
	default:
		f.block(fmt.Sprintf("“%s” is in %s, which I cannot join with the rest of the question.", words, name))
	}
}

// calls reports whether words are the name of the base of an index or of one of its columns.
func (ix *index) calls(words string) bool {
	return slices.ContainsFunc(ix.phrases[stemsOf(lex(words))], func(l link) bool {
		return !l.isValue && l.quality >= 0.8 && (l.table == ix.view.base || l.column != nil && l.column.table == ix.view.base)
	})
}
