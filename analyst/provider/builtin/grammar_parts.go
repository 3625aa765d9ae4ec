package builtin

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/domain"
)

// readColumn gives a column the role that the words before it expect.
func (p *parser) readColumn(c *column) {
	defer func(at int) { p.last, p.lastAt = c, max(at, p.lastAt) }(p.pos)
	p.compound(c)
	next, _ := p.peek(p.pos + 1)
	filtered := next != nil && next.text != "=" &&
		(next.kind == atomContains && c.isText() || (next.kind == atomCmp || next.kind == atomBetween && p.numberAfter(next)) && c.hasOrder())
	// "students with more than 5 tests" does not compare student numbers.
	filtered = filtered && !(c.identifies() && strings.HasSuffix(p.atoms[p.pos].words, "s"))
	switch {
	case p.not && p.lacking():
		p.not = false
		switch {
		case c.booleanLike():
			p.addCondition(condition{col: c, op: opIn, values: []string{c.truth(false)}})
		case c.isNumber() && c.Min != "" && parseNumber(c.Min) < 0:
			// "no delay" is a delay of zero, or less.
			p.form.where = append(p.form.where, condition{col: c, op: opLe, nums: []float64{0}})
		case c.isNumber() && c.Nulls == 0 && c.Min != "" && parseNumber(c.Min) <= 0:
			// "No absences" means that their number is zero.
			p.form.where = append(p.form.where, condition{col: c, op: opEq, nums: []float64{0}})
		case c.isNumber() && c.Min != "" && parseNumber(c.Min) == 0:
			p.form.ask(fmt.Sprintf("%s is 0 in some rows and empty in others; please say which of them you mean.", quoteName(c)))
		default:
			p.form.where = append(p.form.where, p.without(c, false))
		}
	case p.orderBy:
		p.orderBy = false
		p.orderColumn(c)
	case len(p.nums) > 0 && c.isNumber():
		for _, n := range p.nums {
			n.col = c
			p.compareWith(n)
		}
		p.nums = nil
	case p.byNext || p.perNext:
		p.readGroup(c)
	case p.hint == "bins" && c.isNumber():
		p.hint = ""
		p.form.dims = append(p.form.dims, binned(c))
	case c.isDate():
		p.readDate(c)
	case c.isFlag() && len(p.agg) > 0 && !p.counting:
		for _, agg := range p.agg {
			p.addMeasure(measure{agg: agg, col: c})
		}
		p.agg = nil
	case c.isBool() || (c.booleanLike() && !p.topNoun):
		if p.superPos >= 0 && p.superPos == p.pos-1 {
			// "the fewest cancellations" counts rows.
			p.form.measures = append(p.form.measures, measure{agg: aggCount})
			p.form.ordered, p.form.desc, p.form.single = true, p.superDir == "desc", p.form.limit == 0
			p.superPos, p.hint = -1, ""
		}
		p.preposition(c)
		p.addCondition(condition{col: c, op: opIn, values: []string{c.truth(!p.not)}})
		p.not = false
	case c.isYear() && len(p.agg) > 0 && p.aggPos >= p.pos-2 && !p.counting && !slices.Contains(p.agg, aggSum):
		for _, agg := range p.agg {
			p.addMeasure(measure{agg: agg, col: c})
		}
		p.agg = nil
	case c.isNumber() && !c.isPart():
		p.readNumberColumn(c, filtered)
	case filtered:
	case p.superPos >= 0 && (p.superHint() == "count" || p.superPos == p.pos-1):
		p.superNoun(c)
	case p.which && len(p.form.dims) == 0:
		p.which = false
		p.addDim(dimension{col: c})
		p.hint = orElse(p.hint, "which")
	case p.topNoun:
		p.topNoun = false
		p.addDim(dimension{col: c})
	case p.distinct:
		p.distinct = false
		p.form.measures = append(p.form.measures, measure{agg: aggDistinct, col: c})
	default:
		if !contains(p.mentions, c) {
			p.mentions = append(p.mentions, c)
		}
	}
}

// numberAfter distinguishes "age between 30 and 40" from "age between men and women".
func (p *parser) numberAfter(between *atom) bool {
	for i := range p.atoms {
		if &p.atoms[i] == between {
			next, _ := p.peek(i + 1)
			return next != nil && (next.kind == atomNumber || next.kind == atomSpan)
		}
	}
	return false
}

// compound reads two names in a row: the second is meant, and the first only describes it, as in the
// product category and the customer city.
func (p *parser) compound(c *column) {
	first := p.last
	// In "industry churn" the industry does not describe the churn.
	names := first != nil && (first.isText() || first.keyLike()) && !c.booleanLike()
	if !names || first == c || c.isDate() && !strings.Contains(strings.ToLower(p.atoms[p.pos].words), "da") || p.unique(c) &&
		strings.EqualFold(p.atoms[p.pos].words, coreTitle(c)+"s") || p.lastAt != p.pos-1 || c.isNumber() ||
		p.atoms[p.lastAt].kind != atomLink || valueOf(&p.atoms[p.lastAt]) != nil {
		return
	}
	if n := len(p.form.dims); n > 0 && p.form.dims[n-1].col == first {
		p.form.dims = p.form.dims[:n-1]
		p.byNext = true
	}
	p.mentions = slices.DeleteFunc(p.mentions, func(m *column) bool { return m == first })
	p.named = slices.DeleteFunc(p.named, func(m mention) bool { return m.col == first })
}

// readNumberColumn takes a column of numbers as a measure, unless the words around it give it another
// role.
func (p *parser) readNumberColumn(c *column, filtered bool) {
	verb := past(strings.ToLower(p.atoms[p.pos].words)) || isOne(strings.ToLower(p.atoms[p.pos].words), "sell", "spend", "pay", "earn",
		"sells")
	// In "revenue and spend" both words are numbers.
	verb = verb && (p.pos == 0 || !slices.Contains([]atomKind{atomAnd, atomVs, atomBy, atomAgg, atomSuper}, p.atoms[p.pos-1].kind))
	done := past(lastWord(p.atoms[p.pos].words)) && p.behindTable() && len(p.agg) == 0 && p.superPos < 0 && !p.topNoun && !p.orderBy
	switch {
	case done && p.dayOf(c) != nil:
		p.dateNamed = p.dayOf(c) // "grants approved last year" are the grants that were approved then
	case verb && (len(p.form.measures) > 0 || p.tableNamed() && (p.counting || p.not || p.describesRows())):
		// In "how many products did we sell" the products are counted; "how many were reopened" counts
		// the rows whose number of times is more than zero.
		if w := strings.ToLower(p.atoms[p.pos].words); past(w) && !isOne(w, "sold", "spent", "paid", "earned", "bought") &&
			c.Type == domain.ColumnInteger && parseNumber(c.Min) == 0 {
			op := opGt
			if p.not {
				op, p.not = opEq, false
			}
			p.form.where = append(p.form.where, condition{col: c, op: op, nums: []float64{0}})
		}
	case len(p.agg) > 0:
		for _, agg := range p.agg {
			p.addMeasure(measure{agg: agg, col: c})
		}
		p.agg = nil
	case filtered && !p.form.growth && !p.form.share && p.superPos < 0:
		// The comparison that follows decides the role of the column.
	case p.topNoun && len(p.form.dims) == 0:
		p.topNoun = false
		p.hint = "values"
		p.form.orderCol, p.form.desc = c, p.superDir != "asc"
	case p.superPos >= 0:
		p.superMeasure(c)
	default:
		p.addMeasure(measure{agg: defaultAgg(c), col: c, assumed: true})
	}
}

// readGroup takes a column after "by" or "per".
func (p *parser) readGroup(c *column) {
	per := p.perNext
	p.byNext, p.perNext = false, false
	if k := p.keyBehind(c); k != nil {
		c = k
	}
	n := len(p.form.measures)
	many := c.Distinct > 50 || c.identifies() && c.Distinct == 0
	if per && c.isNumber() && p.overTotal(c) {
		return
	}
	if !per && c.isNumber() && !c.isPart() && c.Distinct > 20 && p.form.compare && n == 0 && len(p.form.dims) == 0 {
		// The salary of two compared groups is what is measured.
		p.addMeasure(measure{agg: defaultAgg(c), col: c, assumed: true})
		return
	}
	if per && n > 0 && many && !c.isNumber() && (p.form.measures[n-1].col == nil || !p.form.measures[n-1].col.rate()) &&
		(p.form.measures[n-1].agg == aggAvg || p.hint == "ratio" || (p.unique(c) && p.form.measures[n-1].assumed)) {
		// The mean over customers is a total divided by the number of customers. They are counted by
		// their key, because two customers may have the same name.
		m := &p.form.measures[n-1]
		if c.table.on != nil {
			c = c.table.on
		}
		m.per = c
		if m.agg == aggAvg {
			m.agg = aggSum
			if m.col == nil {
				m.agg = aggCount
			}
		}
		p.hint = ""
		return
	}
	if per && p.overTotal(c) {
		return
	}
	p.hint = strings.TrimSuffix(p.hint, "ratio")
	within := p.form.single || p.hasWhich() && p.pos > 0 && strings.Contains(strings.ToLower(p.atoms[p.pos-1].words), "each")
	common := !c.isNumber() && !c.isDate() && (p.form.single && !p.hasWhich() && p.countedMost() ||
		p.topOpen && p.topFew == 1 && len(p.form.dims) == 1 && p.form.dims[0].col != c)
	if (per || common) && p.form.limit == 0 && p.superDir != "" && len(p.form.dims) == 1 && p.form.dims[0].col != c && within {
		// "the cheapest product of each category", "which product sold best in each category"
		p.form.limit, p.form.single = 1, false
	}
	if (per || common) && p.form.limit > 0 && len(p.form.dims) > 0 {
		p.form.within = c
		if p.topOpen {
			p.form.limit = p.topFew
		}
	}
	switch {
	case c.isDate():
		g := grainAuto
		if w := strings.ToLower(p.atoms[p.pos].words); isOne(w, "hour", "day", "week", "month", "quarter", "year") {
			g = grain(w) // even if a column has the name of the unit
		} else if isOne(w, "night", "nights") || per && w == "date" {
			g = grainDay
		}
		p.addDim(dimension{col: c, grain: g})
	case c.isNumber() && !c.isPart() && c.Distinct > 20:
		p.addDim(dimension{col: c, width: binWidth(c)})
	default:
		p.addDim(dimension{col: c})
	}
}

// readDate reads a date as the time of the question; it is a group only if the question asks for one.
func (p *parser) readDate(c *column) {
	if p.pos > 0 && p.atoms[p.pos-1].words == "to" {
		return // "how long it takes to resolve" is not a date
	}
	p.dateNamed = c
	switch {
	case len(p.agg) > 0 && (p.agg[0] == aggMin || p.agg[0] == aggMax):
		p.addMeasure(measure{agg: p.agg[0], col: c})
		p.agg = nil
	case p.superlativeOf(c) != nil:
		p.extremeDay(c, p.superlativeOf(c))
	case p.superPos >= 0 && p.superPos == p.pos-1 && !isOne(p.hint, "", "count", "age"):
		p.extremeBehind()
	case p.rankedDay(c):
	case p.superPos < 0 && p.headsSuper():
		p.addDim(dimension{col: c, grain: grainDay}) // "the day with the most riders"
	case p.superPos >= 0 || p.form.ordered:
		p.form.orderCol, p.superPos = c, -1
	default:
		p.spanHint = append(p.spanHint, c.words...)
	}
}

// orderColumn takes the column after "sorted by".
func (p *parser) orderColumn(c *column) {
	if f := p.form; f.mode != modeRows && len(f.measures)+len(f.dims)+len(p.mentions) == 0 && len(p.agg) == 0 && !p.counting {
		// "sort by price" sorts the rows themselves.
		f.mode, f.orderCol = modeRows, c
		f.desc = c.hasOrder()
		return
	}
	if c.isNumber() && p.form.mode != modeRows {
		p.addMeasure(measure{agg: defaultAgg(c), col: c, assumed: true})
		return
	}
	p.form.orderCol = c
	p.form.desc = c.hasOrder()
}

// lacking distinguishes "without a comment" from "not in Germany".
func (p *parser) lacking() bool {
	given := false
	for i := p.pos - 1; i >= 0 && i >= p.pos-4; i-- {
		switch p.atoms[i].kind {
		case atomNot:
			return given || isOne(strings.ToLower(p.atoms[i].words), "without", "no", "lacking")
		case atomStop, atomUnknown:
			given = given || isOne(strings.ToLower(p.atoms[i].words), "answer", "give", "provide", "fill", "have", "has", "state", "enter",
				"answered", "given", "specify", "get", "got", "receive")
		default:
			return false
		}
	}
	return false
}

// superMeasure ranks by a column: the highest revenue, the lowest price.
func (p *parser) superMeasure(c *column) {
	if stat, _ := c.held(); stat == aggAvg && !slices.ContainsFunc(strings.Fields(strings.ToLower(p.atoms[p.pos].words)), func(w string) bool {
		return statistic(w) != ""
	}) {
		other := p.extremeSibling(c)
		for i := range p.named {
			if p.named[i].col == c {
				p.named[i].col = other
			}
		}
		c = other
	}
	if p.turned = p.judged() && c.lessIsBetter() || p.pace() && c.longLasting(); p.turned {
		p.superDir = map[string]string{"asc": "desc", "desc": "asc"}[p.superDir]
	}
	p.form.ordered, p.form.desc = true, p.superDir == "desc"
	p.form.orderCol = c
	p.superPos = -1
	p.hint = "extreme"
}

// byHint finds the column that a word such as "older" refers to.
func (p *parser) byHint(word string) *column {
	want := stem(word)
	for _, c := range p.form.view.columns() {
		if c.isNumber() && slices.Contains(c.words, want) {
			return p.extremeSibling(c)
		}
	}
	for _, other := range synonymsOf(want) {
		for _, c := range p.form.view.columns() {
			if c.isNumber() && slices.Contains(c.words, other) {
				return p.extremeSibling(c)
			}
		}
	}
	switch word {
	case "speed":
		return p.lasting() // the fastest one took the least time
	case "duration":
		return p.byHint("distance") // the longest flight
	case "revenue":
		if c := p.byUnit([]string{stem("value"), "worth", stem("price")}); c != nil {
			return c // the most valuable player
		}
	case "profit":
		return p.form.view.base.profit()
	case "price":
		return p.byUnit(money()) // the most expensive visit has the highest bill
	}
	return nil
}

func synonymsOf(w string) []string {
	var out []string
	for _, group := range synonyms() {
		if slices.Contains(stems(group), w) {
			out = append(out, stems(group)...)
		}
	}
	return out
}

func defaultAgg(c *column) aggregate {
	if c.rate() {
		return aggAvg
	}
	return aggSum
}

func (p *parser) addMeasure(m measure) {
	for i, old := range p.form.measures {
		if old.col == m.col && (old.agg == m.agg || m.assumed) {
			return
		}
		if old.col == m.col && old.assumed {
			p.form.measures[i] = m
			return
		}
	}
	p.form.measures = append(p.form.measures, m)
}

func (p *parser) addDim(d dimension) {
	d.col = p.known(d.col)
	for _, old := range p.form.dims {
		if old.col == d.col && (old.grain == d.grain || d.grain == grainAuto) {
			return
		}
	}
	p.form.dims = append(p.form.dims, d)
}

// known returns the name column for the key of a joined table, if each key has a different name:
// products are shown by their names.
func (p *parser) known(c *column) *column {
	if c == nil || c.table != p.form.view.base || !c.keyLike() || slices.ContainsFunc(p.spanHint, func(w string) bool {
		return isOne(w, "id", "ids", "code", "cod", "number", "sku")
	}) {
		return c
	}
	for _, t := range p.form.view.joined {
		if shown := nameColumn(t); t.on == c && shown != nil && shown.unique() {
			return shown
		}
	}
	return c
}

// readAgg starts an aggregation; the next column belongs to it.
func (p *parser) readAgg(a *atom) {
	if p.aggPos < 0 || p.pos-p.aggPos > 3 {
		p.agg = nil
	}
	if agg := aggregate(a.text); !slices.Contains(p.agg, agg) {
		p.agg = append(p.agg, agg)
	}
	p.aggPos, p.counting = p.pos, false
	p.explain(a, 0.5)
	p.form.fragment = true
}

// readBy expects a dimension, except after a ranked noun: top products by revenue.
func (p *parser) readBy(a *atom) {
	p.explain(a, 0.2)
	if p.counting {
		p.form.measures = append(p.form.measures, measure{agg: aggCount})
		p.counting = false
	}
	next, _ := p.peek(p.pos + 1)
	if next != nil && next.kind == atomHowMany {
		// "by number of bedrooms" means the column with that number.
		if noun, i := p.peek(p.pos + 2); noun != nil && noun.kind == atomLink {
			if c := p.pick(noun); c != nil && c.isNumber() && !c.rate() && c.Distinct > 0 && c.Distinct <= 60 {
				p.addDim(dimension{col: c})
				p.last, p.lastAt, p.pos = c, i, i+1
				return
			}
		}
	}
	if next != nil && (next.kind == atomAgg || next.kind == atomHowMany) {
		return
	}
	if a.kind == atomBy && next != nil && next.kind == atomLink {
		ranked := p.form.limit > 0 || p.form.ordered || (len(p.form.dims) > 0 && len(p.form.measures) == 0)
		if c := primary(p.form.view.base); ranked && tableOfLink(next) == p.form.view.base && salesMoney(next.words) && c != nil && c.strong() &&
			numberOf(next) == nil {
			p.addMeasure(measure{agg: defaultAgg(c), col: c, assumed: true})
			p.explain(next, 1)
			_, i := p.peek(p.pos + 1)
			p.last, p.lastAt, p.pos = c, i, i+1
			return
		}
		if t := tableOfLink(next); ranked && t == p.form.view.base && p.tableBeatsColumn(next) && !salesMoney(next.words) {
			// "top departments by headcount"
			p.form.measures = append(p.form.measures, measure{agg: aggCount})
			p.explain(next, 1)
			p.pos++
			for p.pos < len(p.atoms) && &p.atoms[p.pos] != next {
				p.pos++
			}
			p.pos++
			return
		}
		if ranked {
			was := p.agg
			p.agg = append(p.agg, aggSum)
			c := p.pick(next)
			p.agg = was
			if c != nil && c.isNumber() && !c.isPart() {
				p.byNext = false
				return
			}
		}
	}
	p.byNext = a.kind == atomBy
	p.perNext = a.kind == atomEach
	if p.topNoun && len(p.mentions) == 0 {
		p.topNoun = false
	}
}

// readTop reads the beginning of a ranking, as in "top 5".
func (p *parser) readTop(a *atom) {
	p.explain(a, 0.5)
	p.form.ordered, p.form.desc, p.superDir = true, a.text == "desc", a.text
	p.topNoun = true
	if next, i := p.peek(p.pos + 1); next != nil && next.kind == atomNumber && next.num >= 1 && next.num <= 10000 {
		p.form.limit, p.few = int(next.num), int(next.num)
		p.explain(next, 0.5)
		p.pos = i + 1
	} else if p.form.limit == 0 && a.hint == "rows" {
		p.topOpen = true
	} else if p.form.limit == 0 && a.hint == "" {
		p.form.limit = 10
		p.topOpen, p.topFew = true, 5
		if next, i := p.peek(p.pos + 1); strings.HasPrefix(strings.ToLower(a.words), "best") || next != nil && i == p.pos+1 &&
			next.kind == atomLink && !strings.HasSuffix(next.words, "s") {
			p.topFew = 1 // the top customer of each city is one customer
		}
	}
	if d := p.form.dateColumn(p.spanHint); a.hint == "rows" && p.topOpen && d != nil {
		p.form.limit, p.form.orderCol, p.form.desc = 5, d, false
	} else if a.hint == "rows" && p.form.limit == 0 {
		p.form.limit = 10
	}
	if a.hint == "rows" {
		p.form.mode, p.topNoun, p.form.ordered = modeRows, false, false
	}
}

// readSuper reads a superlative.
func (p *parser) readSuper(a *atom) {
	if next, i := p.peek(p.pos + 1); next != nil && i == p.pos+1 && next.kind == atomNumber && a.hint == "" {
		p.readTop(a)
		return
	}
	if next, i := p.peek(p.pos + 1); next != nil && i == p.pos+1 && next.kind == atomNumber && next.num >= 1 && next.num <= 10000 &&
		p.form.limit == 0 {
		// "the cheapest 5 products"
		p.form.limit, p.atoms[i].kind = int(next.num), atomStop
	}
	p.explain(a, 0.5)
	if next, _ := p.peek(p.pos + 1); next != nil && next.kind == atomAgg && a.hint != "count" {
		a.hint = "" // "the shortest average" names its number itself
	}
	p.superDir, p.hint = a.text, a.hint
	p.superPos = p.pos
	p.meantBySuper(a)
	p.form.ordered, p.form.desc = true, a.text == "desc"
	if next, _ := p.peek(p.pos + 1); isOne(strings.ToLower(a.words), "most", "fewest", "least") && next != nil && next.kind == atomLink &&
		valueOf(next) != nil && next.links[0].isValue {
		p.hint = "count" // "the most failures" counts failures
	}
	if p.mostDone(a) {
		return
	}
	if a.hint != "" && a.hint != "count" {
		if next, _ := p.peek(p.pos + 1); next == nil || next.kind != atomLink || tableOfLink(next) == p.form.view.base || valueOf(next) != nil {
			// "the cheapest", "who is the oldest": the word itself says which number is meant.
			p.superValue = next != nil && next.kind == atomLink && valueOf(next) != nil
			c := p.byHint(a.hint)
			switch {
			case c != nil:
				p.superMeasure(c)
			case a.hint == "duration" && p.lasting() != nil && !p.hasWho():
				p.superMeasure(p.lasting())
			case a.hint == "age" || a.hint == "duration" && p.hasWho():
				// The oldest house was built first; the guest who stayed longest came first.
				if c = p.beginning(a.hint == "age"); c != nil {
					p.superDir = map[string]string{"asc": "desc", "desc": "asc"}[p.superDir]
					p.superMeasure(c)
				}
			}
		}
	}
}

// readBasket reads "the average order value" as the total of all orders divided by their number.
func (p *parser) readBasket(a *atom) {
	base := p.form.view.base
	c := primary(base)
	if c == nil || !c.strong() {
		p.form.ignored = append(p.form.ignored, a.words)
		return
	}
	p.explain(a, 1)
	m := measure{agg: aggAvg, col: c}
	for _, key := range base.columns {
		if key.keyLike() && !key.names() && slices.ContainsFunc(key.words, func(w string) bool {
			return isOne(w, "order", "invoic", "basket", "transaction", "receipt", "ticket")
		}) && !slices.Contains(key.words, "line") {
			m = measure{agg: aggSum, col: c, per: key}
			break
		}
	}
	p.form.measures = append(p.form.measures, m)
	p.basket = true
}

// binned groups a number by its values if there are few, or else in steps.
func binned(c *column) dimension {
	if c.Distinct > 0 && c.Distinct <= 25 {
		return dimension{col: c}
	}
	return dimension{col: c, width: binWidth(c)}
}

// binWidth makes about ten bins of a round width.
func binWidth(c *column) float64 {
	low, high := parseNumber(c.Min), parseNumber(c.Max)
	return roundWidth((high - low) / 10)
}
