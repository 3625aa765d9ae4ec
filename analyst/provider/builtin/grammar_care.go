package builtin

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/domain"
)

// The functions of this file keep a likely reading from becoming a wrong one: words that carry no
// meaning of their own, means that are asked for at the end, units of another size.

// onAverage reads "which costs the most on average": the end of the question asks for the mean of what
// was ranked.
func (p *parser) onAverage() {
	if !slices.ContainsFunc(p.atoms, func(a atom) bool { return a.kind == atomAgg && strings.EqualFold(a.words, "on average") }) {
		return
	}
	for i := range p.form.measures {
		m := &p.form.measures[i]
		if m.col != nil && m.over == nil && m.per == nil && m.each == grainNone && (m.agg == aggSum || m.agg == aggMin || m.agg == aggMax) {
			m.agg = aggAvg
			p.agg = nil
		}
	}
}

// monthly reads "the average monthly spending" as the mean of the totals of months.
func (p *parser) monthly() {
	f := p.form
	if p.eachGrain == grainNone && p.perTimeOnAverage() {
		// "clicks per day on average" is the mean of the days as well, and not the mean row of each day.
		p.eachGrain, f.dims = f.dims[0].grain, nil
	}
	if p.eachGrain == grainNone {
		return
	}
	timed := slices.ContainsFunc(f.dims, func(d dimension) bool { return d.grain != grainNone || d.col.isDate() || d.width > 0 })
	if len(f.measures) == 1 && (len(f.dims) == 0 || len(f.dims) == 1 && !timed && f.measures[0].agg == aggAvg && f.measures[0].col != nil &&
		!f.measures[0].col.rate()) {
		if m := &f.measures[0]; p.eachAgg != "" && m.agg == p.eachAgg && m.col != nil && m.col.isNumber() && !m.col.rate() {
			m.each, m.eachAgg, m.agg = p.eachGrain, p.eachAgg, aggSum
			return
		}
		if m := &f.measures[0]; m.col == nil || !m.col.rate() && (m.agg == aggAvg || m.agg == aggSum) {
			if m.each = p.eachGrain; m.col != nil {
				m.agg = aggSum
			}
			return
		}
	}
	p.addGrain(p.eachGrain)
}

// perTimeOnAverage reports whether a mean of one number is asked for per unit of time, with "on average" after it.
func (p *parser) perTimeOnAverage() bool {
	f := p.form
	if len(f.measures) != 1 || len(f.dims) != 1 || f.dims[0].grain == grainNone || f.measures[0].col == nil || f.measures[0].agg != aggAvg ||
		f.measures[0].col.rate() {
		return false
	}
	per := slices.IndexFunc(p.atoms, func(a atom) bool { return a.kind == atomEach || strings.HasPrefix(strings.ToLower(a.words), "per ") })
	late := slices.IndexFunc(p.atoms, func(a atom) bool { return a.kind == atomAgg && strings.EqualFold(a.words, "on average") })
	return per >= 0 && late > per
}

// carries reports whether a word is the verb of "did Acme place", whatever column has that name.
func (p *parser) carries(a *atom) bool {
	if next, _ := p.peek(p.pos + 1); p.pos > 1 && a.size == 1 && a.links[0].quality < 0.9 && valueOf(a) == nil && columnOf(a) != nil &&
		(columnOf(a).keyLike() || a.links[0].typed != "") && next != nil && next.kind == atomSuper && p.atoms[p.pos-1].kind == atomLink &&
		p.atoms[p.pos-2].kind == atomWhich {
		return true // "which country books the most suites"
	}
	if p.pos < 2 || a.size != 1 || a.links[0].quality >= 0.9 || valueOf(a) != nil {
		return false
	}
	if c := columnOf(a); c == nil || c.isNumber() || c.isDate() || c.booleanLike() {
		return false
	}
	before, first := &p.atoms[p.pos-1], strings.ToLower(p.atoms[p.pos-2].words)
	subject := before.kind == atomLink && valueOf(before) != nil || isOne(strings.ToLower(before.words), "we", "they", "you", "i", "people")
	return subject && isOne(first, "did", "do", "does")
}

// described reports whether a value directly before a noun describes it: USA guests are the guests from
// the USA, and not each guest.
func (p *parser) described(c *column) bool {
	if slices.ContainsFunc(p.named, func(m mention) bool {
		// In "evening courses" the value is before the noun.
		if m.col != c || m.at < 2 || p.atoms[m.at-1].kind != atomLink || valueOf(&p.atoms[m.at-1]) == nil {
			return false
		}
		before := &p.atoms[m.at-2]
		return before.kind == atomFollow || before.kind == atomStop && preposition(strings.ToLower(before.words)) &&
			!isOne(strings.ToLower(before.words), "by", "per", "across")
	}) {
		return true
	}
	if !c.keyLike() && c.Distinct <= 30 && !p.unique(c) {
		return false
	}
	for i := 1; i < len(p.atoms); i++ {
		if a, before := &p.atoms[i], &p.atoms[i-1]; a.kind == atomLink && slices.ContainsFunc(a.links, func(l link) bool {
			return l.column == c && !l.isValue
		}) && before.kind == atomLink && valueOf(before) != nil {
			return true
		}
	}
	return slices.ContainsFunc(p.named, func(m mention) bool {
		if m.col != c || m.at == 0 {
			return false
		}
		before := &p.atoms[m.at-1]
		return before.kind == atomLink && (valueOf(before) != nil || columnOf(before) != nil && columnOf(before).booleanLike())
	})
}

// seconds returns the length of a unit of time; 0 if it has no fixed length.
func seconds(word string) float64 {
	switch word {
	case "second", "sec", "secs", "s":
		return 1
	case "minut", "min", "mins":
		return 60
	case "hour", "hr", "hrs", "h":
		return 3600
	case "day", "days":
		return 86400
	case "week", "weeks":
		return 604800
	default:
		return 0
	}
}

// inUnitOf converts a number in the unit of the question, such as hours, into the unit of the column,
// such as minutes.
func (c *column) inUnitOf(unit []string, n float64) (float64, bool) {
	if len(unit) == 0 || seconds(unit[0]) == 0 {
		return n, true
	}
	own := 0.0
	if c.made != nil && c.made.op == opDuration {
		own = seconds(stem(string(c.made.unit)))
	} else {
		for _, w := range append(slices.Clone(c.words), stem(strings.ToLower(c.sign))) {
			own = max(own, seconds(w))
		}
	}
	if own == 0 {
		return n, false
	}
	return n * seconds(unit[0]) / own, true
}

// alternativeNumber reads the 4 in "a rating of 5 or 4".
func (p *parser) alternativeNumber(a *atom) bool {
	n := len(p.form.where)
	if n == 0 || p.pos < 2 || p.atoms[p.pos-1].kind != atomAnd || p.atoms[p.pos-2].kind != atomNumber {
		return false
	}
	w := &p.form.where[n-1]
	switch {
	case w.op == opEq && len(w.nums) == 1 && w.nums[0] == p.atoms[p.pos-2].num:
		*w = condition{col: w.col, op: opIn, values: []string{trimFloat(w.nums[0]), trimFloat(a.num)}}
	case w.op == opIn && w.col.kind() == domain.ColumnNumber:
		w.values = append(w.values, trimFloat(a.num))
	default:
		return false
	}
	p.explain(a, 0.5)
	return true
}

// soldPieces reads "how many desk lamps were sold" as the total of the quantity, if the table has one.
func (p *parser) soldPieces() {
	f := p.form
	if !f.onlyCounts() || p.tableNamed() ||
		len(f.where) == 0 ||
		!slices.ContainsFunc(p.atoms, func(a atom) bool { return a.kind == atomHowMany }) ||
		!slices.ContainsFunc(p.atoms, func(a atom) bool { return isOne(strings.ToLower(a.words), "sold", "bought", "purchased", "sell") }) {
		return
	}
	product := slices.ContainsFunc(f.where, func(w condition) bool {
		return w.op == opIn && slices.ContainsFunc(w.col.words, func(x string) bool {
			return isOne(x, "product", "item", "article", stem("article"), "sku", "title", "titl", "model")
		})
	})
	for _, c := range f.view.base.columns {
		if product && c.isNumber() && slices.ContainsFunc(c.words, func(w string) bool {
			return isOne(w, "quantity", "qty", "unit", "units", "piece", stem("pieces"))
		}) && !c.rate() {
			f.measures = []measure{{agg: aggSum, col: c}}
			return
		}
	}
}

// blockPartialAnswers blocks questions that would otherwise be answered in part.
func (p *parser) blockPartialAnswers() {
	f := p.form
	later := slices.ContainsFunc(p.atoms, func(a atom) bool { return a.kind == atomLatest || a.kind == atomTop && a.hint == "rows" })
	if later && f.latestOf == nil && f.mode == modeRows && len(f.dims) > 0 {
		f.block(unable("latestper"))
	}
	spans := 0
	for _, w := range f.where {
		if w.op == opSpan {
			spans++
		}
	}
	if f.mode == modeRows && len(p.atoms) > 2 && isOne(strings.ToLower(p.atoms[0].words), "do", "does", "did") && p.settled &&
		f.latestOf == nil {
		f.block("I could not tell what to compare.")
	}
	if f.mode == modeGroups && len(f.having) > 0 && len(f.dims) == 0 && f.counted == nil && p.settled {
		f.block("I could not tell which groups to compare with that number.")
	}
	periods := slices.ContainsFunc(f.dims, func(d dimension) bool { return d.periods != nil })
	if f.compare && spans > 1 && f.timed() == nil && !periods && f.mode == modeGroups {
		f.block("I can compare years, quarters, months and days with each other; of these times, ask for one after the other.")
	}
	if f.mode == modeGroups && len(f.dims) == 0 && slices.ContainsFunc(p.atoms, func(a atom) bool {
		return a.kind == atomTop && a.hint == "" && isOne(strings.ToLower(a.words), "top", "bottom")
	}) && p.settled {
		if f.unranked, f.few = f.fragment, p.few; !f.unranked {
			f.block("I could not tell what to rank.")
		}
	}
	if p.meanCount && len(f.dims) > 1 && slices.ContainsFunc(f.measures, func(m measure) bool { return m.agg == aggCount && m.per == nil }) {
		f.block("I do not take the average of counts over two things at once; I can give the count of each.")
	}
}

// booked returns the column of the amount for a question that names only a category, in a table whose
// rows are bookings; nil for anything else.
func (p *parser) booked() *column {
	f, c := p.form, primary(p.form.view.base)
	if signed := p.signed(); signed != nil {
		c = signed
	}
	ledger := p.signed() != nil || f.view.base.long() || slices.ContainsFunc(f.view.base.words, func(w string) bool {
		return isOne(w, stem("transactions"), stem("expenses"), stem("payments"), "ledger", stem("spending"))
	})
	if !ledger || c == nil || !c.strong() || c.rate() || f.share || p.superDir != "" || p.tableNamed() || p.counting || len(f.where) == 0 {
		return nil
	}
	named := slices.ContainsFunc(f.where, func(w condition) bool {
		return w.op == opIn && w.col.isText() && slices.ContainsFunc(w.col.words, func(x string) bool {
			return isOne(x, stem("category"), "type", stem("purpose"), stem("counterparty"), "payee", stem("merchant"), "vendor",
				stem("description"), "kind", "metric", stem("measure"), "kpi", "indicator", stem("variable"))
		})
	})
	if !named {
		return nil
	}
	return c
}

// grainWords maps words such as monthly to their unit of time.
func grainWords() map[string]string {
	return map[string]string{
		"hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month", "quarterly": "quarter",
		"yearly": "year", "annual": "year", "annually": "year",
	}
}

// grainRather reads "the monthly revenue" as the revenue of each month, although a column may contain
// the word monthly for the interval of payments. The word is a value of that column if the column is
// named, or before a noun for the rows, as in monthly plans. The plan says which of the two was chosen.
func (p *parser) grainRather() {
	if len(p.form.view.base.dates()) == 0 {
		return
	}
	for i := range p.atoms {
		a := &p.atoms[i]
		p.whichPeriod(i)
		v := valueOf(a)
		g := grainWords()[strings.ToLower(a.words)]
		if a.kind != atomLink || v == nil || g == "" || slices.ContainsFunc(p.spanHint, func(w string) bool {
			return slices.Contains(v.column.words, w) && !noise(w)
		}) {
			continue
		}
		otherGrain := slices.ContainsFunc(p.atoms, func(b atom) bool { return b.kind == atomGrain })
		next, _ := p.peek(i + 1)
		switch {
		case !otherGrain && (next == nil || next.kind != atomLink || measured(next)):
			p.form.note(fmt.Sprintf("“%s” is read as each %s, and not as a value of %s.", a.words, g, quoteName(v.column)))
			a.kind, a.text, a.links = atomGrain, g, nil
		case next != nil && rowNoun(next):
			p.form.note(fmt.Sprintf("“%s” is read as a value of %s, and not as each %s.", a.words, quoteName(v.column), g))
		default:
			p.form.ask(fmt.Sprintf("“%s” may be the value of %s or mean each %s; please name the column beside it.", a.words,
				quoteName(v.column), g))
		}
	}
}

// whichPeriod reads "which month" as the unit of time where the date of the table has the name of the unit.
func (p *parser) whichPeriod(i int) {
	a := &p.atoms[i]
	if g := grainOf(strings.ToLower(a.words)); i > 0 && a.kind == atomLink && valueOf(a) == nil && p.atoms[i-1].kind == atomWhich &&
		g != grainNone && columnOf(a) == p.form.view.base.dates()[0] {
		a.kind, a.text, a.links = atomGrain, string(g), nil
	}
}

// measured reports whether a word names a number: a column of numbers, or a word of the table's name
// that also names a number, such as revenue in a table of subscription revenue.
func measured(a *atom) bool {
	if numberOf(a) != nil {
		return true
	}
	numbers := 0
	for _, l := range a.links {
		switch {
		case l.isValue || l.column != nil && !l.column.isNumber():
			return false
		case l.column != nil:
			numbers++
		}
	}
	return numbers > 0
}

// rowNoun reports whether a word names things that there are many of: a key, a name, a kind, or the
// rows themselves.
func rowNoun(a *atom) bool {
	return a.kind == atomLink && len(a.links) > 0 && !slices.ContainsFunc(a.links, func(l link) bool {
		return l.isValue || l.column != nil && l.quality > 0.6 && !l.column.isText() && !l.column.keyLike()
	})
}
