package builtin

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/analyst/specialist"
)

// tiedPaths is a table to which several equally good paths lead from the base of a view, such as those from a flight to its two
// airports.
type tiedPaths struct {
	table string
	paths []string // as people read them
}

// guardTiedPaths asks for the path between two tables if the question has words of both, and one of them could not be joined. No
// rule says which path is meant; a person can prefer one of them for all questions.
func (p *planner) guardTiedPaths(f *form) {
	for i, v := range p.views {
		if v != f.view && slices.ContainsFunc(f.ignored, p.indexes[i].calls) {
			f.askForPath(v)
		}
	}
}

// askForPath asks for the path between the view of the form and another table, if there are several. It reports whether it has
// asked.
func (f *form) askForPath(other *view) bool {
	for _, pair := range [2][2]*view{{f.view, other}, {other, f.view}} {
		for _, t := range pair[0].tiedPaths {
			if t.table == pair[1].base.Name {
				f.ask(fmt.Sprintf("There are several ways from %s to %s: %s. Which one do you mean? %sSomeone who may edit the data source "+
					"can prefer one of them on its page.", pair[0].base.entity(), pair[1].base.entity(), strings.Join(t.paths, "; or "),
					pair[0].namesOfPaths(t.table)))
				return true
			}
		}
	}
	return false
}

// namesOfPaths returns the words by which a question can name one of several paths to a table; empty if there are none.
func (v *view) namesOfPaths(table string) string {
	for _, several := range v.namedPaths {
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

// refuseUnjoined refuses words that name something in a table of another view.
func (f *form) refuseUnjoined(words string, other *view, name string) {
	if !f.askForPath(other) {
		f.block(fmt.Sprintf("“%s” is in %s, which I cannot join with the rest of the question.", words, name))
	}
}

// calls reports whether words are the name of the base of an index or of one of its columns.
func (ix *index) calls(words string) bool {
	return slices.ContainsFunc(ix.phrases[stemsOf(lex(words))], func(l link) bool {
		return !l.isValue && l.quality >= 0.8 && (l.table == ix.view.base || l.column != nil && l.column.table == ix.view.base)
	})
}
