package builtin

import (
	"slices"
	"strings"
)

// synonymOf reports whether the words of an atom are read as a column by a synonym, while they are the name of the number of
// another table: freight is not what was shipped if a table has the column freight_eur.
func (f *form) synonymOf(a *atom, named link) bool {
	words, c := stemsOf(lex(a.words)), named.column
	if c == nil || !c.isNumber() {
		return false
	}
	is := func(name []string) bool { return strings.Join(name, " ") == words }
	if !is(c.words) && !is(c.bare) && !is(coreOf(c.words)) {
		return false
	}
	return !slices.ContainsFunc(a.links, func(l link) bool {
		return l.table != nil && l.quality > 0.42 || l.column != nil && (l.isValue || f.uses(l.column) && l.column.says(words))
	})
}

// says reports whether the name of a column contains all of some words, given as stems.
func (c *column) says(words string) bool {
	return !slices.ContainsFunc(strings.Fields(words), func(w string) bool { return !slices.Contains(c.words, w) })
}

// guardKeywords refuses a reading that takes the name of another table's number for a word of the language: if a table has a
// column called headcount, the word does not count rows.
func (p *planner) guardKeywords(f *form) {
	from := 0
	for i := range f.atoms {
		a, at := &f.atoms[i], from
		from += a.size
		if !a.kind.mayName() || from > len(f.tokens) || f.applies(i) {
			continue
		}
		name := strings.TrimSuffix(stemsOf(f.tokens[at:from]), " of")
		for _, v := range p.views {
			for _, c := range v.base.columns {
				if c.isNumber() && strings.Join(c.words, " ") == name && !f.hasName(link{column: c}) {
					f.refuseUnjoined(a.words, v, v.base.entity())
					return
				}
			}
		}
	}
}

// mayName reports whether words of the language are of a kind that numbers are called by: count, total, growth, share.
func (k atomKind) mayName() bool {
	return slices.Contains([]atomKind{
		atomHowMany, atomAgg, atomGrowth, atomShare, atomBins, atomCompare, atomTrend, atomRunning, atomRate,
	}, k)
}

// applies reports whether a word of the language is about the word after it, as in "total refund", "growth of revenue" and "count
// of traps". A word that itself says what is counted needs no other.
func (f *form) applies(i int) bool {
	next := i + 1
	for next < len(f.atoms) && f.atoms[next].kind == atomStop && isOne(strings.ToLower(f.atoms[next].words), "of", "the", "all", "our") {
		next++
	}
	if next == len(f.atoms) {
		return false
	}
	after := &f.atoms[next]
	if f.atoms[i].kind != atomHowMany {
		return after.kind == atomLink && valueOf(after) == nil || after.kind == atomUnknown || after.kind == atomAgg
	}
	return f.atoms[i].hint != peopleHint && isPlural(strings.ToLower(lastWord(after.words))) &&
		slices.ContainsFunc(after.links, func(l link) bool {
			return l.table == f.view.base || l.column != nil && l.column.table == f.view.base && !l.column.isNumber()
		})
}
