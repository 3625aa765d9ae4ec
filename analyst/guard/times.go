package guard

// A mean, or the value of any row, that is multiplied by the number of the rows is their sum: any_value(budget) * count(*) adds
// up a budget once for every row, as sum(budget) does, and is judged like that.

import (
	"reflect"
	"slices"
)

// single describes a column that is one value for all rows of a group: their mean, or the value of one of them.
type single struct {
	leaf      *leaf
	args      []column
	judgement *judgement
}

// singleOf returns the description of an aggregate's result; nil if its product with a count is not a sum.
func singleOf(l *leaf, args []column, j *judgement) *single {
	if len(args) == 0 || args[0].literal || !j.call.wholeGroup || j.call.distinct {
		return nil
	}
	switch {
	case slices.Contains([]string{"avg", "mean", "favg", "any_value", "first", "last", "arbitrary"}, j.call.name):
	case slices.Contains([]string{"min", "max", "median", "mode"}, j.call.name) && j.closure(nil, false).has(args[0].sym):
		// All rows of the group have the same value.
	default:
		return nil
	}
	return &single{leaf: l, args: args, judgement: j}
}

// checkTimes judges a product of a single value and the number of the rows that it is one of.
func (w *walk) checkTimes(r *relation, e *expr) {
	if e.Name != "*" {
		return
	}
	a, b := w.scaledColumn(r, e.Children[0]), w.scaledColumn(r, e.Children[1])
	if a == nil || b == nil {
		return
	}
	for _, pair := range [][2]*column{{a, b}, {b, a}} {
		value, n := pair[0].single, pair[1].count
		if n == nil || n.call.distinct {
			continue
		}
		if value == nil {
			w.checkMultiple(pair[0])
			continue
		}
		said := value.judgement.judgeSum(value.args)
		same := value.leaf == n.leaf && reflect.DeepEqual(value.judgement.call.filter, n.call.filter)
		switch {
		case said == nil:
		case !same && slices.ContainsFunc(said.Faults, func(f Fault) bool { return f.Kind == Repeated }):
			// Two subqueries count: whether their rows are the same is not known, but the value is of a row that is repeated.
			w.verdict.addUnchecked("a value of a repeated row times a number of rows")
		case same:
			for _, f := range said.Faults {
				w.verdict.addFault(f)
			}
			for _, why := range said.Unchecked {
				w.verdict.addUnchecked(why)
			}
		}
	}
}

// countOrZero returns the count of a subquery in the form in which it is used: where no row was found the engine makes it 0, by a
// CASE of its own. nil for any other expression.
func (w *walk) countOrZero(r *relation, e *expr) *countResult {
	if e.Class != "BOUND_CASE" || len(e.Cases) != 1 || e.Else == nil || e.Else.Class != "BOUND_REF" {
		return nil
	}
	found, none := e.Cases[0].When, e.Cases[0].Then
	if found == nil || none == nil || found.Type != "OPERATOR_IS_NULL" || none.Class != "BOUND_CONSTANT" || w.constant(none).text != "0" {
		return nil
	}
	return w.eval(r, e.Else).count
}

// checkMultiple judges the product of a value of one row and a number of rows that another query has counted. A price times a
// number of pieces is an amount, but the budget of a department times the number of its people is the total of a join that
// repeats it. Fees for one visit are described as amounts, too, so that this is not proven.
func (w *walk) checkMultiple(value *column) {
	if value.origin != nil && (value.measure.kind == Amount || value.measure.kind == Level) {
		w.verdict.addUnchecked(value.text + " times a number of rows")
	}
}
