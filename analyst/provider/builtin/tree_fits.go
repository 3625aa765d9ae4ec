package builtin

import "slices"

// together refuses parts of a form that no query tree brings together, whatever the words or a follow-up combined. Its error is
// unsupported. A part that does not fit is refused and never left out, because an answer without it would be to another question.
func (f *form) together() error {
	switch {
	case f.stat != nil:
		return nil // keepStatistic has compared its parts
	case f.mode == modeGroups:
		return f.figuresTogether()
	case f.mode == modeCorrelation && !f.pair():
		return unsupported("how other things than two numbers go together")
	case f.mode == modeRows && f.latestOf != nil && f.orderCol == nil:
		return unsupported("the latest rows without a time")
	}
	if derived := f.derived(); len(derived) > 0 {
		return unsupported(derived[0] + " of single rows")
	}
	return nil
}

// pair reports whether the form has two numbers and nothing else to compare.
func (f *form) pair() bool {
	return len(f.measures) == 2 && !slices.ContainsFunc(f.measures, func(m measure) bool { return m.col == nil || !m.col.isNumber() })
}

// derived names what the figures of a form are derived as, of which a form has at most one.
func (f *form) derived() []string {
	var out []string
	add := func(there bool, name string) {
		if there {
			out = append(out, name)
		}
	}
	add(f.share || f.shareOf != nil, "shares")
	add(f.growth, "changes")
	add(f.running, "running totals")
	add(f.moving != nil, "moving averages")
	add(f.counted != nil, "counts of groups")
	add(slices.ContainsFunc(f.measures, func(m measure) bool { return m.each != grainNone }), "means of units of time")
	return out
}

// figuresTogether is together for figures of groups.
func (f *form) figuresTogether() error {
	found := f.derived()
	along := f.growth || f.running || f.moving != nil
	each := slices.ContainsFunc(f.measures, func(m measure) bool { return m.each != grainNone })
	switch {
	case len(found) > 1:
		return unsupported(found[0] + " of " + found[1])
	case len(f.measures) == 0:
		return unsupported("groups without a figure")
	case f.latestOf != nil:
		return unsupported("the latest rows beside figures of groups")
	case f.growth && f.timed() == nil, along && f.along() < 0 && !f.growth:
		return unsupported(found[0] + " without a date to follow")
	case along && len(f.measures) > 1, each && len(f.measures) > 1:
		return unsupported(found[0] + " beside other figures")
	case f.running && !f.measures[0].adds():
		return unsupported("running totals of what does not add up")
	case f.share && f.shareOf == nil && len(f.dims) == 0:
		return unsupported("a share of nothing")
	case len(found) > 0 && len(f.having) > 0 && f.counted == nil && !f.share:
		return unsupported(found[0] + " beside a condition on figures")
	case f.counted != nil && (len(f.dims) != 1 || f.dims[0].col != f.counted || len(f.having) == 0):
		return unsupported("a count of groups that are not chosen by a figure")
	case slices.ContainsFunc(f.having, func(h having) bool { return h.measure >= len(f.measures) }):
		return unsupported("a condition on a figure that is not shown")
	case each && (f.timed() != nil || f.dateColumn(nil) == nil):
		return unsupported("a mean of units of time by time")
	}
	return f.rankingTogether()
}

// rankingTogether is together for the order of the groups.
func (f *form) rankingTogether() error {
	grouped := slices.ContainsFunc(f.dims, func(d dimension) bool { return d.col == f.within })
	switch {
	case f.nth > 0 && f.limit != 1:
		return unsupported("one place of a ranking beside several")
	case f.within != nil && (f.limit == 0 || !grouped || f.growth || f.shareOf != nil):
		return unsupported("the first of each group in this way")
	}
	return nil
}
