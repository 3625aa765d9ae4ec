package builtin

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/analyst/specialist"
)

// The guards of this file are about what a question leaves unsaid, and the planner would fill in: the rows that are counted, the number
// by which something is the best, the direction of money.

// guardUnsaid refuses, or asks back, where the part that a question leaves out could be another one.
func (p *parser) guardUnsaid() {
	p.guardPanelRows()
	p.guardMassNoun()
	p.guardBest()
	p.guardDirection()
	p.guardRowsCompared()
	p.guardYesNo()
	p.guardSeasons()
	p.guardHowMuch()
}

// guardPanelRows counts people and things of a table with a row for each of them and each month once: those of the last month, or, if
// another time is asked for, the different ones.
func (p *parser) guardPanelRows() {
	f := p.form
	base := f.view.base
	if f.mode != modeGroups || f.share || f.growth || f.blocked || base.snapshot() != nil || !slices.ContainsFunc(f.measures, measure.ofRows) {
		return
	}
	period, unit, keys := base.panel()
	if period == nil || unit != grainMonth || len(keys) != 1 || !keys[0].keyLike() || f.filters(period) || p.namesLines() {
		return
	}
	if slices.ContainsFunc(f.dims, func(d dimension) bool { return d.col == period || d.grain != grainNone }) {
		return
	}
	if slices.ContainsFunc(f.where, func(w condition) bool { return w.op == opSpan || w.op == opRecurring }) {
		for i, m := range f.measures {
			if m.ofRows() {
				f.measures[i] = measure{agg: aggDistinct, col: keys[0]}
			}
		}
		f.note(fmt.Sprintf("%s has a row for each %s and %s, so I counted each %s once.", quoteLabel(base), coreTitle(keys[0]),
			orElse(string(unit), "period"), coreTitle(keys[0])))
		return
	}
	s := &snapshot{period: period, unit: unit}
	last, label := s.last(nil)
	f.where = append(f.where, last)
	f.note(fmt.Sprintf("%s has a row for each %s and %s, so I counted those of the last one, %s.", quoteLabel(base), coreTitle(keys[0]),
		orElse(string(unit), "period"), label))
}

// namesLines reports whether the question counts the rows themselves: by the name of the table, as rows, or as what was recorded, such
// as readings and bookings.
func (p *parser) namesLines() bool {
	return p.namesTable() || slices.ContainsFunc(p.asked, func(t token) bool {
		return isOne(t.norm, "row", "rows", "record", "records", "line", "lines", "entry",
			"entries") || isPlural(t.norm) && nounOfDoing(t.norm)
	})
}

// namesTable reports whether the question has the last word of the table's name.
func (p *parser) namesTable() bool {
	words := p.form.view.base.words
	return slices.ContainsFunc(p.asked, func(t token) bool { return len(words) > 0 && t.stem == words[len(words)-1] })
}

func quoteLabel(t *table) string { return "`" + t.label() + "`" }

// guardMassNoun asks by which number, if the question names what the rows are about by a noun that is not counted, such as the harvest
// of each crop, or asks for the value of something.
func (p *parser) guardMassNoun() {
	f := p.form
	if !f.onlyCounts() || !f.measures[0].assumed || f.shareOf != nil {
		return
	}
	valued := slices.ContainsFunc(p.asked, func(t token) bool {
		return isOne(t.norm, "value", "worth") && !slices.ContainsFunc(f.view.columns(), func(c *column) bool {
			return slices.Contains(c.words, t.stem)
		})
	})
	words := f.view.base.words
	if len(words) == 0 {
		return
	}
	noun := splitName(f.view.base.entity())
	last := noun[len(noun)-1]
	mass := p.namesTable() && !strings.HasSuffix(last, "s") && !countable(last) && !collective(last)
	if valued || mass {
		p.askNumber()
	}
}

// collective reports whether a noun without a plural means people or things that are counted.
func collective(noun string) bool {
	return isOne(noun, "staff", "crew", "personnel", "fleet", "team", "people", "workforce", "cattle", "livestock", "police", "faculty",
		"roster", "list", "log", "register", "ledger", "directory", "catalog", "catalogue", "inventory", "stock", "data",
		"table", "sheet", "export",
		"history", "archive", "census", "survey", "feed", "equipment", "furniture", "hardware", "software", "media",
		"children", "men", "women")
}

// additive returns the numbers of a table that add up.
func (t *table) additive() []*column {
	return slices.DeleteFunc(slices.Clone(t.columns), func(c *column) bool { return !c.isNumber() || c.rate() || c.isPart() })
}

// askNumber asks back by which number of the table, if it has one that adds up.
func (p *parser) askNumber() {
	var names []string
	for _, c := range p.form.view.base.additive() {
		names = append(names, quoteName(c))
	}
	if len(names) > 0 {
		p.form.ask(fmt.Sprintf("By which number: %s?", specialist.List(names[:min(4, len(names))], "or")))
	}
}

// guardBest asks back what the best and the worst are if the number that was taken does not tell: the cost of the malt is not how good
// a beer is.
func (p *parser) guardBest() {
	f := p.form
	if !p.judged() || f.blocked || f.taken != nil {
		return
	}
	var c *column
	switch {
	case f.mode == modeRows && f.orderCol != nil && slices.ContainsFunc(f.notes, tookDefault):
		c = f.orderCol
	case f.mode == modeGroups && len(f.measures) == 1 && f.measures[0].assumed:
		if c = f.measures[0].col; c == nil && f.timed() == nil {
			return
		}
	default:
		return
	}
	if c != nil && (c.judges() || slices.ContainsFunc(p.named, func(m mention) bool { return m.col == c })) {
		return
	}
	switch all := f.view.base.additive(); {
	case len(all) > 1 || len(all) == 1 && all[0] != c:
		p.askNumber()
	case len(all) == 0 && c != nil && c.money():
		f.block(fmt.Sprintf("%s does not tell what is the best. Say by which number.", quoteName(c)))
	}
}

// tookDefault reports whether a note says that the question named no number.
func tookDefault(note string) bool { return strings.HasPrefix(note, "You did not ") }

// judges reports whether a number tells how good something is: what it brought, or how it was rated.
func (c *column) judges() bool {
	return c.isOpinion() || slices.ContainsFunc(splitName(c.Name), func(w string) bool {
		return isOne(singular(w), "revenue", "sale", "turnover", "amount", "total", "income", "profit", "value", "mrr",
			"arr", "acv", "ltv", "clv",
			"gmv", "net", "gross", "score", "rating", "grade", "mark", "point", "satisfaction", "nps", "csat", "star",
			"margin", "conversion", "rate",
			"goal", "win", "gpa", "result", "performance", "review", "vote", "like", "donation", "premium", "umsatz",
			"betrag", "montant", "importe")
	})
}

// directions are pairs of values of a column that are opposite directions of what a row moves.
func directions() [][2]string {
	return [][2]string{
		{"in", "out"},
		{"incoming", "outgoing"},
		{"inbound", "outbound"},
		{"buy", "sell"},
		{"purchase", "sale"},
		{"bought", "sold"},
		{"debit", "credit"},
		{"income", "expense"},
		{"received", "sent"},
		{"import", "export"},
		{"deposit", "withdrawal"},
		{"dr", "cr"},
	}
}

// guardDirection asks back which direction of money or goods is meant, if a table has both in one column: what was bought and what was
// sold is not added up.
func (p *parser) guardDirection() {
	f := p.form
	sums := slices.ContainsFunc(f.measures, func(m measure) bool { return m.agg == aggSum && m.col != nil })
	if f.mode != modeGroups || f.flow != "" || !sums {
		return
	}
	for _, c := range f.view.base.columns {
		if !c.isText() || len(c.Values) != 2 || f.filters(c) || slices.ContainsFunc(f.dims, func(d dimension) bool { return d.col == c }) ||
			f.shareOf != nil && f.shareOf.col == c {
			continue
		}
		for _, d := range directions() {
			one, other := strings.ToLower(c.Values[0]), strings.ToLower(c.Values[1])
			if one == d[0] && other == d[1] || one == d[1] && other == d[0] {
				f.ask(fmt.Sprintf("%s is %s or %s, and these are not added up. Which one do you mean?", quoteName(c),
					c.Values[0], c.Values[1]))
				return
			}
		}
	}
}

// guardRowsCompared counts the rows in "more than 10 results", if the rows are called results and a number of each row is called so
// too.
func (p *parser) guardRowsCompared() {
	f := p.form
	words := f.view.base.words
	for i := 2; i < len(p.asked); i++ {
		n, noun := p.asked[i-1], p.asked[i]
		if n.kind != tokenNumber || !isPlural(noun.norm) || len(words) == 0 || noun.stem != words[len(words)-1] {
			continue
		}
		at := slices.IndexFunc(f.where, func(w condition) bool {
			return len(w.nums) == 1 && w.nums[0] == n.value && slices.Contains(w.col.words, noun.stem)
		})
		if at < 0 {
			continue
		}
		rows := slices.IndexFunc(f.measures, measure.ofRows)
		if f.mode != modeGroups || rows < 0 || len(f.dims) == 0 {
			f.block(fmt.Sprintf("I could not tell whether “%s %s” counts rows or compares %s.", n.text, noun.text,
				quoteName(f.where[at].col)))
			return
		}
		f.having = append(f.having, having{rows: true, measure: rows, op: f.where[at].op, nums: f.where[at].nums})
		f.where = slices.Delete(f.where, at, at+1)
		return
	}
}

// guardYesNo refuses a question of yes or no that compares, unless it is read as a mean of two or more groups: whether some get lower
// marks than others is not told by the total of each.
func (p *parser) guardYesNo() {
	f := p.form
	if len(p.asked) < 4 || !isOne(p.asked[0].norm, "do", "does", "did", "are", "is", "were", "was", "have", "has") {
		return
	}
	at := slices.IndexFunc(p.asked, func(t token) bool {
		return isOne(t.norm, "lower", "higher", "less", "fewer", "better", "worse", "longer", "shorter", "cheaper",
			"older", "younger", "faster",
			"slower", "bigger", "smaller", "larger")
	})
	if at < 0 || at+2 < len(p.asked) && p.asked[at+1].norm == "than" && p.asked[at+2].kind == tokenNumber {
		return
	}
	means := f.mode == modeGroups && len(f.dims) == 1 && len(f.measures) > 0 && !slices.ContainsFunc(f.measures, func(m measure) bool {
		return m.agg == aggSum && m.over == nil && m.per == nil
	})
	if !means && f.mode != modeCorrelation {
		f.block(fmt.Sprintf("I could not tell what is compared by “%s”.", p.asked[at].text))
	}
}

// guardSeasons refuses two sides of which one is a value of a column, and the other was read as a time of another one: "autumn vs
// spring", where the terms are called Autumn 2025 and Spring 2026.
func (p *parser) guardSeasons() {
	for i := range p.atoms {
		if p.atoms[i].kind != atomVs && p.atoms[i].kind != atomAnd {
			continue
		}
		one, other := p.beside(i, -1), p.beside(i, 1)
		if one == nil || other == nil {
			continue
		}
		value, season := one, other
		if value.kind != atomLink {
			value, season = other, one
		}
		if season.kind == atomRecurring && value.kind == atomLink && valueOf(value) != nil && len(p.form.where) > 0 {
			p.refuse(p.atoms[i].words, fmt.Sprintf(": “%s” is a value of %s, and “%s” was read as a time", value.words,
				quoteName(valueOf(value).column), season.words))
		}
	}
}

// guardHowMuch refuses a time for "how much is unpaid", which asks for money.
func (p *parser) guardHowMuch() {
	f := p.form
	owed := func(t token) bool {
		return isOne(t.norm, "unpaid", "paid", "pay", "owe", "owed", "owes", "spend", "spent", "earn", "earned",
			"earnings", "charge", "charged",
			"invoiced", "billed")
	}
	much := slices.ContainsFunc(p.asked[:max(0, len(p.asked)-1)], func(t token) bool { return t.norm == "much" })
	if !much || !slices.ContainsFunc(p.asked, owed) || f.mode != modeGroups {
		return
	}
	for i, m := range f.measures {
		if m.col == nil || m.col.made != nil || m.agg != aggSum || !m.col.timeUnit() || slices.ContainsFunc(p.named, func(n mention) bool {
			return n.col == m.col
		}) {
			continue
		}
		if c := f.view.base.onlyMoney(); c != nil {
			f.measures[i] = measure{agg: aggSum, col: c, assumed: true}
			f.note(fmt.Sprintf("You did not name a measure, so I took the total of %s.", quoteName(c)))
			continue
		}
		f.block(fmt.Sprintf("%s is a time, and the question is about money.", quoteName(m.col)))
	}
}

// timeUnit reports whether a number is counted in units of time.
func (c *column) timeUnit() bool {
	return slices.ContainsFunc(splitName(c.Name), func(w string) bool {
		return isOne(singular(w), "minute", "min", "hour", "hr", "second", "sec", "day", "week", "month")
	})
}

// onlyMoney returns the only amount of money of a table; nil if it has none, or several.
func (t *table) onlyMoney() *column {
	var found *column
	for _, c := range t.columns {
		if c.isNumber() && !c.rate() && (c.money() || c.currencyOf() != "") {
			if found != nil {
				return nil
			}
			found = c
		}
	}
	return found
}
