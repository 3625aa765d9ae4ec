package guard

// What adding up an expression means, from what adding up its parts means. Nothing is lost silently: where the meaning of an
// expression is not known, although one of its parts is a level or a rate, the measure says so.

import (
	"slices"
	"strings"
)

// arithmeticMeasure returns what adding up the result of an operation means.
func (w *walk) arithmeticMeasure(operator string, a, b column) measure {
	x, y := a.measure, b.measure
	switch {
	case b.literal:
		return x
	case a.literal && operator != "/" && operator != "//":
		return y
	case operator == "*":
		return productMeasure(a, b)
	case operator == "+" || operator == "-":
		return sumMeasure(operator, x, y)
	case w.isScalar(b.from):
		// A share of one figure: its parts add up as what they are parts of.
		return x
	}
	return ratioMeasure(a, b)
}

// isScalar reports whether a value comes from aggregates without groups only.
func (w *walk) isScalar(from []symbol) bool {
	return len(from) > 0 && !slices.ContainsFunc(from, func(s symbol) bool { l := w.leaves[s]; return l == nil || !l.scalar })
}

// productMeasure returns the measure of a product.
func productMeasure(a, b column) measure {
	x, y := a.measure, b.measure
	// A level times a rate is a level: seats times the price of a seat.
	out := measure{barriers: slices.Concat(x.barriers, y.barriers), unclear: x.unclear}
	if out.unclear == "" {
		out.unclear = y.unclear
	}
	if !slices.ContainsFunc(a.from, func(s symbol) bool { return slices.Contains(b.from, s) }) {
		// A factor of another table, such as an exchange rate, may convert the values into one unit.
		out.barriers = nil
	}
	for _, m := range []measure{x, y} {
		if m.kind == Level {
			out.kind, out.period, out.entity = Level, m.period, m.entity
		}
	}
	return out
}

// sumMeasure returns the measure of a sum or a difference, which agrees with the judgement of the terms of a total.
func sumMeasure(operator string, x, y measure) measure {
	if x.kind == Level && y.kind == Level && operator == "-" {
		// The difference of two levels is a change, which may be added up.
		return measure{barriers: slices.Concat(x.barriers, y.barriers)}
	}
	if x.kind != y.kind {
		// A rate that is added to something else is not a total of its own: each line minus the cost of its product.
		if x.kind == Rate && x.unclear == "" {
			x.kind = Unknown
		}
		if y.kind == Rate && y.unclear == "" {
			y.kind = Unknown
		}
	}
	return oneOf([]measure{x, y})
}

// ratioMeasure returns the measure of a quotient.
func ratioMeasure(a, b column) measure {
	x, y := a.measure, b.measure
	out := measure{unclear: x.unclear}
	if x.kind == Level || y.kind == Level || x.kind == Rate || y.unclear != "" {
		out.unclear = ratioBegins + a.text
	}
	if slices.ContainsFunc(a.from, func(s symbol) bool { return slices.Contains(b.from, s) }) {
		// A divisor of another table may convert the values into one unit.
		out.barriers = x.barriers
	}
	return out
}

// oneOf returns the measure of a value that is one of several: it may be added up only if each of them may be.
func oneOf(list []measure) measure {
	var out measure
	for i, m := range list {
		barriers := append(slices.Clone(out.barriers), m.barriers...)
		unclear := out.unclear
		if unclear == "" {
			unclear = m.unclear
		}
		if i == 0 || m.kind > out.kind {
			out = m
		} else if m.kind == Level && m.period != out.period {
			unclear = "levels of different periods"
		}
		out.barriers, out.unclear = barriers, unclear
	}
	if len(list) > 1 {
		// A control query would compute another figure.
		out.origin = nil
	}
	return out
}

// measuresOf returns the measures of the parts of an expression that are not constants.
func (w *walk) measuresOf(r *relation, parts []*expr) []measure {
	var out []measure
	for _, p := range parts {
		if c := w.eval(r, p); !c.literal {
			out = append(out, c.measure)
		}
	}
	return out
}

// functionMeasure returns what adding up the result of a function means.
func (w *walk) functionMeasure(r *relation, e *expr) measure {
	switch {
	case len(e.Children) == 0 || slices.Contains([]string{"BOOLEAN", "DATE", "TIME", "TIMESTAMP", "TIMESTAMP WITH TIME ZONE", "INTERVAL"},
		e.Returns.ID):
		// It is no number that is made of the values.
		return measure{}
	case keepsMeaning(e.Name):
		return w.eval(r, e.Children[0]).measure
	case choosesValue(e.Name):
		return oneOf(w.measuresOf(r, e.Children))
	case isPower(e.Name):
		// A deviation is made of squares; the square of a rate or of a level is neither any more.
		return measure{barriers: oneOf(w.measuresOf(r, e.Children)).barriers}
	}
	return unclearMeasure(oneOf(w.measuresOf(r, e.Children)), functionBegins+e.Name)
}

// The beginnings of the reasons why nobody knows what adding up a calculated value means.
const (
	ratioBegins    = "a ratio of "
	functionBegins = "the function "
)

// IsMade reports whether a statement is unchecked for the reason that it adds up a value that is calculated from a rate or a level.
func IsMade(reason string) bool {
	return strings.HasPrefix(reason, ratioBegins) || strings.HasPrefix(reason, functionBegins)
}

// unclearMeasure returns the measure of a value that is made of others in an unknown way. why is said if their meaning is known.
func unclearMeasure(m measure, why string) measure {
	out := measure{barriers: m.barriers, unclear: m.unclear}
	if m.kind == Level || m.kind == Rate || len(m.barriers) > 0 {
		out.unclear = why
	}
	return out
}

// keepsMeaning reports whether the result of a function means what its first argument means: it rounds it, changes its sign,
// or cleans the text of it.
func keepsMeaning(function string) bool {
	return slices.Contains([]string{
		"round", "round_even", "roundbankers", "abs", "@", "floor", "ceil", "ceiling", "trunc", "even", "-", "+", "replace", "regexp_replace",
		"trim", "ltrim", "rtrim", "translate", "list_sort", "list_reverse_sort", "list_reverse", "list_distinct", "list_slice", "array_slice",
	}, function)
}

// isPower reports whether a function raises a number to a power.
func isPower(function string) bool {
	return slices.Contains([]string{"**", "^", "pow", "power"}, function)
}

// choosesValue reports whether the result of a function is one of its arguments.
func choosesValue(function string) bool {
	return slices.Contains([]string{"greatest", "least", "ifnull", "coalesce"}, function)
}

// stricter returns the doubt that says more: a fault says more than a doubt.
func stricter(a, b *doubt) *doubt {
	if a == nil || b != nil && a.unproven && !b.unproven {
		return b
	}
	return a
}
