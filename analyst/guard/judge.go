package guard

import "slices"

// judgement is the check of one aggregate.
type judgement struct {
	w    *walk
	r    *relation
	call call
	text string
	// more are the dependencies of its FILTER.
	more []dependency
	// leaf are the groups, and owed is the fault that a use of the total may mend.
	leaf *leaf
	owed *owed
	// all are the rows of the relation, also those without the value.
	all *relation
}

// term is one part of a sum: sum(a + b) is sum(a) + sum(b).
type term struct {
	column

	negative bool
	// when are the conditions under which it is added.
	when []dependency
	// present are the rows that the conditions require.
	present []symbol
}

// closure asks what some values determine together with the groups.
func (j *judgement) closure(start []symbol, guess bool) set {
	return j.w.closure(question{start: union(start, j.call.groups), present: j.r.present, more: j.more, guess: guess})
}

// single reports whether each group has one row.
func (j *judgement) single() bool { return j.closure(nil, false).all(j.r.rows()) }

// check judges what the aggregate counts. It returns the rows that it counts, and whether nothing is wrong with them.
func (j *judgement) check(kind class, args []column) (rows []symbol, clean bool) {
	var terms []term
	switch {
	case kind == sum && !j.call.distinct && len(j.call.args) > 0:
		terms = j.terms(j.call.args[0], false, nil, nil)
	default:
		whole := term{column: column{literal: true, text: j.text}}
		for _, a := range args {
			// A count of a condition counts the rows that fulfil it.
			if !a.literal && j.call.name != "count_if" && j.call.name != "countif" {
				whole.literal = false
				whole.from = union(whole.from, a.from)
				whole.adds, whole.doubt, whole.origin, whole.sym, whole.text = a.adds, a.doubt, a.origin, a.sym, a.text
			}
		}
		if len(args) > 1 {
			whole.adds, whole.origin = measure{}, nil
		}
		terms = []term{whole}
	}
	terms = j.counted(terms)
	clean = true
	for _, t := range terms {
		if !j.one(kind, t, terms) {
			clean = false
		}
		rows = union(rows, t.from)
	}
	return rows, clean
}

// counted leaves out the terms that say nothing about rows beside others.
func (j *judgement) counted(terms []term) []term {
	rates := slices.ContainsFunc(terms, func(t term) bool { return !t.literal && t.adds.adds != Rate && !j.scalar(t) })
	out := slices.DeleteFunc(slices.Clone(terms), func(t term) bool {
		// A constant or a single value that is added to each row is not a total of its own, nor is a rate: each line minus
		// the cost of its product.
		return t.literal || rates && (j.scalar(t) || t.adds.adds == Rate)
	})
	if len(out) > 0 || len(terms) == 0 {
		return out
	}
	// Constants alone count the rows.
	return terms[:1]
}

// scalar reports whether a term is the value of an ungrouped aggregate.
func (j *judgement) scalar(t term) bool {
	return len(t.from) > 0 && !slices.ContainsFunc(t.from, func(s symbol) bool { l := j.w.leaves[s]; return l == nil || !l.scalar })
}

// one judges one term.
func (j *judgement) one(kind class, t term, all []term) bool {
	inner := *j
	if len(t.when) > 0 || len(t.present) > 0 {
		r := *j.r
		r.present = union(r.present, t.present)
		r.filtered = true
		inner.r, inner.more = &r, slices.Concat(j.more, t.when)
		if inner.single() {
			return true
		}
	}
	if t.literal || len(t.from) == 0 {
		return inner.combinations()
	}
	if !inner.trusted(kind, t) {
		return false
	}
	// A row without the value adds nothing, so what is judged are the rows that have it.
	valued := *inner.r
	valued.present = union(valued.present, t.from)
	inner.r = &valued
	var ok bool
	if j.call.distinct {
		ok = inner.eachValue(t)
	} else {
		ok = inner.repeated(kind, t)
	}
	if kind == sum {
		ok = inner.level(t, all) && ok
		ok = inner.rate(t, all) && ok
		j.owed = inner.owed
	}
	if kind == sum || kind == weigh {
		ok = inner.mixed(t) && ok
	}
	return ok
}

// trusted judges what a column brings with it.
func (j *judgement) trusted(kind class, t term) bool {
	for _, s := range t.from {
		if l := j.w.leaves[s]; l != nil && l.opaque {
			j.w.verdict.unsure(l.why)
			return false
		}
	}
	switch {
	case t.doubt == nil || kind == count:
		return true
	case t.doubt.kind == Repeated && !t.doubt.unsure && kind == weigh:
		// A mean or a median of parts that have rows in common adds nothing up: the mean of the visitors of each day.
		return true
	case t.doubt.unsure:
		j.w.verdict.unsure(t.doubt.text)
	case t.doubt.kind == Repeated:
		j.w.verdict.add(j.overlapping(t))
	default:
		j.w.verdict.add(j.collapsed(t))
	}
	return false
}

// missing returns the leaves that some rows do not determine. If some might, it returns the reasons of the doubt instead.
func (j *judgement) missing(start []symbol) (missing []*leaf, doubts []string) {
	known := j.closure(start, false)
	for _, l := range j.r.leaves {
		if !known.has(l.row) {
			missing = append(missing, l)
			if !l.keys {
				doubts = append(doubts, l.why)
			}
		}
	}
	if len(missing) == 0 {
		return nil, nil
	}
	// What is not known is taken as if it were there once: a fault must be proven.
	maybe := slices.Clone(start)
	for _, l := range j.r.leaves {
		if !l.keys {
			maybe = append(maybe, l.row)
		}
	}
	possible := j.closure(maybe, true)
	missing = slices.DeleteFunc(missing, func(l *leaf) bool { return possible.has(l.row) })
	if len(missing) == 0 && len(doubts) == 0 {
		doubts = []string{"a join on an expression"}
	}
	return missing, doubts
}

// repeated judges whether the rows of a term are there once.
func (j *judgement) repeated(kind class, t term) bool {
	if kind == weigh && j.closure(nil, false).all(t.from) {
		// Each group has one value, and its average is that value however often it is there.
		return true
	}
	missing, doubts := j.missing(t.from)
	switch {
	case len(missing) > 0 && kind == weigh && j.even(t):
		return true
	case len(missing) > 0 && kind != other:
		j.w.verdict.add(j.repeats(t, missing))
		return false
	case len(missing) > 0:
		j.w.verdict.unsure("the function " + j.call.name)
		return false
	}
	for _, d := range doubts {
		j.w.verdict.unsure(d)
	}
	return len(doubts) == 0
}

// combinations judges a count of rows: one of the leaves must determine all others, for then its rows are counted.
func (j *judgement) combinations() bool {
	var fewest []*leaf
	var reasons []string
	for _, l := range j.r.leaves {
		missing, doubts := j.missing([]symbol{l.row})
		switch {
		case len(missing) > 0:
			if fewest == nil || len(missing) < len(fewest) {
				fewest = missing
			}
			continue
		case len(doubts) > 0:
		case l.opaque:
			doubts = []string{l.why}
		case l.twice != "":
			doubts = []string{l.twice}
		case !slices.Contains(j.r.present, l.row):
			doubts = []string{"a row without a match is counted as one"}
		default:
			return true
		}
		reasons = append(reasons, doubts...)
	}
	if len(reasons) > 0 {
		j.w.verdict.unsure(reasons[0])
		return false
	}
	if len(j.r.leaves) < 2 {
		return true
	}
	j.w.verdict.add(j.combined())
	return false
}

// eachValue judges a total of different values: it is right if the value names the row.
func (j *judgement) eachValue(t term) bool {
	if j.closure([]symbol{t.sym}, false).all(t.from) {
		return true
	}
	if t.adds.adds == Unknown && slices.ContainsFunc(t.from, func(s symbol) bool { l := j.w.leaves[s]; return l != nil && !l.keys }) {
		j.w.verdict.unsure("a total of different values")
		return false
	}
	j.w.verdict.add(j.collapsed(t))
	return false
}

// level judges a sum of a level: each thing must have one period in a group.
func (j *judgement) level(t term, all []term) bool {
	if t.adds.adds != Level {
		return true
	}
	// The difference of two levels is a change, which may be added up.
	if slices.ContainsFunc(all, func(o term) bool { return o.adds.adds == Level && o.negative != t.negative }) {
		return true
	}
	if j.closure(t.adds.entity, false).has(t.adds.period) || j.congruent(t) {
		return true
	}
	j.owe(t, all, j.overTime(t))
	return false
}

// rate judges a sum of rates.
func (j *judgement) rate(t term, all []term) bool {
	if t.adds.adds != Rate {
		return true
	}
	j.owe(t, all, j.rates(t))
	return false
}

// mixed judges a total over the values of a barrier.
func (j *judgement) mixed(t term) bool {
	for _, b := range t.adds.barriers {
		switch {
		case j.closure(nil, false).has(b.sym):
		case j.closure(nil, true).has(b.sym):
			j.w.verdict.unsure(b.of + " that an expression may separate")
			return false
		default:
			j.w.verdict.add(j.mixture(t, b))
			return false
		}
	}
	return true
}

// terms takes a sum apart.
func (j *judgement) terms(e *expr, negative bool, when []dependency, present []symbol) []term {
	w := j.w
	w.deeper()
	defer w.higher()
	switch {
	case w.failed != "" || e == nil:
		return nil
	case e.Class == "BOUND_CAST" && e.Child != nil && keeps(e.Child.Returns.ID, e.Returns.ID):
		return j.terms(e.Child, negative, when, present)
	case e.Class == "BOUND_FUNCTION" && (e.Name == "+" || e.Name == "-") && len(e.Children) == 2:
		return append(j.terms(e.Children[0], negative, when, present),
			j.terms(e.Children[1], negative != (e.Name == "-"), when, present)...)
	case e.Class == "BOUND_FUNCTION" && e.Name == "-" && len(e.Children) == 1:
		return j.terms(e.Children[0], !negative, when, present)
	case e.Class == "BOUND_OPERATOR" && e.Type == "OPERATOR_COALESCE":
		var out []term
		for _, c := range e.Children {
			out = append(out, j.terms(c, negative, when, present)...)
		}
		return out
	case e.Class == "BOUND_CASE":
		return j.branches(e, negative, when, present)
	}
	if inner := j.scaled(e); inner != nil {
		return j.terms(inner, negative, when, present)
	}
	return []term{{column: w.eval(j.r, e), negative: negative, when: when, present: present}}
}

// scaled returns what an expression multiplies by a constant or rounds; nil if it does neither.
func (j *judgement) scaled(e *expr) *expr {
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

// branches are the values of a CASE, each under its condition.
func (j *judgement) branches(e *expr, negative bool, when []dependency, present []symbol) []term {
	var out []term
	for _, c := range e.Cases {
		if c.When == nil || c.Then == nil {
			continue
		}
		r := &relation{columns: j.r.columns, any: j.r.any, leaves: j.r.leaves}
		// A first condition holds as it stands; a later one holds as well when it is reached.
		more := j.w.condition(r, c.When)
		out = append(out, j.terms(c.Then, negative, slices.Concat(when, more), union(present, r.present))...)
	}
	if e.Else != nil {
		out = append(out, j.terms(e.Else, negative, when, present)...)
	}
	return out
}

// meaning is what adding up the aggregate means in turn.
func (j *judgement) meaning(kind class, a column) measure {
	m := a.adds
	switch {
	case kind == count:
		return measure{adds: Amount}
	case m.adds == Level && j.closure(nil, false).has(m.period):
		m.entity, m.of = nil, nil
		return m
	case m.adds == Level:
		return measure{barriers: m.barriers}
	case kind == weigh && m.adds != Rate:
		return measure{barriers: m.barriers}
	}
	m.of = nil
	return m
}
