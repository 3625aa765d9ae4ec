package builtin

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/domain/meaning"
)

// guardDropped refuses readings that use a word of the question without what is said with it: one side of a comparison, what a word
// adds instead of leaving it out, a condition that names only a date, and a part of a name that means less than the question.
func (p *parser) guardDropped() {
	for i := range p.atoms {
		switch p.atoms[i].kind {
		case atomVs:
			p.guardKinds(i)
			p.guardSameSides(i)
		case atomContains:
			p.guardIncluding(i)
		case atomLink:
			p.guardFlagNoun(i)
			p.guardNotMoney(i)
			p.guardPlanned(i)
		default:
		}
	}
	for _, m := range p.named {
		p.guardComing(m)
	}
	p.guardTotalOfRows()
	p.guardWith()
	p.guardOneRow()
	p.guardLimit()
	p.guardLatest()
	p.guardTwoVerbs()
	p.guardOnTime()
	p.guardHeadcount()
	p.guardBothVerbs()
	p.guardTimeOfMoney()
	p.guardWithoutNumber()
	p.guardPerDeed()
}

// guardKinds refuses a comparison of a value with something that is none: of "intakes vs adoptions" only the adoptions would be left.
func (p *parser) guardKinds(i int) {
	one, other := p.states(i, -1), p.states(i, 1)
	if len(one)+len(other) > 0 && !slices.ContainsFunc(one, func(c *column) bool { return slices.Contains(other, c) }) &&
		p.beside(i, -1) != nil && p.beside(i, 1) != nil {
		p.refuse(p.atoms[i].words, fmt.Sprintf(": “%s” and “%s” are not two values of one column", p.beside(i, -1).words,
			p.beside(i, 1).words))
	}
}

// states returns the columns of the values and flags in the three names next to an atom, in one direction: some of them may be nouns of
// the other, such as guests in "American guests vs German guests".
func (p *parser) states(i, step int) []*column {
	var out []*column
	for k, nouns := i+step, 0; k >= 0 && k < len(p.atoms) && nouns < 3; k += step {
		a := &p.atoms[k]
		if a.kind == atomStop {
			continue
		}
		if a.kind != atomLink {
			return out
		}
		for _, l := range a.links {
			if l.column != nil && (l.isValue || l.column.booleanLike()) {
				out = append(out, l.column)
			}
		}
		nouns++
	}
	return out
}

// beside returns the name next to an atom in one direction, over articles; nil if there is none.
func (p *parser) beside(i, step int) *atom {
	for k := i + step; k >= 0 && k < len(p.atoms); k += step {
		a := &p.atoms[k]
		if a.kind == atomStop && isOne(strings.ToLower(a.words), "the", "a", "an", "our", "all") {
			continue
		}
		if a.kind != atomLink {
			return nil
		}
		return a
	}
	return nil
}

// guardIncluding refuses conditions on what a question only includes: "including those without parts" is more than the rest, and not
// those without parts alone.
func (p *parser) guardIncluding(i int) {
	if !isOne(strings.ToLower(p.atoms[i].words), "including", "includes") {
		return
	}
	for _, w := range p.form.where {
		leaves := w.op == opNull || w.op == opNotIn || w.col.booleanLike() || len(w.values) > 0 && absent(w.values[0])
		for k := i + 1; k < len(p.atoms); k++ {
			a := &p.atoms[k]
			if a.kind != atomLink {
				continue
			}
			v, word := valueOf(a), strings.ToLower(a.words)
			if columnOf(a) == w.col && leaves || v != nil && v.column == w.col && (leaves || happened(word)) {
				p.refuse(p.atoms[i].words, fmt.Sprintf(": I would keep those alone, by %s", quoteName(w.col)))
				return
			}
		}
	}
}

// guardFlagNoun refuses a flag that was chosen for a noun which is only the end of its name: donors are not only the first-time donors.
func (p *parser) guardFlagNoun(i int) {
	a := &p.atoms[i]
	word := strings.ToLower(a.words)
	if a.size != 1 || !strings.HasSuffix(word, "s") || valueOf(a) != nil {
		return
	}
	for _, w := range p.form.where {
		core := coreOf(w.col.words)
		last := len(core) - 1
		if w.op != opIn || !w.col.booleanLike() || last < 1 || core[last] != stem(word) || !slices.ContainsFunc(a.links, func(l link) bool {
			return l.column == w.col
		}) {
			continue
		}
		said := func(x string) bool {
			return slices.Contains(w.col.table.words, x) || slices.ContainsFunc(p.asked, func(t token) bool { return t.stem == x })
		}
		if !slices.ContainsFunc(core[:last], said) {
			p.form.ask(fmt.Sprintf("“%s” may be all of them, or only those where %s is yes; please say which of them you mean.", a.words,
				quoteName(w.col)))
		}
	}
}

// guardNotMoney refuses a number of pieces for a word that means money: the revenue is not the number of bottles that were sold.
func (p *parser) guardNotMoney(i int) {
	a := &p.atoms[i]
	word := strings.ToLower(a.words)
	if a.size != 1 || !salesMoney(word) || word == "sales" {
		return
	}
	for _, m := range p.form.measures {
		c := m.col
		if c == nil || c.made != nil || m.over != nil || slices.Contains(c.words, stem(word)) || c.strong() || c.money() || c.counted() == "" ||
			!slices.ContainsFunc(a.links, func(l link) bool { return l.column == c && !l.isValue }) {
			continue
		}
		p.form.block(fmt.Sprintf("I found no %s here; %s counts the %s.", word, quoteName(c), c.counted()))
	}
}

// counted returns what a column counts, if it is a number of pieces that were sold or bought; "" if it is not.
func (c *column) counted() string {
	if m := c.meant(); m != nil && m.Number != nil && m.Number.Unit.Kind == meaning.Money {
		return ""
	}
	if len(c.words) < 2 || !slices.ContainsFunc(c.words, func(w string) bool {
		return isOne(w, "sold", stem("sold"), "bought", "ordered", "quantity", "qty", "unit", "piece", stem("pieces"))
	}) {
		return ""
	}
	return strings.Fields(c.title() + " ")[0]
}

// guardComing refuses a verb for which only a date was found that also has days to come: which units have expired is told by today, and
// not by having such a date.
func (p *parser) guardComing(m mention) {
	c := m.col
	if !c.isDate() || !past(strings.ToLower(m.words)) || c.Nulls > 0 || p.dated(c) || p.form.mode == modeDescribe ||
		slices.ContainsFunc(p.form.dims, func(d dimension) bool { return d.col == c }) || slices.Contains(p.form.columns, c) {
		return
	}
	if _, last := c.reach(); last.After(p.now) {
		p.form.block(fmt.Sprintf("I could not tell which rows are “%s”: %s has a day in each row, and some are still to come.", m.words,
			quoteName(c)))
	}
}

// absent are values that say that there is none.
func absent(value string) bool {
	return isOne(strings.ToLower(strings.TrimSpace(value)), "none", "n/a", "na", "nothing", "-", "--", "—", "?", "null", "nil", "not set",
		"not applicable", "unspecified", "unknown", "not known", "not given")
}

// without is the condition for rows in which a column has no value. A column that is never empty may say so by a value of its own.
func (p *parser) without(c *column, negated bool) condition {
	none := condition{col: c, op: opNull}
	if negated {
		none.op = opNotNull
	}
	var values []string
	for _, v := range c.Values {
		if c.isText() && absent(v) {
			values = append(values, v)
		}
	}
	switch {
	case len(values) == 0:
	case c.Nulls == 0:
		none.op, none.values = opIn, values
		if negated {
			none.op = opNotIn
		}
		p.form.note(fmt.Sprintf("%s is never empty; I took “%s” for that.", quoteName(c), strings.Join(values, "” and “")))
	default:
		p.form.note(fmt.Sprintf("“%s” is a value of %s, and not taken as empty.", strings.Join(values, "” and “"), quoteName(c)))
	}
	return none
}

// guardLimit refuses a ranking of which nothing is left but a total: "the total of the three largest" is no total of all.
func (p *parser) guardLimit() {
	f := p.form
	if f.mode != modeGroups || len(f.dims) > 0 || len(f.having) > 0 || f.nth > 0 || f.counted != nil || f.shareOf != nil ||
		slices.ContainsFunc(f.measures, func(m measure) bool { return m.agg != aggSum || m.each != grainNone }) {
		return
	}
	for i := range p.atoms {
		if k := p.atoms[i].kind; k == atomSuper || k == atomTop {
			p.refuse(p.atoms[i].words, ": I could not tell what to rank")
			return
		}
	}
}

// guardLatest refuses the newest of something without a time: the first of a ranking by another number is something else.
func (p *parser) guardLatest() {
	f := p.form
	if f.mode == modeDescribe || f.latestOf != nil || f.timed() != nil || f.orderCol != nil || len(p.spans) > 0 {
		return
	}
	for i := range p.atoms {
		if p.atoms[i].kind == atomLatest && len(f.view.base.dates()) == 0 {
			p.refuse(p.atoms[i].words, fmt.Sprintf(": there is no date in %s", f.view.base.entity()))
			return
		}
	}
}

// guardTwoVerbs refuses two times of one date if each has a verb of its own: "came in 2025 and were adopted in 2026" are two dates.
func (p *parser) guardTwoVerbs() {
	var first, and, verb bool
	for i := range p.atoms {
		a := &p.atoms[i]
		word := strings.ToLower(a.words)
		switch {
		case a.kind == atomSpan && first && and && verb:
			if p.form.oneDate() {
				p.form.block("I could not tell which date each of the two times belongs to.")
			}
			return
		case a.kind == atomSpan:
			first, and, verb = true, false, false
		case first && (a.kind == atomAnd || word == "but"):
			and = true
		case and && happened(word):
			verb = true
		}
	}
}

// oneDate reports whether all times of a form are of one date.
func (f *form) oneDate() bool {
	var dates []*column
	for _, w := range f.where {
		if w.op == opSpan && !slices.Contains(dates, w.col) {
			dates = append(dates, w.col)
		}
	}
	for _, d := range f.dims {
		if d.grain != grainNone && !slices.Contains(dates, d.col) {
			dates = append(dates, d.col)
		}
	}
	return len(dates) < 2
}

// guardPlanned refuses a number that is only planned for a word that does not say so: the target revenue is not the revenue.
func (p *parser) guardPlanned(i int) {
	a := &p.atoms[i]
	for _, m := range p.form.measures {
		c := m.col
		if c == nil || c.made != nil || a.size != 1 || len(c.words) < 2 || !slices.Contains(c.words, stem(strings.ToLower(a.words))) ||
			!slices.ContainsFunc(a.links, func(l link) bool { return l.column == c && !l.isValue }) {
			continue
		}
		for _, w := range c.words {
			if isOne(w, stem("target"), stem("planned"), "plan", "forecast", stem("expected"), stem("projected"), stem("estimated"), "previou",
				stem("previous"), "prior") && !slices.ContainsFunc(p.asked, func(t token) bool { return t.stem == w }) {
				p.form.ask(fmt.Sprintf("“%s” may not be %s; please name the column.", a.words, quoteName(c)))
				return
			}
		}
	}
}

// guardSameSides refuses a comparison of two words that were both read as one number.
func (p *parser) guardSameSides(i int) {
	left, right := p.beside(i, -1), p.beside(i, 1)
	if left == nil || right == nil || valueOf(left) != nil || valueOf(right) != nil || strings.EqualFold(left.words, right.words) {
		return
	}
	c := numberOf(left)
	if c != nil && numberOf(right) == c && slices.ContainsFunc(p.form.measures, func(m measure) bool { return m.col == c }) {
		p.form.block(fmt.Sprintf("I would read both “%s” and “%s” as %s.", left.words, right.words, quoteName(c)))
	}
}

// guardTotalOfRows refuses a number of rows for "the total target" of a table of targets: a total is one of a number.
func (p *parser) guardTotalOfRows() {
	f := p.form
	if !f.onlyCounts() {
		return
	}
	for i := range p.atoms {
		next, _ := p.peek(i + 1)
		if p.atoms[i].kind != atomAgg || !isOne(strings.ToLower(p.atoms[i].words), "total", "sum of", "total of") || next == nil ||
			next.kind != atomLink || tableOfLink(next) != f.view.base || strings.HasSuffix(strings.ToLower(next.words), "s") {
			continue
		}
		word := stem(strings.ToLower(next.words))
		if slices.ContainsFunc(f.view.base.columns, func(c *column) bool { return c.isNumber() && slices.Contains(c.words, word) }) {
			f.block(fmt.Sprintf("I could not tell which number is the total %s.", next.words))
			return
		}
	}
}

// guardWith refuses "sales with a discount" and "bookings with children" if the discount or the children would be measured in all rows.
func (p *parser) guardWith() {
	f := p.form
	if f.mode != modeGroups || len(f.measures) != 1 || f.measures[0].col == nil || !f.measures[0].col.isNumber() || len(f.having) > 0 {
		return
	}
	c := f.measures[0].col
	at := p.namedAt(c)
	if at < 2 {
		return
	}
	before, first := strings.ToLower(p.atoms[at-1].words), &p.atoms[at-2]
	switch {
	case before == "with" && p.calledRows(first):
		f.block(fmt.Sprintf("I could not tell which rows are “with” %s; please compare it with a number.", c.title()))
	case isOne(before, "a", "an", "any", "some") && strings.EqualFold(first.words, "with") && f.measures[0].assumed && p.tableNamed():
		f.block(fmt.Sprintf("I could not tell which rows have a %s; please compare it with a number.", c.title()))
	}
}

// calledRows reports whether an atom is a noun for the rows: the table, or what was done on a date that each row has, such as bookings.
func (p *parser) calledRows(a *atom) bool {
	return a.kind == atomLink && slices.ContainsFunc(a.links, func(l link) bool {
		return l.table == p.form.view.base && l.quality >= 0.6 ||
			l.column != nil && l.column.isDate() && l.column.Nulls == 0 && nounOfDoing(strings.ToLower(a.words))
	})
}

// guardOneRow refuses to count by groups the only row of a thing: how often something happened to it is told by the rows of another table.
func (p *parser) guardOneRow() {
	f := p.form
	// “which state is it in” counts nothing: its only group is the answer.
	if !f.onlyCounts() || len(f.dims) == 0 || f.measures[0].assumed {
		return
	}
	for _, w := range f.where {
		if w.op == opIn && len(w.values) == 1 && w.col.table == f.view.base && w.col.unique() && w.col.table.Rows > 1 {
			f.block(fmt.Sprintf("%s has one row in %s, so there is nothing to count by.", quoteAll(w.values)[0], f.view.base.entity()))
			return
		}
	}
}
