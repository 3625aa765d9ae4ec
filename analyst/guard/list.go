package guard

// Lists that an aggregate collects: list_sum(list(x)) adds up the same values as sum(x), so it is judged like that.

import "slices"

// collected returns the result of an aggregate that gathers values, with the judgement of their sum.
func (w *walk) collected(out column, args []column, j *judgement) column {
	if len(args) == 0 || args[0].literal || !slices.Contains([]string{"list", "array_agg"}, j.call.name) {
		return out
	}
	out.measure = unclearMeasure(args[0].measure, "a list of "+args[0].text)
	out.sum = j.judgeSum(args)
	return out
}

// judgeSum returns what would be said if the values of an aggregate were added up; nil if nothing would be.
func (j *judgement) judgeSum(args []column) *Verdict {
	if j.oneRowPerGroup() {
		return nil
	}
	var found Verdict
	said := j.w.verdict
	j.w.verdict = &found
	inner := *j
	inner.call.name, inner.text = "sum", "sum("+args[0].text+")"
	inner.whole = j.r
	inner.check(sum, args)
	j.w.verdict = said
	if inner.pending != nil {
		found.addFault(inner.pending.fault)
	}
	if len(found.Faults)+len(found.Unchecked) == 0 {
		return nil
	}
	return &found
}

// listFigure judges a function of collected values. One that returns a list again is judged where a figure is made of it.
func (w *walk) listFigure(r *relation, e *expr, out *column) {
	for _, c := range e.Children {
		v := w.eval(r, c).sum
		if v == nil {
			continue
		}
		if slices.Contains([]string{"LIST", "ARRAY", "STRUCT", "MAP"}, e.Returns.ID) {
			out.sum = v
			continue
		}
		kind := listClass(e)
		for _, f := range v.Faults {
			switch {
			case !affects(f.Kind, kind):
			case kind == sum:
				w.verdict.addFault(f)
			default:
				w.verdict.addUnchecked("the function " + e.Name + " of a list")
			}
		}
		if kind != pick && kind != collect {
			for _, why := range v.Unchecked {
				w.verdict.addUnchecked(why)
			}
		}
	}
}

// listClass returns the class of the aggregate that a function of a list is.
func listClass(e *expr) class {
	switch e.Name {
	case "list_aggregate", "array_aggregate", "aggregate", "list_aggr", "array_aggr":
		if len(e.Children) > 1 {
			return classOf(textOf(e.Children[1]))
		}
	case "len", "length", "array_length", "cardinality":
		return count
	case "list_reduce", "array_reduce", "reduce", "list_cosine_similarity", "list_distance", "list_inner_product":
		return other
	}
	// It takes an element, or looks for one.
	return pick
}

// affects reports whether a fault of a sum is one of another figure of the same values as well.
func affects(fault Kind, figure class) bool {
	switch figure {
	case pick, collect:
		return false
	case count:
		return fault == Repeated || fault == EachValue
	case weighted:
		return fault != LevelSum && fault != RateSum
	case sum, other:
	}
	return true
}

// element is a value of a list, which unnest makes a row of. A total of it cannot be judged if that of the list could not be.
func element(list *column, sym symbol, l *leaf) column {
	out := column{
		plain: true, sym: sym, from: []symbol{l.row}, text: "an element of a list", doubt: list.doubt,
		measure: unclearMeasure(list.measure, list.measure.unclear),
	}
	if list.sum != nil && out.doubt == nil {
		out.doubt = &doubt{unproven: true, text: "the elements of " + list.text}
	}
	return out
}
