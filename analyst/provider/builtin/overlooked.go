package builtin

import (
	"slices"
	"strings"
)

// consumed reads the most gas that a site used as its consumption, if the table has one number for it: the readings are not what is used.
func (p *parser) consumed() {
	f := p.form
	if !f.onlyCounts() || f.share ||
		f.shareOf != nil || !slices.ContainsFunc(p.asked, func(t token) bool {
		return isOne(t.norm, "used", "uses", "use", "consumed", "consumes", "consume")
	}) || !slices.ContainsFunc(p.asked, func(t token) bool {
		return isOne(t.norm, "most", "least", "much")
	}) {
		return
	}
	var found *column
	for _, c := range f.view.base.columns {
		if c.isNumber() && !c.rate() && !c.level() && slices.ContainsFunc(splitName(c.Name), func(w string) bool {
			return isOne(w, "consumption", "consumed", "usage", "used")
		}) {
			if found != nil {
				return
			}
			found = c
		}
	}
	if found != nil {
		f.measures[0] = measure{agg: aggSum, col: found}
	}
}

// payrolls adds salaries up: the payroll of a department is what all of its people earn, and not their mean.
func (p *parser) payrolls() {
	f := p.form
	if len(f.measures) != 1 || f.measures[0].agg != aggAvg || f.measures[0].col == nil || f.measures[0].per != nil ||
		slices.ContainsFunc(p.atoms, func(a atom) bool { return a.kind == atomAgg }) {
		return
	}
	c := f.measures[0].col
	if slices.ContainsFunc(p.asked, func(t token) bool { return t.norm == "payroll" }) && !slices.Contains(c.words, stem("payroll")) &&
		!slices.Contains(c.table.words, stem("payroll")) {
		f.measures[0].agg, f.measures[0].assumed = aggSum, false
	}
}

// ranksReasons reports whether the things that are ranked are reasons: the top reason is the one that is given most often, and not the one
// with the highest amount.
func (p *parser) ranksReasons() bool {
	f := p.form
	// In a table with a row for each thing and period, a number of things is that of the last period, and a reason stands in one row.
	if f.view.base.snapshot() != nil || len(f.dims) != 1 || !f.dims[0].col.isText() {
		return false
	}
	return slices.ContainsFunc(f.dims[0].col.words, func(w string) bool {
		return isOne(w, stem("reason"), stem("cause"), stem("complaint"))
	})
}

// clauseOf reports whether a filter is in a clause about the things that another filter before it selects: the share of premium customers
// who would switch is a part of the premium customers.
func (p *parser) clauseOf(w condition) bool {
	who := slices.IndexFunc(p.atoms, func(a atom) bool { return isOne(strings.ToLower(a.words), "who", "that", "which") })
	if who < 1 {
		return false
	}
	in := func(c *column, atoms []atom) bool {
		return slices.ContainsFunc(atoms, func(a atom) bool {
			return a.kind == atomLink && slices.ContainsFunc(a.links, func(l link) bool { return l.column == c })
		})
	}
	if !in(w.col, p.atoms[who:]) || in(w.col, p.atoms[:who]) {
		return false
	}
	return slices.ContainsFunc(p.form.where, func(o condition) bool { return o.col != w.col && in(o.col, p.atoms[:who]) })
}
