package builtin

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/analyst/specialist"
)

// guardScope refuses words of scope that no production took: all, both, none and nothing else make
// statements about sets of rows, which the forms of this planner cannot express.
func (p *parser) guardScope() {
	words := p.said()
	next := func(i int) string {
		if i+1 < len(words) {
			return words[i+1].text
		}
		return ""
	}
	before := func(i int) string {
		if i > 0 {
			return words[i-1].text
		}
		return ""
	}
	for i, w := range words {
		if p.isName(w.at) {
			continue // it is a value or the name of a column
		}
		switch w.text {
		case "both":
			if !p.bothGiven(w.at) {
				p.refuse(w.text, ": I can give each of them, and those with either, but not those with both")
			}
		case "all", "every", "any":
			if p.ofThings() && (p.universal(words, i) || holdsFor(words, i)) {
				p.refuse(w.text, ": I can give each of them, but not what is true for all of them")
			}
		case "each":
			if next(i) == "other" {
				p.refuse("each other", "")
			}
		case "another", "respectively", "unless", "whereas", "otherwise", "solely", "exclusively", "neither", "consecutive",
			"consecutively", "whether":
			if w.text != "neither" || p.ofThings() && clause(words, i) {
				p.refuse(w.text, "")
			}
		case "if":
			if i > 0 && next(i) != "so" {
				p.refuse(w.text, "")
			}
		case "only", "just":
			if before(i) == "not" || before(i) == "the" || p.exclusive(words, i) {
				p.refuse(w.text, ": I can keep the rows of one kind, but not the things that have no other rows")
			}
		case "alone":
			if p.ofThings() {
				p.refuse(w.text, "")
			}
		case "same":
			if i > 2 && !isOne(before(i), "do", "but") && !p.form.stance.changes ||
				isOne(next(i), "month", "quarter", "week", "day", "weekday", "weekend", "hour", "season", "year", "period", "time",
					"date") {
				p.refuse(w.text, "")
			}
		case "other", "others":
			if !p.otherGiven(words, i) {
				p.refuse(w.text, "")
			}
		case "out":
			if next(i) == "of" && !p.form.share && p.form.shareOf == nil &&
				!isOne(strings.Join([]string{next(i + 1)}, ""), "stock") && p.atoms[w.at].kind == atomStop && !p.valueBehind(w.at+1) {
				p.refuse("out of", "")
			}
		case "than":
			if p.atoms[w.at].kind == atomStop && !p.twoSides() {
				p.refuse(w.text, ": I could not tell which two sides are compared")
			}
		case "more", "less", "fewer", "better", "worse", "twice", "double", "half", "times":
			if p.atoms[w.at].kind == atomStop && !isOne(w.text, "times") && !p.form.compare && len(p.form.having) == 0 &&
				!isOne(next(i), "about", "information", "details") {
				p.refuse(w.text, "")
			}
		}
	}
	says := func(list ...string) bool {
		return slices.ContainsFunc(words, func(w saidWord) bool {
			return isOne(w.text, list...) && p.atoms[w.at].kind != atomSpan &&
				!p.isName(w.at)
		})
	}
	if p.form.mode == modeRows && says("first", "earliest", "oldest") && says("last", "latest", "newest") {
		p.refuse("first and last", ": I list rows from one end only")
	}
	p.guardNot(words)
	p.guardAnd(words)
	p.guardPer(words)
	p.guardOr(words)
	p.guardComparisons()
}

// isName reports whether an atom names something of the data.
func (p *parser) isName(at int) bool {
	a := &p.atoms[at]
	return a.kind == atomLink || a.kind == atomQuoted
}

// bothGiven reports whether the answer contains both of two numbers, of two times or of the two values
// of a column.
func (p *parser) bothGiven(at int) bool {
	f := p.form
	a, i := p.peek(at + 1)
	if a == nil {
		return f.stance.all
	}
	for a != nil && (a.kind == atomAgg || a.kind == atomHowMany || a.kind == atomFlow) {
		a, i = p.peek(i + 1)
	}
	switch {
	case a == nil:
		return false
	case a.kind == atomSpan:
		return f.timed() != nil && len(f.dims) == 1 || slices.ContainsFunc(f.dims, func(d dimension) bool { return len(d.periods) > 1 })
	case a.kind == atomGrain:
		return true
	case a.kind != atomLink:
		return false
	}
	if v := valueOf(a); v != nil {
		side := slices.ContainsFunc(f.dims, func(d dimension) bool { return d.col == v.column })
		return side && len(f.dims) == 1
	}
	c := columnOf(a)
	if c != nil && c.isNumber() {
		return len(f.measures) > 1 || f.mode == modeCorrelation || f.mode == modeRows
	}
	return c != nil && c.Distinct == 2 && slices.ContainsFunc(f.dims, func(d dimension) bool { return d.col == c })
}

// universal distinguishes "bought all products" and "sold in every country" from "the sales of all
// products": in the first two, the word belongs to a clause about a thing.
func (p *parser) universal(words []saidWord, i int) bool {
	if words[i].text == "any" || !clause(words, i) {
		return false
	}
	if words[i].text == "all" && i+1 < len(words) && isOne(words[i+1].text, "time", "in", "together", "of", "years", "data",
		"told") && !(i > 0 && actionVerb(words[i-1].text)) {
		return false
	}
	// The first name is what is listed or counted; "all" belongs to a later one.
	things := 0
	for _, w := range words[:i] {
		if p.atoms[w.at].kind == atomLink {
			things++
		}
	}
	if things == 0 {
		return false
	}
	for _, d := range p.form.dims {
		// "orders placed in every country" asks for each country, if there is no other group.
		if d.grain == grainNone && len(p.form.dims) == 1 && words[i].text == "every" && p.namedAt(d.col) > words[i].at &&
			!slices.ContainsFunc(p.form.measures, func(m measure) bool { return m.agg == aggDistinct }) {
			return false
		}
	}
	return true
}

// holdsFor reports whether a statement is about each of several things at once: "does every doctor",
// "where every meter" and "whose every".
func holdsFor(words []saidWord, i int) bool {
	if i == 0 || words[i].text == "any" {
		return false
	}
	return isOne(words[i-1].text, "does", "do", "did", "is", "are", "has", "have", "had", "was", "were", "where", "when", "whose", "that",
		"who", "which", "if", "not")
}

// namedAt returns the last position at which a column was named; -1 if it was not named.
func (p *parser) namedAt(c *column) int {
	at := -1
	for _, m := range p.named {
		if m.col == c {
			at = max(at, m.at)
		}
	}
	return at
}

// exclusive distinguishes "sold only in Germany" and "who only bought lamps" from "only Germany".
func (p *parser) exclusive(words []saidWord, i int) bool {
	if !p.ofThings() && p.form.mode != modeRows {
		return false
	}
	by := i > 0 && (actionVerb(words[i-1].text) || isOne(words[i-1].text, "who", "that", "which", "are", "is", "were", "was"))
	by = by || i+1 < len(words) && actionVerb(words[i+1].text) && !p.isName(words[i+1].at)
	return by && i > 0 || i > 0 && clause(words, i) && p.ofThings() && words[i-1].text != "," && !isOne(words[i-1].text, "and", "but")
}

// otherGiven reports whether "other" has a role: something is compared with the rest.
func (p *parser) otherGiven(words []saidWord, i int) bool {
	f := p.form
	if p.atoms[words[i].at].kind != atomStop && p.atoms[words[i].at].kind != atomUnknown {
		return true // part of a longer phrase: other than
	}
	return f.compare && len(f.dims) > 0 || slices.ContainsFunc(f.dims, func(d dimension) bool { return d.col.booleanLike() })
}

func (p *parser) valueBehind(at int) bool {
	next, _ := p.peek(at)
	return next != nil && next.kind == atomLink && valueOf(next) != nil
}

// twoSides reports whether a reading only compares two or more sides.
func (p *parser) twoSides() bool {
	f := p.form
	if f.mode != modeGroups || len(f.dims) != 1 || len(f.having) > 0 {
		return false
	}
	d := f.dims[0]
	return f.compared(d.col) || d.grain != grainNone && len(p.spans) > 1 || len(d.periods) > 1 || d.col.booleanLike()
}

// guardNot refuses what a thing did not do: "customers who bought no lamp" are not the customers of the
// rows without a lamp.
func (p *parser) guardNot(words []saidWord) {
	f := p.form
	for _, w := range f.where {
		for _, o := range f.where {
			if w.col == o.col && w.op == opIn && o.op == opNotIn {
				p.refuse("not", fmt.Sprintf(": each row has one %s, so “%s” and not “%s” leaves nothing out", w.col.title(),
					specialist.List(w.values, "or"), specialist.List(o.values, "or")))
			}
		}
	}
	s := f.view.base.snapshot()
	if s != nil && s.keys != nil && p.onePeriod(s) {
		return // in one period each thing has one row
	}
	if !p.ofThings() && (s == nil || s.keys == nil || f.mode != modeRows) {
		return
	}
	for i, w := range words {
		if p.isName(w.at) {
			continue
		}
		verbal := isOne(w.text, "never", "didn't", "don't", "doesn't", "haven't", "hasn't") || isOne(w.text, "neither", "nor") &&
			clause(words, i)
		verbal = verbal || w.text == "not" && i > 0 && isOne(words[i-1].text, "did", "do", "does", "have", "has", "had", "but") &&
			clauseAfter(words, i)
		verbal = verbal || isOne(w.text, "without", "no", "lacking") && (i > 0 && (actionVerb(words[i-1].text) ||
			isOne(words[i-1].text, "with", "but")) || p.thingBefore(i, words))
		if !verbal {
			continue
		}
		if p.ownAttribute() {
			continue
		}
		p.refuse(w.text, ": I can leave rows out, but not the things that have such a row")
	}
}

// onePeriod reports whether the rows are limited to one period, and each thing has one row in it.
func (p *parser) onePeriod(s *snapshot) bool {
	w, _ := p.form.windowOf(s)
	return s.single(w) && len(s.keys) == 1 && !slices.ContainsFunc(p.form.dims, func(d dimension) bool { return d.col == s.period })
}

// guardAnd refuses "bought a lamp and a rug" for things: it means both, and the rows with either of
// them are not the answer.
func (p *parser) guardAnd(words []saidWord) {
	f := p.form
	things := f.counted != nil || slices.ContainsFunc(f.measures, func(m measure) bool { return m.agg == aggDistinct })
	for i := range p.atoms {
		if p.atoms[i].kind != atomAnd || p.atoms[i].text != "and" || i == 0 || p.or {
			continue
		}
		left, right := p.valueAt(i, -1), p.valueAt(i, 1)
		if left == nil || right == nil || left.column != right.column {
			continue
		}
		at := slices.IndexFunc(words, func(w saidWord) bool { return w.at == i })
		grouped := slices.ContainsFunc(f.dims, func(d dimension) bool { return d.col == left.column })
		if at > 0 && clause(words, at) && (things || !grouped && p.ofThings()) {
			p.refuse("and", fmt.Sprintf(": I can give those with “%s” or “%s”, but not those with both", left.value, right.value))
		}
	}
}

// valueAt returns the value directly next to a position, ignoring articles.
func (p *parser) valueAt(i, step int) *link {
	for k := i + step; k >= 0 && k < len(p.atoms); k += step {
		a := &p.atoms[k]
		if a.kind == atomStop && isOne(strings.ToLower(a.words), "a", "an", "the", "some") {
			continue
		}
		if a.kind == atomLink {
			return valueOf(a)
		}
		return nil
	}
	return nil
}

// clauseAfter reports whether a negation is followed by a clause, and not by a preposition.
func clauseAfter(words []saidWord, i int) bool {
	if words[i-1].text == "but" {
		return clause(words, i)
	}
	return i+1 < len(words) && !preposition(words[i+1].text)
}

// thingBefore recognises "customers without orders": directly before the word is a thing that is not
// the row.
func (p *parser) thingBefore(i int, words []saidWord) bool {
	if i == 0 {
		return false
	}
	a := &p.atoms[words[i-1].at]
	if a.kind != atomLink || valueOf(a) != nil {
		return false
	}
	if t := tableOfLink(a); t == p.form.view.base && p.tableBeatsColumn(a) {
		return false
	}
	c := columnOf(a)
	return tableOfLink(a) != nil || c != nil && c.keyLike() && !p.unique(c)
}

// ownAttribute reports whether all filters are on the thing itself, such as the tier of a customer.
func (p *parser) ownAttribute() bool {
	f := p.form
	if len(f.where) == 0 {
		return false
	}
	t := f.where[0].col.table
	if t == f.view.base {
		return false
	}
	return !slices.ContainsFunc(f.where, func(w condition) bool { return w.col.table != t }) &&
		!slices.ContainsFunc(f.dims, func(d dimension) bool { return d.col.table != t && d.col != t.on })
}

// guardPer checks that each "per" has a role of its own: revenue per customer per order has two.
func (p *parser) guardPer(words []saidWord) {
	f := p.form
	asked := 0
	for i, w := range words {
		if w.text == "per" && !p.isName(w.at) && !(i+1 < len(words) && isOne(words[i+1].text, "cent", "se")) {
			asked++
		}
	}
	if p.eachGrain != grainNone && slices.ContainsFunc(f.measures, func(m measure) bool { return m.each == p.eachGrain }) {
		asked++ // "monthly" means per month
	}
	given := len(f.dims)
	for _, m := range f.measures {
		if m.per != nil || m.over != nil || m.each != grainNone {
			given++
		}
		if m.agg == aggAvg && asked == 1 {
			given++ // the mean is per row
		}
	}
	if f.within != nil {
		given = max(given, 1)
	}
	if asked > 1 && asked > given {
		p.refuse("per", ": there is more than one of it")
	}
	for i := range p.atoms {
		if p.atoms[i].kind != atomBy || f.limit > 0 || f.ordered || f.stance.sorts {
			continue
		}
		if next, _ := p.peek(i + 1); next != nil && next.kind == atomHowMany && len(f.dims) == 0 {
			p.refuse("by number of", "")
		}
	}
}

// guardOr refuses alternatives in two columns, because filters on two columns apply together.
func (p *parser) guardOr(words []saidWord) {
	f := p.form
	for i := range p.atoms {
		if p.atoms[i].text != "or" || p.atoms[i].kind != atomAnd {
			continue
		}
		left, right := p.filterAt(i, -1), p.filterAt(i, 1)
		number := func(from int) bool {
			for k := from + 1; k < len(p.atoms); k++ {
				if p.atoms[k].kind == atomCmp || p.atoms[k].kind == atomBetween {
					return true
				}
				if p.atoms[k].kind != atomStop && (p.atoms[k].kind != atomLink || valueOf(&p.atoms[k]) != nil) {
					return false
				}
			}
			return false
		}
		switch {
		case number(i) && len(f.where)+len(f.having) > 1:
			p.refuse("or", ": the two conditions would have to hold at once")
		case left != nil && right != nil && left != right && (f.filters(left) || f.filters(right)) && !p.alsoHeld(left, right):
			p.refuse("or", fmt.Sprintf(": one side is of %s and the other of %s", quoteName(left), quoteName(right)))
		}
	}
	// A value, a time, another value and another time are two pairs, and not four conditions.
	var run []*column
	period := new(column)
	for i := range p.atoms {
		var c *column
		switch a := &p.atoms[i]; {
		case a.kind == atomSpan:
			c = period
		case a.kind == atomLink && valueOf(a) != nil && f.filters(valueOf(a).column):
			c = valueOf(a).column
		default:
			continue
		}
		if len(run) == 0 || run[len(run)-1] != c {
			if slices.Contains(run, c) {
				p.refuse("and", ": it joins pairs of conditions, which I would mix")
				break
			}
			run = append(run, c)
		}
	}
	_ = words
}

// filterAt returns the column of the nearest value or named column on one side of a position.
func (p *parser) filterAt(i, step int) *column {
	for k := i + step; k >= 0 && k < len(p.atoms); k += step {
		a := &p.atoms[k]
		if a.kind == atomAnd || a.kind == atomVs || a.kind == atomBy || a.kind == atomEach {
			return nil
		}
		if a.kind != atomLink {
			continue
		}
		if v := valueOf(a); v != nil {
			return v.column
		}
		return columnOf(a)
	}
	return nil
}

// filters reports whether the rows are filtered by a column.
func (f *form) filters(c *column) bool {
	return slices.ContainsFunc(f.where, func(w condition) bool { return w.col == c || slices.Contains(w.also, c) })
}

// alsoHeld reports whether one condition is about both columns.
func (p *parser) alsoHeld(a, b *column) bool {
	return slices.ContainsFunc(p.form.where, func(w condition) bool {
		return (w.col == a || slices.Contains(w.also, a)) && (w.col == b || slices.Contains(w.also, b))
	})
}

// guardComparisons refuses bounds that no row can meet, and two bounds of the same kind on one number.
func (p *parser) guardComparisons() {
	f := p.form
	for i, w := range f.where {
		for _, o := range f.where[i+1:] {
			if w.col != o.col || len(w.nums) != 1 || len(o.nums) != 1 {
				continue
			}
			low, high := w, o
			if isOne(string(low.op), "<", "<=") {
				low, high = o, w
			}
			if isOne(string(low.op), ">", ">=") && isOne(string(high.op), "<", "<=") && low.nums[0] >= high.nums[0] ||
				w.op == opEq && o.op == opEq && w.nums[0] != o.nums[0] {
				f.block(fmt.Sprintf("No row can meet both conditions on %s, so I read the two sides wrongly.", quoteName(w.col)))
			}
		}
	}
	for i, h := range f.having {
		for _, o := range f.having[i+1:] {
			if h.measure == o.measure && h.op == o.op {
				f.block("I could not tell what to compare each of the two numbers with.")
			}
		}
		if f.share {
			f.block("I could not tell whether the number is of the share or of what it is a share of.")
		}
		if m := f.measures[h.measure]; h.measure > 0 && (m.agg == aggDistinct || m.agg == aggCount) &&
			isOne(string(f.measures[0].agg), string(aggDistinct), string(aggCount)) && f.counted == nil && !f.measures[0].assumed {
			f.block("I do not count the things of a group by how many rows each of them has yet.")
		}
	}
}
