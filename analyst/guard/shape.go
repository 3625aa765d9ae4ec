package guard

// What expressions are made of: the month of a date, and the month of the latest of some dates.

import "slices"

// shape is an expression by what it does and with what.
type shape struct {
	sym    symbol
	name   string
	inputs []symbol
}

// madeOf returns the expressions of a single value and constants, and the value itself.
func (w *walk) madeOf(of symbol, constant set) set {
	out := make(set, w.next+1)
	out[of] = true
	// An expression is noted after its parts, so one round finds all.
	other := func(x symbol) bool { return !out.has(x) && !constant.has(x) }
	for _, s := range w.shapes {
		if slices.ContainsFunc(s.inputs, out.has) && !slices.ContainsFunc(s.inputs, other) {
			out[s.sym] = true
		}
	}
	return out
}

// image keeps what the groups say about a value that is picked from each: the latest day of a month lies in that month.
func (w *walk) image(out *column, args []column, groups []symbol) {
	if len(args) == 0 {
		return
	}
	for _, s := range w.shapes {
		at := slices.Index(s.inputs, args[0].sym)
		if at < 0 || !slices.Contains(groups, s.sym) {
			continue
		}
		inputs := slices.Clone(s.inputs)
		inputs[at] = out.sym
		w.shapes = append(w.shapes, shape{sym: s.sym, name: s.name, inputs: inputs})
	}
}

// congruent reports whether a level has one period in each group once it is seen that the same expression of equal values
// has equal values: the month of a day that is the latest one of some month.
func (j *judgement) congruent(t term) bool {
	// In a long statement not all expressions are compared, so that a judgement stays short.
	left := 200
	same := func(a, b symbol) bool {
		ask := func(from, to symbol) bool {
			return j.w.closure(question{start: []symbol{from}, present: j.r.present, more: j.more}).has(to)
		}
		return a == b || ask(a, b) && ask(b, a)
	}
	inner := *j
	found := false
	for i, a := range j.w.shapes {
		for _, b := range j.w.shapes[:i] {
			if a.sym == b.sym || a.name != b.name || left == 0 {
				continue
			}
			left--
			if slices.EqualFunc(a.inputs, b.inputs, same) {
				inner.more = slices.Concat(inner.more, pairs([][2]symbol{{a.sym, b.sym}}))
				found = true
			}
		}
	}
	return found && inner.closure(t.adds.entity, false).has(t.adds.period)
}
