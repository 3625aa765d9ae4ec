package query

import (
	"cmp"
	"slices"
	"strings"
)

// normal is the normal form of a condition or a tree: And and Or without others of their kind inside, sorted and each
// condition once; two Nots cancel; spans of one time that must all hold are one span, and lists of values one list. Equal
// normal forms mean equal answers.
func normal(n *node) *node {
	if len(n.Kids) > 0 {
		c := *n
		c.Kids = make([]*node, len(n.Kids))
		for i, k := range n.Kids {
			c.Kids[i] = normal(k)
		}
		n = &c
	}
	switch n.Op {
	case opAnd, opOr:
		return flat(n)
	case opNot:
		if n.Kids[0].Op == opNot {
			return n.Kids[0].Kids[0]
		}
		return n.inward()
	case opIn:
		c := *n
		c.Words = slices.Compact(slices.Sorted(slices.Values(n.Words)))
		return &c
	case opRecurs:
		c := *n
		c.Numbers = slices.Compact(slices.Sorted(slices.Values(n.Numbers)))
		return &c
	case opCmp:
		return constantRight(n)
	}
	return n
}

// inward moves a Not to the conditions below And and Or. It can, because a condition on a missing value does not hold, and its
// Not does: there is no third case.
func (n *node) inward() *node {
	k := n.Kids[0]
	if k.Op != opAnd && k.Op != opOr {
		return n
	}
	out := op(map[string]string{opAnd: opOr, opOr: opAnd}[k.Op])
	for _, c := range k.Kids {
		out.Kids = append(out.Kids, normal(op(opNot, c)))
	}
	return flat(out)
}

// constantRight writes a comparison with the constant at the right.
func constantRight(n *node) *node {
	constant := func(k *node) bool { return k.Op == opNumber || k.Op == opText || k.Op == opDay }
	other, ok := map[string]string{"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}[n.word(0)]
	if !ok || !constant(n.Kids[0]) || constant(n.Kids[1]) {
		return n
	}
	return op(opCmp, n.Kids[1], n.Kids[0]).with(other)
}

func flat(n *node) *node {
	var kids []*node
	for _, k := range n.Kids {
		switch {
		case k.Op == n.Op:
			kids = append(kids, k.Kids...)
		case k.Op == opAll && n.Op == opAnd:
		case k.Op == opAll && n.Op == opOr:
			return op(opAll)
		default:
			kids = append(kids, k)
		}
	}
	if n.Op == opAnd {
		kids = together(kids)
	}
	texts := map[*node]string{}
	for _, k := range kids {
		texts[k] = k.text()
	}
	slices.SortStableFunc(kids, func(a, b *node) int { return cmp.Compare(texts[a], texts[b]) })
	kids = slices.CompactFunc(kids, func(a, b *node) bool { return texts[a] == texts[b] })
	switch len(kids) {
	case 0:
		return op(opAll)
	case 1:
		return kids[0]
	}
	return op(n.Op, kids...)
}

// together joins the spans of one time, and the lists of values of one scalar.
func together(kids []*node) []*node {
	var out []*node
	for _, k := range kids {
		i := slices.IndexFunc(out, func(o *node) bool {
			return o.Op == k.Op && (k.Op == opDuring || k.Op == opIn) && o.Kids[0].same(k.Kids[0])
		})
		if i < 0 {
			out = append(out, k)
			continue
		}
		if k.Op == opDuring {
			out[i] = op(opDuring, k.Kids[0]).with(max(k.word(0), out[i].word(0)), min(k.word(1), out[i].word(1)))
			continue
		}
		var both []string
		for _, w := range k.Words {
			if slices.Contains(out[i].Words, w) {
				both = append(both, w)
			}
		}
		out[i] = op(opIn, k.Kids[0]).with(both...)
	}
	return out
}

// possible refuses conditions that can never hold together: an empty time, two different values of one column, above 4 and
// below 4.
func possible(n *node) error {
	for _, k := range n.Kids {
		if err := possible(k); err != nil {
			return err
		}
	}
	if n.Op == opDuring && n.word(0) >= n.word(1) {
		return refuse(nil, "The times have no day in common.")
	}
	if n.Op == opIn && len(n.Words) == 0 {
		return refuse(nil, "A %s cannot have several values at once.", strings.ReplaceAll(n.Kids[0].Column, "_", " "))
	}
	if n.Op != opAnd {
		return nil
	}
	for i, a := range n.Kids {
		for _, b := range n.Kids[i+1:] {
			if contradict(a, b) {
				return refuse(nil, "%s %s %s and %s %s can never both hold.", strings.ReplaceAll(a.Kids[0].Column, "_", " "),
					a.word(0), number(a.Kids[1].Numbers[0]), b.word(0), number(b.Kids[1].Numbers[0]))
			}
			if a.Op == opNot && a.Kids[0].same(b) || b.Op == opNot && b.Kids[0].same(a) {
				return refuse(nil, "A condition and its opposite can never both hold.")
			}
		}
	}
	return nil
}

// contradict reports whether two comparisons of one scalar with numbers leave no number.
func contradict(a, b *node) bool {
	if a.Op != opCmp || b.Op != opCmp || a.Kids[1].Op != opNumber || b.Kids[1].Op != opNumber || !a.Kids[0].same(b.Kids[0]) {
		return false
	}
	type end struct {
		value float64
		open  bool
	}
	low, high := end{}, end{}
	hasLow, hasHigh := false, false
	for _, n := range []*node{a, b} {
		x, o := n.Kids[1].Numbers[0], n.word(0)
		if o != "<" && o != "<=" && (!hasLow || x > low.value || x == low.value && o == ">") {
			low, hasLow = end{x, o == ">"}, true
		}
		if o != ">" && o != ">=" && (!hasHigh || x < high.value || x == high.value && o == "<") {
			high, hasHigh = end{x, o == "<"}, true
		}
	}
	return hasLow && hasHigh && (low.value > high.value || low.value == high.value && (low.open || high.open))
}

// Equal reports whether two questions have one normal form. Two readings of a sentence with equal questions count as one.
func Equal(a, b Ask) bool {
	_, x := a.ask()
	_, y := b.ask()
	return normal(x).same(normal(y))
}
