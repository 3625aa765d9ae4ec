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

// narrateRunning narrates a running total.
func (t *teller) narrateRunning() narration {
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

// latestPhrase describes such rows in words.
func (f *form) latestPhrase() string {
	which := map[bool]string{true: "latest", false: "earliest"}[f.desc]
	row := "row"
	if f.limit > 1 {
		which, row = fmt.Sprintf("%d %s", f.limit, which), "rows"
	}
	return fmt.Sprintf("the %s %s of `%s` by %s for each %s", which, row, f.view.base.entity(), quoteName(f.orderCol), quoteName(f.latestOf))
}

// narrateLatest narrates the rows of each group.
func (t *teller) narrateLatest() narration {
	f := t.form
	which := map[bool]string{true: "latest", false: "earliest"}[f.desc]
	text := fmt.Sprintf("Here are **%s** rows: the %s of each %s by %s%s.", rowCount(len(t.rows)), which, coreTitle(f.latestOf),
		f.orderCol.title(), t.scope())
	return narration{answer: text, summary: strings.ReplaceAll(text, "**", "")}
}
