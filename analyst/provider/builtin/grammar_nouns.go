package builtin

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/domain"
)

// The functions of this file decide the meaning of a noun by the nouns next to it: fuel in "fuel cost",
// a bill in "average bill", tip in "tip percentage".

// modifies reports whether a name only says which number is meant, and is not a group: the fuel cost of
// a fuel log, the total claim amount.
func (p *parser) modifies(a *atom, c *column) bool {
	if a.size != 1 || c.isNumber() || c.isDate() || c.booleanLike() || a.links[0].quality >= 0.95 || p.byNext || p.perNext || p.which ||
		p.topNoun || p.pos+1 >= len(p.atoms) || valueOf(a) != nil {
		return false
	}
	next := &p.atoms[p.pos+1]
	number := numberOf(next)
	if number == nil || number.table != p.form.view.base {
		return false
	}
	word := stem(strings.ToLower(a.words))
	last := c.words[len(c.words)-1]
	return slices.Contains(p.form.view.base.words, word) || len(p.agg) > 0 && p.aggPos == p.pos-1 &&
		isOne(last, "type", "category", "kind", "class")
}

// moneyOf returns the number that measures a row if the question has only the noun for the row: the
// total of a bill, the amount of a claim.
func (p *parser) moneyOf(noun string) *column {
	paid := isOne(stem(noun), stem("donations"), stem("payments"), stem("expenses"), stem("contributions"), stem("fines"), stem("deposits"))
	if c := primary(p.form.view.base); paid && c != nil && c.strong() {
		return c // donations are amounts of money
	}
	if strings.HasSuffix(noun, "s") {
		return nil
	}
	for _, c := range p.form.view.base.columns {
		if c.isNumber() && !c.isPart() && len(c.words) > 1 && slices.Contains(c.words, stem(noun)) &&
			!slices.ContainsFunc(c.words, func(w string) bool {
				return w != stem(noun) && !noise(w) && !isOne(w, "sum", "pric", "cost")
			}) {
			return c
		}
	}
	return nil
}

// partOfBill reads "tip percentage" as the tips divided by the bills, if the table has both.
func (p *parser) partOfBill(a *atom) bool {
	n := len(p.form.measures)
	if n == 0 || p.last == nil || p.lastAt != p.pos-1 || !isOne(strings.ToLower(a.words), "percentage", "percent") {
		return false
	}
	m := &p.form.measures[n-1]
	if m.col != p.last || m.over != nil || m.per != nil || m.col.rate() || !slices.ContainsFunc(m.col.words, func(w string) bool {
		return isOne(w, "tip", "gratuity", "discount", "tax", "vat", "commission", "fee", "margin", "profit", "refund")
	}) {
		return false
	}
	for _, c := range p.form.view.base.columns {
		if c != m.col && c.isNumber() && !c.rate() && slices.ContainsFunc(c.words, func(w string) bool {
			return isOne(w, "total", "bill", "amount", "revenue", "revenu", "sales", "turnover")
		}) {
			*m = measure{agg: aggSum, col: m.col, over: c, percent: true}
			p.explain(a, 1)
			return true
		}
	}
	return false
}

// numbersFor reads numbers that come before their column: "9 or 10 for recommendation".
func (p *parser) numbersFor(a *atom) bool {
	nums := []string{trimFloat(a.num)}
	i := p.pos + 1
	for i+1 < len(p.atoms) && p.atoms[i].kind == atomAnd && p.atoms[i+1].kind == atomNumber {
		nums = append(nums, trimFloat(p.atoms[i+1].num))
		i += 2
	}
	if len(nums) < 2 || i >= len(p.atoms) || !isOne(strings.ToLower(p.atoms[i].words), "for", "in", "on", "as") {
		return false
	}
	next, at := p.peek(i)
	if next == nil || next.kind != atomLink || valueOf(next) != nil {
		return false
	}
	c := p.pick(next)
	if c == nil || !c.isNumber() || !within(c, a.num) {
		return false
	}
	p.form.where = append(p.form.where, condition{col: c, op: opIn, values: nums})
	p.or = true
	p.form.explained += float64(len(nums)) / 2
	p.explain(next, next.links[0].quality)
	p.last, p.lastAt, p.pos = c, at, at+1
	return true
}

// placeOfWhere groups by a column of places, such as a city or country, for a question that begins with
// where.
func (p *parser) placeOfWhere() {
	f := p.form
	first, _ := p.peek(0)
	if first == nil || first.kind != atomWhich || !strings.EqualFold(first.words, "where") || len(f.dims)+len(p.mentions) > 0 ||
		f.mode != modeGroups {
		return
	}
	for _, names := range [][]string{
		{"city", "town"},
		{"country"},
		{"region", "state", "province", "district"},
		{"location", "place", "sit", "venue", "address", "area"},
	} {
		for _, c := range f.view.base.columns {
			if c.isText() && c.groups() && len(c.words) > 0 && isOne(c.words[len(c.words)-1], names...) {
				p.addDim(dimension{col: c})
				return
			}
		}
	}
	f.block("I could not tell which column says where.")
}

// countGroups reads "how many customers have more than 10 orders" as a count of those customers.
func (p *parser) countGroups() bool {
	f := p.form
	if len(f.having) == 0 || len(f.measures) < 2 || f.measures[0].agg != aggDistinct || f.measures[0].assumed ||
		len(f.dims)+len(p.mentions) > 0 ||
		slices.ContainsFunc(f.having, func(h having) bool { return h.measure == 0 }) {
		return false
	}
	c := f.measures[0].col
	f.counted, f.dims, f.measures = c, []dimension{{col: c}}, f.measures[1:]
	for i := range f.having {
		f.having[i].measure--
	}
	if c.Nulls > 0 {
		f.where = append(f.where, condition{col: c, op: opNotNull})
	}
	return true
}

// narrateCount says how many groups there are.
func (t *teller) narrateCount() narration {
	f := t.form
	n, _ := specialist.Number(t.cell(0, 0))
	var conditions []string
	for _, h := range f.having {
		conditions = append(conditions, f.measures[h.measure].said(f)+" is "+numbersPhrase(h.op, h.nums))
	}
	text := fmt.Sprintf("There are **%s** %s of which the %s%s.", marked(0, 0, specialist.Format(n)), f.counted.many(),
		specialist.List(conditions, "and the"), t.scope())
	return narration{answer: text, summary: strings.ReplaceAll(text, "**", "")}
}

// rowsNamed reports whether the question names the rows by the word of their key, and by no other name:
// the members for a member number.
func (p *parser) rowsNamed(name *column) bool {
	for i := range p.atoms {
		if a := &p.atoms[i]; a.kind == atomLink && a.size == 1 {
			word := []string{stem(strings.ToLower(a.words))}
			for _, c := range p.form.view.base.columns {
				if c.keyLike() && c.names() && slices.Equal(coreOf(c.words), word) && !slices.Equal(coreOf(name.words), word) {
					return true
				}
			}
		}
	}
	return false
}

// person returns the column that names who did something, or else to whom it happened; nil if there is
// none.
func (p *parser) person() *column {
	takers := []string{"customer", "client", "buyer", "donor", "user", "shopper", "subscriber"}
	first := takers
	if slices.ContainsFunc(p.atoms, func(a atom) bool {
		return isOne(strings.ToLower(a.words), "sold", "sell", "sells", "closed", "resolved", "handled", "served", "solved")
	}) {
		first = nil // "who sold" does not ask for the buyers
	}
	visitors := []string{"member", "patient", "student", "guest", "runner", "athlet", "tenant", "candidat"}
	var second []string
	if slices.ContainsFunc(p.said(), func(w saidWord) bool { return doneBy(w.text) == "taker" }) {
		second = visitors // "who paid" does not ask for the staff who treated the patients
	}
	for _, words := range [][]string{
		first,
		second,
		{
			"assign", "agent", "owner", "rep", "seller", "salesperson", "employee", "manager", "player", "author", "driver", "teacher", "doctor",
			"physician", "person", "colleague", "realtor", "referee", "waiter", "waitress", "server", "cashier", "technician", "nurse", "coach",
			"trainer", "instructor", "courier", "therapist",
			"dentist", "operator", "worker", "staff", "representativ", "volunteer", "recruiter", "reviewer", "engineer", "developer", "lawyer",
			"consultant",
			"analyst", "rider", "pilot", "chef", "barista", "stylist", "mechanic", "inspector", "vet", "host", "broker", "adviser", "advisor",
			"assignee",
		},
		takers,
		visitors,
	} {
		for _, c := range p.form.view.base.columns {
			core := coreOf(c.words) // "the tier of a customer" does not name a person
			taker := len(core) > 0 && isOne(core[len(core)-1], takers...)
			if c.isText() && c.groups() && (taker || slices.ContainsFunc(c.words, func(w string) bool {
				return isOne(w, words...) && !isOne(w, takers...)
			})) && slices.ContainsFunc(c.words, func(w string) bool { return isOne(w, words...) }) {
				return c
			}
		}
	}
	for _, t := range p.form.view.joined {
		if shown := nameColumn(t); shown != nil && t.on != nil && !p.unique(t.on) &&
			(roleOf(t.on) != "" || slices.ContainsFunc(shown.words, func(w string) bool {
				return isOne(w, "full", "first", "last", "surname")
			})) {
			return shown // a table of their own contains their names
		}
	}
	return nil
}

// repeats says that rows of the file occur more than once, if rows are counted.
func (p *parser) repeats() {
	f := p.form
	if f.mode != modeGroups || !slices.ContainsFunc(f.measures, measure.ofRows) {
		return
	}
	for _, c := range f.view.base.columns {
		if c.names() && !c.unique() {
			f.note(fmt.Sprintf("%s of the %s rows repeat a %s; each row counts.", specialist.Format(float64(c.table.Rows-c.Distinct)),
				specialist.Format(float64(c.table.Rows)), quoteName(c)))
			return
		}
	}
}

// gave distinguishes "how many left a comment" from "how many comments".
func (p *parser) gave() bool {
	for i := p.pos - 1; i >= 0 && i >= p.pos-3; i-- {
		switch w := strings.ToLower(p.atoms[i].words); {
		case isOne(w, "left", "gave", "wrote", "provided", "added", "filled", "submitted", "have", "has", "had", "with", "got"):
			return true
		case !isOne(w, "a", "an", "any", "the", "their", "some"):
			return false
		}
	}
	return false
}

// coded reads a number that is a code: the 404 of "how many 404s".
func (p *parser) coded(a *atom) bool {
	var found *column
	for _, c := range p.form.view.base.columns {
		if c.Type == domain.ColumnInteger && c.Distinct > 1 && c.Distinct <= 60 && slices.ContainsFunc(c.words, func(w string) bool {
			return isOne(w, "code", "cod", "status")
		}) && within(c, a.num) {
			if found != nil {
				return false
			}
			found = c
		}
	}
	if found == nil {
		return false
	}
	op := opEq
	if p.not {
		op, p.not = opNe, false
	}
	p.form.where = append(p.form.where, condition{col: found, op: op, nums: []float64{a.num}})
	if next, i := p.peek(p.pos + 1); next != nil && isOne(strings.ToLower(next.words), "error", "errors", "response", "responses", "code",
		"codes") {
		p.pos = i + 1
	}
	p.last, p.lastAt = found, p.pos
	return true
}

// heads reports whether a question begins with a plural noun for a column: products by category.
func (p *parser) heads(c *column) bool {
	for _, m := range p.named {
		if m.col != c || !strings.HasSuffix(strings.ToLower(m.words), "s") || !c.isText() || c.booleanLike() {
			continue
		}
		for i := m.at - 1; i >= 0; i-- {
			if k := p.atoms[i].kind; k != atomStop && k != atomRows {
				return false
			}
		}
		next := m.at + 1
		return next < len(p.atoms) && (p.atoms[next].kind == atomBy || p.atoms[next].kind == atomEach)
	}
	return false
}

// personal reports whether a column contains the names of the people that the rows are about.
func personal(c *column) bool {
	if len(c.words) == 0 {
		return false
	}
	switch c.words[len(c.words)-1] {
	case "runner", "athlet", "patient", "student", "member", "passenger", "applicant", "candidat", "participant", "player", "person",
		"pupil", "guest", "tenant":
		return true
	default:
		return false
	}
}

// groupsRather keeps only names of columns if a group is expected: "by carrier" means the column of
// carriers, even if a reason has the same name.
func (p *parser) groupsRather(a *atom) {
	if slices.ContainsFunc(a.links, func(l link) bool { return l.column != nil && !l.isValue && l.column.groups() && l.quality >= 0.6 }) {
		a.links = slices.DeleteFunc(slices.Clone(a.links), func(l link) bool { return l.isValue })
	}
}

// columnItself reports whether a word that is a value of one column is the name of another column:
// "clubs" means the column club, even if a category has the same name.
func (p *parser) columnItself(a *atom, v *link) bool {
	if p.last == v.column && p.lastAt >= p.pos-3 || v.quality >= 1 {
		return false
	}
	return slices.ContainsFunc(a.links, func(l link) bool {
		return l.column != nil && !l.isValue && l.column != v.column && l.quality >= 0.99
	})
}

// stepsOf reports whether "age group" means steps of the age, because no column has that name.
func (p *parser) stepsOf(a *atom) bool {
	return p.pos > 0 && p.pos-p.lastAt == 1 && p.last != nil && p.last.isNumber() && a.size == 1 && a.links[0].quality < 0.9 &&
		isOne(strings.ToLower(a.words), "group", "groups", "bracket", "brackets", "band", "bands", "range", "ranges", "bucket", "buckets",
			"class", "classes")
}

// readDecade groups a column of years by decade.
func (p *parser) readDecade(a *atom) {
	p.byNext, p.perNext, p.which = false, false, false
	for _, c := range p.form.view.base.columns {
		if c.isYear() {
			p.explain(a, 1)
			p.addDim(dimension{col: c, width: 10})
			return
		}
	}
	p.form.block("I group by decades only where a column has the year.")
}

// namedLater reports whether the question names a column after the current atom: "with refund in the
// subject".
func (p *parser) namedLater(c *column) bool {
	return slices.ContainsFunc(p.atoms[p.pos:], func(a atom) bool { return a.kind == atomLink && columnOf(&a) == c })
}

// tableCalled reports whether a plural is the noun at the end of the table's own name.
func (p *parser) tableCalled(word string) bool {
	words := p.form.view.base.words
	return len(words) > 1 && words[len(words)-1] == stem(strings.ToLower(word)) && !salesMoney(word)
}
