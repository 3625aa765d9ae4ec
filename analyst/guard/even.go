package guard

// Figures that remain correct although a join repeats rows, because it repeats all of them equally often.

import "slices"

// stableUnderRepetition reports whether an aggregate stays the same if all of its values are repeated equally often.
func stableUnderRepetition(name string) bool {
	return slices.Contains([]string{
		"avg", "mean", "favg", "median", "mode", "mad", "stddev_pop", "var_pop", "corr", "covar_pop", "quantile_disc", "regr_avgx",
		"regr_avgy", "regr_intercept", "regr_r2", "regr_slope",
	}, name)
}

// repetition describes rows that repeat the rows of a term.
type repetition struct {
	j *judgement
	// ofTerm is what the rows of the term determine, ofGroup what is equal in a whole group, and ofRepeating what the repeating
	// rows determine.
	ofTerm, ofGroup, ofRepeating set
	// repeating are the leaves whose rows repeat the rows of the term.
	repeating []*leaf
}

// repeatedEvenly reports whether the rows of a term are all repeated equally often: by the rows of an unrelated table, or by
// the periods of a table that has a row for each combination of entity and period.
func (j *judgement) repeatedEvenly(t term) bool {
	// A condition on the joined rows may keep more rows for one row of the term than for another.
	if !stableUnderRepetition(j.call.name) || j.call.distinct || !j.call.wholeGroup || j.r.filtered || len(j.extra) > 0 {
		return false
	}
	p := repetition{j: j, ofTerm: j.closureWithoutGroups(t.from), ofGroup: j.closureWithoutGroups(j.call.groups)}
	var rows []symbol
	for _, l := range j.r.leaves {
		if p.ofTerm.has(l.row) {
			continue
		}
		if l.opaque || !slices.Contains(j.r.present, l.row) {
			return false
		}
		p.repeating, rows = append(p.repeating, l), append(rows, l.row)
	}
	p.ofRepeating = j.closureWithoutGroups(rows)
	if !p.otherLink(nil) {
		return p.groupsCovered(p.ofRepeating)
	}
	return len(p.repeating) == 1 && p.repeating[0].table != nil && slices.ContainsFunc(p.repeating[0].table.grids(), p.isGrid)
}

// closureWithoutGroups returns what some values determine in the rows of the relation, without the groups.
func (j *judgement) closureWithoutGroups(start []symbol) set {
	return j.w.closure(closureInput{start: start, present: j.r.present})
}

// otherLink reports whether any value except the given ones and those equal in a whole group links the rows of the term to the
// repeating rows.
func (p *repetition) otherLink(except set) bool {
	for x := range p.ofRepeating {
		if s := symbol(x); p.ofRepeating.has(s) && p.ofTerm.has(s) && !p.ofGroup.has(s) && !except.has(s) {
			return true
		}
	}
	return false
}

// groupsCovered reports whether the rows of the term or the given values determine each value of GROUP BY.
func (p *repetition) groupsCovered(by set) bool {
	return !slices.ContainsFunc(p.j.call.groups, func(g symbol) bool { return !p.ofTerm.has(g) && !by.has(g) })
}

// isGrid reports whether the second column of a key repeats the rows, each combination of the key's columns has a row, and only
// the first column links the rows to the term. No other column of the table may have a condition, because each value of the
// first column must keep the same values of the second.
func (p *repetition) isGrid(key [2]string) bool {
	l := p.repeating[0]
	pair, ok := l.symbols(key[:])
	if !ok || !p.ofTerm.has(pair[0]) || p.otherLink(p.j.closureWithoutGroups(pair[:1])) {
		return false
	}
	fixed := p.j.closureWithoutGroups(nil)
	for _, s := range l.columns {
		if fixed.has(s) && !slices.Contains(pair, s) {
			return false
		}
	}
	limited := func(x tableCondition) bool { return !slices.Contains(pair, x.column) }
	return !slices.ContainsFunc(p.j.r.tableConditions[l.row], limited) && p.groupsCovered(p.j.closureWithoutGroups(pair[1:]))
}

// grids returns the keys of two columns whose combinations all have a row, in both orders.
func (t *Table) grids() [][2]string {
	var out [][2]string
	for _, k := range t.Keys {
		if len(k) != 2 {
			continue
		}
		a, b := t.counts[fold(k[0])], t.counts[fold(k[1])]
		// The factors are not zero, and the division avoids an overflow of their product.
		if a > 0 && b > 0 && a <= t.rows && t.rows/a == b && t.rows%a == 0 {
			out = append(out, [2]string{k[0], k[1]}, [2]string{k[1], k[0]})
		}
	}
	return out
}
