package builtin

import (
	"slices"
	"strings"
)

// countedBeside reads things beside a number, by groups, as their number: "accounts and revenue by plan" asks for two figures of
// each plan. Without it the noun would only say whom the revenue belongs to, and its figure would be missing.
func (p *parser) countedBeside(a *atom) bool {
	f := p.form
	if p.byNext || p.perNext || p.orderBy || p.counting || p.topNoun || p.which || p.not || p.superPos >= 0 || len(p.agg) > 0 ||
		f.mode != modeGroups || !isPlural(strings.ToLower(lastWord(a.words))) || !p.besideNumber() || !p.groupsLater() {
		return false
	}
	m := p.countOf(a)
	if m == nil {
		return false
	}
	f.measures = append(f.measures, *m)
	return true
}

// countOf returns the number of the things that a plural names: the rows of the table, or the different values of a column that
// names things; nil if it names neither.
func (p *parser) countOf(a *atom) *measure {
	if valueOf(a) != nil || numberOf(a) != nil {
		return nil
	}
	base := p.form.view.base
	c := columnOf(a)
	if tableOfLink(a) == base && p.tableBeatsColumn(a) && a.links[0].quality > 0.42 {
		if c != nil && c.keyLike() && c.table == base && !c.names() && slices.Equal(coreOf(c.words), base.words[len(base.words)-1:]) {
			return &measure{agg: aggDistinct, col: c} // the rows are lines of orders
		}
		return &measure{agg: aggCount}
	}
	switch {
	case c == nil || c.table != base || c.isDate() || c.booleanLike() || c.isPart() || !c.isText() && !c.identifies():
		return nil
	case p.unique(c) || p.keyed(c) != nil:
		return &measure{agg: aggCount}
	}
	return &measure{agg: aggDistinct, col: c}
}

// besideNumber reports whether the atom at the position is joined by "and" to a number that is measured, before it or after it.
func (p *parser) besideNumber() bool {
	joins := func(i int) bool {
		return i >= 0 && i < len(p.atoms) && p.atoms[i].kind == atomAnd && p.atoms[i].text == "and"
	}
	if joins(p.pos-1) && p.pos > 1 && numberOf(&p.atoms[p.pos-2]) != nil {
		return true
	}
	if !joins(p.pos + 1) {
		return false
	}
	next, i := p.peek(p.pos + 2)
	if next != nil && next.kind == atomAgg {
		next, _ = p.peek(i + 1)
	}
	return next != nil && numberOf(next) != nil
}

// groupsLater reports whether groups are named after the position.
func (p *parser) groupsLater() bool {
	return slices.ContainsFunc(p.atoms[p.pos:], func(a atom) bool {
		return a.kind == atomBy || a.kind == atomEach || a.kind == atomGrain || a.kind == atomTrend
	})
}
