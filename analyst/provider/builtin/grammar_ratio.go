package builtin

import (
	"slices"
	"strings"
)

// ratio is a number with a common name that is the quotient of two totals, so that a table with both
// columns can answer it.
type ratio struct {
	name    string
	phrases string
	part    []string // words of the column above the line, the better ones first
	whole   []string
	percent bool
}

func ratios() []ratio {
	return []ratio{
		{
			"conversion rate", "conversion rate|conversion rates|cvr",
			[]string{"conversion", "convert", "purchas", "transaction", "order"},
			[]string{"click", "session", "visit", "visitor", "user"},
			true,
		},
		{"click-through rate", "ctr|click through rate|clickthrough rate|click rate", []string{"click"}, []string{"impression", "view"}, true},
		{"open rate", "open rate|open rates", []string{"open"}, []string{"deliver", "sent"}, true},
		{"cost per click", "cpc", []string{"spend", "cost"}, []string{"click"}, false},
		{"cost per conversion", "cpa|cost per acquisition", []string{"spend", "cost"}, []string{"conversion", "acquisition"}, false},
		{"return on ad spend", "roas|return on ad spend", []string{"revenue", "revenu", "sales"}, []string{"spend", "cost"}, false},
		{"return on investment", "roi|return on investment", []string{"profit"}, []string{"spend", "cost", "budget", "investment"}, true},
		{"profit margin", "profit margin|profit margins|profitability", []string{"profit"}, []string{
			"sales", "revenue", "revenu", "turnover",
			"amount",
		}, true},
	}
}

// readRatio reads a ratio by its name if the table has both columns.
func (p *parser) readRatio(a *atom) {
	for _, r := range ratios() {
		if r.name != a.text {
			continue
		}
		part, whole := p.additive(r.part), p.additive(r.whole)
		if part == nil && slices.Contains(r.part, "profit") {
			part = p.form.view.base.profit()
		}
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

// additive finds the base table's column of numbers that has one of the words in its name; the first
// words are preferred.
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

// overTotal reads "price per square metre" as the quotient of the two totals.
func (p *parser) overTotal(c *column) bool {
	n := len(p.form.measures)
	if o := p.form.orderCol; n == 0 && o != nil && o != c && o.isNumber() && p.hint == "extreme" && c.isNumber() && !c.isPart() && !c.rate() {
		// "the city with the highest price per square metre"
		p.form.measures = []measure{{agg: aggSum, col: o, over: c}}
		p.form.orderCol, p.hint = nil, ""
		return true
	}
	if n == 0 || !c.isNumber() || c.isPart() || p.hint == "bins" {
		return false
	}
	if m := &p.form.measures[n-1]; p.superDir != "" && (m.agg == aggMin || m.agg == aggMax) {
		m.agg = aggAvg
	}
	divided := p.pos > 0 && p.atoms[p.pos-1].text == "divide"
	if word := strings.ToLower(p.atoms[p.pos].words); !divided && c.Distinct <= 20 && c.made == nil &&
		(c.rate() || strings.HasSuffix(word, "s") || c.isOpinion()) {
		return false // "per bedrooms" groups; "per bedroom" divides by the total of bedrooms
	}
	m := &p.form.measures[n-1]
	if m.col == nil || m.col == c || !m.col.isNumber() || m.over != nil || m.per != nil || (m.agg != aggSum && m.agg != aggAvg) {
		return false
	}
	for i := n - 1; i >= 0; i-- {
		twin := p.form.measures[i].twin
		p.form.measures[i] = measure{agg: aggSum, col: p.form.measures[i].col, over: c}
		if !twin {
			break
		}
	}
	p.hint = ""
	return true
}

// shareOfTotal reads "tip as percentage of total".
func (p *parser) shareOfTotal(a *atom) bool {
	next, i := p.peek(p.pos + 1)
	n := len(p.form.measures)
	if n == 0 || next == nil || next.kind != atomLink || !strings.HasPrefix(strings.ToLower(a.words), "as ") && p.lastAt != p.pos-1 &&
		p.lastAt != p.pos-2 {
		return false
	}
	c, m := p.pick(next), &p.form.measures[n-1]
	if c == nil || !c.isNumber() || valueOf(next) != nil || m.col == nil || m.col == c || !m.col.isNumber() || m.over != nil ||
		m.per != nil || p.last != m.col {
		return false
	}
	*m = measure{agg: aggSum, col: m.col, over: c, percent: true}
	p.explain(a, 1)
	p.explain(next, 1)
	p.last, p.lastAt, p.pos = c, i, i+1
	return true
}

// readRate reads a rate: the share of returned items, of faults, of customers who cancelled.
func (p *parser) readRate(a *atom) {
	near := p.last != nil && p.lastAt == p.pos-1
	n := len(p.form.where)
	switch {
	case near && p.last.isDate() && p.last.Nulls > 0:
		// A row with the date was cancelled: the cancellation rate.
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

// highestRate reads "the highest churn" as the highest rate, if churn is a date on which something
// ended.
func (p *parser) highestRate(a *atom, c *column) bool {
	if p.superPos < 0 || p.superPos < p.pos-2 || !c.isDate() || c.Nulls == 0 || !slices.ContainsFunc(a.links, func(l link) bool {
		return l.over && l.column == c
	}) {
		return false
	}
	p.form.where = append(p.form.where, condition{col: c, op: opNotNull})
	p.form.share, p.superPos, p.hint = true, -1, ""
	return true
}

// readMath reads a sign that is not between two numbers: in "revenue minus Germany" it excludes rows,
// and "5 plus" is 5 or more.
func (p *parser) readMath(a *atom) {
	next, _ := p.peek(p.pos + 1)
	switch {
	case isOne(strings.ToLower(a.words), "minus", "less") && next != nil && next.kind == atomLink && valueOf(next) != nil:
		p.not = true
		p.explain(a, 0.2)
	case strings.EqualFold(a.words, "less") && next == nil:
	case strings.EqualFold(a.words, "times") && next != nil && next.kind != atomLink && next.kind != atomNumber:
	case strings.EqualFold(a.words, "plus") && p.pos > 0 && p.atoms[p.pos-1].kind != atomLink:
	default:
		p.form.block(unable("arithmetic"))
	}
}

// unable returns the answer to a request that this planner cannot fulfil.
func unable(key string) string {
	switch key {
	case "forecast":
		return "I report what the data say and make no forecasts."
	case "write":
		return "I only read the data and never change them."
	case "arithmetic":
		return "I do not calculate like that; I can take one column minus, plus or times another, or one divided by the other (“A per B”)."
	case "latestper":
		return "I do not pick the latest row of each group yet; I can list the latest rows of one of them."
	default:
		return ""
	}
}
