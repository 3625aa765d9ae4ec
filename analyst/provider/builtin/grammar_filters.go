package builtin

import (
	"fmt"
	"slices"
	"strings"
)

// addValue filters by a value that the question names.
func (p *parser) addValue(l link, also []*column) {
	op := opIn
	if p.not {
		op = opNotIn
	}
	p.not = false
	if p.perNext {
		p.form.block(unable("arithmetic"))
	}
	if l.part {
		c := condition{col: l.column, op: opContains, values: []string{l.value}}
		if op == opNotIn {
			p.form.block("I cannot leave out rows by a part of a name yet.")
		}
		p.last, p.lastAt = l.column, p.pos
		for i := range p.form.where {
			if w := &p.form.where[i]; p.comparing() && w.col == c.col && w.op == opContains {
				w.values = append(w.values, l.value)
				return
			}
		}
		p.form.where = append(p.form.where, c)
		return
	}
	p.byNext, p.perNext = false, false
	p.last, p.lastAt = l.column, p.pos
	p.preposition(l.column)
	p.addCondition(condition{col: l.column, op: op, values: []string{l.value}, also: also})
}

// preposition records the word before a value, which distinguishes "the share of women" from "the share
// in Berlin".
func (p *parser) preposition(c *column) {
	if p.preps == nil {
		p.preps = make(map[*column]string)
	}
	if p.pos > 0 {
		p.preps[c] = strings.ToLower(p.atoms[p.pos-1].words)
	}
	next, _ := p.peek(p.pos + 1)
	if len(p.form.where) > 0 && past(strings.ToLower(p.atoms[p.pos].words)) && (next == nil || next.kind != atomLink) {
		// In "women survived" the verb says something about the women, in "cancelled orders" it does
		// not.
		p.preps[c] = "did"
	}
}

// predicate reports whether a filter says something about the rows that the other filters select: of
// the patients of a ward, the patients who were readmitted.
func (p *parser) predicate(w condition) bool {
	return isOne(p.preps[w.col], "were", "are", "is", "was", "got", "get", "did", "would", "will", "not") || p.clauseOf(w)
}

// addCondition adds a filter; values of one column are alternatives.
func (p *parser) addCondition(c condition) {
	for i := range p.form.where {
		w := &p.form.where[i]
		if w.col == c.col && w.op == c.op && (c.op == opIn || c.op == opNotIn) {
			for _, v := range c.values {
				if !slices.Contains(w.values, v) {
					w.values = append(w.values, v)
				}
			}
			return
		}
	}
	p.form.where = append(p.form.where, c)
}

// readAnd continues what is before it: another dimension, measure or exception.
func (p *parser) readAnd(a *atom) {
	if a.kind == atomVs {
		p.form.compare = true
		p.explain(a, 0.5)
	}
	p.or = p.or || a.text == "or"
	next, _ := p.peek(p.pos + 1)
	if next == nil {
		return
	}
	if next.kind == atomGrain && len(p.form.dims) > 0 {
		return
	}
	if next.kind != atomLink {
		return
	}
	if v := valueOf(next); v != nil {
		if n := len(p.form.where); n > 0 && p.form.where[n-1].op == opNotIn && p.form.where[n-1].col == v.column {
			p.not = true
		}
		return
	}
	c := columnOf(next)
	if c == nil {
		return
	}
	if n := len(p.form.where); n > 0 && c.isNumber() && p.form.where[n-1].col == p.last && len(p.form.measures) > 0 &&
		p.form.measures[0].agg == aggCount && !p.form.measures[0].assumed {
		_, i := p.peek(p.pos + 1)
		if after, _ := p.peek(i + 1); after == nil || after.kind != atomCmp && after.kind != atomBetween && after.kind != atomNumber {
			p.form.block(fmt.Sprintf("I could not tell how much %s there should be.", c.title()))
		}
	}
	if n := len(p.form.dims); n > 0 && p.last != nil && p.form.dims[n-1].col == p.last && !c.isNumber() {
		p.byNext = true
		return
	}
	if n := len(p.form.dims); n > 0 && p.form.dims[n-1].grain != grainNone && p.pos > 0 && p.atoms[p.pos-1].kind == atomGrain &&
		!c.isNumber() {
		p.byNext = true
		return
	}
	if n := len(p.form.measures); n > 0 && p.last != nil && p.form.measures[n-1].col == p.last && !p.form.measures[n-1].assumed &&
		len(p.agg) == 0 {
		was := p.agg
		p.agg = []aggregate{p.form.measures[n-1].agg}
		if picked := p.pick(next); picked == nil || !picked.isNumber() {
			p.agg = was
		}
	}
}

// readComparison reads "more than 50" and the column that it compares.
func (p *parser) readComparison(a *atom) {
	next, i := p.peek(p.pos + 1)
	op := operator(a.text)
	if next == nil {
		return
	}
	if op == opNe && next.kind == atomLink {
		p.not = true
		return
	}
	if op == opEq && (next.kind == atomLink && valueOf(next) != nil || next.kind == atomQuoted) {
		return // the value is read next
	}
	if next.kind == atomSpan && isYearSpan(next.span) && p.last != nil && p.last.isNumber() && p.lastAt >= p.pos-2 {
		// After "more than", 2024 is a number if the comparison is about a number.
		next.kind, next.num = atomNumber, float64(next.span.from.Year())
	}
	if next.kind == atomSpan {
		s := next.span
		switch op {
		case opGt, opGe:
			s.open = "after"
			if op == opGe {
				s.open = "since"
			}
		case opLt, opLe:
			s.open = "before"
			if op == opLe {
				s.open = "until"
			}
		default:
		}
		if strings.EqualFold(a.words, "over") {
			s.open = ""
		} else if s.open != "" {
			s.label = s.open + " " + s.label
		}
		p.spans = append(p.spans, s)
		p.explain(next, 1)
		p.pos = i + 1
		return
	}
	if v := valueOf(next); v != nil && next.kind == atomLink && slices.ContainsFunc(p.form.where, func(w condition) bool {
		return w.col == v.column && w.op == opIn
	}) {
		// "do women earn less than men" compares the two.
		p.form.compare = true
		p.explain(a, 0.5)
		return
	}
	if next.kind != atomNumber {
		if !p.columnAgainst(op, next, i) {
			p.form.ignored = append(p.form.ignored, a.words)
			p.form.blocked = p.form.blocked || op != opEq
		}
		return
	}
	p.explain(a, 0.5)
	p.explain(next, 0.5)
	if p.not {
		op, p.not = opposite(op), false
	}
	p.compareNumber(op, next, i, a.hint)
}

func isYearSpan(s span) bool { return s.grain == grainYear && !s.relative && !s.from.IsZero() }

// subject finds the column of a comparison: the column before it, the column that its word suggests, or
// the column after it.
func (p *parser) subject(c condition, hint string) {
	if hint == "pace" {
		if c.col = p.lasting(); c.col == nil {
			// "slower" is less of a speed, but more of a duration.
			c.op = map[operator]operator{opGt: opLt, opLt: opGt}[c.op]
			hint = "speed"
		} else {
			p.compareWith(c)
			return
		}
	}
	if hint != "" {
		if c.col = p.byHint(hint); c.col != nil {
			p.compareWith(c)
			if next, i := p.peek(p.pos); next != nil && i == p.pos && next.kind == atomLink && columnOf(next) == c.col {
				p.pos++ // "longer than 2000 miles" names the unit
			}
			return
		}
		if hint == "age" {
			p.form.block(fmt.Sprintf("There is no age in %s to compare with.", p.form.view.base.entity()))
		}
	}
	if next, i := p.peek(p.pos); next != nil && i == p.pos && next.kind == atomLink && p.last != nil {
		// "a rating above 8 and more than 500 votes": the second comparison is about the votes.
		if col := numberOf(next); col != nil && col != p.last && slices.ContainsFunc(p.form.where, func(w condition) bool {
			return w.col == p.last && len(w.nums) > 0
		}) {
			p.pos++
			p.explain(next, 1)
			c.col = col
			p.last, p.lastAt = col, i
			p.compareWith(c)
			return
		}
	}
	near := p.last != nil && p.lastAt >= p.pos-7
	if near && (p.last.isNumber() || p.last.isPart() || p.last.kind() == "number" && !p.last.identifies()) {
		c.col = p.last
		p.compareWith(c)
		return
	}
	if next, _ := p.peek(p.pos); next != nil && next.kind == atomLink {
		if t := tableOfLink(next); t == p.form.view.base && (columnOf(next) == nil || p.tableBeatsColumn(next)) {
			// "more than 5 orders"
			p.pos++
			p.explain(next, 1)
			p.addHaving(measure{agg: aggCount}, c)
			p.form.having[len(p.form.having)-1].rows = true
			return
		}
		if v := valueOf(next); v != nil && v.quality >= next.links[0].quality {
			// "more than 100 alarms"
			p.addHaving(measure{agg: aggCount}, c)
			return
		}
		if col := p.pick(next); col != nil && col.isNumber() {
			p.nums = append(p.nums, c)
			return
		}
		if _, i := p.peek(p.pos); i == p.pos && columnOf(next) != nil && !columnOf(next).isDate() && !columnOf(next).booleanLike() {
			if col := columnOf(next); len(p.form.dims)+len(p.mentions) > 0 && col.table == p.form.view.base && !col.isPart() {
				// "states with more than 3 causes": the distinct causes of each state are counted.
				p.pos++
				p.explain(next, 1)
				m := measure{agg: aggDistinct, col: col}
				if p.unique(col) {
					m = measure{agg: aggCount}
				}
				p.addHaving(m, c)
				return
			}
			p.form.block("I do not count how many of one thing belong to another yet; I can give the number for each.")
			return
		}
	}
	if n := len(p.form.measures); n > 0 && p.last != nil && p.last != p.form.measures[n-1].col && p.lastAt >= p.pos-4 &&
		len(p.form.dims) == 0 && p.form.measures[n-1].col != nil {
		p.nums = append(p.nums, c) // "patients over 60", whatever is measured
		return
	}
	if n := len(p.form.measures); n > 0 {
		if m := p.form.measures[n-1]; c.percent && !p.form.share && !p.form.growth && (m.col == nil || !m.col.rate() && !m.percent) {
			p.form.block(fmt.Sprintf("I could not tell what %s%% refers to.", trimFloat(c.nums[0])))
		}
		p.form.having = append(p.form.having, having{measure: n - 1, op: c.op, nums: c.nums})
		return
	}
	p.nums = append(p.nums, c)
}

// compareWith decides whether a comparison is about rows or about groups.
func (p *parser) compareWith(c condition) {
	if c.percent && c.col.isFraction() {
		// 20% of a discount is stored as 0.2.
		for i := range c.nums {
			c.nums[i] /= 100
		}
	}
	if c.percent && !c.col.rate() && !c.col.isFraction() {
		p.form.block(fmt.Sprintf("I could not tell what %s%% refers to; %s has no percentages.", trimFloat(c.nums[0]), quoteName(c.col)))
	}
	c.nums = c.col.inScale(c.nums)
	for i, m := range p.form.measures {
		if m.col == c.col && p.countedByVerb(m) {
			p.form.measures[i] = measure{agg: aggCount} // "crossings delayed by more than 30 minutes" are rows
			p.form.where = append(p.form.where, c)
			return
		}
		if m.col == c.col && !m.assumed && m.over == nil {
			p.form.having = append(p.form.having, having{measure: i, op: c.op, nums: c.nums})
			return
		}
	}
	stated := slices.ContainsFunc(p.form.measures, func(m measure) bool { return !m.assumed && m.col != nil && m.col != c.col })
	grouped := len(p.form.dims) > 0 || !stated && slices.ContainsFunc(p.mentions, func(m *column) bool {
		return !p.unique(m) && p.keyed(m) == nil
	})
	if n := len(p.form.dims); n == 1 && p.form.dims[0].grain != grainNone && len(p.form.measures) == 1 &&
		p.form.measures[0].ofRows() && p.tableNamed() {
		grouped = false // "matches per month with more than 5 cards" is about each match, and not about the month
	}
	if grouped && c.col.isNumber() && !c.col.rate() && !c.col.unique() {
		p.addHaving(measure{agg: aggSum, col: c.col}, c)
		return
	}
	p.form.measures = slices.DeleteFunc(p.form.measures, func(m measure) bool { return m.col == c.col && m.assumed })
	p.form.where = append(p.form.where, c)
}

// countedByVerb reports whether the values of a number are counted that was named by a verb about the rows, such as delayed.
func (p *parser) countedByVerb(m measure) bool {
	return m.agg == aggCount && m.col != nil && m.over == nil && slices.ContainsFunc(p.atoms, func(a atom) bool {
		return a.kind == atomLink && columnOf(&a) == m.col && past(strings.ToLower(a.words))
	})
}

func (p *parser) addHaving(m measure, c condition) {
	if c.percent && (m.col == nil || !m.col.rate()) {
		p.form.block(fmt.Sprintf("I could not tell what %s%% refers to.", trimFloat(c.nums[0])))
	}
	for i, old := range p.form.measures {
		if old.agg == m.agg && old.col == m.col {
			p.form.having = append(p.form.having, having{measure: i, op: c.op, nums: c.nums})
			return
		}
	}
	m.assumed = true
	p.form.measures = append(p.form.measures, m)
	p.form.having = append(p.form.having, having{measure: len(p.form.measures) - 1, op: c.op, nums: c.nums})
}

func opposite(op operator) operator {
	switch op {
	case opGt:
		return opLe
	case opGe:
		return opLt
	case opLt:
		return opGe
	case opLe:
		return opGt
	case opEq:
		return opNe
	default:
		return op
	}
}

// readBetween reads "between 5 and 10"; between two names it compares.
func (p *parser) readBetween() {
	a, i := p.peek(p.pos + 1)
	if a == nil || a.kind != atomNumber {
		return
	}
	and, k := p.peek(i + 1)
	if and == nil || (and.kind != atomAnd && and.kind != atomCmp) {
		return
	}
	b, end := p.peek(k + 1)
	if b == nil || b.kind != atomNumber {
		return
	}
	p.form.explained += 1.5
	c := condition{op: opBetween, nums: []float64{min(a.num, b.num), max(a.num, b.num)}}
	unit, next := p.unitAfter(end + 1)
	p.pos = next
	near := p.last != nil && p.lastAt >= p.pos-8 && p.last.isNumber()
	if unit != nil && !near {
		if c.col = p.byUnit(unit); c.col != nil {
			p.compareWith(c)
			return
		}
	}
	p.subject(c, "")
}

// readNumber reads a number without a comparison before it.
func (p *parser) readNumber(a *atom) {
	next, i := p.peek(p.pos + 1)
	if p.perNext {
		p.form.block(unable("arithmetic")) // "per 1,000 of something"
	}
	if p.alternativeNumber(a) || p.numbersFor(a) {
		return
	}
	switch {
	case next != nil && i == p.pos+1 && p.lastAt != p.pos-1 && next.kind == atomLink && p.form.mode != modeRows && p.numberOf(a):
		return
	case next != nil && (next.kind == atomSuper || next.kind == atomTop || next.kind == atomLatest) && a.num <= 10000:
		p.form.limit = int(a.num)
	case next != nil && next.kind == atomOrMore:
		p.explain(a, 1)
		p.pos = i + 1
		p.subject(condition{op: operator(next.text), nums: []float64{a.num}}, "")
		return
	case next != nil && next.kind == atomLink && p.form.limit == 0 && i == p.pos+1 && a.num >= 1 && a.num <= 1000 &&
		slices.ContainsFunc(p.atoms[p.pos:], func(x atom) bool {
			return x.kind == atomSuper
		}):
		p.form.limit = int(a.num)
	case p.numberTo(a):
		return
	case p.last != nil && p.lastAt >= p.pos-2 && (p.last.kind() == "number" || p.last.isPart()):
		p.form.measures = slices.DeleteFunc(p.form.measures, func(m measure) bool { return m.col == p.last && m.assumed })
		p.mentions = slices.DeleteFunc(p.mentions, func(c *column) bool { return c == p.last })
		op := opEq
		if p.not {
			op, p.not = opNe, false
		}
		p.form.where = append(p.form.where, condition{col: p.last, op: op, nums: []float64{a.num}})
	case p.form.mode == modeRows && p.form.limit == 0 && a.num >= 1 && a.num <= 10000:
		p.form.limit = int(a.num)
	case p.numberOf(a):
		return
	case p.level(a):
	case p.coded(a):
	default:
		p.form.ignored = append(p.form.ignored, a.words)
		p.form.blocked = true
		return
	}
	p.explain(a, 0.5)
}

// readContains reads "contains foo".
func (p *parser) readContains(a *atom) {
	col := p.last
	if strings.EqualFold(a.words, "like") && (col == nil || p.lastAt < p.pos-3) && !p.tableNamed() {
		// What people like is not a text in a column.
		p.form.ignored = append(p.form.ignored, a.words)
		p.form.blocked = true
		return
	}
	if col == nil || !col.isText() || p.lastAt < p.pos-3 || col.keyLike() {
		col = nil
	}
	if name := nameColumn(p.form.view.base); name != nil && isOne(strings.ToLower(a.words), "named", "called") {
		col = name
	}
	text := ""
	next, i := p.peek(p.pos + 1)
	if next == nil {
		next = &atom{kind: atomStop}
	}
	if isOne(strings.ToLower(a.words), "named", "called") && next.kind == atomLink && valueOf(next) != nil && !valueOf(next).part &&
		!valueOf(next).piece {
		return // Anna is a value of its own column
	}
	switch next.kind {
	case atomQuoted, atomUnknown, atomNumber:
		text = p.wordsAfter(i)
	case atomLink:
		if v := valueOf(next); v == nil && a.words != "contains" && a.words != "containing" && a.words != "contain" {
			return
		}
		text = next.words
	default:
	}
	if p.pos+1 < len(p.atoms) && text == "" && p.atoms[p.pos+1].kind == atomStop && len(p.atoms[p.pos+1].words) == 1 {
		text, i = p.atoms[p.pos+1].words, p.pos+1
	}
	if col == nil {
		col = p.freeText(text)
	}
	if text == "" || col == nil {
		if next == nil || next.kind != atomLink {
			p.form.ignored = append(p.form.ignored, a.words)
			p.form.blocked = true
		}
		return
	}
	p.form.explained += 1.5
	p.mentions = slices.DeleteFunc(p.mentions, func(c *column) bool { return c == col })
	p.form.where = append(p.form.where, condition{col: col, op: operator(a.text), values: []string{text}})
	p.pos = i + len(strings.Fields(text))
	for p.pos > i+1 && p.pos > len(p.atoms) {
		p.pos--
	}
	p.pos = max(i+1, min(p.pos, len(p.atoms)))
	for p.pos < len(p.atoms) && p.atoms[p.pos].kind == atomUnknown && strings.Contains(text, p.atoms[p.pos].words) {
		p.pos++
	}
}

// freeText returns the text column that most likely contains a text: a column with a value that
// contains the text, or else the column with the longest values.
func (p *parser) freeText(part string) *column {
	var best *column
	rank := -1.0
	for _, c := range p.form.view.base.columns {
		if !c.isText() || c.keyLike() || c.identifies() {
			continue
		}
		length, holds := 0, 0
		for _, v := range c.Values {
			length += len(v)
			if part != "" && strings.Contains(strings.ToLower(v), strings.ToLower(part)) {
				holds++
			}
		}
		score := float64(length) / float64(max(1, len(c.Values)))
		if holds > 0 {
			score += 1000
		}
		if score > rank {
			best, rank = c, score
		}
	}
	return best
}

// mentioned returns the text column that contains a word which is not a name of the schema, after words
// such as "about"; nil if there is none.
func (p *parser) mentioned(word string) *column {
	c := p.freeText(word)
	if len(word) < 3 || c == nil || !slices.ContainsFunc(c.Values, func(v string) bool {
		return strings.Contains(strings.ToLower(v), strings.ToLower(word))
	}) {
		return nil
	}
	return c
}

// readMissing reads "missing email" and "email is empty".
func (p *parser) readMissing(a *atom) {
	col := p.last
	// "passengers with missing age": the column follows.
	ahead := p.pos > 0 && isOne(strings.ToLower(p.atoms[p.pos-1].words), "with", "has", "have", "having", "a", "whose")
	if col == nil || p.lastAt < p.pos-3 || ahead {
		col = nil
		if next, i := p.peek(p.pos + 1); next != nil && next.kind == atomLink {
			if col = columnOf(next); col != nil {
				p.explain(next, 1)
				p.pos = i + 1
			}
		}
	}
	if col == nil {
		p.form.ignored = append(p.form.ignored, a.words)
		return
	}
	p.explain(a, 1)
	none := p.without(col, p.not)
	p.not = false
	p.form.measures = slices.DeleteFunc(p.form.measures, func(m measure) bool { return m.col == col })
	p.mentions = slices.DeleteFunc(p.mentions, func(c *column) bool { return c == col })
	p.form.where = append(p.form.where, none)
}

// readQuoted filters by a text that is not a known value.
func (p *parser) readQuoted(a *atom) {
	col, op := p.last, opEq
	if col == nil || !col.isText() || p.lastAt < p.pos-3 {
		col, op = p.freeText(a.words), opContains
	}
	if col == nil {
		p.form.ignored = append(p.form.ignored, a.words)
		return
	}
	p.explain(a, 1)
	p.mentions = slices.DeleteFunc(p.mentions, func(c *column) bool { return c == col })
	if p.not {
		op, p.not = opNe, false
	}
	p.form.where = append(p.form.where, condition{col: col, op: op, values: []string{a.words}})
}
