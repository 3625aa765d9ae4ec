package guard

// Joins. An inner join makes columns equal; an outer join does so only where a row was found.

import (
	"slices"
	"strconv"
)

// join walks a join of two relations.
func (w *walk) join(n *node) *relation {
	if len(n.Children) != 2 {
		return w.blank(n)
	}
	before := len(w.deps)
	left := w.relation(n.Children[0])
	middle := len(w.deps)
	right := w.relation(n.Children[1])
	after := len(w.deps)
	switch n.Type {
	case "LOGICAL_CROSS_PRODUCT":
		return joined(left, right)
	case "LOGICAL_POSITIONAL_JOIN":
		return w.blank(&node{Type: n.Type})
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
		out.columns = joined(left, right).columns
	case "FULL", "OUTER":
		out = w.full(left, right, equal, before, middle, after)
	case "SINGLE":
		out = w.outer(left, right, equal, middle, after)
		// The engine takes at most one row, so the right side adds none.
		w.add(left.rows(), right.rows()...)
		out.leaves = left.leaves
	case "SEMI", "ANTI":
		return w.semi(left, equal, n)
	case "MARK":
		return w.marks(left, equal)
	default:
		return w.blank(&node{Type: "LOGICAL_" + n.JoinType + "_JOIN"})
	}
	if n.Type == "LOGICAL_ASOF_JOIN" {
		// Each row on the left finds at most one row on the right.
		w.add(left.rows(), right.rows()...)
		out.filtered = true
	}
	return w.rest(out, left, right, n)
}

// rest applies the conditions that are not comparisons of both sides, and the choice of columns.
func (w *walk) rest(out, left, right *relation, n *node) *relation {
	for _, e := range []*expr{n.Condition, n.Predicate} {
		if e == nil {
			continue
		}
		out.filtered = true
		// In an outer join they decide only what is found.
		if n.JoinType == "INNER" {
			out = w.filter(out, []*expr{e})
		}
	}
	if len(n.Left) > 0 || len(n.Right) > 0 {
		l, r := left.mapped(n.Left), right.mapped(n.Right)
		out.columns = append(slices.Clone(l.columns), r.columns...)
	}
	return out
}

// equalities returns the pairs that the conditions make equal, and the rows without which no condition is fulfilled.
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
			strict = union(strict, w.strict(left, c.Left), w.strict(right, c.Right))
		}
	}
	return equal, strict
}

func (w *walk) inner(left, right *relation, equal [][2]column) *relation {
	for _, p := range equal {
		w.equal(p[0].sym, p[1].sym)
	}
	return joined(left, right)
}

// outer keeps all rows of one side. For each of them the other side is either found or missing, so what the found rows
// determine holds for them only, or together with the row that is kept.
func (w *walk) outer(kept, found *relation, equal [][2]column, from, to int) *relation {
	w.conditional(kept.rows(), found, from, to)
	for _, p := range equal {
		w.add(kept.rows(), p[1].sym)
		for _, d := range pairs([][2]symbol{{p[0].sym, p[1].sym}}) {
			d.unless = found.sources()
			w.deps = append(w.deps, d)
		}
	}
	out := joined(kept, found)
	out.present = slices.Clone(kept.present)
	return out
}

// full keeps all rows of both sides.
func (w *walk) full(left, right *relation, equal [][2]column, before, middle, after int) *relation {
	w.conditional(nil, left, before, middle)
	w.conditional(nil, right, middle, after)
	for _, p := range equal {
		w.deps = append(w.deps,
			dependency{from: left.rows(), to: []symbol{p[1].sym}, unless: left.sources()},
			dependency{from: right.rows(), to: []symbol{p[0].sym}, unless: right.sources()})
	}
	w.merged(left, right, equal)
	out := joined(left, right)
	out.present = nil
	return out
}

// merged says what the columns of a full join determine that USING makes of both sides. If the columns of each side are a key
// of it, two rows with the same merged values are one: where both sides have a row with them, the join has put these together.
func (w *walk) merged(left, right *relation, equal [][2]column) {
	if len(equal) == 0 {
		return
	}
	var ours, theirs, both []symbol
	for _, p := range equal {
		ours, theirs = append(ours, p[0].sym), append(theirs, p[1].sym)
	}
	if !w.closure(question{start: ours, present: left.present}).all(left.rows()) ||
		!w.closure(question{start: theirs, present: right.present}).all(right.rows()) {
		return
	}
	for _, p := range equal {
		// A merged column of a full join below is one of its parts.
		parts := append(slices.Clone(w.merges[p[0].sym]), p[1].sym)
		if len(parts) == 1 {
			parts = []symbol{p[0].sym, p[1].sym}
		}
		s := w.coalesced(parts)
		w.equal(s, w.coalesced([]symbol{p[0].sym, p[1].sym}))
		w.equal(s, w.coalesced([]symbol{p[1].sym, p[0].sym}))
		both = append(both, s)
	}
	w.add(both, union(left.rows(), right.rows())...)
}

// coalesced is the symbol of the first of some values that is not missing.
func (w *walk) coalesced(parts []symbol) symbol {
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

// coalesceKey begins the names of these symbols, as made writes them.
const coalesceKey = "BOUND_OPERATOR OPERATOR_COALESCE "

// conditional limits what was constant on one side of an outer join to the rows that were found there.
func (w *walk) conditional(kept []symbol, found *relation, from, to int) {
	constant := w.closure(question{})
	rows := found.sources()
	for i := from; i < to; i++ {
		d := w.deps[i]
		if d.fixed || len(d.unless) > 0 || !constant.all(d.from) {
			continue
		}
		w.deps[i].unless = rows
		if len(kept) > 0 {
			w.deps = append(w.deps, dependency{from: union(kept, d.from), to: d.to, guess: d.guess})
		}
	}
}

// semi keeps the rows on the left that have, or have not, a row on the right. The symbols of the right stand for one of the
// rows that were found, always the same one for the same values on the left.
func (w *walk) semi(left *relation, equal [][2]column, n *node) *relation {
	if n.JoinType == "SEMI" {
		for _, p := range equal {
			w.equal(p[0].sym, p[1].sym)
		}
	}
	return w.part(left).mapped(n.Left)
}

// marks adds a column that says whether a row on the right was found.
func (w *walk) marks(left *relation, equal [][2]column) *relation {
	out := *left
	m := &marked{}
	for _, p := range equal {
		m.pairs = append(m.pairs, [2]symbol{p[0].sym, p[1].sym})
	}
	s := w.fresh()
	w.add(left.rows(), s)
	out.columns = append(slices.Clone(left.columns), column{sym: s, from: left.rows(), text: "…", mark: m})
	return &out
}
