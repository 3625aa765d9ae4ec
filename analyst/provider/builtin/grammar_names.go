package builtin

import (
	"fmt"
	"slices"
	"strings"
)

// readLink gives a name of the schema the role that the sentence expects.
func (p *parser) readLink(a *atom) {
	for _, l := range a.links[:1] {
		if l.typed != "" {
			p.form.read = append(p.form.read, fmt.Sprintf("%q as %s", l.typed, nameOf(l)))
		}
	}
	p.explain(a, a.links[0].quality)
	if p.stillThere(a) || p.creationVerb(a) {
		return
	}
	if p.carries(a) || p.saidAlready(a) || p.stepsOf(a) {
		return
	}
	if p.which && p.pos-p.whichPos > 3 {
		p.which = false
	}
	if p.byNext || p.perNext {
		p.groupsRather(a)
	}
	wanted := p.byNext || p.perNext || p.orderBy || p.counting || p.topNoun || p.which || len(p.agg) > 0
	if c := p.stateDate(a); c != nil {
		p.named = append(p.named, mention{col: c, words: a.words, at: p.pos})
		if p.not {
			p.undone, p.not = append(p.undone, p.pos), false
		}
		p.dateNamed = c
		return
	}
	if v := valueOf(a); v != nil && !(v.piece && columnOf(a) != nil) && !p.columnItself(a, v) &&
		(!wanted && !v.piece || v.quality >= a.links[0].quality-0.01) {
		p.readValue(a)
		return
	}
	if p.asksDay(a) {
		return
	}
	if c := columnOf(a); c != nil && tableOfLink(a) == nil && (c.isDate() || !verb(a.words)) &&
		!(verb(a.words+"d") && p.pos > 0 && p.atoms[p.pos-1].words == "to") {
		p.named = append(p.named, mention{col: c, words: a.words, at: p.pos})
		if p.not && c.isDate() && past(strings.ToLower(a.words)) {
			p.undone, p.not = append(p.undone, p.pos), false
		}
	}
	if len(p.nums) > 0 {
		if c := p.pick(a); c != nil && c.isNumber() && tableOfLink(a) == nil {
			p.readColumn(c)
			return
		}
	}
	if p.counting && (!p.not || !p.lacking()) && p.countNoun(a) {
		return
	}
	if len(p.agg) > 0 && p.aggPos >= p.pos-2 && !p.counting && a.size == 1 && tableOfLink(a) == p.form.view.base {
		if c := p.moneyOf(strings.ToLower(a.words)); c != nil {
			p.readColumn(c)
			return
		}
	}
	if p.countedBeside(a) {
		return
	}
	if c := columnOf(a); c != nil && c.isNumber() && strings.HasSuffix(a.words, "s") && a.size == 1 && a.links[0].quality < 0.9 &&
		len(p.agg) == 0 && p.superPos < 0 && !p.byNext && !p.perNext && !p.orderBy && !p.counting && p.tableCalled(a.words) {
		p.readTable(p.form.view.base) // the results of a patient are rows, and not a sum of values
		return
	}
	if c := columnOf(a); p.perNext && c != nil && c.isDate() && tableOfLink(a) == p.form.view.base && p.tableBeatsColumn(a) {
		p.readTable(p.form.view.base) // "per inspection" means per row, and not per date of an inspection
		return
	}
	if t := tableOfLink(a); t != nil && !p.byNext && !p.orderBy && !p.numberRather(a) && (columnOf(a) == nil || a.links[0].table != nil ||
		!p.measureWanted() || p.unique(columnOf(a)) && columnOf(a).identifies()) {
		if c := columnOf(a); a.links[0].table != nil || c == nil || p.unique(c) && c.identifies() && t == p.form.view.base {
			p.readTable(t)
			return
		}
	}
	c := p.pick(a)
	if c == nil {
		return
	}
	if p.highestRate(a, c) {
		return
	}
	p.readStatistic(a, c)
	if c.isText() && !p.byNext && !p.perNext && !p.topNoun && p.aggPos >= 0 && p.aggPos >= p.pos-2 && !c.booleanLike() &&
		slices.ContainsFunc(p.agg, func(g aggregate) bool {
			return g == aggSum || g == aggAvg || g == aggMedian
		}) && c.named(a.words) {
		if c.table.Rows > 0 && c.Nulls >= c.table.Rows {
			p.form.block(fmt.Sprintf("%s is empty in all rows.", quoteName(c)))
		}
		p.form.block(fmt.Sprintf("%s contains text, so it has no total and no average.", quoteName(c)))
		return
	}
	if p.modifies(a, c) {
		p.named = slices.DeleteFunc(p.named, func(m mention) bool { return m.at == p.pos })
		return
	}
	p.ambiguous(a, c)
	if v := p.labelled(c); v != "" {
		p.explain(&p.atoms[p.pos+1], 1)
		p.pos++
		p.addValue(link{column: c, value: v, isValue: true}, nil)
		p.pos++
		return
	}
	p.readColumn(c)
	p.twinMeasures(a, c)
}

// saidAlready reports whether a word belongs to the name of the column that was read before: the
// manager in "satisfied with their manager".
func (p *parser) saidAlready(a *atom) bool {
	if p.last != nil && p.lastAt == p.pos-1 && p.last.isNumber() && p.last.made == nil && a.size == 1 && a.links[0].quality < 0.9 &&
		valueOf(a) == nil && isOne(strings.ToLower(a.words), "score", "scores", "rating", "ratings", "grade", "points") &&
		slices.ContainsFunc(a.links, func(l link) bool { return l.column == p.last }) {
		return true // a satisfaction score is the satisfaction
	}
	if p.last == nil || p.lastAt < p.pos-5 || len(p.last.words) < 3 || p.byNext || p.perNext || a.size != 1 || p.last.made != nil {
		return false
	}
	for i := p.lastAt + 1; i < p.pos; i++ {
		if k := p.atoms[i].kind; k != atomStop && k != atomUnknown {
			return false
		}
	}
	means := slices.Contains(p.last.words, stem(strings.ToLower(a.words))) || slices.ContainsFunc(a.links, func(l link) bool {
		return l.column == p.last && !l.isValue
	})
	return a.links[0].quality < 0.9 && means && !strings.EqualFold(p.atoms[p.lastAt].words, a.words)
}

// numberRather reports whether a word means a number of the table, and not the table: a word that is
// only a synonym of the table's name, such as the salary of a payroll.
func (p *parser) numberRather(a *atom) bool {
	for _, l := range a.links {
		if l.table != nil && l.quality > 0.78 {
			return false
		}
	}
	return numberOf(a) != nil && !p.counting
}

// twinMeasures returns both numbers if a word names two numbers equally well, such as goals for home
// goals and away goals: it does not guess one of them.
func (p *parser) twinMeasures(a *atom, c *column) {
	f := p.form
	n := len(f.measures)
	if n == 0 || f.measures[n-1].col != c || f.limit > 0 || f.ordered || p.superDir != "" || f.mode != modeGroups || f.growth || f.share ||
		len(c.words) < 2 || p.counting {
		return
	}
	if f.measures[n-1].assumed && slices.ContainsFunc(p.atoms[p.pos:], func(x atom) bool {
		return x.kind == atomCmp || x.kind == atomNumber
	}) {
		return // "delayed by more than half an hour" compares one of them
	}
	var twins []*column
	quality := 0.0
	for _, l := range a.links {
		if l.column == c && !l.isValue {
			quality = l.quality
		}
	}
	for _, l := range a.links {
		if o := l.column; o != nil && !l.isValue && o != c && quality < 0.95 && l.quality == quality && o.isNumber() && o.table == c.table &&
			o.rate() == c.rate() &&
			len(o.words) == len(c.words) && slices.Equal(o.words[1:], c.words[1:]) && slices.Contains(o.words[1:], stem(strings.ToLower(a.words))) {
			twins = append(twins, o)
		}
	}
	if len(twins) == 0 || len(twins) > 2 {
		return
	}
	for _, o := range twins {
		m := f.measures[n-1]
		m.col, m.twin = o, true
		f.measures = append(f.measures, m)
	}
	p.ambiguities = slices.DeleteFunc(p.ambiguities, func(x ambiguity) bool { return x.col == c })
}

// named reports whether words are the column's own name.
func (c *column) named(words string) bool {
	asked := stems(splitName(words))
	return slices.Equal(asked, c.words) || slices.Equal(asked, c.bare)
}

// labelled returns the short value directly after its column: group A.
func (p *parser) labelled(c *column) string {
	if p.pos+1 >= len(p.atoms) || !c.isText() {
		return ""
	}
	next := p.atoms[p.pos+1]
	if next.kind == atomLink && valueOf(&next) != nil && valueOf(&next).quality > 0.5 || len(next.words) > 3 {
		return ""
	}
	for _, v := range c.Values {
		if v == next.words {
			return v
		}
	}
	return ""
}

// verb reports whether a word says what was done; such a word seldom names a column.
func verb(words string) bool {
	w := strings.ToLower(words)
	return past(w) || isOne(w, "sell", "spend", "pay", "earn", "sells", "earns", "resolved")
}

// measureWanted reports whether an aggregation still waits for its column.
func (p *parser) measureWanted() bool { return len(p.agg) > 0 || p.superPos >= 0 }

// countNoun settles what "how many" counts: rows of the table, or distinct values.
func (p *parser) countNoun(a *atom) bool {
	if t := tableOfLink(a); t != nil && t == p.form.view.base && !p.distinct && p.tableBeatsColumn(a) {
		if c := columnOf(a); c != nil && c.keyLike() && c.table == t && !c.names() && c.Distinct > 1 &&
			slices.Equal(coreOf(c.words), t.words[len(t.words)-1:]) {
			// The rows are lines of orders: an order has a number of its own.
			p.form.measures = append(p.form.measures, measure{agg: aggDistinct, col: c})
			p.counting = false
			return true
		}
		one := measure{agg: aggCount}
		if c := t.repeating(); c != nil {
			one = measure{agg: aggDistinct, col: c}
		}
		p.form.measures = append(p.form.measures, one)
		p.counting = false
		p.form.explained += 0.4
		return true
	}
	for _, l := range a.links {
		c := l.column
		if c == nil || l.isValue || l.quality < 0.45 {
			continue
		}
		next, at := p.peek(p.pos + 1)
		if next != nil && at == p.pos+1 && next.kind == atomLink && c.isText() && l.quality < 0.9 && tableOfLink(next) == p.form.view.base {
			// In "home games" the second word is counted.
			return false
		}
		if next != nil && at == p.pos+1 && c.isText() && l.quality < 0.9 && numberOf(next) != nil {
			return true // room nights are nights
		}
		if next != nil && next.kind == atomLink {
			if v := valueOf(next); v != nil && v.column == c {
				// "how often was the status alarm" counts rows.
				p.form.measures = append(p.form.measures, measure{agg: aggCount})
				p.counting = false
				return true
			}
		}
		if next != nil && next.kind == atomContains && c.isText() {
			// "how many comments mention late" counts rows.
			p.form.measures = append(p.form.measures, measure{agg: aggCount})
			p.counting = false
			p.last, p.lastAt = c, p.pos
			return true
		}
		if c.isNumber() && next != nil && (next.kind == atomNumber || next.kind == atomCmp || next.kind == atomBetween) {
			// "how many gave a rating of 5" counts rows.
			p.form.measures = append(p.form.measures, measure{agg: aggCount})
			p.counting = false
			p.last, p.lastAt = c, p.pos
			return true
		}
		if c.Nulls > 0 && p.gave() && !p.distinct {
			p.form.where = append(p.form.where, condition{col: c, op: opNotNull})
			p.form.measures = append(p.form.measures, measure{agg: aggCount})
			p.counting = false
			p.last, p.lastAt = c, p.pos
			return true
		}
		if c.isNumber() && !c.identifies() && !p.distinct && c.Type != "" && !c.isPart() {
			// "how many units": a number of things is summed. Scores and prices are not numbers of
			// things; their rows are counted.
			m := measure{agg: aggSum, col: c}
			if c.rate() {
				m.agg = aggCount
			}
			p.form.measures = append(p.form.measures, m)
		} else if c.isDate() {
			continue
		} else if c.isPart() && stem(strings.ToLower(a.words)) != c.words[len(c.words)-1] && !p.distinct {
			// The harvests of a harvest year are rows.
			p.form.measures = append(p.form.measures, measure{agg: aggCount})
		} else if c.booleanLike() {
			return false
		} else {
			if p.unique(c) && (c.unique() || !p.distinct) || !p.distinct && p.keyed(c) != nil {
				p.form.measures = append(p.form.measures, measure{agg: aggCount})
			} else {
				p.form.measures = append(p.form.measures, measure{agg: aggDistinct, col: c})
			}
		}
		p.counting, p.distinct = false, false
		p.last, p.lastAt = c, p.pos
		return true
	}
	return false
}

// keyed returns the key of the thing that a column names, if each row has its own key: two students
// with the same name are two.
func (p *parser) keyed(c *column) *column {
	if !c.isText() || c.table != p.form.view.base {
		return nil
	}
	half := 2*c.Distinct >= c.table.Rows
	if personal(c) && (half || slices.ContainsFunc(c.table.columns, func(x *column) bool {
		return slices.ContainsFunc(x.words, func(w string) bool { return isOne(w, "age", "birth", "dob", "birthday") })
	})) {
		// If people have a number, each row is one person, and names may repeat. The number of a lease
		// is not the number of a tenant.
		for _, k := range c.table.columns {
			core := coreOf(k.words)
			if k != c && k.unique() && k.identifies() && (slices.Equal(core, coreOf(c.words)) || !k.keyLike() || len(core) == 1 &&
				(core[0] == "id" || noise(core[0]) || roleOf(k) != "" || isOne(core[0], "bib", "index", "start"))) {
				return k
			}
		}
	}
	if !half {
		return nil
	}
	for _, k := range p.form.view.base.columns {
		if k != c && c.isText() && k.keyLike() && p.unique(k) && len(k.words) > 1 && slices.Equal(k.words[:len(k.words)-1], coreOf(c.words)) {
			return k
		}
	}
	return nil
}

// tableBeatsColumn reports whether a word is the table's own name, and not only a synonym of it.
func (p *parser) tableBeatsColumn(a *atom) bool {
	var table, col float64
	for _, l := range a.links {
		switch {
		case l.table != nil:
			table = max(table, l.quality)
		case l.column != nil && !l.isValue && p.unique(l.column) && l.column.identifies():
			// The number of a ticket identifies the ticket.
		case l.column != nil && !l.isValue:
			col = max(col, l.quality)
		}
	}
	return table >= col-0.16
}

// readTable takes the name of a table as the noun for one row.
func (p *parser) readTable(t *table) {
	if t != p.form.view.base {
		// The rows of a joined table are named by its key's column: orders per customer.
		if shown := p.displayColumn(t); shown != nil {
			p.named = append(p.named, mention{col: shown, words: p.atoms[p.pos].words, at: p.pos})
			p.readColumn(shown)
		}
		return
	}
	p.form.explained += 0.3
	if word := strings.ToLower(p.atoms[p.pos].words); salesMoney(word) && !slices.Contains(t.words, stem(word)) && !p.counting &&
		!slices.ContainsFunc(t.columns, func(c *column) bool {
			return c.isNumber() && c.strong() && !c.rate()
		}) {
		p.form.block(fmt.Sprintf("No column here has the %s, and the number of rows is something else.", word))
		return
	}
	if c := primary(t); c != nil && c.strong() && (p.measureWanted() || p.topNoun) && p.moneyWordFollows() {
		p.readNumberColumn(c, false)
		p.last, p.lastAt = c, p.pos
		return
	}
	if c := primary(t); c != nil && c.strong() && (salesMoney(p.atoms[p.pos].words) || (len(p.agg) > 0 || p.hasWho()) &&
		isOne(strings.ToLower(p.atoms[p.pos].words), "sell", "sold", "sells")) && !p.counting && !p.byNext && !p.perNext &&
		p.form.mode != modeRows && !slices.Contains(t.words, "order") {
		// The revenue of a table of sales is its money.
		p.readNumberColumn(c, false)
		p.last, p.lastAt = c, p.pos
		return
	}
	if c := primary(t); c != nil && c.strong() && p.aggPos >= 0 && len(p.agg) > 0 && strings.EqualFold(p.atoms[p.aggPos].words, "how much") {
		// "how much was donated" asks for money, and not how often.
		p.readNumberColumn(c, false)
		p.last, p.lastAt = c, p.pos
		return
	}
	switch {
	case p.perNext && p.perRow():
	case p.byNext && len(p.atoms[p.pos].links) > 0 && p.atoms[p.pos].links[0].quality < 0.65:
		p.form.block("I could not tell what to group by.")
	case p.perNext || p.byNext:
		p.perNext, p.byNext = false, false
	case len(p.agg) > 0 && p.agg[0] == aggAvg:
		// "average orders per customer" counts the orders.
		if next, _ := p.peek(p.pos + 1); next != nil && (next.kind == atomEach || next.kind == atomGrain || next.kind == atomBy) {
			p.form.measures = append(p.form.measures, measure{agg: aggCount, assumed: true})
			p.hint = "ratio"
			p.agg = nil
		}
	case len(p.agg) > 0 && p.agg[0] == aggSum && !p.numberFollows() && p.nameless(t):
		p.form.block(fmt.Sprintf("“%s” is the name of a table, and I could not tell which of its numbers to add up.",
			p.atoms[p.pos].words))
	case len(p.agg) > 0 && p.agg[0] == aggSum && !p.numberFollows():
		p.form.measures = append(p.form.measures, measure{agg: aggCount})
		p.agg = nil
	case p.form.share && len(p.form.measures) == 0, p.form.growth && len(p.form.measures) == 0:
		p.form.measures = append(p.form.measures, measure{agg: aggCount, assumed: true})
	case p.superPos >= 0 && p.superPos < p.pos && len(p.form.dims)+len(p.mentions) > 0 && len(p.form.measures) == 0 &&
		(len(p.form.dims) > 0 || strings.EqualFold(p.atoms[p.superPos].words, "most") || strings.EqualFold(p.atoms[p.superPos].words,
			"fewest") || strings.EqualFold(p.atoms[p.superPos].words, "least")):
		// "which region has the most orders"
		p.form.measures = append(p.form.measures, measure{agg: aggCount})
		p.superPos = -1
	default:
		p.form.explained += 0.2
		p.topNoun = false
		if p.form.limit > 0 || p.which {
			p.hint = orElse(p.hint, "entity")
		}
	}
}

// nameless reports whether a table with numbers has a name that is not a word for its rows, as the
// question writes it: a sheet called Ist. The total of that name is not a number of rows.
func (p *parser) nameless(t *table) bool {
	words := strings.Fields(strings.ToLower(p.atoms[p.pos].words))
	last := words[len(words)-1]
	return !countable(last) && !isPlural(last) && strings.HasPrefix(t.rowsNamed(), "rows") &&
		slices.ContainsFunc(t.columns, func(c *column) bool { return c.isNumber() })
}

// moneyWordFollows reports whether a word such as value or size follows, as in "contract value" and "order
// size": it means the money of a row. It also skips that word.
func (p *parser) moneyWordFollows() bool {
	if p.pos+1 >= len(p.atoms) || !isOne(strings.ToLower(p.atoms[p.pos+1].words), "value", "values", "size", "sizes", "amount", "amounts",
		"worth", "volume") || p.atoms[p.pos+1].kind == atomLink && numberOf(&p.atoms[p.pos+1]) == nil {
		return false
	}
	p.atoms[p.pos+1].kind = atomStop
	return true
}

// perRow reads "revenue per order" where orders are the rows: the total is divided by their number.
func (p *parser) perRow() bool {
	f := p.form
	n := len(f.measures)
	if n == 0 || len(p.form.dims) > 0 || f.limit > 0 {
		return false
	}
	m := &f.measures[n-1]
	if m.col == nil || !m.col.isNumber() || m.agg != aggSum || m.over != nil || m.per != nil || m.each != grainNone {
		return false
	}
	p.perNext, p.byNext = false, false
	word := stem(strings.ToLower(p.atoms[p.pos].words))
	for _, c := range f.view.base.columns {
		if c.keyLike() && slices.Equal(coreOf(c.words), []string{word}) {
			m.per = c
			return true
		}
	}
	m.agg, m.assumed = aggAvg, false
	return true
}

// salesMoney reports whether words mean the money that sales make.
func salesMoney(words string) bool {
	return isOne(strings.ToLower(words), "revenue", "sales", "turnover", "income", "takings", "proceeds", "earnings", "spending", "spend",
		"spends", "spendings", "expenditure", "expenditures")
}

// numberFollows reports whether a column that can be summed follows "total sales".
func (p *parser) numberFollows() bool {
	next, _ := p.peek(p.pos + 1)
	if next == nil || next.kind != atomLink {
		return false
	}
	c := columnOf(next)
	return c != nil && c.isNumber()
}

// displayColumn returns the column by which people know a row of a joined table: its name, or else its key; nil for a key of several
// columns.
func (p *parser) displayColumn(t *table) *column {
	if c := nameColumn(t); c != nil {
		return c
	}
	return t.on
}

// nameColumn returns the column that names a row in words.
func nameColumn(t *table) *column {
	for _, c := range t.columns {
		if c.isText() && len(c.words) > 0 &&
			((c.words[len(c.words)-1] == "name" || isOne(c.words[len(c.words)-1], "title", "titl") && 2*c.Distinct >= t.Rows) ||
				slices.Equal(c.words, t.words)) {
			return c
		}
	}
	return nil
}

// shared counts the words of a column's name that the question contains, or that begin like a long word
// of the question.
func (p *parser) shared(c *column) int {
	n := 0
	for i, w := range c.words {
		if noise(w) || len(w) < 3 || slices.Contains(c.words[:i], w) || isOne(w, "how", "you", "your", "are", "the", "with", "would", "what",
			"did", "does", "our", "for") {
			continue
		}
		if slices.Contains(p.spanHint, w) || slices.ContainsFunc(p.spanHint, func(asked string) bool {
			return len(asked) > 5 && shareBeginning(w, asked)
		}) {
			n++
		}
	}
	return n
}

// pick selects one of the columns of an atom by the role that the sentence expects: numbers to be
// measured, others to group by.
func (p *parser) pick(a *atom) *column {
	var best *column
	rank := -1.0
	for _, l := range a.links {
		if l.column == nil || l.isValue {
			continue
		}
		c, q := l.column, l.quality
		switch {
		case p.orderBy:
		case p.byNext || p.perNext || p.topNoun || (p.which && len(p.form.dims) == 0 && p.superPos < 0):
			if c.groups() {
				q += 0.3
			}
			if c.isNumber() {
				q -= 0.2
			}
			if c.isText() {
				q += 0.1
			}
		case p.measureWanted() || p.form.growth || p.form.share:
			if c.isNumber() {
				q += 0.4
			}
		default:
			if c.isNumber() {
				q += 0.1
			}
		}
		if c.table != p.form.view.base {
			q -= 0.05
		}
		if len(c.words) > 1 && l.quality < 0.95 {
			// Among the questions of a survey, the one that shares the most words with this question is
			// meant.
			q += min(0.3, 0.06*float64(p.shared(c)))
		}
		if l.quality > 0.95 {
			// A column with exactly this name is meant, unless it cannot have the role.
			q += 0.3
		}
		if q > rank {
			best, rank = c, q
		}
	}
	return best
}
