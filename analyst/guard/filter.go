package guard

// Conditions: which values they fix, which values they make equal, and which of them use only one base table.

import (
	"encoding/json"
	"slices"
	"strings"

	"parley.dev/parley/internal/sqltext"
)

// filter keeps the rows that satisfy all conditions.
func (w *walk) filter(r *relation, conditions []*expr) *relation {
	out := *r
	out.present = slices.Clone(r.present)
	out.tableConditions = map[symbol][]tableCondition{}
	for k, v := range r.tableConditions {
		out.tableConditions[k] = slices.Clone(v)
	}
	for _, e := range conditions {
		w.deps = append(w.deps, w.condition(&out, e)...)
		w.recordCondition(&out, e)
	}
	w.fixedPeriods(&out, conditions)
	return &out
}

// condition returns the dependencies that a condition adds, and records which rows must exist to satisfy it.
func (w *walk) condition(r *relation, e *expr) []dependency {
	switch {
	case e == nil:
		w.fail("its plan has another form")
	case e.Class == "BOUND_CONJUNCTION" && e.Type == "CONJUNCTION_AND":
		var out []dependency
		for _, c := range e.Children {
			out = append(out, w.condition(r, c)...)
		}
		return out
	case e.Class == "BOUND_COMPARISON" && e.Left != nil && e.Right != nil:
		a, b := w.eval(r, e.Left), w.eval(r, e.Right)
		if e.Type != "COMPARE_NOT_DISTINCT_FROM" && e.Type != "COMPARE_DISTINCT_FROM" {
			// A comparison is not true if an outer join found no row for one of its sides.
			r.present = union(r.present, w.nullRejecting(r, e.Left), w.nullRejecting(r, e.Right))
		}
		return w.comparisonDependencies(e.Type, a, b)
	case e.Class == "BOUND_OPERATOR" && len(e.Children) > 0 && (e.Type == "OPERATOR_IS_NOT_NULL" || e.Type == "COMPARE_IN"):
		r.present = union(r.present, w.nullRejecting(r, e.Children[0]))
		if len(e.Children) == 2 && e.Type == "COMPARE_IN" {
			return w.comparisonDependencies("COMPARE_EQUAL", w.eval(r, e.Children[0]), w.eval(r, e.Children[1]))
		}
	case e.Class == "BOUND_BETWEEN" && e.Input != nil:
		r.present = union(r.present, w.nullRejecting(r, e.Input))
	case e.Class == "BOUND_REF":
		c := w.eval(r, e)
		if c.mark != nil {
			return equalPairs(c.mark.pairs)
		}
		r.present = union(r.present, w.nullRejecting(r, e))
	}
	return nil
}

// comparisonDependencies returns the dependencies that a comparison adds.
func (w *walk) comparisonDependencies(comparison string, a, b column) []dependency {
	first := func(c, n column) []dependency {
		if c.rank == nil || !n.literal {
			return nil
		}
		return []dependency{{from: c.rank.partition, to: c.rank.same}}
	}
	switch comparison {
	case "COMPARE_EQUAL", "COMPARE_NOT_DISTINCT_FROM":
		return slices.Concat(equalPairs([][2]symbol{{a.sym, b.sym}}), first(a, b), first(b, a))
	case "COMPARE_LESSTHANOREQUALTO":
		if b.text == "1" {
			return first(a, b)
		}
	case "COMPARE_LESSTHAN":
		if b.text == "2" {
			return first(a, b)
		}
	}
	return nil
}

// equalPairs returns the dependencies of pairs of equal values.
func equalPairs(list [][2]symbol) []dependency {
	out := make([]dependency, 0, 2*len(list))
	for _, p := range list {
		out = append(out, dependency{from: []symbol{p[0]}, to: []symbol{p[1]}}, dependency{from: []symbol{p[1]}, to: []symbol{p[0]}})
	}
	return out
}

// nullRejecting returns the rows without which an expression is NULL.
func (w *walk) nullRejecting(r *relation, e *expr) []symbol {
	if e == nil {
		return nil
	}
	switch e.Class {
	case "BOUND_REF":
		c := w.eval(r, e)
		if c.plain && c.doubt == nil {
			return c.from
		}
		return nil
	case "BOUND_CAST":
		if e.Child != nil {
			return w.nullRejecting(r, e.Child)
		}
	case "BOUND_FUNCTION":
		if slices.Contains([]string{
			"+", "-", "*", "/", "//", "%", "date_trunc", "date_part", "year", "quarter", "month", "day", "upper", "lower", "trim", "abs", "round",
			"floor", "ceil", "length", "strftime", "substring", "left", "right", "~~",
		}, e.Name) {
			var out []symbol
			for _, c := range e.Children {
				out = union(out, w.nullRejecting(r, c))
			}
			return out
		}
	}
	return nil
}

// recordCondition records the SQL of a condition on one base table for a control query, or that another condition exists.
func (w *walk) recordCondition(r *relation, e *expr) {
	c, text, ok := w.conditionSQL(r, e)
	switch {
	case !ok:
		r.filtered = true
	case text != "":
		r.tableConditions[c.origin.leaf.row] = append(r.tableConditions[c.origin.leaf.row], tableCondition{text: text, column: c.sym})
	}
}

// conditionSQL returns a condition on a column of one base table as SQL. A condition that only joins two tables has no text.
func (w *walk) conditionSQL(r *relation, e *expr) (of column, text string, ok bool) {
	switch {
	case e == nil:
	case e.Class == "BOUND_COMPARISON" && e.Left != nil && e.Right != nil:
		return w.comparisonSQL(r, e)
	case e.Class == "BOUND_OPERATOR" && e.Type == "COMPARE_IN" && len(e.Children) > 1:
		c := w.eval(r, e.Children[0])
		if c.origin == nil {
			return column{}, "", false
		}
		list := make([]string, 0, len(e.Children))
		for _, item := range e.Children[1:] {
			t, isConstant := constantText(item)
			if !isConstant {
				return column{}, "", false
			}
			list = append(list, t)
		}
		return c, sqltext.QuoteName(c.origin.column) + " IN (" + strings.Join(list, ", ") + ")", true
	}
	return column{}, "", false
}

// comparisonSQL returns a comparison of a column with a constant as SQL.
func (w *walk) comparisonSQL(r *relation, e *expr) (of column, text string, ok bool) {
	operator := map[string]string{
		"COMPARE_EQUAL": "=", "COMPARE_NOTEQUAL": "<>", "COMPARE_LESSTHAN": "<", "COMPARE_GREATERTHAN": ">",
		"COMPARE_LESSTHANOREQUALTO": "<=", "COMPARE_GREATERTHANOREQUALTO": ">=",
	}[e.Type]
	a, b, side := w.eval(r, e.Left), w.eval(r, e.Right), e.Right
	if operator == "=" && a.origin != nil && b.origin != nil && a.origin.leaf != b.origin.leaf {
		return column{}, "", true
	}
	if a.literal {
		// The column is operator first, so the comparison is reversed.
		a, side = b, e.Left
		if reversed := map[string]string{"<": ">", ">": "<", "<=": ">=", ">=": "<="}[operator]; reversed != "" {
			operator = reversed
		}
	}
	text, isConstant := constantText(side)
	if operator == "" || !isConstant || a.origin == nil || a.origin.leaf.table == nil {
		return column{}, "", false
	}
	return a, sqltext.QuoteName(a.origin.column) + " " + operator + " " + text, true
}

// constantText returns a constant as SQL, with the types of the casts around it.
func constantText(e *expr) (string, bool) {
	if e == nil {
		return "", false
	}
	if e.Class == "BOUND_CAST" && e.Child != nil {
		t, ok := constantText(e.Child)
		if ok && (e.Returns.ID == "DATE" || e.Returns.ID == "TIMESTAMP" || e.Returns.ID == "BOOLEAN") {
			return "CAST(" + t + " AS " + e.Returns.ID + ")", true
		}
		return t, ok
	}
	if e.Class != "BOUND_CONSTANT" || e.Value == nil || e.Value.Null {
		return "", false
	}
	switch e.Value.Type.ID {
	case "VARCHAR":
		var s string
		if json.Unmarshal(e.Value.Value, &s) != nil {
			return "", false
		}
		return sqltext.QuoteText(s), true
	case "INTEGER", "BIGINT", "SMALLINT", "TINYINT", "DOUBLE":
		return string(e.Value.Value), true
	}
	// The plan contains a decimal without its decimal point.
	return "", false
}

// samePeriod reports whether two days are in the same period.
func samePeriod(step string, y1, m1, d1, y2, m2, d2 int) bool {
	switch step {
	case "day":
		return y1 == y2 && m1 == m2 && d1 == d2
	case "month":
		return y1 == y2 && m1 == m2
	case "quarter":
		return y1 == y2 && (m1-1)/3 == (m2-1)/3
	case "year":
		return y1 == y2
	}
	return false
}

// conjuncts splits conjunctions into their conditions.
func conjuncts(conditions []*expr) []*expr {
	var out []*expr
	for _, e := range conditions {
		switch {
		case e == nil:
		case e.Class == "BOUND_CONJUNCTION" && e.Type == "CONJUNCTION_AND":
			out = append(out, conjuncts(e.Children)...)
		default:
			out = append(out, e)
		}
	}
	return out
}
