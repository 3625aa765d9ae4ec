package builtin

import (
	"fmt"
	"slices"
	"strings"
)

// placeRunning sets the time along which a running total runs, and refuses measures that cannot be
// summed.
func (p *parser) placeRunning() {
	f := p.form
	if f.running && f.mode == modeRows && len(f.measures) == 0 {
		f.mode, f.measures, f.limit = modeGroups, []measure{{agg: aggCount}}, 0
	}
	if !f.running || f.mode != modeGroups {
		f.running = false
		return
	}
	if f.along() < 0 {
		p.addGrain(grainAuto)
		p.grains()
	}
	switch {
	case f.along() < 0:
		f.block("A running total needs a date to run along, and there is none here.")
	case len(f.measures) != 1 || !f.measures[0].adds():
		if len(f.measures) == 1 && f.measures[0].agg == aggAvg && f.measures[0].assumed {
			f.measures[0].agg = aggSum
			return
		}
		f.block("A running total adds up one number; I can make one of a total or a count.")
	case f.share || f.growth || f.shareOf != nil || len(f.having) > 0 || f.limit > 0:
		f.block("I do not make running totals of shares, changes or rankings.")
	}
}

// adds reports whether the values of a measure's groups add up to the value of all rows.
func (m measure) adds() bool {
	return (m.agg == aggSum || m.agg == aggCount) && m.per == nil && m.over == nil && m.each == grainNone
}

// along returns the dimension along which a running total runs; −1 if there is none.
func (f *form) along() int {
	return slices.IndexFunc(f.dims, func(d dimension) bool {
		return d.grain != grainNone && isCourse(d.grain) || d.grain == grainNone && d.col.isYear()
	})
}

// runningTotal writes the query with a column for the sum of all totals up to each one.
func (w *writer) runningTotal() string {
	return w.alongTime("running_"+w.form.measures[0].name(), func(name, over string) string {
		return fmt.Sprintf("sum(%s) OVER (%s)", name, over)
	})
}

// alongTime writes the query with a column next to the number of each group, computed from it and the
// numbers before it. The new column is named called, and its expression comes from beside: name is the
// column of the number, and over the window clause with the order in time.
func (w *writer) alongTime(called string, beside func(name, over string) string) string {
	f := w.form
	var columns, split []string
	along := ""
	for i, d := range f.dims {
		name := w.unique(d.name(), d.grain == grainNone || strings.EqualFold(d.name(), d.col.Name))
		columns = append(columns, as(w.dim(d), name))
		if i == f.along() {
			along = name
		} else {
			split = append(split, name)
		}
	}
	names := append([]string{along}, split...)
	m := f.measures[0]
	name := w.unique(m.name(), false)
	over := "ORDER BY " + along
	if len(split) > 0 {
		over = "PARTITION BY " + strings.Join(split, ", ") + " " + over
	}
	inner := selectOf(append(columns, as(w.measure(m), name)), w.from(), w.where(), "GROUP BY ALL")
	outer := append(slices.Clone(names), as(beside(name, over), w.unique(called, false)), name)
	return "WITH totals AS (\n" + indent(inner) + "\n)\n" + selectOf(outer, "FROM totals", "ORDER BY "+strings.Join(names, ", "))
}

// accumulated narrates a running total.
func (t *teller) accumulated() narration {
	f := t.form
	what := f.measures[0].said(f)
	at := f.along()
	if t.dims > 1 || len(t.rows) == 0 {
		text := fmt.Sprintf("The running totals of %s%s are in the table: %s rows, each with what was added up to then.",
			strings.TrimPrefix(what, "total "), t.scope(), rowCount(len(t.rows)))
		return narration{answer: text, summary: text}
	}
	values := t.values(1)
	last := len(values) - 1
	text := fmt.Sprintf("Up to %s, the running total of %s%s comes to **%s**; it starts with %s in %s.", t.label(last),
		strings.TrimPrefix(what, "total "), t.scope(), t.valued(last, 1, values), t.valued(0, 1, values), t.label(0))
	if f.dims[at].grain != grainNone {
		text += t.partial(last)
	}
	return narration{answer: text, summary: strings.ReplaceAll(text, "**", "")}
}

// latestOfEach reads "the latest order of each customer" as one row for each customer.
func (p *parser) latestOfEach() {
	f := p.form
	first := slices.ContainsFunc(p.atoms, func(a atom) bool { return a.kind == atomTop && a.hint == "rows" })
	latest := slices.ContainsFunc(p.atoms, func(a atom) bool { return a.kind == atomLatest })
	if f.mode != modeRows || !first && !latest || len(f.dims) != 1 || f.dims[0].grain != grainNone || f.dims[0].width > 0 ||
		len(f.having) > 0 ||
		slices.ContainsFunc(f.measures, func(m measure) bool { return !m.assumed }) {
		return
	}
	d := f.orderCol
	if d == nil || !d.isDate() {
		if d = p.dateOf(); d == nil {
			return
		}
	}
	if 2*d.Nulls > d.table.Rows && p.dateNamed == nil {
		f.block("There is no date for most of the rows.")
		return
	}
	if first && !latest {
		f.desc = false
	}
	if f.limit == 0 || p.topOpen {
		f.limit = 1
	}
	f.latestOf, f.orderCol, f.dims = f.dims[0].col, d, nil
	p.mentions = slices.DeleteFunc(p.mentions, func(c *column) bool { return c.isDate() || c.keyLike() })
	if len(p.mentions)+len(f.measures) > 0 {
		f.columns = []*column{f.latestOf, d}
	}
}

// latestRows writes a query for the first rows of each group in the order of a date.
func (w *writer) latestRows(columns []string) string {
	f := w.form
	group, order := w.column(f.latestOf), w.column(f.orderCol)+direction(f.desc)
	where := w.where()
	known := w.column(f.orderCol) + " IS NOT NULL"
	switch {
	case f.orderCol.Nulls == 0:
	case where == "":
		where = "WHERE " + known
	default:
		where += "\n  AND " + known
	}
	return selectOf(columns, w.from(), where,
		fmt.Sprintf("QUALIFY row_number() OVER (PARTITION BY %s ORDER BY %s) <= %d", group, order, f.limit), "ORDER BY "+group+", "+order)
}

// latestPhrase describes such rows in words.
func (f *form) latestPhrase() string {
	which := map[bool]string{true: "latest", false: "earliest"}[f.desc]
	row := "row"
	if f.limit > 1 {
		which, row = fmt.Sprintf("%d %s", f.limit, which), "rows"
	}
	return fmt.Sprintf("the %s %s of `%s` by %s for each %s", which, row, f.view.base.entity(), quoteName(f.orderCol), quoteName(f.latestOf))
}

// toldLatest narrates the rows of each group.
func (t *teller) toldLatest() narration {
	f := t.form
	which := map[bool]string{true: "latest", false: "earliest"}[f.desc]
	text := fmt.Sprintf("Here are **%s** rows: the %s of each %s by %s%s.", rowCount(len(t.rows)), which, coreTitle(f.latestOf),
		f.orderCol.title(), t.scope())
	return narration{answer: text, summary: strings.ReplaceAll(text, "**", "")}
}
