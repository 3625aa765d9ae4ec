package builtin

import (
	"slices"
	"strings"
)

// ratio is a number that people know by name and that is the quotient of two
// totals, so that a table which has both can answer it.
type ratio struct {
	name    string
	phrases string
	part    []string // words of the column above, the better ones first
	whole   []string
	percent bool
}

func ratios() []ratio {
	return []ratio{
		{"conversion rate", "conversion rate|conversion rates|cvr", []string{"conversion", "convert", "purchas"}, []string{"click", "session", "visit", "visitor", "user"}, true},
		{"click-through rate", "ctr|click through rate|clickthrough rate|click rate", []string{"click"}, []string{"impression", "view"}, true},
		{"open rate", "open rate|open rates", []string{"open"}, []string{"deliver", "sent"}, true},
		{"cost per click", "cpc", []string{"spend", "cost"}, []string{"click"}, false},
		{"cost per conversion", "cpa|cost per acquisition", []string{"spend", "cost"}, []string{"conversion", "acquisition"}, false},
		{"return on ad spend", "roas|return on ad spend", []string{"revenue", "revenu", "sales"}, []string{"spend", "cost"}, false},
		{"profit margin", "profit margin|profit margins|profitability", []string{"profit"}, []string{"sales", "revenue", "revenu", "turnover", "amount"}, true},
	}
}

// readRatio takes a ratio by its name where both columns are there.
func (p *parser) readRatio(a *atom) {
	for _, r := range ratios() {
		if r.name != a.text {
			continue
		}
		part, whole := p.additive(r.part), p.additive(r.whole)
		if part == nil || whole == nil || part == whole {
			break
		}
		p.explain(a, 1)
		p.agg, p.aggPos = nil, -1
		p.form.measures = append(p.form.measures, measure{agg: aggSum, col: part, over: whole, percent: r.percent})
		p.last, p.lastAt = part, p.pos
		return
	}
	p.form.ignored = append(p.form.ignored, a.words)
	p.form.blocked = true
}

// additive finds the base table's column of numbers that goes by the first of the words.
func (p *parser) additive(words []string) *column {
	for _, w := range words {
		for _, c := range p.form.view.base.columns {
			if c.isNumber() && !c.rate() && slices.Contains(c.words, stem(w)) {
				return c
			}
		}
	}
	return nil
}

// overTotal makes of "price per square metre" the quotient of the totals.
func (p *parser) overTotal(c *column) bool {
	n := len(p.form.measures)
	if n == 0 || !c.isNumber() || c.isPart() || c.Distinct <= 20 || p.hint == "bins" {
		return false
	}
	m := &p.form.measures[n-1]
	if m.col == nil || m.col == c || !m.col.isNumber() || m.over != nil || m.per != nil || (m.agg != aggSum && m.agg != aggAvg) {
		return false
	}
	*m = measure{agg: aggSum, col: m.col, over: c}
	p.hint = ""
	return true
}

// shareOfTotal reads "tip as percentage of total".
func (p *parser) shareOfTotal(a *atom) bool {
	next, i := p.peek(p.pos + 1)
	n := len(p.form.measures)
	if n == 0 || next == nil || next.kind != atomLink || !strings.HasPrefix(strings.ToLower(a.words), "as ") && p.lastAt != p.pos-1 && p.lastAt != p.pos-2 {
		return false
	}
	c, m := p.pick(next), &p.form.measures[n-1]
	if c == nil || !c.isNumber() || valueOf(next) != nil || m.col == nil || m.col == c || !m.col.isNumber() || m.over != nil || m.per != nil || p.last != m.col {
		return false
	}
	*m = measure{agg: aggSum, col: m.col, over: c, percent: true}
	p.explain(a, 1)
	p.explain(next, 1)
	p.last, p.lastAt, p.pos = c, i, i+1
	return true
}

// readRate reads a rate: of what was returned, of faults, of those who cancelled.
func (p *parser) readRate(a *atom) {
	near := p.last != nil && p.lastAt == p.pos-1
	n := len(p.form.where)
	switch {
	case near && p.last.isDate() && p.last.Nulls > 0:
		// What has a date was done: the cancellation rate.
		p.form.where = append(p.form.where, condition{col: p.last, op: opNotNull})
		p.form.share = true
		p.explain(a, 1)
	case near && n > 0 && p.form.where[n-1].col == p.last && (p.form.where[n-1].op == opIn || p.form.where[n-1].op == opNotNull):
		p.form.share = true
		p.explain(a, 1)
	default:
		p.form.ignored = append(p.form.ignored, a.words)
		p.form.blocked = true
	}
}

// unable are wishes that no reading of the data grants, with what is said of them.
func unable(key string) string {
	switch key {
	case "forecast":
		return "I tell what the data say and make no forecasts."
	case "write":
		return "I only read the data and never change them."
	case "running":
		return "I do not make running totals or moving averages yet; I can give the value of each month, say."
	case "arithmetic":
		return "I do not calculate with several columns like that yet; I can give the total or the average of each, or one divided by the other (“A per B”)."
	case "latestper":
		return "I do not pick the latest row of each group yet; I can list the latest rows of one of them."
	default:
		return ""
	}
}
