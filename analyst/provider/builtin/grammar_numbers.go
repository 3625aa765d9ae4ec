package builtin

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// unitAfter returns the words of columns for a unit after a number, such as 30 minutes, and where the
// sentence continues.
func (p *parser) unitAfter(i int) ([]string, int) {
	if i >= len(p.atoms) {
		return nil, i
	}
	switch strings.ToLower(p.atoms[i].words) {
	case "minutes", "minute", "mins", "min":
		return []string{"minut", "min", "mins"}, i + 1
	case "hours", "hour", "hrs":
		return []string{"hour", "hr", "hrs", "h"}, i + 1
	case "seconds", "second", "secs":
		return []string{"second", "sec", "secs"}, i + 1
	case "days", "day":
		return []string{"day"}, i + 1
	case "weeks", "week":
		return []string{"week"}, i + 1
	case "years", "year":
		if i+1 < len(p.atoms) && isOne(strings.ToLower(p.atoms[i+1].words), "old", "olds", "of age") {
			i++
		}
		return []string{"age", "year", "tenur", "experienc"}, i + 1
	case "euro", "euros", "eur", "dollar", "dollars", "usd", "pounds", "gbp", "bucks", "€", "$", "£":
		return money(), i + 1
	case "degrees", "degree", "°c", "celsius":
		return []string{"temperatur", "temp", "aussentemperatur"}, i + 1
	case "percent":
		return nil, i + 1
	case "a", "an", "per", "each":
		// In "200 a night" the number is a price, and night is not a column.
		if i+1 < len(p.atoms) && isOne(strings.ToLower(p.atoms[i+1].words), "night", "nights", "piece", "unit", "head", "ticket", "seat") {
			return money(), i + 2
		}
		return nil, i
	default:
		if words := p.unitWord(p.atoms[i].words); words != nil {
			return words, i + 1
		}
		return nil, i
	}
}

// lasting reports whether a unit is one of durations, and not one of ages.
func lasting(unit []string) bool {
	return slices.ContainsFunc(unit, func(w string) bool { return isOne(w, "minut", "hour", "second", "day", "week") })
}

func money() []string {
	return []string{
		"price", "pric", "amount", "revenue", "revenu", "sales", "cost", "salary", "value", "valu", "charg", "spend", "profit",
		"fee", "total", "incom",
	}
}

// byUnit finds the column of numbers whose name or unit is one of the words.
func (p *parser) byUnit(words []string) *column {
	for _, w := range words {
		for _, c := range p.form.view.base.columns {
			if (c.isNumber() || c.isPart()) && (slices.Contains(c.words, w) || c.measuredIn(w)) {
				return c
			}
		}
	}
	return nil
}

// compareNumber makes a condition from an operator and the number at i.
func (p *parser) compareNumber(op operator, at *atom, i int, hint string) {
	c := condition{op: op, nums: []float64{at.num}, percent: strings.HasSuffix(at.words, "%") || strings.HasSuffix(at.words, "percent")}
	unit, next := p.unitAfter(i + 1)
	p.pos = next
	if strings.ContainsAny(at.words, "$€£") {
		unit = money()
	}
	if c := primary(p.form.view.base); c != nil && len(unit) > 10 && c.strong() && within(c, at.num) {
		unit = c.words
	}
	if times := i + 1; times < len(p.atoms) && strings.EqualFold(p.atoms[times].words, "times") &&
		(times+1 == len(p.atoms) || numberOf(&p.atoms[times+1]) == nil) {
		// "inspected more than 8 times"
		p.pos = times + 1
		p.explain(&p.atoms[times], 1)
		p.addHaving(measure{agg: aggCount}, c)
		p.form.having[len(p.form.having)-1].rows = true
		return
	}
	made := p.last != nil && p.last.made != nil || slices.ContainsFunc(p.atoms, func(a atom) bool {
		return a.kind == atomLink && columnOf(&a) != nil && columnOf(&a).made != nil
	})
	if c := p.lasting(); (hint == "pace" || hint == "duration" && p.byHint(hint) == nil && !made &&
		!(p.last != nil && p.last.isNumber() && p.lastAt >= p.pos-7)) && c != nil && lasting(unit) {
		if n, ok := c.inUnitOf(unit, at.num); ok {
			cond := condition{op: op, nums: []float64{n}, col: c}
			if hint == "pace" || hint == "duration" {
				p.compareWith(cond)
				return
			}
		}
		unit, hint = nil, ""
		p.last, p.lastAt = c, p.pos
	}
	if near := p.last != nil && p.lastAt >= p.pos-6 && p.last.isNumber(); unit != nil && hint == "" && !near {
		if col := p.byUnit(unit); col != nil {
			c.col = col
			p.compareWith(c)
			return
		}
		if c := p.lasting(); lasting(unit) && c != nil && len(p.form.view.base.dates()) < 2 {
			if n, ok := c.inUnitOf(unit, at.num); ok && p.byUnit(unit) == nil {
				cond := condition{op: op, nums: []float64{n}, col: c}
				p.compareWith(cond)
				p.form.note(fmt.Sprintf("You did not name a measure, so I compared %s.", quoteName(c)))
				return
			}
		}
		if lasting(unit) {
			// A number of days must not be compared with a column of something else.
			p.form.block(fmt.Sprintf("I could not tell which column has the %s that you compare with %s.", p.atoms[max(0, next-1)].words,
				trimFloat(at.num)))
			return
		}
	}
	if lasting(unit) && seconds(unit[0]) > 0 {
		col := p.last
		if byHint := p.byHint(hint); hint != "" && byHint != nil {
			col = byHint
		}
		if col != nil && col.isNumber() {
			if n, ok := col.inUnitOf(unit, at.num); ok {
				c.nums[0] = n
			} else if col.longLasting() && unit[0] == "week" {
				p.form.block(fmt.Sprintf("I could not tell in what unit %s is, to compare it with %s weeks.", quoteName(col), trimFloat(at.num)))
			}
		}
	}
	p.subject(c, hint)
}

// columnAgainst reads "below the reorder level": a comparison of two columns.
func (p *parser) columnAgainst(op operator, next *atom, i int) bool {
	if next.kind != atomLink || op == opEq {
		return false
	}
	right := p.pick(next)
	if right == nil || !right.isNumber() || valueOf(next) != nil && valueOf(next).quality > next.links[0].quality-0.01 {
		return false
	}
	left := p.last
	if left == nil || !left.isNumber() || left == right || p.lastAt < p.pos-4 {
		left = p.byUnit([]string{"stock", "qty", "quantity", "inventory", "balanc", "actual"})
	}
	if left == nil || left == right {
		p.form.block(fmt.Sprintf("I could not tell what to compare with %s.", quoteName(right)))
		return false
	}
	p.form.explained += 1.5
	p.form.measures = slices.DeleteFunc(p.form.measures, func(m measure) bool { return m.assumed && (m.col == left || m.col == right) })
	if p.not {
		op, p.not = opposite(op), false
	}
	p.form.where = append(p.form.where, condition{col: left, op: op, other: right})
	p.last, p.lastAt, p.pos = right, i, i+1
	return true
}

// numberOf reads "3 bedrooms" and "a 5 for satisfaction".
func (p *parser) numberOf(a *atom) bool {
	next, i := p.peek(p.pos + 1)
	if next == nil || next.kind != atomLink || valueOf(next) != nil || i > p.pos+3 {
		return false
	}
	c := p.pick(next)
	if c == nil || !c.isNumber() || c.Type == "number" && c.Distinct > 50 || a.num < parseNumber(c.Min) || a.num > parseNumber(c.Max) {
		return false
	}
	op := opEq
	if p.not {
		op, p.not = opNe, false
	}
	p.explain(a, 0.5)
	p.explain(next, next.links[0].quality)
	p.last, p.lastAt, p.pos = c, i, i+1
	if p.pos < len(p.atoms) && p.atoms[p.pos].kind == atomOrMore {
		// "3 nights or more"
		op = operator(p.atoms[p.pos].text)
		p.pos++
	}
	if n := len(p.form.where); n > 0 && i-2 >= 0 && p.form.where[n-1].col == c && p.form.where[n-1].op == opEq {
		p.form.block("I could not tell which of the two numbers is meant.")
	}
	p.form.where = append(p.form.where, condition{col: c, op: op, nums: []float64{a.num}})
	return true
}

// level reads "grade 12": a number directly after a word that may also name its column.
func (p *parser) level(a *atom) bool {
	if p.pos == 0 || p.atoms[p.pos-1].kind != atomLink {
		return false
	}
	for _, l := range p.atoms[p.pos-1].links {
		c := l.column
		if c != nil && !l.isValue && c.Type == "integer" && !c.identifies() && c.Min != "" && within(c, a.num) {
			p.form.where = append(p.form.where, condition{col: c, op: opEq, nums: []float64{a.num}})
			return true
		}
	}
	for _, c := range p.form.view.base.columns {
		w := stem(strings.ToLower(p.atoms[p.pos-1].words))
		if c.Type == "integer" && len(c.words) > 1 && c.words[0] == w && c.Distinct <= 50 && !c.identifies() && within(c, a.num) {
			p.form.where = append(p.form.where, condition{col: c, op: opEq, nums: []float64{a.num}})
			return true
		}
	}
	return false
}

// numberTo reads "18 to 30" after a column.
func (p *parser) numberTo(a *atom) bool {
	if p.pos+2 >= len(p.atoms) || p.last == nil || p.lastAt < p.pos-2 || p.last.kind() != "number" {
		return false
	}
	to, b := &p.atoms[p.pos+1], &p.atoms[p.pos+2]
	if b.kind != atomNumber || !isOne(strings.ToLower(to.words), "to", "and", "until", "through") {
		return false
	}
	p.form.explained += 1.5
	c := condition{col: p.last, op: opBetween, nums: []float64{min(a.num, b.num), max(a.num, b.num)}}
	p.pos += 3
	p.compareWith(c)
	return true
}

// readSign reads "negative profit", "made a loss" and "out of stock".
func (p *parser) readSign(a *atom) {
	c := condition{op: operator(a.text), nums: []float64{0}}
	next, i := p.peek(p.pos + 1)
	switch {
	case a.hint == "stock":
		c.col = p.byUnit([]string{"stock", "qty", "quantity", "inventory", "onhand"})
	case a.hint != "":
		c.col = p.byHint(a.hint)
	case next != nil && next.kind == atomLink && p.pick(next) != nil && p.pick(next).isNumber():
		c.col = p.pick(next)
		p.explain(next, 1)
		p.pos = i + 1
	case p.last != nil && p.last.isNumber() && p.lastAt >= p.pos-4:
		c.col = p.last
	default:
		c.col = primary(p.form.view.base)
	}
	if c.col == nil || parseNumber(c.col.Min) > 0 && c.op != opGt {
		p.form.ignored = append(p.form.ignored, a.words)
		p.form.blocked = true
		return
	}
	p.explain(a, 1)
	if p.superPos >= 0 && p.superPos == p.pos-1 {
		p.superPos = p.pos // the ranked number comes next
	}
	if p.not {
		c.op, p.not = opposite(c.op), false
	}
	if c.op == opEq || p.counting {
		p.form.where = append(p.form.where, c)
	} else {
		p.compareWith(c)
	}
	p.form.measures = slices.DeleteFunc(p.form.measures, func(m measure) bool {
		return m.col == c.col && m.assumed && len(p.form.having) == 0
	})
}

// readFlow reads spending and income in a table that has both in one column.
func (p *parser) readFlow(a *atom) {
	c := p.signed()
	if c == nil {
		p.form.ignored = append(p.form.ignored, a.words)
		return
	}
	p.explain(a, 1)
	if p.form.flow != "" && p.form.flow != a.text {
		// "income against expenses" asks for each sign separately.
		p.form.block("I do not set income against expenses in one answer yet; ask for one of them at a time.")
		return
	}
	if p.form.flow == "" {
		p.form.where = append(p.form.where, condition{col: c, op: operator(a.text), nums: []float64{0}})
		p.form.note(fmt.Sprintf("I took the %s of %s as %s.", map[string]string{"<": "negative values", ">": "positive values"}[a.text],
			quoteName(c), strings.ToLower(a.words)))
	}
	p.form.flow = a.text
	p.last, p.lastAt = c, p.pos
	switch {
	case p.superPos >= 0 && p.superPos == p.pos-1:
		p.superMeasure(c)
		p.form.flowed = true
		p.form.desc = p.form.desc == (a.text == ">")
	case p.counting:
	case len(p.agg) > 0:
		for _, agg := range p.agg {
			p.addMeasure(measure{agg: agg, col: c})
		}
		p.agg = nil
	default:
		p.addMeasure(measure{agg: aggSum, col: c})
	}
}

// signed returns the column that contains both income and expenses.
func (p *parser) signed() *column { return p.form.view.signed() }

func (v *view) signed() *column {
	for _, c := range v.base.columns {
		if c.isNumber() && parseNumber(c.Min) < 0 && parseNumber(c.Max) > 0 && slices.ContainsFunc(c.words, func(w string) bool {
			return isOne(w, "amount", "value", "valu", "betrag", "transaction")
		}) {
			return c
		}
	}
	return nil
}

// ungroupedHaving turns conditions on groups into conditions on rows if the question has no groups:
// patients over 65 are patients of that age.
func (p *parser) ungroupedHaving() {
	f := p.form
	grouped := len(f.dims) > 0 || slices.ContainsFunc(p.mentions, func(c *column) bool {
		return !p.unique(c) && p.keyed(c) == nil
	}) || f.mode == modeCorrelation
	if grouped || len(f.having) == 0 || p.countGroups() {
		return
	}
	for _, h := range f.having {
		if h.rows {
			f.block("I do not count groups by how many rows they have; I can list them, such as “customers with more than 10 orders”.")
			continue
		}
		// The number of the condition was taken for something else, as a part of a formula in words is.
		if h.measure >= len(f.measures) {
			f.block("I could not tell which number the condition is about.")
			continue
		}
		c := condition{op: h.op, nums: h.nums}
		if m := f.measures[h.measure]; m.col != nil && m.col.isNumber() {
			c.col = m.col
			f.where = append(f.where, c)
			continue
		}
		p.nums = append(p.nums, c)
	}
	f.having = nil
	// A number that is only compared is not asked for.
	f.measures = slices.DeleteFunc(f.measures, func(m measure) bool { return m.assumed && m.agg == aggCount })
}

// likely returns the column for a comparison that names none: an age if the table has one, or else the
// main number of the table if the number is within its values.
func (p *parser) likely(n float64) *column {
	base := p.form.view.base
	if c := p.byUnit([]string{"age"}); c != nil && within(c, n) {
		return c
	}
	best := primary(base)
	if best == nil || within(best, n) {
		return best
	}
	for _, c := range base.columns {
		if c.isNumber() && c.strong() && within(c, n) {
			return c
		}
	}
	return nil
}

func within(c *column, n float64) bool {
	return (c.Min == "" && c.Max == "") || (n >= parseNumber(c.Min) && n <= parseNumber(c.Max))
}

func parseNumber(s string) float64 {
	v, err := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0
	}
	return v
}

// roundWidth returns 1, 2 or 5 times a power of ten that is at least as wide.
func roundWidth(w float64) float64 {
	if w <= 0 {
		return 1
	}
	base := math.Pow(10, math.Floor(math.Log10(w)))
	for _, f := range []float64{1, 2, 5, 10} {
		if f*base >= w {
			return f * base
		}
	}
	return 10 * base
}
