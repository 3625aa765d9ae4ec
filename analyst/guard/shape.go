package guard

// The form of expressions: the month of a date, and the month of the latest of several dates.

import "slices"

// shape is the form of an interned expression: its operation and its inputs.
type shape struct {
	sym    symbol
	name   string
	inputs []symbol
}

// derivedFrom returns a value and the expressions of this value and constants.
func (w *walk) derivedFrom(of symbol, constant set) set {
	out := make(set, w.next+1)
	out[of] = true
	// An expression is recorded after its operands, so one pass finds all.
	other := func(x symbol) bool { return !out.has(x) && !constant.has(x) }
	for _, s := range w.shapes {
		if slices.ContainsFunc(s.inputs, out.has) && !slices.ContainsFunc(s.inputs, other) {
			out[s.sym] = true
		}
	}
	return out
}

// keepGroupShapes adds what the groups say about a value picked from each group: the latest day of a month is in that month.
func (w *walk) keepGroupShapes(out *column, args []column, groups []symbol) {
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

// congruent reports whether a level has one period in each group, given that equal expressions of equal values are equal: the
// month of a day that is the latest day of some month.
func (j *judgement) congruent(t term) bool {
	// In a long statement not all expressions are compared, which limits the time of a judgement.
	left := 200
	same := func(a, b symbol) bool {
		ask := func(from, to symbol) bool {
			return j.w.closure(closureInput{start: []symbol{from}, present: j.r.present, extra: j.extra}).has(to)
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
				inner.extra = slices.Concat(inner.extra, equalPairs([][2]symbol{{a.sym, b.sym}}))
				found = true
			}
		}
	}
	return found && inner.closure(t.measure.entity, false).has(t.measure.period)
}
