package builtin

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/analyst/semantic"
	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/domain/meaning"
)

// unplacedMax is how many words of a question a refusal names.
const unplacedMax = 6

// unplaced says of each word that has no part in the reading what is known of it: a name in the tables that were read, a name in
// another table and why the two are not brought together, a word of the language, or none of these. It never says that something
// is not there which is there in one of the attached tables.
func (p *planner) unplaced(f *form) string {
	var out strings.Builder
	var missing []string
	for _, words := range f.ignored[:min(len(f.ignored), unplacedMax)] {
		switch owner, ok := p.ownerOf(words, f.view); {
		case ok && owner == f.view:
			fmt.Fprintf(&out, " I found no part in the answer for “%s”, which is in %s.", safeLine(words, withheldMax), f.view.told())
		case ok:
			fmt.Fprintf(&out, " “%s” is in %s, which I could not bring together with %s: %s.", safeLine(words, withheldMax),
				owner.base.entity(), f.view.base.entity(), p.whyApart(f.view, owner))
		case p.lang.speaks(words):
			fmt.Fprintf(&out, " I could not tell what “%s” is about.", safeLine(words, withheldMax))
		default:
			missing = append(missing, words)
		}
	}
	if len(missing) > 0 {
		fmt.Fprintf(&out, " I found nothing here called %s.", specialist.List(quoteAll(missing), "or"))
	}
	return out.String()
}

// ownerOf finds the view that has words as the name or a value of one of its tables: the given one if it has them, else one whose
// own table has them.
func (p *planner) ownerOf(words string, first *view) (*view, bool) {
	ts := slices.DeleteFunc(lex(words), func(t token) bool { return t.kind == tokenSymbol })
	var other *view
	for k, ix := range p.indexes {
		v := p.views[k]
		switch {
		case !ix.knows(ts, v == first):
		case v == first:
			return v, true
		case other == nil:
			other = v
		}
	}
	return other, other != nil
}

// knows reports whether some words, or one of them that means something, are a name or a value in the tables of an index: in its
// own table, or also in those that are joined to it.
func (ix *index) knows(ts []token, joined bool) bool {
	named := func(part []token) bool {
		return slices.ContainsFunc(ix.find(part), func(l link) bool {
			t := l.table
			if l.column != nil {
				t = l.column.table
			}
			return l.quality > 0.42 && (joined || t == ix.view.base)
		})
	}
	if len(ts) > 0 && named(ts) {
		return true
	}
	for i, t := range ts {
		if t.kind == tokenWord && !ix.stop[t.norm] && named(ts[i:i+1]) {
			return true
		}
	}
	return false
}

// speaks reports whether words are a phrase of the language.
func (l *language) speaks(words string) bool {
	_, ok := l.keywords[strings.ToLower(words)]
	return ok
}

// told names the tables of a view.
func (v *view) told() string {
	var names []string
	for _, t := range v.tables() {
		names = append(names, t.entity())
	}
	return specialist.List(names, "or")
}

// whyApart says why the rows of two tables are not brought together.
func (p *planner) whyApart(read, other *view) string {
	a, b := read.base, other.base
	switch shared := p.sharedKey(a, b); {
	case !together(a, b):
		return "one query cannot ask two databases"
	case other.joins(a):
		return fmt.Sprintf("%s may have several rows for one row of %s", b.entity(), a.entity())
	case len(shared) > 0:
		return fmt.Sprintf("several rows of both may have the same %s, so their rows do not belong together one by one",
			specialist.List(shared, "and"))
	default:
		return "I know of no column by which each row of the one belongs to one row of the other"
	}
}

// sharedKey returns the names of the columns of a table that link it to another one, in which values repeat on both sides; nil if
// there is no such link.
func (p *planner) sharedKey(a, b *table) []string {
	is := func(e meaning.Ends, t *table) bool {
		return semantic.Place{Source: e.Source, Table: e.Table} == semanticPlace(t.Table)
	}
	for _, l := range p.meaning.Links {
		if l.Cardinality != meaning.ManyToMany {
			continue
		}
		for _, ends := range [2][2]meaning.Ends{{l.From, l.To}, {l.To, l.From}} {
			columns := a.allNamed(ends[0].Columns)
			if !is(ends[0], a) || !is(ends[1], b) || columns == nil {
				continue
			}
			var names []string
			for _, c := range columns {
				names = append(names, quoteName(c))
			}
			return names
		}
	}
	return nil
}
