package builtin

import (
	"fmt"
	"slices"
	"strings"
)

// guardForms refuses combinations of parts whose meaning no form can express.
func (p *parser) guardForms() {
	f := p.form
	words := p.said()
	p.guardHad()
	for _, m := range f.measures {
		if m.agg == aggDistinct && m.per != nil && m.col != nil && (!m.col.keyLike() || m.col.Distinct < m.per.Distinct) {
			f.block(fmt.Sprintf("I do not count the different %s of each %s yet.", m.col.many(), coreTitle(m.per)))
		}
	}
	if f.within != nil && f.within.keyLike() && f.within.Distinct > 50 &&
		slices.ContainsFunc(p.atoms, func(a atom) bool { return a.kind == atomSuper }) {
		p.refuse("per", fmt.Sprintf(": it may mean divided by the %s, or the first of each", f.within.many()))
	}
	for _, w := range f.where {
		if w.op == opNull && w.col.keyLike() && w.col.Nulls == 0 {
			f.block(fmt.Sprintf("%s is never empty, so that cannot be what you mean.", quoteName(w.col)))
		}
		if w.other != nil && w.other.table != w.col.table && p.ofThings() {
			f.block(fmt.Sprintf("I compare %s with %s row by row only, and not for each group.", quoteName(w.col), quoteName(w.other)))
		}
	}
	if slices.ContainsFunc(p.atoms, func(a atom) bool { return strings.EqualFold(a.words, "on average") }) && len(f.measures) > 1 &&
		slices.ContainsFunc(f.measures, func(m measure) bool { return m.agg == aggCount || m.agg == aggDistinct }) &&
		slices.ContainsFunc(f.measures, func(m measure) bool { return m.aggOnly }) {
		p.refuse("on average", ": I could not tell of what")
	}
	p.guardShares()
	p.guardAsked(words)
	p.guardOrderValue()
}

// guardOrderValue refuses the median or the highest value of an order if the rows are lines of orders: only
// the total and the mean per order can be computed there.
func (p *parser) guardOrderValue() {
	words := p.said()
	for i := 0; i+1 < len(words); i++ {
		if p.isName(words[i+1].at) || !isOne(words[i+1].text, "value", "values", "size", "amount", "worth", "total") {
			continue
		}
		for _, c := range p.form.view.base.columns {
			if !c.keyLike() || c.names() || !slices.Equal(coreOf(c.words), []string{stem(words[i].text)}) {
				continue
			}
			if slices.ContainsFunc(p.form.measures, func(m measure) bool {
				return m.per == nil && m.over == nil && m.agg != aggSum && m.col != nil && m.col.isNumber()
			}) {
				p.form.block(fmt.Sprintf("Each %s may have several rows, and of what they make together I give the total and the mean only.",
					words[i].text))
			}
		}
	}
}

// guardHad reads "how many tickets got a refund" as the tickets that have one.
func (p *parser) guardHad() {
	f := p.form
	if len(f.measures) != 2 || f.measures[0].agg != aggCount && f.measures[0].agg != aggDistinct || f.measures[0].assumed ||
		!f.measures[1].assumed || f.measures[1].col == nil {
		return
	}
	c := f.measures[1].col
	at := p.namedAt(c)
	for i := at - 1; i > 0 && i >= at-2; i-- {
		w := strings.ToLower(p.atoms[i].words)
		if isOne(w, "a", "an", "any", "some") {
			continue
		}
		if !isOne(w, "got", "get", "have", "has", "had", "with", "received", "receive", "gave") {
			return
		}
		if c.Nulls == 0 {
			f.block(fmt.Sprintf("Every row has a %s, so I could not tell which ones you mean.", c.title()))
			return
		}
		f.measures = f.measures[:1]
		f.where = append(f.where, condition{col: c, op: opNotNull})
		return
	}
}

// guardShares refuses shares if it is not clear what the whole is.
func (p *parser) guardShares() {
	f := p.form
	if f.share && f.shareOf == nil && len(f.measures) > 1 && f.measures[1].col != nil && !f.measures[1].twin {
		f.block("I give the share of one number at a time in its whole, and could not tell which one of them is meant.")
	}
	if f.shareOf == nil {
		return
	}
	for _, m := range f.measures[min(1, len(f.measures)):] {
		if m.col != nil && !m.assumed || m.col != nil && m.col.isNumber() {
			f.block(fmt.Sprintf("I give one share at a time, and could not tell what part %s has in it.", quoteName(m.col)))
		}
	}
	if len(f.shareOf.values) > 1 && len(f.dims) == 0 {
		for i := range p.atoms {
			if p.atoms[i].kind == atomShare && p.valueNear(i, -1, f.shareOf.col) && p.valueNear(i, 1, f.shareOf.col) {
				f.block("I can give the share of each in the whole, but not of one in the other.")
			}
		}
	}
	for _, d := range f.dims {
		if d.grain != grainNone {
			continue
		}
		if d.col.Nulls*2 > d.col.table.Rows && d.col.table.Rows > 0 {
			f.block(fmt.Sprintf("Most rows have no %s; I could not tell what the share should be of.", d.col.title()))
		}
		if at := p.namedAt(d.col); d.col.keyLike() && at > 0 && p.atoms[at-1].kind != atomBy && p.atoms[at-1].kind != atomEach {
			f.block(fmt.Sprintf("I give the share of rows, and not of %s, of which each has several rows.", d.col.many()))
		}
	}
}

func (p *parser) valueNear(i, step int, c *column) bool {
	for k := i + step; k >= 0 && k < len(p.atoms); k += step {
		if v := valueOf(&p.atoms[k]); p.atoms[k].kind == atomLink && v != nil && v.column == c {
			return true
		}
	}
	return false
}

// guardAsked compares the kind of the answer with the question word.
func (p *parser) guardAsked(words []saidWord) {
	f := p.form
	if len(words) == 0 {
		return
	}
	dated := func(c *column) bool { return c.isDate() }
	if words[0].text == "when" && f.mode == modeGroups && !slices.ContainsFunc(f.dims,
		func(d dimension) bool { return d.grain != grainNone || dated(d.col) }) &&
		!slices.ContainsFunc(f.measures, func(m measure) bool { return m.col != nil && dated(m.col) }) {
		p.refuse("when", ": what I would show has no date")
	}
	if isOne(words[0].text, "do", "does", "did", "is", "are", "was", "were") && f.compare && f.mode == modeGroups &&
		len(f.dims) == 0 && !f.growth {
		f.block("I could not tell what to compare.")
	}
	if slices.ContainsFunc(p.atoms, func(a atom) bool { return a.kind == atomCorrelation }) && f.mode == modeGroups &&
		len(f.dims) == 0 {
		f.block("I relate two columns of numbers with each other, and could not read two of them here.")
	}
	for i := range p.atoms {
		switch a := &p.atoms[i]; a.kind {
		case atomGrain:
			p.guardGrain(a)
			if slices.ContainsFunc(p.atoms[i+1:], func(o atom) bool { return o.kind == atomGrain && o.text == a.text }) &&
				len(f.dims) < 2 && !f.growth && f.moving == nil {
				p.refuse(a.words, ": it is asked for twice")
			}
		case atomHowMany:
			p.guardCounted(i)
		case atomAnd:
			p.guardPair(i)
		default:
		}
	}
}

// guardGrain refuses an answer by another unit of time than the question's.
func (p *parser) guardGrain(a *atom) {
	f := p.form
	g := grain(a.text)
	if f.mode != modeGroups || f.moving != nil || slices.ContainsFunc(f.dims, func(d dimension) bool {
		return d.grain == g || g == grainHour && d.grain == grainHourOfDay ||
			isOne(string(d.grain), string(grainWeekend), string(grainWeekday), string(grainMonthName)) || d.col.isPart() ||
			d.col.isYear() || len(d.periods) > 0
	}) ||
		slices.ContainsFunc(f.measures, func(m measure) bool { return m.each == g }) {
		return
	}
	if len(p.spans) > 0 || f.timed() == nil {
		return
	}
	p.refuse(a.words, fmt.Sprintf(": the answer would go by %s", f.timed().grain))
}

// guardCounted refuses an answer that does not count the noun after "how many".
func (p *parser) guardCounted(i int) {
	f := p.form
	next, _ := p.peek(i + 1)
	if next == nil || next.kind != atomLink || valueOf(next) != nil || len(f.measures) == 0 || f.share || f.shareOf != nil {
		return
	}
	c := columnOf(next)
	sums := !slices.ContainsFunc(f.measures, func(m measure) bool { return m.agg == aggCount || m.agg == aggDistinct })
	if c == nil || c.isNumber() || !sums {
		return
	}
	if slices.ContainsFunc(f.dims, func(d dimension) bool { return d.col == c || d.col == p.known(c) }) {
		f.block(fmt.Sprintf("I could not tell how to count the %s.", next.words))
	}
}

// guardPair refuses to count only one of two nouns that are to be counted.
func (p *parser) guardPair(i int) {
	f := p.form
	if f.mode != modeGroups || len(f.measures) != 1 || p.atoms[i].text != "and" || i == 0 || i+1 >= len(p.atoms) ||
		p.atoms[i-1].kind != atomLink || p.atoms[i+1].kind != atomLink {
		return
	}
	noun := func(a *atom) bool {
		c := columnOf(a)
		return valueOf(a) == nil && (tableOfLink(a) != nil || c != nil && c.keyLike())
	}
	grouped := slices.ContainsFunc(f.dims, func(d dimension) bool {
		return d.col == columnOf(&p.atoms[i-1]) || d.col == columnOf(&p.atoms[i+1])
	})
	if noun(&p.atoms[i-1]) && noun(&p.atoms[i+1]) && !grouped && (f.measures[0].agg == aggCount || f.measures[0].agg == aggDistinct) {
		f.block(fmt.Sprintf("I count one thing at a time, and you ask for %s and %s.", p.atoms[i-1].words, p.atoms[i+1].words))
	}
}
