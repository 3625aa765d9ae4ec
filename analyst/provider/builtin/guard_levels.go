package builtin

import (
	"fmt"
	"slices"
	"strings"
)

// guardLevels prevents levels from being summed over time. Over a longer time the last period is used,
// and a note says so; if that would not answer the question, the question is refused.
func (f *form) guardLevels() {
	if f.mode == modeDescribe || f.help || f.blocked {
		return
	}
	s := f.view.base.snapshot()
	if s == nil {
		return
	}
	if f.busiest(s) {
		f.ask(fmt.Sprintf("Each %s occurs once in each period, so that the number of rows does not tell which is the most; "+
			"please name a number.", strings.TrimSuffix(coreTitle(s.keys[0]), " id")))
		return
	}
	f.levelTotals(s)
	levels, things := f.levelsOf(s)
	if len(levels) == 0 && f.beganOnce(s) {
		return
	}
	if f.mode == modeRows && s.keys != nil && !f.countsRows() && f.orderCol == nil && f.latestOf == nil {
		things++ // each account is listed once, and not once for each period
	}
	if len(levels)+things == 0 {
		return
	}
	if f.mode == modeCorrelation {
		return
	}
	named := "The number of " + f.view.base.entity()
	if len(levels) > 0 {
		named = quoteName(levels[0])
	}
	each := "period"
	if s.unit != grainNone {
		each = string(s.unit)
	}
	if things > 0 && len(levels) == 0 && (f.arrivals() || s.exit != nil && f.filters(s.exit)) {
		return // arrivals and departures are counted over the whole time
	}
	if len(levels) > 0 && f.arrivals() {
		for _, c := range f.view.base.columns {
			if c != levels[0] && len(c.words) > len(levels[0].words) && slices.Equal(c.words[:len(levels[0].words)], levels[0].words) {
				f.ask(fmt.Sprintf("%s is what there is in a %s; how it moved is in %s, so please say which of them you mean.",
					named, each, quoteName(c)))
				return
			}
		}
	}
	if len(levels) > 0 {
		f.atEachEnd(s)
	}
	for _, d := range f.dims {
		if d.col != s.period || f.counted != nil {
			continue
		}
		if d.grain != grainNone && d.grain != s.unit && !finer(d.grain, s.unit) || f.running {
			f.block(fmt.Sprintf("%s is what there is in a %s, and is not added up over several; ask for it by %s, or in one %s.",
				named, each, each, each))
		}
		return
	}
	for _, m := range f.measures {
		if m.each == s.unit && s.unit != grainNone {
			return
		}
		if m.each != grainNone {
			f.block(fmt.Sprintf("%s is what there is in a %s, and is not added up over several.", named, each))
			return
		}
	}
	window, at := f.windowOf(s)
	atEnd := f.atEnd
	f.atEnd = f.atEnd && window == nil
	if s.exit != nil && f.filters(s.exit) || f.shareOf != nil && f.shareOf.col == s.exit && s.exit != nil {
		if len(levels) > 0 && f.filters(s.exit) {
			f.block(fmt.Sprintf("%s of what has left is nothing, for it is what there is at the end of a %s.", named, each))
		}
		if f.shareOf != nil && f.shareOf.col == s.exit && !s.single(window) && f.timed() == nil {
			f.note(fmt.Sprintf("Each %s counts once, so this is the mean rate of a %s and not that of the whole time.", each, each))
		}
		return // departures are counted over the whole time
	}
	if s.single(window) {
		f.guardLeft(s, things)
		return
	}
	if window != nil && things > 0 && slices.ContainsFunc(f.where, func(w condition) bool {
		return w.col.table == f.view.base && (len(w.nums) > 0 || w.col.isBool()) && w.col != s.period
	}) {
		f.ask(fmt.Sprintf("I could not tell whether that must be true once or in each %s of that time; please name one %s.", each,
			each))
		return
	}
	if f.growth || f.moving != nil || f.running {
		f.block(fmt.Sprintf("%s is what there is in a %s; ask how it went by %s.", named, each, each))
		return
	}
	if f.averageOfPeriods(levels, s, things) {
		return
	}
	if window != nil && !atEnd && len(f.dims) == 0 && things == 0 && s.unit != grainNone && f.shareOf == nil && len(f.having) == 0 &&
		f.mode == modeGroups && !f.perEach() {
		f.dims = []dimension{{col: s.period, grain: s.unit}}
		f.orderDim, f.desc = true, false
		f.note(fmt.Sprintf("%s is what there is in a %s, and is not added up over several, so I give each of them.", named, each))
		return
	}
	last, label := s.last(window)
	if at >= 0 {
		f.where[at] = last
	} else {
		f.where = append(f.where, last)
	}
	f.note(fmt.Sprintf("%s is what there is in a %s, and is not added up over several, so I took the last one, %s.", named, each,
		label))
	for _, c := range levels {
		f.lastOf = append(f.lastOf, lastTaken{column: c, unit: s.unit, averages: f.canAverage(levels, s, things)})
	}
	f.guardLeft(s, things)
}

// takeEnd leaves "at the end of" out of a question, before a time, and reports whether it was there.
func takeEnd(ts []token) ([]token, bool) {
	for i := 0; i+4 < len(ts); i++ {
		if ts[i].norm != "at" || ts[i+1].norm != "the" || ts[i+2].norm != "end" || ts[i+3].norm != "of" {
			continue
		}
		if _, n := readSpan(ts[i+4:]); n > 0 || isOne(ts[i+4].norm, "each", "every") {
			in := word("in")
			return append(append(slices.Clone(ts[:i]), in), ts[i+4:]...), true
		}
	}
	return ts, false
}

// atEachEnd reads "at the end of each quarter" over a table of months: of each quarter its last month is taken.
func (f *form) atEachEnd(s *snapshot) {
	if !f.atEnd || s.unit != grainMonth || !s.period.isDate() {
		return
	}
	ends := map[grain][]int{grainQuarter: {3, 6, 9, 12}, grainYear: {12}}
	for i := range f.dims {
		d := &f.dims[i]
		months, ok := ends[d.grain]
		if d.col != s.period || !ok {
			continue
		}
		f.where = append(f.where, condition{col: s.period, op: opRecurring, recur: recurring{
			part: grainMonthName, set: months, label: fmt.Sprintf("the last month of each %s", d.grain),
		}})
		d.grain, f.atEnd = grainMonth, false
		return
	}
}

// guardEnd refuses the end of a time if nothing in the answer is what there is at one time: the end of a year is no part of it.
func (f *form) guardEnd() {
	if f.atEnd && f.mode != modeDescribe {
		f.block("I could not tell what there is at the end of that time; I can give it for a number of which each period has one value.")
	}
}

// levelTotals uses the total of a level if the question named no aggregation: the balance of a branch
// is the sum of its accounts. If a mean over all periods was asked for, a note says that it is one.
func (f *form) levelTotals(s *snapshot) {
	if f.mode != modeGroups {
		return
	}
	for i := range f.measures {
		m := &f.measures[i]
		if m.agg != aggAvg || m.col == nil || m.col.table != f.view.base || !m.col.level() || m.per != nil || m.over != nil ||
			m.each != grainNone {
			continue
		}
		if m.assumed && m.col.adds() {
			m.agg = aggSum
			continue
		}
		if w, _ := f.windowOf(s); (m.col.rate() || f.byThing(s)) && !s.single(w) && !slices.ContainsFunc(f.dims, func(d dimension) bool {
			return d.col == s.period &&
				d.grain == s.unit
		}) && s.keys != nil {
			f.note(fmt.Sprintf("%s is given for each %s; this is the mean over all of them.", quoteName(m.col), orElse(string(s.unit),
				"period")))
		}
	}
}

// byThing reports whether each group is one thing of a snapshot: its mean is a mean over time, because
// the last period has only one row for it.
func (f *form) byThing(s *snapshot) bool {
	return len(s.keys) == 1 && slices.ContainsFunc(f.dims, func(d dimension) bool {
		return d.col == s.keys[0] || d.col.table.on == s.keys[0] && d.col.Distinct == d.col.table.Rows
	})
}

// busiest reports whether the form ranks by the number of rows in a table that has one row for each
// thing and period.
func (f *form) busiest(s *snapshot) bool {
	return s.keys != nil && f.mode == modeGroups && !f.countsRows() &&
		!slices.ContainsFunc(f.where, func(w condition) bool {
			return w.col.table == f.view.base && w.col != s.period && !slices.Contains(s.keys, w.col)
		}) &&
		slices.ContainsFunc(f.atoms, func(a atom) bool { return a.kind == atomSuper && a.hint == "count" }) &&
		slices.ContainsFunc(f.measures, measure.ofRows)
}

// adds reports whether a level can be summed over things: money and numbers of people can, readings of
// a scale cannot.
func (c *column) adds() bool {
	return !slices.ContainsFunc(append(splitName(c.Name), c.words...), func(w string) bool {
		return isOne(w, "score", "scor", "rating", "rate", "percent", "pct", "level", "temperature", "temperatur", "pressure",
			"pressur", "odometer", "mileage", "index", "density")
	})
}

// beganOnce reads a question about a day that each thing has only once, such as its installation: each
// thing is counted once over all periods.
func (f *form) beganOnce(s *snapshot) bool {
	if len(s.keys) != 1 {
		return false
	}
	once := func(c *column) bool {
		return c != nil && c.isDate() && c != s.period && c.table == f.view.base && c.Distinct <= s.keys[0].Distinct
	}
	var day *column
	for _, d := range f.dims {
		if once(d.col) {
			day = d.col
		}
	}
	for _, w := range f.where {
		if w.op == opSpan && once(w.col) {
			day = w.col
		}
		if w.col == s.period {
			return false
		}
	}
	if day == nil {
		return false
	}
	switch {
	case f.mode == modeRows && f.orderCol == nil && len(f.columns) == 0:
		f.mode, f.columns, f.limit = modeGroups, nil, 0
		f.measures = []measure{{agg: aggDistinct, col: s.keys[0]}}
		return true
	case f.mode != modeGroups || f.share || f.shareOf != nil || f.growth:
		return false
	}
	for i := range f.measures {
		m := &f.measures[i]
		if m.ofRows() && !f.countsRows() {
			*m = measure{agg: aggDistinct, col: s.keys[0]}
		}
		if m.agg != aggDistinct {
			return false
		}
	}
	return true
}

// perEach reports whether a total is divided by things.
func (f *form) perEach() bool {
	return slices.ContainsFunc(f.measures, func(m measure) bool { return m.per != nil })
}

// guardLeft excludes things that left during the period itself from a count.
func (f *form) guardLeft(s *snapshot, things int) {
	if s.exit == nil || f.filters(s.exit) || things == 0 && !f.perEach() &&
		!slices.ContainsFunc(f.measures, func(m measure) bool { return m.agg == aggAvg || m.agg == aggMedian }) {
		return
	}
	if slices.ContainsFunc(f.dims, func(d dimension) bool { return d.col == s.exit }) || f.arrivals() {
		return
	}
	f.where = append(f.where, condition{col: s.exit, op: opIn, values: []string{s.exit.truth(false)}})
	f.note(fmt.Sprintf("Those where %s is yes left in it and do not count.", quoteName(s.exit)))
}

// arrivals reports whether a filter selects changes of things in a period, by a column whose values
// name the change: new, churned.
func (f *form) arrivals() bool {
	return slices.ContainsFunc(f.where, func(w condition) bool {
		return w.op == opIn && slices.ContainsFunc(w.values, func(v string) bool {
			return isOne(strings.ToLower(strings.TrimSpace(v)), "new", "churn", "churned", "expansion", "contraction", "joined",
				"left", "hired", "cancelled", "canceled", "upgrade", "downgrade", "reactivation", "lost", "won", "added", "removed",
				"departed")
		})
	})
}

// levelsOf returns the levels that a form sums or averages, and the number of its measures that count
// the things of a snapshot.
func (f *form) levelsOf(s *snapshot) (levels []*column, things int) {
	add := func(c *column) {
		if c != nil && c.table == f.view.base && c.level() && !slices.Contains(levels, c) {
			levels = append(levels, c)
		}
	}
	for _, m := range f.measures {
		switch {
		case m.agg == aggMin || m.agg == aggMax:
		case m.agg == aggAvg && m.col != nil && m.per == nil && (m.col.rate() || !m.assumed && f.byThing(s)):
			// The mean of a level over time is meaningful.
		case m.agg == aggDistinct && slices.Contains(s.keys, m.col):
			things++
		case m.ofRows() && f.mode == modeGroups && s.keys != nil && !f.countsRows():
			things++
		default:
			add(m.col)
			add(m.over)
		}
	}
	if f.mode == modeRows {
		add(f.orderCol)
	}
	return levels, things
}

// countsRows reports whether the question asks for the number of rows as such.
func (f *form) countsRows() bool {
	return slices.ContainsFunc(f.tokens, func(t token) bool {
		return isOne(t.norm, "rows", "records", "entries", "lines", "row",
			"observations")
	})
}
