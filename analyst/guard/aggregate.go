package guard

// Aggregates. For each of them one question is asked: is a row of what it adds up there once in a group?

import "slices"

// call is one aggregate, or an aggregate over a window.
type call struct {
	name     string
	args     []*expr
	filter   *expr
	distinct bool
	// groups are the values that are equal in all rows that it adds up.
	groups []symbol
	// whole says that it takes all rows of a group, and not those of a window or of a subtotal.
	whole bool
}

// class says how the repetition of a row changes an aggregate.
type class int

const (
	// other aggregates are not known, so a repetition is only a doubt.
	other class = iota
	// pick takes the value of one row: repetition does not change it.
	pick
	// collect gathers values, and makes no figure of them.
	collect
	// count counts rows that have a value.
	count
	// sum adds up.
	sum
	// weigh depends on how often each value is there: averages, medians, deviations.
	weigh
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
		return weigh
	}
	return other
}

// aggregate walks GROUP BY.
func (w *walk) aggregate(r *relation, n *node) *relation {
	groups := make([]column, 0, len(n.Groups))
	for _, g := range n.Groups {
		if g == nil {
			return w.blank(n)
		}
		groups = append(groups, w.eval(r, g))
	}
	sets := groupings(n, len(groups))
	if sets == nil {
		return w.blank(n)
	}
	out, l := w.grouped(r, groups, len(n.Groups) == 0)
	subtotals := len(sets) > 1
	for _, e := range n.list() {
		if e.Class != "BOUND_AGGREGATE" {
			return w.blank(n)
		}
		var c column
		for _, s := range sets {
			by := make([]symbol, 0, len(s))
			for _, i := range s {
				by = append(by, groups[i].sym)
			}
			// With subtotals each grouping is judged; the last one has the whole answer.
			c = w.total(r, l, call{name: e.Name, args: e.Children, filter: e.Filter, distinct: e.Kind == "DISTINCT", groups: by, whole: !subtotals})
		}
		if subtotals {
			c.doubt = &doubt{unsure: true, text: "a total of subtotals"}
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
		// The rows of a subtotal repeat the others, so the groups do not determine a row.
		l2 := w.newLeaf("the subtotals")
		l2.keys, l2.why, l2.opaque = false, "subtotals", true
		out.leaves = append(out.leaves, l2)
	}
	return out
}

// groupings returns the lists of groups; nil if a list names one that is not there.
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

// grouped makes the relation of the groups: one row for each combination of their values.
func (w *walk) grouped(r *relation, groups []column, scalar bool) (*relation, *leaf) {
	l := w.newLeaf("a group")
	l.scalar = scalar
	key := make([]symbol, 0, len(groups))
	for _, g := range groups {
		key = append(key, g.sym)
		l.groups = append(l.groups, g.text)
	}
	known := w.closure(question{start: key, present: r.present})
	w.add(key, l.row)
	w.add([]symbol{l.row}, key...)
	w.together(r, l.row, key)
	out := &relation{
		leaves: []*leaf{l}, present: union([]symbol{l.row}, r.present), filtered: r.filtered, wheres: r.wheres,
	}
	for _, g := range groups {
		g.rank, g.mark = nil, nil
		if !g.literal && !known.all(g.from) {
			// The value stands for all rows that have it, so a total of it counts each value and not each row.
			from := g.from
			g.from = []symbol{l.row}
			g.doubt = w.provable(from, doubt{kind: EachValue, text: g.text})
		}
		out.columns = append(out.columns, g)
	}
	return out, l
}

// provable turns a fault into a doubt if the keys of a table are not known: the values may be one.
func (w *walk) provable(from []symbol, fault doubt) *doubt {
	for _, s := range from {
		if of := w.leaves[s]; of != nil && !of.keys {
			return &doubt{unsure: true, text: of.why}
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
			return w.blank(n)
		}
		c := w.eval(r, t)
		targets, key = append(targets, c), append(key, c.sym)
	}
	if n.DistinctType != "DISTINCT" {
		// One row is chosen for each value of the targets.
		w.add(key, r.rows()...)
		return w.part(r)
	}
	known := w.closure(question{start: key, present: r.present})
	if w.unique(r, key) {
		// The rows of the branches are the same only where all columns are, and such rows are taken once.
		out := *r
		out.columns = slices.Clone(r.columns)
		for i := range out.columns {
			if d := out.columns[i].doubt; d != nil && d.again {
				out.columns[i].doubt = nil
			}
		}
		return &out
	}
	if r.any != nil || known.all(r.rows()) {
		return r
	}
	out, _ := w.grouped(r, targets, false)
	return out
}

// unique reports whether the rows of a UNION were different from each other already.
func (w *walk) unique(r *relation, key []symbol) bool {
	return len(r.leaves) == 1 && r.leaves[0].branches && len(key) == len(r.columns)
}

// total judges one aggregate and returns its column.
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
	j := judgement{w: w, r: &rel, call: c, text: out.text, more: more}
	if kind == count && c.whole {
		out.tally = &tally{leaf: l, call: c, args: args}
	}
	switch {
	case kind == collect:
		return out
	case kind == pick:
		w.image(&out, args, c.groups)
		return w.picked(out, args, &j)
	case kind == count && c.distinct:
		// Different values of two groups may be the same, so such counts do not add up.
		if len(args) > 0 && !w.closure(question{start: []symbol{args[0].sym}, present: r.present}).all(c.groups) {
			out.doubt = w.provable(args[0].from, doubt{kind: Repeated, text: out.text})
		}
		return out
	case j.single():
		// Each group has one row, so nothing is added up. The value stays what it was.
		return w.picked(out, args, &j)
	}
	j.leaf, j.all = l, &rel
	rows, clean := j.check(kind, args)
	if out.owed = j.owed; out.owed != nil {
		w.owed = append(w.owed, out.owed)
	}
	if clean && len(rows) > 0 && !w.closure(question{start: rows, present: rel.present, more: more}).all(c.groups) {
		// Rows that are in several groups would be counted again by a total of these totals.
		out.from = rows
	}
	if len(args) > 0 {
		out.adds = j.meaning(kind, args[0])
	}
	return out
}

// picked is the value of one row, so it keeps what the row is.
func (w *walk) picked(out column, args []column, j *judgement) column {
	if len(args) == 0 {
		return out
	}
	a := args[0]
	if !a.literal && len(a.from) > 0 {
		out.from = a.from
	}
	out.doubt = a.doubt
	out.adds = a.adds
	if out.adds.adds == Level && !j.closure(nil, false).has(out.adds.period) {
		out.adds = w.pickedLevel(a.adds, j)
	}
	return out
}

// pickedLevel is the level of one period of each group. Such levels may be added up, unless the groups are periods
// themselves: the last level of each week is a level over the weeks.
func (w *walk) pickedLevel(m measure, j *judgement) measure {
	constant := w.closure(question{present: j.r.present})
	calendar := w.madeOf(m.period, constant)
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
	return measure{adds: Level, period: period, entity: m.entity, barriers: m.barriers}
}

// totalText writes an aggregate as people read it.
func totalText(name string, args []column) string {
	if name == "count_star" || len(args) == 0 {
		return "count(*)"
	}
	return name + "(" + args[0].text + ")"
}
