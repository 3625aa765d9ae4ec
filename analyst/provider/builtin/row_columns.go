package builtin

import (
	"slices"
	"strings"
)

// showcase returns the columns that make a row recognisable, next to the column that matters.
func (p *parser) showcase(c *column) []*column {
	var out []*column
	add := func(c *column) {
		if c != nil && !slices.Contains(out, c) && len(out) < 6 {
			out = append(out, c)
		}
	}
	base := p.form.view.base
	if p.hasWho() && nameColumn(base) == nil {
		// People are called by their names, also if the rows only have their numbers.
		for _, t := range p.form.view.joined {
			if t.from == base && t.on != nil {
				add(nameColumn(t))
			}
		}
	}
	for _, col := range base.columns {
		if col.isText() && len(col.words) > 0 && (col.words[len(col.words)-1] == "name" || isOne(col.words[len(col.words)-1], "title",
			"titl") && 2*col.Distinct >= base.Rows) {
			add(col)
		}
	}
	if name := nameColumn(base); len(out) == 0 && name != nil && 2*name.Distinct >= base.Rows {
		add(name) // a table of campaigns with a column campaign
	}
	if len(out) == 0 {
		for _, col := range base.columns {
			if col.identifies() && (col.names() || col.keyLike() && !isOne(col.words[len(col.words)-1], "code", "cod")) {
				add(col)
				break
			}
		}
	}
	if len(out) > 0 && !out[0].unique() {
		for _, col := range base.columns {
			if col.names() && col.identifies() {
				add(col) // distinguishes two rows with the same name
				break
			}
		}
	}
	when := slices.ContainsFunc(p.atoms, func(a atom) bool { return strings.EqualFold(a.words, "when") })
	if dates := base.dates(); (len(out) == 0 || when) && len(dates) > 0 {
		add(dates[0]) // a row about a day is recognised by its date
	}
	for _, m := range p.mentions {
		add(m)
	}
	for _, col := range base.columns {
		if col.isText() && col.groups() && !col.identifies() && len(out) < 4 {
			add(col)
		}
	}
	for _, w := range p.form.where {
		add(w.col)
	}
	if !slices.Contains(out, c) {
		out = append(out, c)
	}
	return out
}

// rowColumns settles the columns of rows: "list the role and the age" shows both, in the order in which
// they are named; "rows where status is late" names status only as a filter.
func (p *parser) rowColumns() {
	f := p.form
	if f.mode != modeRows {
		return
	}
	for _, m := range p.named {
		listed := slices.ContainsFunc(f.measures, func(x measure) bool { return x.col == m.col && x.assumed && x.over == nil && x.per == nil })
		if listed && !slices.Contains(f.columns, m.col) {
			f.columns = append(f.columns, m.col)
		}
	}
	place := func(c *column) int { return slices.IndexFunc(p.named, func(m mention) bool { return m.col == c }) }
	slices.SortStableFunc(f.columns, func(a, b *column) int { return place(a) - place(b) })
	shown := slices.DeleteFunc(slices.Clone(f.columns), p.filtered)
	if len(shown) < len(f.columns) {
		f.columns = shown
	}
	if len(f.columns) == 0 || f.latestOf != nil || !p.tableNamed() {
		return
	}
	// A number is of no use without the name of its thing, and the number of a condition is shown so that people can check it.
	if name := nameColumn(f.view.base); name != nil && !slices.Contains(f.columns, name) &&
		(p.byName || !slices.ContainsFunc(f.columns, func(c *column) bool { return !c.isNumber() })) {
		f.columns = slices.Insert(f.columns, 0, name)
	}
	for _, w := range f.where {
		if len(w.nums) > 0 && w.col.made == nil && !slices.Contains(f.columns, w.col) {
			f.columns = append(f.columns, w.col)
		}
	}
}

// filtered reports whether rows are filtered by values of a column.
func (p *parser) filtered(c *column) bool {
	return slices.ContainsFunc(p.form.where, func(w condition) bool { return w.col == c && (w.op == opIn || w.op == opNotIn) })
}
