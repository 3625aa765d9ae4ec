package builtin

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// placeExtreme settles "highest revenue": of groups, of rows, or one number.
func (p *parser) placeExtreme() {
	f := p.form
	if n := len(f.measures); f.orderCol == nil && p.superPos >= 0 && n > 0 && f.measures[n-1].assumed && f.measures[n-1].col != nil &&
		f.measures[n-1].col.isNumber() && p.lastAt < p.superPos && f.measures[n-1].over == nil {
		// "who earns the most": what is ranked stands before.
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
			c = p.byHint("rating") // the worst movies are those of the lowest rating
		}
		if c == nil {
			f.ignored = append(f.ignored, p.atoms[p.superPos].words)
			return
		}
		if len(f.dims) > 0 || len(p.mentions) > 0 || !p.tableNamed() {
			return
		}
		// "the biggest orders"
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
		// Who is the fastest on average: the mean of each.
		p.addDim(dimension{col: who})
		p.addMeasure(measure{agg: aggAvg, col: c})
		p.agg, f.single = nil, f.limit == 0
	case p.hasWho() && who != nil && c.rate() && p.judged() && !p.unique(who) && p.keyed(who) == nil && len(f.dims)+len(groups) == 0 &&
		!p.tableNamed() && c.table == f.view.base:
		// Who has the best rating: the mean of each.
		p.addDim(dimension{col: who})
		p.addMeasure(measure{agg: aggAvg, col: c})
		f.single = f.limit == 0
	case p.hasWho() && who != nil && !c.rate() && p.mostly() && !p.unique(who) && p.keyed(who) == nil && len(f.dims)+len(groups) == 0 &&
		!p.tableNamed() && c.table == f.view.base:
		// Who got the most tips: all that each of them got.
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
			// "the highest price by category": each group's highest.
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

// placeRanked: the top scorers of each club are those who are named with the number.
func (p *parser) placeRanked(c *column) {
	f := p.form
	who := p.person()
	if who == nil {
		who = nameColumn(f.view.base)
	}
	if who == nil || who == f.dims[0].col {
		f.block("I could not tell what is to be ranked in each group.")
		return
	}
	f.within = f.dims[0].col
	p.addDim(dimension{col: who})
	p.addMeasure(measure{agg: defaultAgg(c), col: c})
}

// extremeOf tells "highest price by category" from "category with the highest
// revenue": the groups follow the number, and nobody asks which.
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

// extremeRow: the biggest order of each customer is one order.
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

// showcase are the columns that make a row recognisable beside the one that matters.
func (p *parser) showcase(c *column) []*column {
	var out []*column
	add := func(c *column) {
		if c != nil && !slices.Contains(out, c) && len(out) < 6 {
			out = append(out, c)
		}
	}
	base := p.form.view.base
	for _, col := range base.columns {
		if col.isText() && len(col.words) > 0 && (col.words[len(col.words)-1] == "name" || isOne(col.words[len(col.words)-1], "title",
			"titl") && 2*col.Distinct >= base.Rows) {
			add(col)
		}
	}
	if len(out) == 0 {
		for _, col := range base.columns {
			if col.identifies() && (col.names() || col.keyLike() && !isOne(col.words[len(col.words)-1], "code", "cod")) {
				add(col)
				break
			}
		}
	}
	if len(out) > 0 && !out[0].unique() {
		for _, col := range base.columns {
			if col.names() && col.identifies() {
				add(col) // two of one name are told apart
				break
			}
		}
	}
	when := slices.ContainsFunc(p.atoms, func(a atom) bool { return strings.EqualFold(a.words, "when") })
	if dates := base.dates(); (len(out) == 0 || when) && len(dates) > 0 {
		add(dates[0]) // a day is known by its date
	}
	for _, m := range p.mentions {
		add(m)
	}
	for _, col := range base.columns {
		if col.isText() && col.groups() && !col.identifies() && len(out) < 4 {
			add(col)
		}
	}
	for _, w := range p.form.where {
		add(w.col)
	}
	if !slices.Contains(out, c) {
		out = append(out, c)
	}
	return out
}

// placeAgg settles an aggregation that found no column: "the average by region".
func (p *parser) placeAgg() {
	f := p.form
	if len(p.agg) == 0 {
		if p.counting {
			f.measures = append(f.measures, measure{agg: aggCount})
		}
		return
	}
	if len(f.measures) > 0 && len(f.having) > 0 && strings.HasSuffix(strings.ToLower(p.atoms[p.aggPos].words), "total") {
		p.agg = nil // more than three in total
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
		f.note(fmt.Sprintf("You did not say of what, so I took %s.", c.title()))
	}
	f.fragment = fragment
	p.agg = nil
}

// numbering is the column that stands behind a word of aggregation, where its numbers only seem to
// count the rows: total boxes, of boxes that are 1 to 20. A question that names it means this column.
func (p *parser) numbering() *column {
	at := p.aggPos + 1
	for at < len(p.atoms) && p.atoms[at].kind == atomStop {
		at++
	}
	if at >= len(p.atoms) || len(p.atoms[at].links) == 0 {
		return nil
	}
	l := p.atoms[at].links[0]
	if l.column == nil || l.isValue || l.quality < 0.95 || l.column.keyLike() || !l.column.isSerial() || p.form.stands(l.column) {
		return nil
	}
	return l.column
}

// timeHeading is the column that a time behind a word of aggregation is the heading of, where nothing else
// says of what: the total 2023 may be that of a column, and with a date in the table that of a year. With “in”
// before it, it is a time.
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

// primary is the number that a table is about, as far as its names tell.
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

// strong tells a number that is what a table is about: its money, or its amounts.
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

// timeSpent tells the time that something took from money that was spent.
func (c *column) timeSpent() bool {
	return slices.Contains(c.words, "spend") && slices.ContainsFunc(c.words, func(w string) bool {
		return isOne(w, "time", "minut", "min", "hour", "hr", "day")
	})
}

// placeMentions: a column that only stands there is grouped by, listed or counted.
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
			// "when status is warning" names a filter and no group.
			continue
		}
		if p.ofWhom(c) {
			f.explained += 0.2
			p.passed = append(p.passed, c)
			continue
		}
		switch {
		case f.mode == modeRows && c.keyLike():
			// "the last 5 orders" wants the orders, not their numbers alone.
		case f.mode == modeRows:
			if !slices.Contains(f.columns, c) {
				f.columns = append(f.columns, c)
			}
		case f.mode == modeGroups && (len(f.measures) > 0 || f.follows || f.stance.opener || f.stance.part) && len(f.where) > 0 && p.described(c):
			f.explained += 0.2
			p.passed = append(p.passed, c)
		case c.keyLike() && f.mode == modeGroups && len(f.dims) == 0 && len(f.measures) > 0 && p.precededBy(c, "of") && len(f.where) > 0:
			// The average score of students who were absent is one number.
			f.explained += 0.2
		case len(f.having) > 0 && f.mode == modeGroups && c.groups() && !p.unique(c):
			p.addDim(dimension{col: c}) // patients with more than 4 tests
		case c.keyLike() && c.Distinct > 50 && f.mode == modeGroups:
			// Accounts by country: what has a number of its own is counted once.
			if len(f.measures) == 0 && !p.unique(c) && (len(f.dims) > 0 || len(f.where) == 0) {
				f.measures = append(f.measures, measure{agg: aggDistinct, col: c})
			}
		case f.mode == modeGroups && len(f.measures) == 0 && len(f.dims) > 0 && p.heads(c) && !p.unique(c) && p.superDir == "" && !f.share &&
			!f.growth:
			// Products by category: how many different ones each has.
			f.measures = append(f.measures, measure{agg: aggDistinct, col: c})
		case (p.unique(c) || p.keyed(c) != nil) && f.orderCol == nil && f.mode == modeGroups && !p.hasWhich():
			f.explained += 0.2
		default:
			p.addDim(dimension{col: c})
		}
	}
	p.rowColumns()
}

// ofWhom tells a noun that only says whose something is: the region of the customer,
// orders from customers in Paris.
func (p *parser) ofWhom(c *column) bool {
	f := p.form
	if !c.isText() || len(f.having) > 0 || p.superDir != "" || f.limit > 0 {
		return false
	}
	if c.table != f.view.base && slices.ContainsFunc(p.named, func(m mention) bool {
		return m.col == c && m.at > 1 && p.atoms[m.at-1].kind == atomLink && valueOf(&p.atoms[m.at-1]) != nil &&
			valueOf(&p.atoms[m.at-1]).column.table == c.table && preposition(strings.ToLower(p.atoms[m.at-2].words))
	}) {
		return true // of gold customers
	}
	whose := p.precededBy(c, "of") && slices.ContainsFunc(f.dims, func(d dimension) bool { return d.col.table == c.table && d.col != c })
	from := (p.precededBy(c, "from") || p.precededBy(c, "of") || p.precededBy(c, "for")) &&
		slices.ContainsFunc(f.where, func(w condition) bool {
			return w.col.table == c.table && w.op == opIn && w.col != c
		})
	return c.table != f.view.base && (whose || from)
}

// precededBy reports whether a column was named right behind a word.
func (p *parser) precededBy(c *column, word string) bool {
	return slices.ContainsFunc(p.named, func(m mention) bool {
		return m.col == c && m.at > 0 && strings.EqualFold(p.atoms[m.at-1].words, word)
	})
}

// rowColumns: "list the role and the age" shows both, in the order in which they
// are named; "rows where status is late" names status only to say which rows.
func (p *parser) rowColumns() {
	f := p.form
	if f.mode != modeRows {
		return
	}
	for _, m := range p.named {
		listed := slices.ContainsFunc(f.measures, func(x measure) bool { return x.col == m.col && x.assumed && x.over == nil && x.per == nil })
		if listed && !slices.Contains(f.columns, m.col) {
			f.columns = append(f.columns, m.col)
		}
	}
	place := func(c *column) int { return slices.IndexFunc(p.named, func(m mention) bool { return m.col == c }) }
	slices.SortStableFunc(f.columns, func(a, b *column) int { return place(a) - place(b) })
	shown := slices.DeleteFunc(slices.Clone(f.columns), p.filtered)
	if len(shown) < len(f.columns) {
		f.columns = shown
	}
}

// filtered reports whether rows are chosen by values of a column.
func (p *parser) filtered(c *column) bool {
	return slices.ContainsFunc(p.form.where, func(w condition) bool { return w.col == c && (w.op == opIn || w.op == opNotIn) })
}

// has reads "how many guests have an email": the column is filled.
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

// unique tells a column that names each row that is asked about.
func (p *parser) unique(c *column) bool { return c.table == p.form.view.base && c.names() }

// defaultMeasure fills in what is counted or added up where the question left it open.
func (p *parser) defaultMeasure() {
	f := p.form
	if f.mode != modeGroups || len(f.measures) > 0 {
		return
	}
	c := primary(f.view.base)
	if c != nil && !c.strong() && !c.rate() && p.superDir != "" && slices.ContainsFunc(p.atoms, func(a atom) bool {
		return past(strings.ToLower(a.words))
	}) {
		c = nil // who sold the most has the most rows, where there is no money to tell by
	}
	if c != nil && !c.strong() && p.hint != "primary" || f.shareOf != nil || p.hint == "count" {
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
		// Who treated the most cats has the most rows of them.
	case len(f.dims) == 0 && !f.share && !f.growth && len(f.having) == 0:
		if p.hint == "primary" && c != nil || f.fragment && len(f.where)+len(p.nums) == 0 {
			break
		}
		f.mode = modeRows
		return
	case (f.growth || f.compare) && slices.ContainsFunc(p.named, func(m mention) bool {
		return m.col.isDate() && strings.HasSuffix(m.words, "s")
	}):
		// The change in admissions is that of their number.
	case f.compare && p.tableNamed(), f.compare && p.statesCompared():
	case p.booked() != nil:
		// The salary of each month is what was booked as salary.
		c = p.booked()
		f.measures = []measure{{agg: aggSum, col: c, assumed: true}}
		f.note(fmt.Sprintf("You did not name a measure, so I took the total of %s.", quoteName(c)))
		return
	case c != nil && (p.hint == "primary" || f.limit > 0 || f.compare || f.growth || f.ordered):
		f.measures = []measure{{agg: defaultAgg(c), col: c, assumed: true}}
		if p.extremeRow() {
			// The biggest grant of each donor is one grant.
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

// order sorts by time where there is time, else the biggest first.
func (p *parser) order() {
	f := p.form
	switch f.mode {
	case modeRows:
		if f.limit == 0 {
			f.limit = 50
		}
		if f.orderCol == nil && f.ordered && f.limit < 50 {
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
		p.ranksBad()
	case modeDescribe, modeCorrelation:
	}
}

func trimFloat(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
