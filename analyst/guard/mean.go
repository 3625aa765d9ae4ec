package guard

// Sums that are wrong alone but correct in context: a level summed over periods and divided by their number is its mean, and so
// is a sum of rates divided by the number of its rows.

import (
	"reflect"
	"slices"
)

// pendingFault is a fault of a total. It is reported unless every use of the total makes a mean of it.
type pendingFault struct {
	fault Fault
	leaf  *leaf
	call  call
	term  term
	// valued has the rows that have a value and were added up; whole has all rows, with and without a value.
	valued, whole *relation
	// uses counts the references to the total; corrected counts those that divide it into a mean.
	uses, corrected int
}

// countResult describes a column that is the result of a COUNT: its groups, its call and its arguments.
type countResult struct {
	leaf *leaf
	call call
	args []column
}

// postpone holds back a fault that an outer operator may correct. All other faults are reported now.
func (j *judgement) postpone(t term, all []term, f Fault) {
	if !j.call.wholeGroup || j.call.distinct || len(all) != 1 || len(t.when) > 0 || len(t.present) > 0 {
		j.w.verdict.addFault(f)
		return
	}
	j.pending = &pendingFault{fault: f, leaf: j.leaf, call: j.call, term: t, valued: j.r, whole: j.whole}
}

// countUse counts a reference to every column of a relation.
func (w *walk) countUse(r *relation) {
	for i := range r.columns {
		if o := r.columns[i].pending; o != nil {
			o.uses++
		}
	}
}

// reportPending reports the pending faults that no use has corrected.
func (w *walk) reportPending() {
	for _, o := range w.pending {
		if o.corrected == 0 || o.uses > o.corrected {
			w.verdict.addFault(o.fault)
		}
	}
}

// checkMean marks a total as corrected if a division turns it into a mean.
func (w *walk) checkMean(r *relation, e *expr) {
	if e.Name != "/" && e.Name != "//" {
		return
	}
	above, below := w.scaledColumn(r, e.Children[0]), w.scaledColumn(r, e.Children[1])
	if above == nil || below == nil {
		return
	}
	o, n := above.pending, below.count
	if o == nil || n == nil || o.leaf != n.leaf || !reflect.DeepEqual(o.call.filter, n.call.filter) || !w.isMean(o, n) {
		return
	}
	o.corrected++
}

// isMean reports whether a COUNT counts the periods of a summed level, or the summed rows. If the COUNT and the total leave out
// different rows, for example because only one has a condition, the quotient is no mean.
func (w *walk) isMean(o *pendingFault, n *countResult) bool {
	switch {
	case len(n.args) == 0:
		return hasNoNull(&o.term.column) && !slices.ContainsFunc(o.term.from, func(s symbol) bool { return !slices.Contains(o.whole.present, s) })
	case len(n.args) != 1 || !slices.Equal(n.args[0].from, o.term.from):
		return false
	case !n.call.distinct:
		c := &n.args[0]
		return c.sym == o.term.sym || c.origin != nil && hasNoNull(c) && hasNoNull(&o.term.column)
	case o.term.measure.kind != Level:
		return false
	}
	is := func(from, to symbol) bool {
		return w.closure(closureInput{start: []symbol{from}, present: o.valued.present}).has(to)
	}
	return is(n.args[0].sym, o.term.measure.period) && is(o.term.measure.period, n.args[0].sym)
}

// hasNoNull reports whether a column has no NULL. Totals of groups are not examined.
func hasNoNull(c *column) bool {
	if o := c.origin; o != nil {
		return o.leaf.table != nil && o.leaf.table.counts[fold(o.column)] > 0
	}
	return c.plain
}

// scaledColumn returns the column that the expression scales by a constant, also through rounding and protection against
// division by zero; nil if there is none.
func (w *walk) scaledColumn(r *relation, e *expr) *column {
	w.enter()
	defer w.leave()
	switch {
	case w.failed != "" || e == nil:
		return nil
	case e.Class == "BOUND_REF":
		c := w.eval(r, e)
		return &c
	case e.Class == "BOUND_CAST":
		return w.scaledColumn(r, e.Child)
	case e.Class == "BOUND_CASE" && len(e.Cases) == 1 && e.Cases[0].Then != nil && e.Else != nil && w.eval(r, e.Cases[0].Then).literal:
		// nullif(x, 0)
		return w.scaledColumn(r, e.Else)
	case e.Class == "BOUND_OPERATOR" && e.Type == "OPERATOR_COALESCE" && len(e.Children) == 2 && w.eval(r, e.Children[1]).literal:
		return w.scaledColumn(r, e.Children[0])
	case e.Class == "BOUND_FUNCTION" && e.Name == "*" && len(e.Children) == 2:
		for i, c := range e.Children {
			if w.eval(r, c).literal {
				return w.scaledColumn(r, e.Children[1-i])
			}
		}
	}
	return nil
}
