package guard

// Totals that are right only by what becomes of them: a level that is added up over its periods and divided by their number
// is its mean, and so is a sum of rates that is divided by the number of its rows.

import (
	"reflect"
	"slices"
)

// owed is a fault of a total that is told unless each use of the total mends it.
type owed struct {
	fault Fault
	leaf  *leaf
	call  call
	term  term
	// r are the rows that were added up, and all are those of the whole relation, also without a value.
	r, all *relation
	// uses counts the uses of the total, and mended those that make a mean of it.
	uses, mended int
}

// tally is what a count counts.
type tally struct {
	leaf *leaf
	call call
	args []column
}

// owe notes a fault that may be mended above; other faults are told at once.
func (j *judgement) owe(t term, all []term, f Fault) {
	if !j.call.whole || j.call.distinct || len(all) != 1 || len(t.when) > 0 || len(t.present) > 0 {
		j.w.verdict.add(f)
		return
	}
	j.owed = &owed{fault: f, leaf: j.leaf, call: j.call, term: t, r: j.r, all: j.all}
}

// uses says that something reads all columns of a relation.
func (w *walk) uses(r *relation) {
	for i := range r.columns {
		if o := r.columns[i].owed; o != nil {
			o.uses++
		}
	}
}

// settle tells the faults that no use has mended.
func (w *walk) settle() {
	for _, o := range w.owed {
		if o.mended == 0 || o.uses > o.mended {
			w.verdict.add(o.fault)
		}
	}
}

// mends looks whether a division makes the mean of a total.
func (w *walk) mends(r *relation, e *expr) {
	if e.Name != "/" && e.Name != "//" {
		return
	}
	above, below := w.bare(r, e.Children[0]), w.bare(r, e.Children[1])
	if above == nil || below == nil {
		return
	}
	o, n := above.owed, below.tally
	if o == nil || n == nil || o.leaf != n.leaf || !reflect.DeepEqual(o.call.filter, n.call.filter) || !w.mean(o, n) {
		return
	}
	o.mended++
}

// mean reports whether a count counts the periods of a level that was added up, or the rows that were added up. A count that
// leaves out other rows than the total, such as those of a condition, makes no mean.
func (w *walk) mean(o *owed, n *tally) bool {
	switch {
	case len(n.args) == 0:
		return filled(&o.term.column) && !slices.ContainsFunc(o.term.from, func(s symbol) bool { return !slices.Contains(o.all.present, s) })
	case len(n.args) != 1 || !slices.Equal(n.args[0].from, o.term.from):
		return false
	case !n.call.distinct:
		c := &n.args[0]
		return c.sym == o.term.sym || c.origin != nil && filled(c) && filled(&o.term.column)
	case o.term.adds.adds != Level:
		return false
	}
	is := func(from, to symbol) bool {
		return w.closure(question{start: []symbol{from}, present: o.r.present}).has(to)
	}
	return is(n.args[0].sym, o.term.adds.period) && is(o.term.adds.period, n.args[0].sym)
}

// filled reports whether a value is missing in no row of its table; a total of a group is not looked into.
func filled(c *column) bool {
	if o := c.origin; o != nil {
		return o.leaf.table != nil && o.leaf.table.counts[fold(o.column)] > 0
	}
	return c.plain
}

// bare returns the column of which an expression is a multiple, also where it is rounded or protected from a division by
// zero; nil if it is none.
func (w *walk) bare(r *relation, e *expr) *column {
	w.deeper()
	defer w.higher()
	switch {
	case w.failed != "" || e == nil:
		return nil
	case e.Class == "BOUND_REF":
		c := w.eval(r, e)
		return &c
	case e.Class == "BOUND_CAST":
		return w.bare(r, e.Child)
	case e.Class == "BOUND_CASE" && len(e.Cases) == 1 && e.Cases[0].Then != nil && e.Else != nil && w.eval(r, e.Cases[0].Then).literal:
		// nullif(x, 0)
		return w.bare(r, e.Else)
	case e.Class == "BOUND_OPERATOR" && e.Type == "OPERATOR_COALESCE" && len(e.Children) == 2 && w.eval(r, e.Children[1]).literal:
		return w.bare(r, e.Children[0])
	case e.Class == "BOUND_FUNCTION" && e.Name == "*" && len(e.Children) == 2:
		for i, c := range e.Children {
			if w.eval(r, c).literal {
				return w.bare(r, e.Children[1-i])
			}
		}
	}
	return nil
}
