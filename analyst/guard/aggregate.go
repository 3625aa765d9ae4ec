package guard

// Aggregates. For each of them one question is asked: does a row that it adds up occur at most once in a group?

import "slices"

// call is one aggregate function, or an aggregate over a window.
type call struct {
	name     string
	args     []*expr
	filter   *expr
	distinct bool
	// groups are the values that are equal in all rows that it aggregates.
	groups []symbol
	// wholeGroup means that it aggregates all rows of a group, and not those of a window or of a subtotal.
	wholeGroup bool
}

// class is how repeated rows change an aggregate.
type class int

const (
	// other aggregates are unknown, so a repetition is only a doubt.
	other class = iota
	// pick takes the value of one row. Repetition does not change it.
	pick
	// collect gathers values and computes no figure from them.
	collect
	// count counts rows that have a value.
	count
	// sum adds up values.
	sum
	// weighted depends on how often each value occurs: averages, medians, deviations.
	weighted
)

// classOf returns the class of an aggregate.
func classOf(name string) class {
	switch name {
	case "min", "max", "any_value", "first", "last", "arbitrary", "arg_min", "arg_max", "argmin", "argmax", "min_by", "max_by", "arg_min_null",
		"arg_max_null", "arg_min_nulls_last", "arg_max_nulls_last", "first_value", "last_value", "nth_value", "lag", "lead":
		return pick
	case "list", "array_agg", "string_agg", "group_concat", "listagg", "bool_and", "bool_or", "bit_and", "bit_or", "bit_xor", "bitstring_agg",
		"approx_count_distinct", "approx_top_k", "map_entries", "histogram_exact":
		return collect
	case "count", "count_star", "count_if", "countif", "regr_count":
		return count
	case "sum", "sum_no_overflow", "fsum", "kahan_sum", "sumkahan":
		return sum
	case "avg", "mean", "favg", "median", "quantile", "quantile_cont", "quantile_disc", "approx_quantile", "reservoir_quantile", "mode", "mad",
		"stddev", "stddev_samp", "stddev_pop", "variance", "var_samp", "var_pop", "sem", "skewness", "kurtosis", "kurtosis_pop", "entropy",
		"product", "geomean", "geometric_mean", "corr", "covar_pop", "covar_samp", "regr_avgx", "regr_avgy", "regr_intercept", "regr_r2",
		"regr_slope", "regr_sxx", "regr_sxy", "regr_syy", "histogram", "wavg", "weighted_avg":
		return weighted
	}
	return other
}

// aggregate walks GROUP BY.
func (w *walk) aggregate(r *relation, n *node) *relation {
	groups := make([]column, 0, len(n.Groups))
	for _, g := range n.Groups {
		if g == nil {
			return w.unknownRelation(n)
		}
		groups = append(groups, w.eval(r, g))
	}
	sets := groupings(n, len(groups))
	if sets == nil {
		return w.unknownRelation(n)
	}
	out, l := w.grouped(r, groups, len(n.Groups) == 0)
	subtotals := len(sets) > 1
	for _, e := range n.list() {
		if e.Class != "BOUND_AGGREGATE" {
			return w.unknownRelation(n)
		}
		var c column
		for _, s := range sets {
			by := make([]symbol, 0, len(s))
			for _, i := range s {
				by = append(by, groups[i].sym)
			}
			// With subtotals each grouping is judged. The last one gives the column.
			c = w.total(r, l, call{
				name: e.Name, args: e.Children, filter: e.Filter, distinct: e.Kind == "DISTINCT", groups: by, wholeGroup: !subtotals,
			})
		}
		if subtotals {
			c.doubt = &doubt{unproven: true, text: "a total of subtotals"}
		}
		w.add([]symbol{l.row}, c.sym)
		out.columns = append(out.columns, c)
	}
	for range n.Grouping {
		s := w.fresh()
		w.add([]symbol{l.row}, s)
		out.columns = append(out.columns, column{sym: s, from: []symbol{l.row}, text: "grouping()"})
	}
	if subtotals {
		// Rows of subtotals repeat the other rows, so the groups do not determine a row.
		l2 := w.newLeaf("the subtotals")
		l2.keysKnown, l2.unknownReason, l2.opaque = false, "subtotals", true
		out.leaves = append(out.leaves, l2)
	}
	return out
}

// groupings returns the grouping sets; nil if a set refers to a group that does not exist.
func groupings(n *node, groups int) [][]int {
	if len(n.Sets) == 0 {
		all := make([]int, groups)
		for i := range all {
			all[i] = i
		}
		return [][]int{all}
	}
	for _, s := range n.Sets {
		for _, i := range s {
			if i < 0 || i >= groups {
				return nil
			}
		}
	}
	return n.Sets
}

// grouped returns the relation of the groups: one row for each combination of their values.
func (w *walk) grouped(r *relation, groups []column, scalar bool) (*relation, *leaf) {
	l := w.newLeaf("a group")
	l.scalar = scalar
	key := make([]symbol, 0, len(groups))
	for _, g := range groups {
		key = append(key, g.sym)
		l.groups = append(l.groups, g.text)
	}
	known := w.closure(closureInput{start: key, present: r.present})
	w.add(key, l.row)
	w.add([]symbol{l.row}, key...)
	w.mergeBranches(r, l.row, key)
	out := &relation{
		leaves: []*leaf{l}, present: union([]symbol{l.row}, r.present), filtered: r.filtered, tableConditions: r.tableConditions,
	}
	for _, g := range groups {
		g.rank, g.mark = nil, nil
		if !g.literal && !known.all(g.from) {
			// The value represents all rows that have it, so a total of it counts each different value and not each row.
			from := g.from
			g.from = []symbol{l.row}
			g.doubt = w.faultOrDoubt(from, doubt{kind: EachValue, text: g.text})
		}
		out.columns = append(out.columns, g)
	}
	return out, l
}

// faultOrDoubt turns a fault into a doubt if the keys of a table are unknown, because the values may be a key.
func (w *walk) faultOrDoubt(from []symbol, fault doubt) *doubt {
	for _, s := range from {
		if of := w.leaves[s]; of != nil && !of.keysKnown {
			return &doubt{unproven: true, text: of.unknownReason}
		}
	}
	return &fault
}

// distinct walks DISTINCT and DISTINCT ON.
func (w *walk) distinct(n *node) *relation {
	r := w.relation(n.Children[0])
	targets := make([]column, 0, len(n.Targets))
	key := make([]symbol, 0, len(n.Targets))
	for _, t := range n.Targets {
		if t == nil {
			return w.unknownRelation(n)
		}
		c := w.eval(r, t)
		targets, key = append(targets, c), append(key, c.sym)
	}
	if n.DistinctType != "DISTINCT" {
		// One row is chosen for each combination of the targets.
		w.add(key, r.rows()...)
		return w.subset(r)
	}
	known := w.closure(closureInput{start: key, present: r.present})
	if w.distinctUnion(r, key) {
		// Rows of different branches are equal only if all columns are equal, and DISTINCT keeps such rows once.
		w.add(key, r.rows()...)
		out := *r
		out.columns = slices.Clone(r.columns)
		for i := range out.columns {
			if d := out.columns[i].doubt; d != nil && d.overlap {
				out.columns[i].doubt = nil
			}
		}
		return &out
	}
	if r.anyColumn != nil || known.all(r.rows()) {
		return r
	}
	out, _ := w.grouped(r, targets, false)
	return out
}

// distinctUnion reports whether the rows of each branch of a UNION already differ, and DISTINCT applies to all columns.
func (w *walk) distinctUnion(r *relation, key []symbol) bool {
	return len(r.leaves) == 1 && r.leaves[0].distinctBranches && len(key) == len(r.columns)
}

// total judges one aggregate and returns its result column.
func (w *walk) total(r *relation, l *leaf, c call) column {
	kind := classOf(c.name)
	args := make([]column, 0, len(c.args))
	for _, a := range c.args {
		if a == nil {
			w.fail("its plan has another form")
			return column{sym: w.fresh()}
		}
		args = append(args, w.eval(r, a))
	}
	out := column{plain: true, sym: w.fresh(), from: []symbol{l.row}, text: totalText(c.name, args)}
	rel := *r
	var more []dependency
	if c.filter != nil {
		rel.present = slices.Clone(r.present)
		more = w.condition(&rel, c.filter)
		rel.filtered = true
	}
	j := judgement{w: w, r: &rel, call: c, text: out.text, extra: more}
	if kind == count && c.wholeGroup {
		out.count = &countResult{leaf: l, call: c, args: args}
	}
	out.single = singleOf(l, args, &j)
	switch {
	case kind == count && c.distinct, c.name == "approx_count_distinct":
		// Two groups may contain the same value, so counts of distinct values must not be added up.
		if len(args) > 0 && !w.closure(closureInput{start: []symbol{args[0].sym}, present: r.present}).all(c.groups) {
			out.doubt = w.faultOrDoubt(args[0].from, doubt{kind: Repeated, text: out.text})
		}
		return out
	case kind == collect:
		return w.collected(out, args, &j)
	case kind == pick:
		w.keepGroupShapes(&out, args, c.groups)
		out.maximum = maximumOf(&rel, &c, args)
		return w.picked(out, args, &j)
	case j.oneRowPerGroup():
		// Each group has one row, so nothing is added up and the value keeps its meaning.
		return w.picked(out, args, &j)
	}
	j.leaf, j.whole = l, &rel
	rows, clean := j.check(kind, args)
	if out.pending = j.pending; out.pending != nil {
		w.pending = append(w.pending, out.pending)
	}
	if clean && len(rows) > 0 && !w.closure(closureInput{start: rows, present: rel.present, extra: more}).all(c.groups) {
		// A row may be in several groups. A total of these totals would count it several times.
		out.from = rows
	}
	if len(args) > 0 {
		out.measure = j.resultMeasure(kind, args[0])
	}
	return out
}

// maximumOf returns the column of a table whose highest value over all rows an aggregate is; nil if it is another value.
func maximumOf(r *relation, c *call, args []column) *origin {
	if len(args) == 1 && len(c.groups) == 0 && c.filter == nil && args[0].maximum != nil {
		// The engine takes the first row of a subquery with one value.
		return args[0].maximum
	}
	if c.name != "max" || c.filter != nil || len(c.groups) > 0 || len(args) != 1 {
		return nil
	}
	if r.filtered || len(r.tableConditions) > 0 || len(r.leaves) != 1 {
		return nil
	}
	return args[0].origin
}

// picked returns the value of one row, which keeps the origin and the meaning of that row.
func (w *walk) picked(out column, args []column, j *judgement) column {
	if len(args) == 0 {
		return out
	}
	a := args[0]
	if !a.literal && len(a.from) > 0 {
		out.from = a.from
	}
	out.doubt = a.doubt
	out.measure = a.measure
	if out.measure.kind == Level && !j.closure(nil, false).has(out.measure.period) {
		out.measure = w.pickedLevel(a.measure, j)
	}
	return out
}

// pickedLevel returns the measure of a level that is read at one period of each group. Such levels may be added up, unless the
// groups are periods themselves: the last level of each week is a level over the weeks.
func (w *walk) pickedLevel(m measure, j *judgement) measure {
	constant := w.closure(closureInput{present: j.r.present})
	calendar := w.derivedFrom(m.period, constant)
	var times []symbol
	for _, g := range j.call.groups {
		if calendar.has(g) && !constant.has(g) {
			times = append(times, g)
		}
	}
	if len(times) == 0 {
		return measure{barriers: m.barriers}
	}
	period := w.fresh()
	w.add(times, period)
	return measure{kind: Level, period: period, entity: m.entity, barriers: m.barriers}
}

// totalText returns an aggregate as people read it.
func totalText(name string, args []column) string {
	if name == "count_star" || len(args) == 0 {
		return "count(*)"
	}
	return name + "(" + args[0].text + ")"
}
