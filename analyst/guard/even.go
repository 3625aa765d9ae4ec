package guard

// Figures that stay right although a join repeats rows, because it repeats all of them equally often.

import "slices"

// evenly reports whether an aggregate stays the same if all of its values are repeated equally often.
func evenly(name string) bool {
	return slices.Contains([]string{
		"avg", "mean", "favg", "median", "mode", "mad", "stddev_pop", "var_pop", "corr", "covar_pop", "quantile_disc", "regr_avgx",
		"regr_avgy", "regr_intercept", "regr_r2", "regr_slope",
	}, name)
}

// repetition is a set of rows that repeats the rows of a term.
type repetition struct {
	j *judgement
	// known is what the rows of the term determine, constant what is the same in a whole group, and theirs what the rows that
	// repeat them determine.
	known, constant, theirs set
	// by are the leaves that repeat the rows.
	by []*leaf
}

// even reports whether the rows of a term are all repeated equally often: by the rows of a table that nothing links to them,
// or by the periods of a table that has a row for each thing and period.
func (j *judgement) even(t term) bool {
	// A condition on the combination keeps more rows of one than of another.
	if !evenly(j.call.name) || j.call.distinct || !j.call.whole || j.r.filtered || len(j.more) > 0 {
		return false
	}
	p := repetition{j: j, known: j.determined(t.from), constant: j.determined(j.call.groups)}
	var rows []symbol
	for _, l := range j.r.leaves {
		if p.known.has(l.row) {
			continue
		}
		if l.opaque || !slices.Contains(j.r.present, l.row) {
			return false
		}
		p.by, rows = append(p.by, l), append(rows, l.row)
	}
	p.theirs = j.determined(rows)
	if !p.linked(nil) {
		return p.grouped(p.theirs)
	}
	return len(p.by) == 1 && p.by[0].table != nil && slices.ContainsFunc(p.by[0].table.grids(), p.grid)
}

// determined asks what some values determine in the rows of the relation, without the groups.
func (j *judgement) determined(start []symbol) set {
	return j.w.closure(question{start: start, present: j.r.present})
}

// linked reports whether something else than some values, and than what is the same in a whole group, links the rows of the
// term to those that repeat them.
func (p *repetition) linked(except set) bool {
	for x := range p.theirs {
		if s := symbol(x); p.theirs.has(s) && p.known.has(s) && !p.constant.has(s) && !except.has(s) {
			return true
		}
	}
	return false
}

// grouped reports whether each group is either one of the rows of the term, or one of some values.
func (p *repetition) grouped(by set) bool {
	return !slices.ContainsFunc(p.j.call.groups, func(g symbol) bool { return !p.known.has(g) && !by.has(g) })
}

// grid reports whether the rows are repeated by the second column of a key of which each combination has a row, and are
// linked to the first one only. No other column of the table may be limited: the same of the second column must be left for
// each of the first.
func (p *repetition) grid(key [2]string) bool {
	l := p.by[0]
	pair, ok := l.symbols(key[:])
	if !ok || !p.known.has(pair[0]) || p.linked(p.j.determined(pair[:1])) {
		return false
	}
	fixed := p.j.determined(nil)
	for _, s := range l.columns {
		if fixed.has(s) && !slices.Contains(pair, s) {
			return false
		}
	}
	limited := func(x where) bool { return !slices.Contains(pair, x.column) }
	return !slices.ContainsFunc(p.j.r.wheres[l.row], limited) && p.grouped(p.j.determined(pair[1:]))
}

// grids returns the keys of two columns of which each combination has a row, in both orders.
func (t *Table) grids() [][2]string {
	var out [][2]string
	for _, k := range t.Keys {
		if len(k) != 2 {
			continue
		}
		a, b := t.counts[fold(k[0])], t.counts[fold(k[1])]
		// The factors are not zero, and no product is larger than the table.
		if a > 0 && b > 0 && a <= t.rows && t.rows/a == b && t.rows%a == 0 {
			out = append(out, [2]string{k[0], k[1]}, [2]string{k[1], k[0]})
		}
	}
	return out
}
