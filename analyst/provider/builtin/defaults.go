package builtin

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// placeExtreme decides what "highest revenue" asks for: groups, rows, or one number.
func (p *parser) placeExtreme() {
	f := p.form
	if n := len(f.measures); f.orderCol == nil && p.superPos >= 0 && n > 0 && f.measures[n-1].assumed && f.measures[n-1].col != nil &&
		f.measures[n-1].col.isNumber() && p.lastAt < p.superPos && f.measures[n-1].over == nil {
		// In "who earns the most" the ranked number comes before the superlative.
		f.orderCol = f.measures[n-1].col
		f.measures = f.measures[:n-1]
		p.superPos, p.hint = -1, "extreme"
	}
	if f.orderCol == nil && p.superPos >= 0 {
		if word := p.atoms[p.superPos].hint; word != "" && word != "count" {
			c := p.byHint(word)
			if c == nil {
				f.ignored, f.blocked = append(f.ignored, p.atoms[p.superPos].words), true
				return
			}
			p.superMeasure(c)
		}
	}
	c := f.orderCol
	if c == nil || (p.hint != "extreme" && p.hint != "values") {
		if p.superPos < 0 {
			return
		}
		p.hint = orElse(p.hint, "primary")
		if c = primary(f.view.base); p.judged() && p.tableNamed() && len(f.dims)+len(p.mentions) == 0 && p.byHint("rating") != nil {
			c = p.byHint("rating") // the worst movies are the movies with the lowest rating
		}
		if c == nil {
			f.ignored = append(f.ignored, p.atoms[p.superPos].words)
			return
		}
		if len(f.dims) > 0 || len(p.mentions) > 0 || !p.tableNamed() {
			return
		}
		// This is "the biggest orders".
		f.note(fmt.Sprintf("You did not say by what, so I took %s.", quoteName(c)))
		f.orderCol = c
	}
	var groups []*column
	for _, m := range p.mentions {
		if m.groups() && !p.unique(m) && p.keyed(m) == nil {
			groups = append(groups, m)
		}
	}
	entity := p.tableNamed() || p.hasWho() || p.superValue
	who := p.person()
	switch {
	case p.hasWho() && who != nil && slices.Contains(p.agg, aggAvg) && len(f.dims)+len(groups) == 0:
		// "who is the fastest on average": rank by the mean of each.
		p.addDim(dimension{col: who})
		p.addMeasure(measure{agg: aggAvg, col: c})
		p.agg, f.single = nil, f.limit == 0
	case p.hasWho() && who != nil && c.rate() && p.judged() && !p.unique(who) && p.keyed(who) == nil && len(f.dims)+len(groups) == 0 &&
		!p.tableNamed() && c.table == f.view.base:
		// "who has the best rating": rank by the mean of each.
		p.addDim(dimension{col: who})
		p.addMeasure(measure{agg: aggAvg, col: c})
		f.single = f.limit == 0
	case p.hasWho() && who != nil && !c.rate() && p.mostly() && !p.unique(who) && p.keyed(who) == nil && len(f.dims)+len(groups) == 0 &&
		!p.tableNamed() && c.table == f.view.base:
		// "who got the most tips": rank by the total of each.
		p.addDim(dimension{col: who})
		p.addMeasure(measure{agg: aggSum, col: c})
		f.single = f.limit == 0
	case p.hint == "values" && len(f.dims) == 1 && f.limit > 0 && f.dims[0].grain == grainNone:
		p.placeRanked(c)
	case p.hint == "values":
		f.mode, f.orderCol, f.ordered = modeRows, c, true
		f.columns = p.showcase(c)
		return
	case len(f.dims) > 0 || len(groups) > 0:
		for _, g := range groups {
			p.addDim(dimension{col: g})
		}
		p.mentions = slices.DeleteFunc(p.mentions, func(m *column) bool { return slices.Contains(groups, m) })
		agg := defaultAgg(c)
		if p.extremeOf(c) {
			// "the highest price by category": take the highest of each group.
			agg = aggMax
			if !f.desc {
				agg = aggMin
			}
		}
		p.addMeasure(measure{agg: agg, col: c, assumed: agg == aggSum || agg == aggAvg})
		f.single = p.hasWhich() && f.limit == 0
	case entity || len(p.mentions) > 0:
		f.mode = modeRows
		f.columns = p.showcase(c)
		if f.limit == 0 {
			f.limit = 5
		}
		f.single = true
		p.mentions = nil
		return
	case f.limit > 1 && c.table == f.view.base:
		f.mode, f.columns, f.single = modeRows, p.showcase(c), true
		return
	default:
		agg := aggMax
		if !f.desc {
			agg = aggMin
		}
		p.addMeasure(measure{agg: agg, col: c})
	}
	f.orderCol = nil
	p.mentions = slices.DeleteFunc(p.mentions, func(m *column) bool { return m == c })
}

// placeRanked reads "the top scorers of each club": it ranks the people that the rows name.
func (p *parser) placeRanked(c *column) {
	f := p.form
	who := p.person()
	if who == nil {
		who = nameColumn(f.view.base)
	}
	if who == nil || who == f.dims[0].col {
		f.block("I could not tell what to rank in each group.")
		return
	}
	f.within = f.dims[0].col
	p.addDim(dimension{col: who})
	p.addMeasure(measure{agg: defaultAgg(c), col: c})
}

// extremeOf distinguishes "highest price by category" from "category with the highest revenue": in the
// first, the groups follow the number, and the question does not ask for one of them.
func (p *parser) extremeOf(c *column) bool {
	if p.hasWhich() || !c.rate() && !p.extremeRow() {
		return false
	}
	for i := range p.atoms {
		if p.atoms[i].kind == atomSuper {
			for k := i + 1; k < len(p.atoms); k++ {
				if p.atoms[k].kind == atomBy || p.atoms[k].kind == atomEach {
					return true
				}
			}
		}
	}
	return false
}

// extremeRow reports whether the superlative is about single rows: the biggest order of each customer
// is one order.
func (p *parser) extremeRow() bool {
	for i := range p.atoms {
		if p.atoms[i].kind != atomSuper {
			continue
		}
		for k := i + 1; k < len(p.atoms) && k <= i+2; k++ {
			if p.atoms[k].kind == atomLink && tableOfLink(&p.atoms[k]) == p.form.view.base && p.tableBeatsColumn(&p.atoms[k]) &&
				!strings.HasSuffix(p.atoms[k].words, "s") {
				return true
			}
		}
	}
	return false
}

func (p *parser) hasWho() bool {
	for i := range p.atoms {
		if p.atoms[i].kind == atomWhich && strings.EqualFold(p.atoms[i].words, "who") {
			return true
		}
	}
	return false
}

// placeAgg settles an aggregation for which no column was found: "the average by region".
func (p *parser) placeAgg() {
	f := p.form
	if len(p.agg) == 0 {
		if p.counting {
			f.measures = append(f.measures, measure{agg: aggCount})
		}
		return
	}
	if len(f.measures) > 0 && len(f.having) > 0 && strings.HasSuffix(strings.ToLower(p.atoms[p.aggPos].words), "total") {
		p.agg = nil // "more than three in total"
		return
	}
	if c := p.numbering(); c != nil {
		f.block(fmt.Sprintf("The numbers of %s seem to number the rows, and I would have taken those of another column.", quoteName(c)))
	}
	if c := p.timeHeading(); c != nil {
		f.block(fmt.Sprintf("%s is a column and a time here. Say which: the total of “%s”, or a column's total in %s.", quoteName(c), c.title(),
			c.title()))
	}
	fragment := f.fragment || len(f.measures) == 0 && !p.tableNamed()
	c := primary(f.view.base)
	for _, agg := range p.agg {
		switch {
		case c != nil:
			p.addMeasure(measure{agg: agg, col: c, assumed: true, aggOnly: true})
		default:
			p.addMeasure(measure{agg: aggCount, assumed: true})
		}
	}
	if c != nil && !fragment && f.flow == "" {
		f.note(fmt.Sprintf("You did not name a measure, so I took %s.", c.title()))
	}
	f.fragment = fragment
	p.agg = nil
}

// numbering returns the column after a word of aggregation if its numbers only seem to number the rows,
// such as boxes 1 to 20 in "total boxes". A question that names this column means it.
func (p *parser) numbering() *column {
	at := p.aggPos + 1
	for at < len(p.atoms) && p.atoms[at].kind == atomStop {
		at++
	}
	if at >= len(p.atoms) || len(p.atoms[at].links) == 0 {
		return nil
	}
	l := p.atoms[at].links[0]
	if l.column == nil || l.isValue || l.quality < 0.95 || l.column.keyLike() || !l.column.isSerial() || p.form.uses(l.column) {
		return nil
	}
	return l.column
}

// timeHeading returns the column whose heading is the time after a word of aggregation, if nothing else
// says what to aggregate: "the total 2023" may mean a column of that name and, if the table has a date,
// that year. With “in” before it, it is a time.
func (p *parser) timeHeading() *column {
	at := p.aggPos + 1
	for at < len(p.atoms) && p.atoms[at].kind == atomStop && isOne(strings.ToLower(p.atoms[at].words), "the", "of") {
		at++
	}
	if at >= len(p.atoms) || p.atoms[at].kind != atomSpan {
		return nil
	}
	words := strings.TrimSpace(p.atoms[at].words)
	for _, c := range p.form.view.base.columns {
		if c.isNumber() && strings.EqualFold(c.title(), words) {
			return c
		}
	}
	return nil
}

// primary is the number that a table is mainly about, judging by the names of its columns.
func primary(t *table) *column {
	var best *column
	rank := 0
	for _, c := range t.columns {
		if !c.isNumber() || c.isPart() {
			continue
		}
		score := 1
		if !c.rate() {
			score += 2
		}
		for _, w := range c.words {
			switch w {
			case "revenue", "revenu", "sales", "turnover":
				score += 6
			case "amount", "total", "income", "incom", "montant", "betrag", "umsatz", "importe", "import":
				score += 4
			case "mrr", "acv", "ltv", "clv", "gmv", "aum", "premium":
				score += 3
			case "profit", "value", "valu", "net", "gross", "salary", "cost", "spend":
				if !c.timeSpent() {
					score += 3
				}
			case "scor", "rating", "grad", "satisfaction":
				score += 3
			case "quantity", "unit", "temperatur", "sold":
				score++
			case "discount", "tax", "shipping", "line", "row", "index", "shipp":
				score -= 2
			}
		}
		if best == nil || score > rank {
			best, rank = c, score
		}
	}
	return best
}

// strong reports whether a number is one that a table is mainly about: its money, or its amounts.
func (c *column) strong() bool {
	for _, w := range c.words {
		if c.timeSpent() {
			return false
		}
		switch w {
		case "revenue", "revenu", "sales", "turnover", "amount", "total", "income", "montant", "betrag", "umsatz", "importe", "profit", "value",
			"valu", "mrr", "arr", "net", "gross", "spend", "cost", "salary", "price", "pric":
			return true
		}
	}
	return false
}

// timeSpent distinguishes the time that was spent from money that was spent.
func (c *column) timeSpent() bool {
	return slices.Contains(c.words, "spend") && slices.ContainsFunc(c.words, func(w string) bool {
		return isOne(w, "time", "minut", "min", "hour", "hr", "day")
	})
}

// placeMentions groups by, lists or counts the columns that the question names without saying what for.
func (p *parser) placeMentions() {
	f := p.form
	for _, c := range p.mentions {
		if p.has(c) {
			f.where = append(f.where, condition{col: c, op: opNotNull})
			continue
		}
		if slices.ContainsFunc(f.where, func(w condition) bool {
			return w.col == c && (w.op == opNotIn || w.op == opContains || w.op == opIn && len(w.values) == 1)
		}) && f.mode != modeRows {
			// "when status is warning" names a filter and not a group.
			continue
		}
		if p.ofWhom(c) {
			f.explained += 0.2
			p.passed = append(p.passed, c)
			continue
		}
		switch {
		case f.mode == modeRows && c.keyLike():
			// "the last 5 orders" asks for the orders, not for their numbers alone.
		case f.mode == modeRows:
			if !slices.Contains(f.columns, c) {
				f.columns = append(f.columns, c)
			}
		case f.mode == modeGroups && (len(f.measures) > 0 || f.follows || f.stance.opener || f.stance.part) && len(f.where) > 0 && p.described(c):
			f.explained += 0.2
			p.passed = append(p.passed, c)
		case c.keyLike() && f.mode == modeGroups && len(f.dims) == 0 && len(f.measures) > 0 && p.precededBy(c, "of") && len(f.where) > 0:
			// "the average score of students who were absent" is one number.
			f.explained += 0.2
		case len(f.having) > 0 && f.mode == modeGroups && c.groups() && !p.unique(c):
			p.addDim(dimension{col: c}) // "patients with more than 4 tests"
		case c.keyLike() && c.Distinct > 50 && f.mode == modeGroups:
			// "accounts by country": a thing that has a number of its own is counted once.
			if len(f.measures) == 0 && !p.unique(c) && (len(f.dims) > 0 || len(f.where) == 0) {
				f.measures = append(f.measures, measure{agg: aggDistinct, col: c})
			}
		case f.mode == modeGroups && len(f.measures) == 0 && len(f.dims) > 0 && p.heads(c) && !p.unique(c) && p.superDir == "" && !f.share &&
			!f.growth:
			// "products by category": count the distinct products of each category.
			f.measures = append(f.measures, measure{agg: aggDistinct, col: c})
		case (p.unique(c) || p.keyed(c) != nil) && f.orderCol == nil && f.mode == modeGroups && !p.hasWhich():
			f.explained += 0.2
		default:
			p.addDim(dimension{col: c})
		}
	}
	p.rowColumns()
}

// ofWhom reports whether a noun only says whom something belongs to: the region of the customer, orders
// from customers in Paris.
func (p *parser) ofWhom(c *column) bool {
	f := p.form
	if !c.isText() || len(f.having) > 0 || p.superDir != "" || f.limit > 0 {
		return false
	}
	if c.table != f.view.base && slices.ContainsFunc(p.named, func(m mention) bool {
		return m.col == c && m.at > 1 && p.atoms[m.at-1].kind == atomLink && valueOf(&p.atoms[m.at-1]) != nil &&
			valueOf(&p.atoms[m.at-1]).column.table == c.table && preposition(strings.ToLower(p.atoms[m.at-2].words))
	}) {
		return true // "of gold customers"
	}
	whose := p.precededBy(c, "of") && slices.ContainsFunc(f.dims, func(d dimension) bool { return d.col.table == c.table && d.col != c })
	from := (p.precededBy(c, "from") || p.precededBy(c, "of") || p.precededBy(c, "for")) &&
		slices.ContainsFunc(f.where, func(w condition) bool {
			return w.col.table == c.table && w.op == opIn && w.col != c
		})
	return c.table != f.view.base && (whose || from)
}

// precededBy reports whether a column was named directly after a word.
func (p *parser) precededBy(c *column, word string) bool {
	return slices.ContainsFunc(p.named, func(m mention) bool {
		return m.col == c && m.at > 0 && strings.EqualFold(p.atoms[m.at-1].words, word)
	})
}

// has reads "how many guests have an email": the column is not empty.
func (p *parser) has(c *column) bool {
	if c.Nulls == 0 {
		return false
	}
	for _, m := range p.named {
		if m.col != c {
			continue
		}
		for i := m.at - 1; i >= 0 && i >= m.at-2; i-- {
			switch strings.ToLower(p.atoms[i].words) {
			case "have", "has", "with", "gave", "left", "used", "use", "uses", "got", "had":
				return true
			case "is", "was":
				return i > 0 && strings.EqualFold(p.atoms[i-1].words, "there")
			case "an", "a", "any":
			default:
				return false
			}
		}
	}
	return false
}

// unique reports whether a column names each row that the question asks about.
func (p *parser) unique(c *column) bool { return c.table == p.form.view.base && c.names() }

// defaultMeasure chooses what is counted or summed if the question does not say.
func (p *parser) defaultMeasure() {
	f := p.form
	if f.mode != modeGroups || len(f.measures) > 0 {
		return
	}
	c := primary(f.view.base)
	if c != nil && !c.strong() && !c.rate() && p.superDir != "" && slices.ContainsFunc(p.atoms, func(a atom) bool {
		return past(strings.ToLower(a.words))
	}) {
		c = nil // "who sold the most" is who has the most rows, if the table has no money
	}
	if c != nil && !c.strong() && p.hint != "primary" || f.shareOf != nil || p.hint == "count" {
		c = nil
	}
	if p.ranksReasons() {
		c = nil
	}
	if c := p.booked(); c != nil && f.view.base.long() {
		f.measures = []measure{{agg: defaultAgg(c), col: c, assumed: true}}
		return
	}
	switch {
	case f.shareOf != nil:
		return
	case p.hint == "count" && len(f.dims) == 0 && p.hasWho() && p.person() != nil:
		// "who treated the most cats": count the rows of each.
	case len(f.dims) == 0 && !f.share && !f.growth && len(f.having) == 0:
		if p.hint == "primary" && c != nil || f.fragment && len(f.where)+len(p.nums) == 0 {
			break
		}
		f.mode = modeRows
		return
	case (f.growth || f.compare) && slices.ContainsFunc(p.named, func(m mention) bool {
		return m.col.isDate() && strings.HasSuffix(m.words, "s")
	}):
		// "the change in admissions" is about the number of admissions.
	case f.compare && p.tableNamed(), f.compare && p.statesCompared():
	case p.booked() != nil:
		// "the salary of each month" is the amount that was booked as salary.
		c = p.booked()
		f.measures = []measure{{agg: aggSum, col: c, assumed: true}}
		f.note(fmt.Sprintf("You did not name a measure, so I took the total of %s.", quoteName(c)))
		return
	case c != nil && (p.hint == "primary" || f.limit > 0 || f.compare || f.growth || f.ordered):
		f.measures = []measure{{agg: defaultAgg(c), col: c, assumed: true}}
		if p.extremeRow() {
			// "the biggest grant of each donor" is one grant.
			f.measures[0].agg = map[bool]aggregate{true: aggMax, false: aggMin}[p.superDir != "asc"]
		}
		if !f.fragment || f.compare && !f.follows {
			f.note(fmt.Sprintf("You did not name a measure, so I took %s.", strings.ReplaceAll(f.measures[0].name(), "_", " ")))
		}
		return
	case p.hint == "primary" && c == nil:
	}
	f.measures = []measure{{agg: aggCount, assumed: true}}
}

// rowsShown is the maximum number of rows of a list that names none.
const rowsShown = 50

// order sorts by time if the groups have a time, and otherwise with the biggest first.
func (p *parser) order() {
	f := p.form
	switch f.mode {
	case modeRows:
		if f.limit == 0 {
			f.limit = rowsShown
		}
		if f.orderCol == nil && f.ordered && f.limit < rowsShown {
			c := primary(f.view.base)
			if rated := p.byHint("rating"); p.judged() && rated != nil {
				c = rated
			}
			if c != nil {
				f.orderCol = c
			}
		}
	case modeGroups:
		timed := f.timed() != nil || len(f.dims) > 0 && (f.dims[0].width > 0 || f.dims[0].periods != nil || f.dims[0].col.isPart() ||
			f.dims[0].col.isNumber())
		f.orderDim = timed && !f.ordered && !f.single
		if timed && f.ordered && f.limit == 0 && !f.single {
			f.orderDim = false
		}
		if !f.ordered {
			f.desc = !f.orderDim
		}
		if f.single && f.limit == 0 {
			f.limit = 10
		}
		if len(f.dims) == 0 {
			f.limit = 0
		}
		if f.growth {
			f.orderDim, f.desc = true, false
		}
		p.reverseIfLessIsBetter()
	case modeDescribe, modeCorrelation:
	}
}

func trimFloat(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
