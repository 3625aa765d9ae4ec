package builtin

import (
	"slices"
	"strings"

	"parley.dev/parley/analyst/specialist"
)

// keptNote begins the note that says what a question keeps of the question before.
const keptNote = "Kept from your previous question: "

// merge applies a question that depends on the question before to that question: what it says replaces
// or narrows, the rest stays.
func merge(before, now *form) *form {
	f := before.clone()
	f.notes, f.ignored, f.read, f.follows = now.notes, now.ignored, now.read, true
	f.explained, f.fragment, f.unranked, f.stance = now.explained+1, false, false, now.stance
	f.tokens, f.atoms, f.fanned = now.tokens, now.atoms, now.fanned
	if f.blocked, f.reason = now.blocked, now.reason; len(now.ignored) > 0 {
		f.blocked = true
	}
	move := func(c *column) *column { return twin(before.view, c) }

	if now.reverse {
		f.desc, f.ordered = !before.desc, true
	}
	if now.stance.sorts && now.mode == modeRows {
		f.sortBy(move(now.orderCol), now.desc)
		now = now.with(nil)
		now.ordered = false
	}
	if c := move(now.ranked()); now.stance.ranksOnly && c != nil && len(before.measures) == 1 && before.measures[0].col == c &&
		len(before.dims) > 0 {
		// "which has the shortest?" after the longest reverses the order of what was shown.
		desc := now.desc
		if len(now.measures) == 1 && now.measures[0].agg == aggMin {
			desc = false
		}
		now = now.with(nil)
		now.unranked, now.few, now.desc, now.ordered, now.limit = true, 1, desc, false, 0
	}
	if len(now.measures) > 0 && now.measures[0].aggOnly && len(before.measures) > 0 && before.measures[0].col != nil {
		// "and the average?" asks about the same number as before.
		f.measures, f.having = nil, nil
		for _, m := range now.measures {
			f.measures = append(f.measures, measure{agg: m.agg, col: before.measures[0].col})
		}
		f.shareOf, f.share = nil, false
		if now.stance.adds {
			f.measures = joinMeasures(before.measures, f.measures)
		}
		now = now.with(nil)
	}
	if len(now.measures) == 1 && now.measures[0].assumed && now.measuresNothing() {
		// A noun alone, as in "and the late orders?", selects rows and does not ask how many there are.
		now = now.with(nil)
	}
	stated := slices.ContainsFunc(now.measures, func(m measure) bool { return !m.assumed })
	if stated = stated || now.stance.counts; stated || (len(now.measures) > 0 && now.measures[0].col != nil && !onlyDefault(now)) {
		var ms []measure
		for _, m := range now.measures {
			if m.col = move(m.col); m.col != nil || m.agg == aggCount {
				ms = append(ms, before.inKind(m))
			}
		}
		if len(ms) > 0 {
			if now.stance.adds {
				ms = joinMeasures(before.measures, ms)
			}
			f.measures, f.having = ms, nil
			if now.shareOf == nil {
				f.shareOf = nil
			}
			if f.mode == modeRows {
				f.mode = modeGroups
			}
		}
	}
	if now.stance.all {
		now = f.lift(now, move)
	}
	if c := now.rankedBy(before, move); c != nil {
		// "and by postage?" after the top carriers by weight ranks the carriers by postage.
		f.measures, f.having = []measure{{agg: defaultAgg(c), col: c, assumed: true}}, nil
		now = now.with(nil)
		now.dims = nil
	}
	if len(now.dims) > 0 {
		var ds []dimension
		for _, d := range now.dims {
			if d.col = move(d.col); d.col != nil {
				ds = append(ds, d)
			}
		}
		if len(ds) == 1 && ds[0].grain != grainNone && len(before.dims) == 1 && before.compared(before.dims[0].col) {
			ds = append(ds, before.dims[0]) // values that were compared stay compared over time
		}
		if now.stance.adds {
			ds = joinDims(before.dims, ds)
		}
		if len(ds) > 0 {
			f.dims, f.single = ds, false
			if f.mode == modeRows {
				f.mode, f.measures = modeGroups, []measure{{agg: aggCount}}
			}
			f.orderDim = now.orderDim
			if !now.ordered {
				f.desc, f.ordered = !f.orderDim, false
				f.limit, f.nth = 0, 0
			}
		}
	}
	mergeWhere(f, now, move)
	if now.stance.listed && now.mode == modeRows {
		f.mode, f.measures, f.dims, f.single, f.limit, f.nth = modeRows, nil, nil, false, now.limit, 0
		f.orderCol, f.desc, f.columns = move(now.orderCol), now.desc, nil
	}
	if now.shareOf != nil {
		f.mergeShare(now, move)
	}
	if now.ordered && now.mode == modeGroups {
		f.desc, f.ordered = now.desc, true
		f.orderDim = now.orderDim && now.limit == 0
	}
	if now.limit > 0 && now.mode == modeGroups {
		f.limit, f.nth, f.orderDim = now.limit, now.nth, false
	}
	if m := &f.measures; now.unranked && len(f.dims) == 0 && len(*m) == 1 && ((*m)[0].agg == aggMax || (*m)[0].agg == aggMin) &&
		f.mode == modeGroups {
		(*m)[0].agg = map[bool]aggregate{true: aggMax, false: aggMin}[now.desc]
	} else if now.unranked && len(f.dims) == 0 {
		f.block("I could not tell what to rank.")
	}
	if now.unranked && len(f.dims) > 0 && f.mode == modeGroups {
		// "top 2" ranks the groups that were shown.
		f.limit, f.nth, f.orderDim, f.desc, f.ordered = now.few, 0, false, now.desc, true
	}
	if now.moving != nil {
		f.moving, f.notes = now.moving, now.notes
	}
	if along := f.along(); f.moving != nil && along >= 0 && f.dims[along].grain != f.moving.grain {
		f.note("The moving average used another unit of time, so I left it out.")
		f.moving = nil
	}
	if now.chart != "" {
		f.chart = now.chart
	}
	if now.share || now.shared {
		f.share = true
	}
	if now.growth && f.timed() != nil {
		f.growth = true
	}
	if f.timed() != nil || slices.ContainsFunc(f.dims, func(d dimension) bool { return d.periods != nil }) {
		for i := range f.measures {
			f.measures[i].each, f.measures[i].eachAgg = grainNone, "" // a mean of months becomes the number of each time
		}
	}
	f.whole()
	if kept := f.kept(before); kept != "" {
		f.notes = append([]string{kept}, f.notes...)
	}
	return f
}

// ranked returns the number that a superlative refers to, or nil.
func (f *form) ranked() *column {
	if len(f.measures) == 1 && f.measures[0].col != nil {
		return f.measures[0].col
	}
	return f.orderCol
}

// sortBy sorts the result that was shown by one of its columns.
func (f *form) sortBy(c *column, desc bool) {
	f.ordered = true
	switch {
	case c == nil:
		f.block("I could not tell what to sort by.")
	case f.mode == modeRows:
		f.orderCol, f.desc = c, desc
	case len(f.dims) > 0 && f.dims[0].col == c:
		f.orderDim, f.desc = true, c.isNumber() && desc
	case len(f.measures) > 0 && f.measures[0].col == c:
		f.orderDim, f.desc = false, desc
	default:
		f.block("I can sort what I showed by what is in it; " + quoteName(c) + " does not.")
	}
}

// lift removes the filters on a column that is now wanted completely, and returns the rest of the
// question.
func (f *form) lift(now *form, move func(*column) *column) *form {
	c := now.with(now.measures)
	c.dims = slices.DeleteFunc(slices.Clone(now.dims), func(d dimension) bool {
		was := len(f.where)
		f.where = slices.DeleteFunc(f.where, func(w condition) bool { return w.col == move(d.col) && (w.op == opSpan || d.grain == grainNone) })
		return len(f.where) < was
	})
	return c
}

// rankedBy returns the number by which the former ranking is to be ranked now, or nil; to group by
// steps of that number would be another question.
func (f *form) rankedBy(before *form, move func(*column) *column) *column {
	if before.mode != modeGroups || before.limit == 0 || len(before.dims) == 0 || len(f.dims) != 1 || f.dims[0].col == nil ||
		!f.dims[0].col.isNumber() || f.dims[0].col.isPart() || f.stance.measured {
		return nil
	}
	return move(f.dims[0].col)
}

// with returns a copy of a form with other measures.
func (f *form) with(ms []measure) *form {
	c := *f
	c.measures = ms
	return &c
}

// measuresNothing reports whether the words of a question neither count nor measure anything.
func (f *form) measuresNothing() bool {
	return !f.stance.measured && !f.stance.whole && f.shareOf == nil
}

// inKind gives a number that was named alone the aggregation of the number before: after the average
// fee, "and the minutes?" means the average minutes. If the former aggregation is only the default of
// its number, such as the mean of a score, it is not taken over.
func (f *form) inKind(m measure) measure {
	if !m.assumed || m.col == nil || !m.col.isNumber() || len(f.measures) == 0 {
		return m
	}
	first := f.measures[0]
	if first.col == nil || !first.col.isNumber() || first.assumed || first.over != nil || first.per != nil || first.each == grainNone &&
		first.agg == defaultAgg(first.col) || first.agg == aggDistinct || first.agg == aggCount {
		return m
	}
	m.agg, m.each, m.eachAgg = first.agg, first.each, first.eachAgg
	return m
}

func joinMeasures(before, now []measure) []measure {
	out := slices.Clone(before)
	for _, m := range now {
		if !slices.ContainsFunc(out, func(o measure) bool { return o.agg == m.agg && o.col == m.col && o.per == m.per && o.over == m.over }) {
			out = append(out, m)
		}
	}
	return out
}

func joinDims(before, now []dimension) []dimension {
	out := slices.Clone(before)
	for _, d := range now {
		if !slices.ContainsFunc(out, func(o dimension) bool { return o.col == d.col && o.grain == d.grain }) {
			out = append(out, d)
		}
	}
	return out
}

// mergeShare takes over the part of the whole that is asked for now.
func (f *form) mergeShare(now *form, move func(*column) *column) {
	of := *now.shareOf
	if of.col = move(of.col); of.col == nil {
		return
	}
	f.mode, f.shareOf, f.share, f.measures = modeGroups, &of, now.share, nil
	f.where = slices.DeleteFunc(f.where, func(w condition) bool { return w.col == of.col })
}

// kept says what is taken over from the question before; "" if nothing is.
func (f *form) kept(before *form) string {
	var parts []string
	if f.mode == modeGroups && f.shareOf == nil && before.mode == modeGroups {
		for _, m := range f.measures {
			if slices.Contains(before.measures, m) {
				parts = append(parts, m.phrase(f.view))
			}
		}
	}
	if f.shareOf != nil && before.shareOf != nil && f.shareOf.phrase() == before.shareOf.phrase() {
		parts = append(parts, "the share where "+f.shareOf.phrase())
	}
	var ds []string
	for _, d := range f.dims {
		if slices.ContainsFunc(before.dims, func(o dimension) bool { return o.col == d.col && o.grain == d.grain && o.width == d.width }) {
			ds = append(ds, d.phrase())
		}
	}
	if len(ds) > 0 {
		parts = append(parts, "by "+specialist.List(ds, "and"))
	}
	for _, w := range f.where {
		if slices.ContainsFunc(before.where, func(o condition) bool { return o.col == w.col && o.op == w.op && o.phrase() == w.phrase() }) {
			parts = append(parts, w.connected())
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return keptNote + strings.Join(parts, ", ") + "."
}

// compared reports whether values of a column are compared.
func (f *form) compared(c *column) bool {
	return slices.ContainsFunc(f.where, func(w condition) bool { return w.col == c && w.op == opIn && len(w.values) > 1 })
}

// mergeWhere merges filters: a filter on the same column replaces the old filter, other filters narrow
// the rows; a value that is compared with the old one joins it.
func mergeWhere(f, now *form, move func(*column) *column) {
	replaced := make(map[*column]bool)
	for _, c := range now.where {
		if c.col = move(c.col); c.col == nil {
			continue
		}
		c = f.inRole(f.inTimeContext(f.onDateBefore(c, now)))
		if i := f.bound(); c.guessed && i >= 0 {
			c.col = f.where[i].col // "under 30" after "under 50" is about the same number
			f.notes = slices.DeleteFunc(f.notes, func(n string) bool { return strings.HasPrefix(n, guessedNote) })
		}
		if now.stance.compares && f.sideBySide(c) {
			continue
		}
		if !replaced[c.col] {
			replaced[c.col] = true
			f.where = slices.DeleteFunc(f.where, func(old condition) bool { return old.col == c.col })
		}
		f.where = append(f.where, c)
	}
}

// bound returns the index of the only comparison of a number among the filters; -1 if there is none or
// more than one.
func (f *form) bound() int {
	found := -1
	for i, w := range f.where {
		if len(w.nums) > 0 && w.op != opEq && w.op != opNe {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

// inRole keeps the role of a name: after Albion as home team, "and the Wanderers" means the home team,
// too.
func (f *form) inRole(c condition) condition {
	for _, other := range c.also {
		i := slices.IndexFunc(f.where, func(w condition) bool { return w.op == c.op && w.also == nil && (w.col == other || w.col == c.col) })
		if i >= 0 {
			c.col, c.also = f.where[i].col, nil
			return c
		}
	}
	return c
}

// inTimeContext reads a time in the context of the time before: a month without a year belongs to the year of
// the question before, and "the year before" is counted from it.
func (f *form) inTimeContext(c condition) condition {
	if c.op != opSpan {
		return c
	}
	i := slices.IndexFunc(f.where, func(w condition) bool { return w.col == c.col && w.op == opSpan && !w.not })
	if i < 0 || f.where[i].span.from.IsZero() || f.where[i].span.to.IsZero() {
		return c
	}
	was := f.where[i].span
	switch last := was.to.AddDate(0, 0, -1); {
	case c.span.bare != nil && c.span.open == "" && was.from.Year() == last.Year():
		c.span = c.span.bare.inYear(was.from.Year())
	case c.span.earlier && !was.to.After(shift(was.from, c.span.grain, 1)):
		from, to := shift(was.from, c.span.grain, -1), shift(was.to, c.span.grain, -1)
		c.span = span{from: from, to: to, grain: was.grain, label: from.Format("2 Jan 2006") + " to " + to.AddDate(0, 0, -1).Format("2 Jan 2006")}
		if was.grain == grainYear {
			c.span.label = from.Format("2006")
		}
		if was.grain == grainMonth {
			c.span.label = from.Format("January 2006")
		}
	}
	return c
}

// sideBySide compares a value with the value that the rows were filtered by.
func (f *form) sideBySide(c condition) bool {
	for i := range f.where {
		w := &f.where[i]
		if w.col != c.col || w.op != c.op || c.op != opIn && c.op != opSpan {
			continue
		}
		d := dimension{col: c.col}
		if c.op == opSpan {
			if c.span.grain != w.span.grain || c.span.grain == grainNone {
				return false
			}
			d.grain = c.span.grain
			f.where = append(f.where, c)
		} else {
			w.values = append(slices.Clone(w.values), c.values...)
		}
		f.dims, f.mode = joinDims([]dimension{d}, f.dims), modeGroups
		return true
	}
	return false
}

// twin finds the same column in another view of the same tables.
func twin(v *view, c *column) *column {
	if c == nil {
		return nil
	}
	if c.made != nil {
		a, b := twin(v, c.made.a), twin(v, c.made.b)
		if a == nil || b == nil {
			return nil
		}
		return formula{op: c.made.op, a: a, b: b, unit: c.made.unit}.column()
	}
	for _, other := range v.columns() {
		if other.Column == c.Column {
			return other
		}
	}
	return nil
}

// onlyDefault reports whether the measure was filled in, and not asked for.
func onlyDefault(f *form) bool {
	return len(f.measures) == 1 && f.measures[0].assumed && f.fragment
}
