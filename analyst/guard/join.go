package guard

// Joins. An inner join makes columns equal; an outer join makes them equal only where it found a row.

import (
	"slices"
	"strconv"
)

// join walks a join of two relations.
func (w *walk) join(n *node) *relation {
	if len(n.Children) != 2 {
		return w.unknownRelation(n)
	}
	before := len(w.deps)
	left := w.relation(n.Children[0])
	middle := len(w.deps)
	right := w.relation(n.Children[1])
	after := len(w.deps)
	switch n.Type {
	case "LOGICAL_CROSS_PRODUCT":
		return product(left, right)
	case "LOGICAL_POSITIONAL_JOIN":
		return w.unknownRelation(&node{Type: n.Type})
	}
	equal, strict := w.equalities(left, right, n)
	var out *relation
	switch n.JoinType {
	case "INNER":
		out = w.inner(left, right, equal)
		out.present = union(out.present, strict)
	case "LEFT":
		out = w.outer(left, right, equal, middle, after)
	case "RIGHT":
		flipped := make([][2]column, len(equal))
		for i, p := range equal {
			flipped[i] = [2]column{p[1], p[0]}
		}
		out = w.outer(right, left, flipped, before, middle)
		out.columns = product(left, right).columns
	case "FULL", "OUTER":
		out = w.full(left, right, equal, before, middle, after)
	case "SINGLE":
		out = w.outer(left, right, equal, middle, after)
		// The engine takes at most one row, so the right side adds no rows.
		w.add(left.rows(), right.rows()...)
		out.leaves = left.leaves
	case "SEMI", "ANTI":
		return w.semi(left, equal, n)
	case "MARK":
		return w.markColumn(left, equal)
	default:
		return w.unknownRelation(&node{Type: "LOGICAL_" + n.JoinType + "_JOIN"})
	}
	if n.Type == "LOGICAL_ASOF_JOIN" {
		// Each row on the left finds at most one row on the right.
		w.add(left.rows(), right.rows()...)
		out.filtered = true
	}
	return w.finishJoin(out, left, right, n)
}

// finishJoin applies the conditions that do not compare both sides, and selects the columns.
func (w *walk) finishJoin(out, left, right *relation, n *node) *relation {
	for _, e := range []*expr{n.Condition, n.Predicate} {
		if e == nil {
			continue
		}
		out.filtered = true
		// In an outer join they only decide which rows are found.
		if n.JoinType == "INNER" {
			out = w.filter(out, []*expr{e})
		}
	}
	if len(n.LeftColumns) > 0 || len(n.RightColumns) > 0 {
		l, r := left.selectColumns(n.LeftColumns), right.selectColumns(n.RightColumns)
		out.columns = append(slices.Clone(l.columns), r.columns...)
	}
	return out
}

// equalities returns the pairs that the conditions make equal, and the rows without which no condition is satisfied.
func (w *walk) equalities(left, right *relation, n *node) (equal [][2]column, strict []symbol) {
	for _, c := range n.Conditions {
		if c.Left == nil || c.Right == nil {
			w.fail("its plan has another form")
			return nil, nil
		}
		a, b := w.eval(left, c.Left), w.eval(right, c.Right)
		if c.Comparison == "COMPARE_EQUAL" || c.Comparison == "COMPARE_NOT_DISTINCT_FROM" {
			equal = append(equal, [2]column{a, b})
			left.filtered = left.filtered || a.literal != b.literal
		} else {
			left.filtered = true
		}
		if c.Comparison != "COMPARE_NOT_DISTINCT_FROM" && c.Comparison != "COMPARE_DISTINCT_FROM" {
			strict = union(strict, w.nullRejecting(left, c.Left), w.nullRejecting(right, c.Right))
		}
	}
	return equal, strict
}

func (w *walk) inner(left, right *relation, equal [][2]column) *relation {
	for _, p := range equal {
		w.addEqual(p[0].sym, p[1].sym)
	}
	return product(left, right)
}

// outer keeps all rows of one side. The other side has found rows or is NULL, so dependencies of the found rows hold only for
// them, or in combination with the kept row.
func (w *walk) outer(kept, found *relation, equal [][2]column, from, to int) *relation {
	w.makeConditional(kept.rows(), found, from, to)
	for _, p := range equal {
		w.add(kept.rows(), p[1].sym)
		for _, d := range equalPairs([][2]symbol{{p[0].sym, p[1].sym}}) {
			d.requires = found.sources()
			w.deps = append(w.deps, d)
		}
	}
	out := product(kept, found)
	out.present = slices.Clone(kept.present)
	return out
}

// full keeps all rows of both sides.
func (w *walk) full(left, right *relation, equal [][2]column, before, middle, after int) *relation {
	w.makeConditional(nil, left, before, middle)
	w.makeConditional(nil, right, middle, after)
	for _, p := range equal {
		w.deps = append(w.deps,
			dependency{from: left.rows(), to: []symbol{p[1].sym}, requires: left.sources()},
			dependency{from: right.rows(), to: []symbol{p[0].sym}, requires: right.sources()})
	}
	w.mergeUsing(left, right, equal)
	out := product(left, right)
	out.present = nil
	return out
}

// mergeUsing adds what the columns of a full join with USING determine. If the columns of each side are a key of that side,
// rows with equal merged values are one row, because the join matched them.
func (w *walk) mergeUsing(left, right *relation, equal [][2]column) {
	if len(equal) == 0 {
		return
	}
	var ours, theirs, both []symbol
	for _, p := range equal {
		ours, theirs = append(ours, p[0].sym), append(theirs, p[1].sym)
	}
	if !w.closure(closureInput{start: ours, present: left.present}).all(left.rows()) ||
		!w.closure(closureInput{start: theirs, present: right.present}).all(right.rows()) {
		return
	}
	for _, p := range equal {
		// A merged column of a full join below consists of its parts.
		parts := append(slices.Clone(w.merges[p[0].sym]), p[1].sym)
		if len(parts) == 1 {
			parts = []symbol{p[0].sym, p[1].sym}
		}
		s := w.coalesceSymbol(parts)
		w.addEqual(s, w.coalesceSymbol([]symbol{p[0].sym, p[1].sym}))
		w.addEqual(s, w.coalesceSymbol([]symbol{p[1].sym, p[0].sym}))
		both = append(both, s)
	}
	w.add(both, union(left.rows(), right.rows())...)
}

// coalesceSymbol returns the symbol of COALESCE over some values.
func (w *walk) coalesceSymbol(parts []symbol) symbol {
	key := coalesceKey
	for _, p := range parts {
		key += " " + strconv.Itoa(int(p))
	}
	sym, known := w.interned(key)
	if !known {
		w.add(parts, sym)
		w.merges[sym] = parts
	}
	return sym
}

// coalesceKey begins the keys of these symbols, in the form that composed writes.
const coalesceKey = "BOUND_OPERATOR OPERATOR_COALESCE "

// makeConditional restricts dependencies of constants on one side of an outer join to the rows found there.
func (w *walk) makeConditional(kept []symbol, found *relation, from, to int) {
	constant := w.closure(closureInput{})
	rows := found.sources()
	for i := from; i < to; i++ {
		d := w.deps[i]
		if d.literal || len(d.requires) > 0 || !constant.all(d.from) {
			continue
		}
		w.deps[i].requires = rows
		if len(kept) > 0 {
			w.deps = append(w.deps, dependency{from: union(kept, d.from), to: d.to, unproven: d.unproven})
		}
	}
}

// semi keeps the rows on the left that have a row on the right, or that have none. The symbols of the right represent one of
// the rows found, the same one for equal values on the left.
func (w *walk) semi(left *relation, equal [][2]column, n *node) *relation {
	if n.JoinType == "SEMI" {
		for _, p := range equal {
			w.addEqual(p[0].sym, p[1].sym)
		}
	}
	return w.subset(left).selectColumns(n.LeftColumns)
}

// markColumn adds a column that says whether a row on the right was found.
func (w *walk) markColumn(left *relation, equal [][2]column) *relation {
	out := *left
	m := &existsMark{}
	for _, p := range equal {
		m.pairs = append(m.pairs, [2]symbol{p[0].sym, p[1].sym})
	}
	s := w.fresh()
	w.add(left.rows(), s)
	out.columns = append(slices.Clone(left.columns), column{sym: s, from: left.rows(), text: "…", mark: m})
	return &out
}
