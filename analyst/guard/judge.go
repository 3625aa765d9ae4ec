package guard

import "slices"

// judgement is the check of one aggregate.
type judgement struct {
	w    *walk
	r    *relation
	call call
	text string
	// extra are the dependencies of its FILTER.
	extra []dependency
	// leaf is the leaf of the groups; pending is the fault that a use of the total may correct.
	leaf    *leaf
	pending *pendingFault
	// whole has all rows of the relation, also those without a value.
	whole *relation
}

// term is one part of a sum: sum(a + b) is sum(a) + sum(b).
type term struct {
	column

	negative bool
	// when are the dependencies of the conditions under which it is added.
	when []dependency
	// present are the rows that these conditions require.
	present []symbol
	// choices are the values that were chosen for the term to be added.
	choices []choice
}

// choice is one of the values of which an expression such as CASE chooses one for each row.
type choice struct {
	of    *expr
	value int
	// about are the values that the conditions of the choice use.
	about []symbol
}

// added reports whether two terms are added up in one row. Of the values of a CASE each row has only one.
func (t *term) added(other *term) bool {
	return !slices.ContainsFunc(t.choices, func(a choice) bool {
		return slices.ContainsFunc(other.choices, func(b choice) bool { return a.of == b.of && a.value != b.value })
	})
}

// closure returns what some values determine together with the groups.
func (j *judgement) closure(start []symbol, guess bool) set {
	return j.w.closure(closureInput{start: union(start, j.call.groups), present: j.r.present, extra: j.extra, unproven: guess})
}

// oneRowPerGroup reports whether each group has one row.
func (j *judgement) oneRowPerGroup() bool { return j.closure(nil, false).all(j.r.rows()) }

// check judges what the aggregate counts. It returns the rows that it counts, and whether there is no fault.
func (j *judgement) check(kind class, args []column) (rows []symbol, clean bool) {
	var terms []term
	switch {
	case kind == sum && !j.call.distinct && len(j.call.args) > 0:
		terms = j.terms(j.call.args[0], term{})
	default:
		whole := term{column: column{literal: true, text: j.text}}
		for _, a := range args {
			// A count of a condition counts the rows that satisfy it.
			if !a.literal && j.call.name != "count_if" && j.call.name != "countif" {
				whole.literal = false
				whole.from = union(whole.from, a.from)
				whole.measure, whole.doubt, whole.origin, whole.sym, whole.text = a.measure, a.doubt, a.origin, a.sym, a.text
			}
		}
		if len(args) > 1 {
			whole.measure, whole.origin = measure{}, nil
		}
		terms = []term{whole}
	}
	terms = j.relevantTerms(terms)
	clean = true
	for _, t := range terms {
		if !j.checkTerm(kind, t, terms) {
			clean = false
		}
		rows = union(rows, t.from)
	}
	return rows, clean
}

// relevantTerms drops terms that do not affect which rows are counted.
func (j *judgement) relevantTerms(terms []term) []term {
	// A constant or a scalar that is added to each row is not a total, and neither is a rate, as in sum(line_price - unit_cost).
	beside := func(t *term) bool {
		return slices.ContainsFunc(terms, func(o term) bool {
			return !o.literal && o.measure.kind != Rate && !j.w.isScalar(o.from) && t.added(&o)
		})
	}
	out := slices.DeleteFunc(slices.Clone(terms), func(t term) bool {
		return t.literal || (j.w.isScalar(t.from) || t.measure.kind == Rate) && beside(&t)
	})
	if len(out) > 0 || len(terms) == 0 {
		return out
	}
	// If all terms are constants, the rows are counted.
	return terms[:1]
}

// checkTerm judges one term.
func (j *judgement) checkTerm(kind class, t term, all []term) bool {
	inner := *j
	if len(t.when) > 0 || len(t.present) > 0 {
		r := *j.r
		r.present = union(r.present, t.present)
		r.filtered = true
		inner.r, inner.extra = &r, slices.Concat(j.extra, t.when)
		if inner.oneRowPerGroup() {
			return true
		}
	}
	if t.literal || len(t.from) == 0 {
		return inner.checkRowCount()
	}
	if !inner.checkDoubt(kind, t) {
		return false
	}
	// A row without the value adds nothing, so only the rows with a value are judged.
	valued := *inner.r
	valued.present = union(valued.present, t.from)
	inner.r = &valued
	var ok bool
	if j.call.distinct {
		ok = inner.checkDistinct(t)
	} else {
		ok = inner.checkRepeats(kind, t)
	}
	if kind == sum {
		ok = inner.checkLevel(t, all) && ok
		ok = inner.checkRate(t, all) && ok
		if t.measure.unclear != "" && len(t.measure.barriers) == 0 {
			inner.w.verdict.addUnchecked(t.measure.unclear)
			ok = false
		}
		j.pending = inner.pending
	}
	if kind == sum || kind == weighted {
		ok = inner.checkBarriers(t, all) && ok
	}
	return ok
}

// checkDoubt judges the doubt that a column carries.
func (j *judgement) checkDoubt(kind class, t term) bool {
	for _, s := range t.from {
		if l := j.w.leaves[s]; l != nil && l.opaque {
			j.w.verdict.addUnchecked(l.unknownReason)
			return false
		}
	}
	switch {
	case t.doubt == nil || kind == count:
		return true
	case t.doubt.kind == Repeated && !t.doubt.unproven && kind == weighted:
		// A mean or a median of overlapping parts adds up nothing, such as the mean of the visitors of each day.
		return true
	case t.doubt.unproven:
		j.w.verdict.addUnchecked(t.doubt.text)
	case t.doubt.kind == Repeated:
		j.w.verdict.addFault(j.overlapFault(t))
	default:
		j.w.verdict.addFault(j.distinctFault(t))
	}
	return false
}

// undetermined returns the leaves that some rows do not determine. If they may determine them, it returns the reasons of the
// doubt.
func (j *judgement) undetermined(start []symbol) (missing []*leaf, doubts []string) {
	known := j.closure(start, false)
	for _, l := range j.r.leaves {
		if !known.has(l.row) {
			missing = append(missing, l)
			if !l.keysKnown {
				doubts = append(doubts, l.unknownReason)
			}
		}
	}
	if len(missing) == 0 {
		return nil, nil
	}
	// Unknown multiplicity is not a fault: only proven duplicates are reported.
	maybe := slices.Clone(start)
	for _, l := range j.r.leaves {
		if !l.keysKnown {
			maybe = append(maybe, l.row)
		}
	}
	possible := j.closure(maybe, true)
	for _, l := range missing {
		if l.table != nil && l.table.declared && possible.has(l.row) && len(doubts) == 0 {
			doubts = []string{"the keys of " + l.name + " are not declared"}
		}
	}
	missing = slices.DeleteFunc(missing, func(l *leaf) bool { return possible.has(l.row) })
	if len(missing) == 0 && len(doubts) == 0 {
		doubts = []string{"a join on an expression"}
	}
	return missing, doubts
}

// checkRepeats judges whether each row of a term occurs once.
func (j *judgement) checkRepeats(kind class, t term) bool {
	if kind == weighted && j.closure(nil, false).all(t.from) {
		// Each group has one value, and repetition does not change its average.
		return true
	}
	missing, doubts := j.undetermined(t.from)
	switch {
	case len(missing) > 0 && kind == weighted && j.repeatedEvenly(t):
		return true
	case len(missing) > 0 && kind != other:
		j.w.verdict.addFault(j.repeatedFault(t, missing))
		return false
	case len(missing) > 0:
		j.w.verdict.addUnchecked("the function " + j.call.name)
		return false
	}
	for _, d := range doubts {
		j.w.verdict.addUnchecked(d)
	}
	return len(doubts) == 0
}

// checkRowCount judges a count of rows. One leaf must determine all others, because then its rows are counted.
func (j *judgement) checkRowCount() bool {
	var fewest []*leaf
	var reasons []string
	for _, l := range j.r.leaves {
		missing, doubts := j.undetermined([]symbol{l.row})
		switch {
		case len(missing) > 0:
			if fewest == nil || len(missing) < len(fewest) {
				fewest = missing
			}
			continue
		case len(doubts) > 0:
		case l.opaque:
			doubts = []string{l.unknownReason}
		case l.overlapReason != "":
			doubts = []string{l.overlapReason}
		case !slices.Contains(j.r.present, l.row):
			doubts = []string{"a row without a match is counted as one"}
		default:
			return true
		}
		reasons = append(reasons, doubts...)
	}
	if len(reasons) > 0 {
		j.w.verdict.addUnchecked(reasons[0])
		return false
	}
	if len(j.r.leaves) < 2 {
		return true
	}
	j.w.verdict.addFault(j.combinationFault())
	return false
}

// checkDistinct judges a total of distinct values: it is correct if the value identifies the row.
func (j *judgement) checkDistinct(t term) bool {
	if j.closure([]symbol{t.sym}, false).all(t.from) {
		return true
	}
	if t.measure.kind == Unknown && slices.ContainsFunc(t.from, func(s symbol) bool { l := j.w.leaves[s]; return l != nil && !l.keysKnown }) {
		j.w.verdict.addUnchecked("a total of different values")
		return false
	}
	j.w.verdict.addFault(j.distinctFault(t))
	return false
}

// checkLevel judges a sum of a level: each entity must have one period in a group.
func (j *judgement) checkLevel(t term, all []term) bool {
	if t.measure.kind != Level {
		return true
	}
	// The difference of two levels is a change, which may be added up.
	opposite := func(o term) bool { return o.measure.kind == Level && o.negative != t.negative }
	if slices.ContainsFunc(all, func(o term) bool { return opposite(o) && t.added(&o) }) {
		return true
	}
	if j.closure(t.measure.entity, false).has(t.measure.period) || j.congruent(t) {
		return true
	}
	if slices.ContainsFunc(all, opposite) && t.chosenBy(t.measure.period) {
		j.w.verdict.addUnchecked("levels that are subtracted in some periods")
		return false
	}
	j.postpone(t, all, j.levelFault(t))
	return false
}

// checkRate judges a sum of rates.
func (j *judgement) checkRate(t term, all []term) bool {
	if t.measure.kind != Rate {
		return true
	}
	j.postpone(t, all, j.rateFault(t))
	return false
}

// checkBarriers judges a total over several values of a barrier.
func (j *judgement) checkBarriers(t term, all []term) bool {
	for _, b := range t.measure.barriers {
		switch {
		case j.closure(nil, false).has(b.sym):
		case t.measure.unclear != "":
			j.w.verdict.addUnchecked(t.measure.unclear)
			return false
		case j.closure(nil, true).has(b.sym), t.chosenBy(b.sym) && slices.ContainsFunc(all, func(o term) bool { return !t.added(&o) }):
			j.w.verdict.addUnchecked(b.separates + " that an expression may separate")
			return false
		default:
			j.w.verdict.addFault(j.mixedFault(t, b))
			return false
		}
	}
	return true
}

// chosenBy reports whether a condition that chooses the term uses a value.
func (t *term) chosenBy(value symbol) bool {
	return slices.ContainsFunc(t.choices, func(c choice) bool { return slices.Contains(c.about, value) })
}

// terms splits a sum into its terms. in has the sign and the conditions under which the expression is added.
func (j *judgement) terms(e *expr, in term) []term {
	w := j.w
	w.enter()
	defer w.leave()
	switch {
	case w.failed != "" || e == nil:
		return nil
	case e.Class == "BOUND_CAST" && e.Child != nil && keepsValue(e.Child.Returns.ID, e.Returns.ID):
		return j.terms(e.Child, in)
	case e.Class == "BOUND_FUNCTION" && (e.Name == "+" || e.Name == "-") && len(e.Children) == 2:
		right := in
		right.negative = in.negative != (e.Name == "-")
		return append(j.terms(e.Children[0], in), j.terms(e.Children[1], right)...)
	case e.Class == "BOUND_FUNCTION" && e.Name == "-" && len(e.Children) == 1:
		in.negative = !in.negative
		return j.terms(e.Children[0], in)
	case e.Class == "BOUND_OPERATOR" && e.Type == "OPERATOR_COALESCE", e.Class == "BOUND_FUNCTION" && choosesValue(e.Name):
		var out []term
		for i, c := range e.Children {
			out = append(out, j.terms(c, in.chosen(choice{of: e, value: i}))...)
		}
		return out
	case e.Class == "BOUND_CASE":
		return j.caseTerms(e, in)
	}
	if inner := j.unscaled(e); inner != nil {
		return j.terms(inner, in)
	}
	in.column = w.eval(j.r, e)
	return []term{in}
}

// chosen returns the term as one of several values.
func (t term) chosen(c choice) term {
	t.choices = append(slices.Clone(t.choices), c)
	return t
}

// unscaled returns the operand that an expression multiplies by a constant or rounds; nil if it does neither.
func (j *judgement) unscaled(e *expr) *expr {
	if e.Class != "BOUND_FUNCTION" || len(e.Children) == 0 {
		return nil
	}
	literal := func(i int) bool { return j.w.eval(j.r, e.Children[i]).literal }
	switch {
	case e.Name == "round":
		return e.Children[0]
	case len(e.Children) != 2:
	case (e.Name == "*" || e.Name == "/") && literal(1) && !literal(0):
		return e.Children[0]
	case e.Name == "*" && literal(0) && !literal(1):
		return e.Children[1]
	}
	return nil
}

// caseTerms returns the values of a CASE, each with its condition.
func (j *judgement) caseTerms(e *expr, in term) []term {
	var out []term
	var about []symbol
	for _, c := range e.Cases {
		about = union(about, j.used(c.When))
	}
	for i, c := range e.Cases {
		if c.When == nil || c.Then == nil {
			continue
		}
		r := &relation{columns: j.r.columns, anyColumn: j.r.anyColumn, leaves: j.r.leaves}
		// A value is added only if its condition is true. That the earlier conditions are false is not used.
		more := j.w.condition(r, c.When)
		t := in.chosen(choice{of: e, value: i, about: about})
		t.when, t.present = slices.Concat(in.when, more), union(in.present, r.present)
		out = append(out, j.terms(c.Then, t)...)
	}
	if e.Else != nil {
		out = append(out, j.terms(e.Else, in.chosen(choice{of: e, value: len(e.Cases), about: about}))...)
	}
	return out
}

// used returns the values of the rows that an expression uses.
func (j *judgement) used(e *expr) []symbol {
	j.w.enter()
	defer j.w.leave()
	if e == nil || j.w.failed != "" {
		return nil
	}
	if e.Class == "BOUND_REF" {
		return []symbol{j.w.eval(j.r, e).sym}
	}
	var out []symbol
	for _, p := range e.parts() {
		out = union(out, j.used(p))
	}
	return out
}

// resultMeasure returns what adding up the result of the aggregate means.
func (j *judgement) resultMeasure(kind class, a column) measure {
	m := a.measure
	switch {
	case kind == count:
		return measure{kind: Amount}
	case m.kind == Level && j.closure(nil, false).has(m.period):
		m.entity, m.origin = nil, nil
		return m
	case m.kind == Level, kind == weighted && m.kind != Rate:
		return measure{barriers: m.barriers, unclear: m.unclear}
	}
	m.origin = nil
	return m
}
