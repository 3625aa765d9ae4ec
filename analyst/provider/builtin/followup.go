package builtin

import "slices"

// merge puts a question that leans on the one before onto it: what it says
// replaces or narrows, the rest stays.
func merge(before, now *form) *form {
	f := before.clone()
	f.notes, f.ignored, f.read, f.follows = now.notes, now.ignored, now.read, true
	f.explained, f.fragment, f.unranked = now.explained+1, false, false
	if f.blocked, f.reason = now.blocked, now.reason; len(now.ignored) > 0 {
		f.blocked = true
	}
	move := func(c *column) *column { return twin(before.view, c) }

	if len(now.measures) > 0 && now.measures[0].aggOnly && len(before.measures) > 0 && before.measures[0].col != nil {
		// "and the average?" is of the same number as before.
		f.measures, f.having = nil, nil
		for _, m := range now.measures {
			f.measures = append(f.measures, measure{agg: m.agg, col: before.measures[0].col})
		}
		now = now.clone()
		now.measures = nil
	}
	stated := slices.ContainsFunc(now.measures, func(m measure) bool { return !m.assumed })
	if stated || (len(now.measures) > 0 && now.measures[0].col != nil && !onlyDefault(now)) {
		var ms []measure
		for _, m := range now.measures {
			if m.col = move(m.col); m.col != nil || m.agg == aggCount {
				ms = append(ms, m)
			}
		}
		if len(ms) > 0 {
			f.measures, f.having = ms, nil
			if f.mode == modeRows {
				f.mode = modeGroups
			}
		}
	}
	if len(now.dims) > 0 {
		var ds []dimension
		for _, d := range now.dims {
			if d.col = move(d.col); d.col != nil {
				ds = append(ds, d)
			}
		}
		if len(ds) == 1 && ds[0].grain != grainNone && len(before.dims) == 1 && before.compared(before.dims[0].col) {
			ds = append(ds, before.dims[0]) // what is set side by side stays so over time
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
	if now.ordered && now.mode == modeGroups {
		f.desc, f.ordered = now.desc, true
		f.orderDim = now.orderDim && now.limit == 0
	}
	if now.limit > 0 && now.mode == modeGroups {
		f.limit, f.nth, f.orderDim = now.limit, now.nth, false
	}
	if now.unranked && len(f.dims) > 0 && f.mode == modeGroups {
		// "top 2" ranks what was shown.
		f.limit, f.nth, f.orderDim, f.desc, f.ordered = now.few, 0, false, now.desc, true
	}
	if now.moving != nil {
		f.moving, f.notes = now.moving, now.notes
	}
	if along := f.along(); f.moving != nil && along >= 0 && f.dims[along].grain != f.moving.grain {
		f.note("The moving average went by another unit of time, so I left it out.")
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
	f.settle()
	return f
}

// compared tells whether values of a column are set side by side.
func (f *form) compared(c *column) bool {
	return slices.ContainsFunc(f.where, func(w condition) bool { return w.col == c && w.op == opIn && len(w.values) > 1 })
}

// mergeWhere: a filter on the same column replaces the old one, others narrow.
func mergeWhere(f, now *form, move func(*column) *column) {
	replaced := make(map[*column]bool)
	for _, c := range now.where {
		if c.col = move(c.col); c.col == nil {
			continue
		}
		if !replaced[c.col] {
			replaced[c.col] = true
			f.where = slices.DeleteFunc(f.where, func(old condition) bool { return old.col == c.col })
		}
		f.where = append(f.where, c)
	}
}

// twin finds the same column in another reading of the same tables.
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

// onlyDefault tells that the measure was filled in, not asked for.
func onlyDefault(f *form) bool {
	return len(f.measures) == 1 && f.measures[0].assumed && f.fragment
}
