package builtin

import (
	"fmt"
	"slices"
	"strings"
)

// guardBothVerbs refuses two verbs of two dates if only one of them is used: who joined and left in 2026 did both.
func (p *parser) guardBothVerbs() {
	verb := func(i int) *column {
		if i < 0 || i >= len(p.atoms) || p.atoms[i].kind != atomLink {
			return nil
		}
		word := strings.ToLower(p.atoms[i].words)
		if c := columnOf(&p.atoms[i]); c != nil && c.isDate() && happened(word) {
			return c
		}
		return nil
	}
	for i := range p.atoms {
		one, other := verb(i-1), verb(i+1)
		if p.atoms[i].kind == atomAnd && p.atoms[i].text != "or" && one != nil && other != nil && one != other &&
			p.form.uses(one) != p.form.uses(other) {
			p.refuse(p.atoms[i].words, fmt.Sprintf(": “%s” and “%s” are two dates", p.atoms[i-1].words, p.atoms[i+1].words))
			return
		}
	}
}

// guardTimeOfMoney refuses to compare money with a time: a balance over 90 days is not one over 90, and a stay longer than a week is none
// that costs more than 1.
func (p *parser) guardTimeOfMoney() {
	f := p.form
	asked := p.asked
	for i := 2; i < len(asked); i++ {
		unit := singular(asked[i].norm)
		if !isOne(unit, "day", "week", "month", "year", "hour", "minute") ||
			asked[i-1].kind != tokenNumber && !isOne(asked[i-1].norm, "a", "an", "one") ||
			!isOne(asked[i-2].norm, "than", "over", "under", "above", "below", "exceeding", "least", "most") {
			continue
		}
		timed := func(c *column) bool {
			return c == nil || !c.isNumber() || c.measuredIn(unit) ||
				!c.money() && !c.openPart() && !slices.Contains(c.words, stem("balance")) && !slices.Contains(c.words, "sales")
		}
		for _, w := range f.where {
			if len(w.nums) > 0 && (!timed(w.col) || w.guessed && !w.col.isTimeLike(unit)) {
				f.block(fmt.Sprintf("%s is no time, so I cannot compare it with “%s %s”.", quoteName(w.col), asked[i-1].text, asked[i].text))
				return
			}
		}
		for _, h := range f.having {
			if h.measure < len(f.measures) && !h.rows && !timed(f.measures[h.measure].col) {
				c := f.measures[h.measure].col
				f.block(fmt.Sprintf("%s is no time, so I cannot compare it with “%s %s”.", quoteName(c), asked[i-1].text, asked[i].text))
				return
			}
		}
	}
}

// isTimeLike reports whether the name of a column says that it is a time, which a comparison without the name of a column needs.
func (c *column) isTimeLike(unit string) bool {
	return !c.isNumber() || c.measuredIn(unit) || c.lasts() || slices.ContainsFunc(splitName(c.Name), func(w string) bool {
		return isOne(singular(w), unit, "time", "age", "tenure", "duration", "delay", "wait", "day", "hour", "minute", "month", "year", "week",
			"experience", "seniority", "term", "length", "latency")
	})
}

// guardWithoutNumber refuses "customers without a balance" if single rows would be left out: a customer has several, and is without it
// only if none of them has it.
func (p *parser) guardWithoutNumber() {
	f := p.form
	if period, _, _ := f.view.base.panel(); period != nil && f.filters(period) {
		return // each thing has one row in a period
	}
	for i := 1; i+1 < len(p.atoms); i++ {
		if !strings.EqualFold(p.atoms[i].words, "without") {
			continue
		}
		c, of := columnOf(&p.atoms[i-1]), p.beside(i, 1)
		if c == nil || of == nil || !slices.ContainsFunc(f.dims, func(d dimension) bool { return d.col == c && d.grain == grainNone }) ||
			!slices.ContainsFunc(f.measures, measure.ofRows) {
			continue
		}
		n := columnOf(of)
		if n != nil && n.isNumber() && slices.ContainsFunc(f.where, func(w condition) bool { return w.col == n && w.other == nil }) {
			p.refuse(p.atoms[i].words, fmt.Sprintf(": %s can have several rows", plural(coreTitle(c))))
			return
		}
	}
}

// guardPerDeed refuses months for "per booking": the rows are the bookings, although only the day on which they were booked has the name.
func (p *parser) guardPerDeed() {
	for i := 1; i < len(p.atoms); i++ {
		a := &p.atoms[i]
		word := strings.ToLower(a.words)
		if p.atoms[i-1].kind != atomEach || a.kind != atomLink || !nounOfDoing(word) {
			continue
		}
		c := columnOf(a)
		if c != nil && c.isDate() && slices.ContainsFunc(p.form.dims, func(d dimension) bool { return d.col == c }) {
			p.refuse(p.atoms[i-1].words+" "+a.words, ": "+quoteName(c)+" is only their date")
			return
		}
	}
}

// guardOnTime refuses "on time" without a column or a value for it: an invoice that has been paid may have been paid late.
func (p *parser) guardOnTime() {
	for i := range p.asked[:max(0, len(p.asked)-1)] {
		if p.asked[i].norm != "on" || p.asked[i+1].norm != "time" {
			continue
		}
		tells := func(s string) bool {
			s = strings.ToLower(strings.NewReplacer("_", " ", "-", " ").Replace(s))
			return slices.ContainsFunc([]string{"on time", "ontime", "late", "punctual", "delay", "in time", "sla"}, func(w string) bool {
				return strings.Contains(s, w)
			})
		}
		for _, c := range p.form.view.columns() {
			if p.form.uses(c) && (tells(c.Name) || slices.ContainsFunc(c.Values, tells)) {
				return
			}
		}
		p.form.block("I found nothing here that says what is “on time”.")
		return
	}
}

// guardHeadcount refuses a number of people at an earlier time from a table of people who come and go: those who began in that time are
// not those who were there.
func (p *parser) guardHeadcount() {
	f := p.form
	pay := slices.ContainsFunc(f.measures, func(m measure) bool {
		return m.col != nil && (m.col.earns() || slices.ContainsFunc(m.col.words, func(w string) bool {
			return isOne(w, stem("salary"), stem("wage"), "fte")
		}))
	})
	if f.view.ending() == nil || f.view.base.snapshot() != nil || !pay && !slices.ContainsFunc(p.asked, func(t token) bool {
		return isOne(t.norm, "headcount", "headcounts", "workforce", "employed")
	}) {
		return
	}
	for _, w := range f.where {
		if w.op == opSpan && w.col != f.view.ending() && !slices.ContainsFunc(p.named, func(m mention) bool { return m.col == w.col }) {
			f.block("I do not count yet who was there at an earlier time, only who began or left in it.")
			return
		}
	}
}
