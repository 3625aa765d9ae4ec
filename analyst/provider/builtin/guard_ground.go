package builtin

import (
	"fmt"
	"slices"
	"strings"
)

// guardGround checks that each part of a reading has a reason in the question: the table whose rows are
// read, the verb about them, the number that a superlative ranks by, and the choice among several
// columns of one word. A part without a reason was invented by the planner, and the answer would be
// about something else.
func (p *planner) guardGround(f *form) {
	if f.mode == modeDescribe || f.help || f.blocked || f.follows {
		return
	}
	if !p.grounded(f) {
		f.block(fmt.Sprintf("I would read that from %s, of which nothing in the question speaks.", f.view.base.entity()))
	}
	p.guardTables(f)
	p.guardActions(f)
	p.guardMoney(f)
	p.guardHints(f)
	f.guardHomonyms()
	f.guardHeadsOf()
	f.guardBins()
	f.guardTimes()
}

// grounded reports whether something in the question refers to the table whose rows are read. If one
// table is joined to another, and the form uses only columns of the joined one, then the other table
// only removes rows: products are not only the products with refunds.
func (p *planner) grounded(f *form) bool {
	base := f.view.base
	if len(p.views) < 2 || len(f.used()) != 1 {
		return true // two joined tables need the rows that connect them
	}
	for i := range f.atoms {
		for _, l := range f.atoms[i].links {
			switch {
			case l.table == base && l.quality > 0.42:
				return true
			case l.column != nil && l.column.table == base && (f.uses(l.column) || l.column.keyLike() && l.quality >= 0.8):
				return true
			}
		}
	}
	return slices.ContainsFunc(base.columns, func(c *column) bool { return (c.isDate() || c.isNumber()) && f.uses(c) })
}

// guardTables refuses a reading that does not use a table which the question names: the answer must use
// its rows, its key or one of its columns, or the word must belong to another name that is used.
func (p *planner) guardTables(f *form) {
	for i, t := range f.tokens {
		if t.kind != tokenWord || p.lang.stop[t.norm] && !(i > 0 && isOne(f.tokens[i-1].norm, "per", "each", "every")) {
			continue
		}
		placed, missed := 0.0, 0.0
		for _, ix := range p.indexes {
			for _, l := range ix.phrases[t.stem] {
				switch {
				case !l.calls(ix.view.base, t.stem):
				case f.hasName(l):
					placed = max(placed, l.quality)
				default:
					missed = max(missed, l.quality)
				}
			}
		}
		// "flights" is used if the flights are read, even if there is a table of flight legs as well.
		if missed > placed && !f.carries(i) {
			f.block(fmt.Sprintf("“%s” is a table here, and I found no place for it.", t.text))
			return
		}
	}
}

// carries reports whether a token belongs to the name or to a value of something in the answer.
func (f *form) carries(i int) bool {
	word := f.tokens[i].stem
	for _, c := range f.view.columns() {
		if slices.Contains(c.words, word) && f.uses(c) {
			return true
		}
	}
	at := 0
	for k := range f.atoms {
		a := &f.atoms[k]
		if i >= at && i < at+a.size {
			v := valueOf(a)
			return v != nil && f.filters(v.column) || a.kind == atomQuoted
		}
		at += a.size
	}
	return true // an atom was made from other tokens than these
}

// guardActions refuses verbs about a table that does not record events. A table that others are joined to, and that has no time,
// only lists things: its rows do not say what was "sold" or "borrowed", unless one of its columns does.
func (p *planner) guardActions(f *form) {
	base := f.view.base
	if len(p.views) < 2 || slices.ContainsFunc(f.view.joined, func(t *table) bool { return len(t.dates()) > 0 }) {
		return
	}
	looked := slices.ContainsFunc(p.views, func(o *view) bool {
		return o.base.Name != base.Name && o.joins(base)
	})
	if !looked || slices.ContainsFunc(base.columns, func(c *column) bool { return (c.isDate() || c.isYear()) && f.uses(c) }) {
		return
	}
	for i, t := range f.tokens {
		if t.kind != tokenWord || !past(t.norm) && !strongPast(t.norm) || f.ordersBy(i) || f.carries(i) || p.speaksOf(base, t) {
			continue
		}
		f.block(fmt.Sprintf("“%s” is not told by the rows of %s.", t.text, base.entity()))
		return
	}
}

// ordersBy reports whether a token only begins the order of an answer: ordered by, sorted alphabetically.
func (f *form) ordersBy(i int) bool {
	return isOne(f.tokens[i].norm, "ordered", "sorted", "ranked", "arranged") && i+1 < len(f.tokens) &&
		isOne(f.tokens[i+1].norm, "by", "alphabetically", "ascending", "descending", "in", "from")
}

// happened reports whether a word is a verb in the past, regular or not.
func happened(w string) bool { return past(w) || strongPast(w) }

// strongPast reports whether a word is a past tense that the function past does not know.
func strongPast(w string) bool {
	return isOne(w, "lent", "sent", "gave", "given", "took", "taken", "got", "won", "lost", "ran", "flew", "flown",
		"drove", "driven", "taught", "wrote", "written", "read", "seen", "saw", "grew", "grown", "built", "held", "met")
}

// speaksOf reports whether a word is in the name of a column of a table.
func (p *planner) speaksOf(t *table, w token) bool {
	return slices.ContainsFunc(t.columns, func(c *column) bool {
		return slices.ContainsFunc(c.words, func(x string) bool { return x == w.stem || shareBeginning(x, w.stem) })
	})
}

// guardMoney refuses to choose between the numbers of several tables: a number that is only called
// amount or value belongs to its own table. A word that is not part of its name does not select it,
// unless the question names the table: "revenue" is not the amount of the refunds.
func (p *planner) guardMoney(f *form) {
	if len(p.views) < 2 {
		return
	}
	for _, m := range f.measures {
		c := m.col
		if c == nil || c.made != nil || !c.isNumber() || m.agg == aggCount || m.agg == aggDistinct || len(c.words) == 0 ||
			!isOne(c.words[len(c.words)-1], "amount", "value", "valu", "total", "sum") || len(coreOf(c.words)) > 1 {
			continue
		}
		named := slices.ContainsFunc(f.tokens, func(t token) bool {
			return slices.Contains(c.words, t.stem) || slices.ContainsFunc(c.table.words, func(w string) bool {
				return w == t.stem || shareBeginning(w, t.stem)
			}) || slices.ContainsFunc(c.table.dates(), func(d *column) bool {
				return slices.Contains(splitName(d.Name), t.norm) && past(t.norm) // "paid" names the table with a date of payment
			})
		})
		others := slices.ContainsFunc(p.views, func(v *view) bool {
			return v.base.Name != c.table.Name && (!p.looksUp(c.table, v.base) || v.base.refers()) &&
				slices.ContainsFunc(v.base.columns, func(o *column) bool {
					return o.isNumber() && o.made == nil && !o.keyLike() && o.money()
				})
		})
		if !named && others {
			f.ask(fmt.Sprintf("I could not tell whether you mean %s of %s or another number.", quoteName(c), c.table.entity()))
		}
	}
}

// looksUp reports whether a table is joined to the rows of another table.
func (p *planner) looksUp(from, to *table) bool {
	return slices.ContainsFunc(p.views, func(v *view) bool {
		return v.base.Name == from.Name && v.joins(to)
	})
}

// refers reports whether the rows of a table refer to rows of other tables, as rows of events do.
func (t *table) refers() bool {
	return slices.ContainsFunc(t.columns, func(c *column) bool { return c.keyLike() && !c.unique() })
}

// money reports whether the name of a column says that it contains money.
func (c *column) money() bool {
	return slices.ContainsFunc(splitName(c.Name), func(w string) bool {
		return isOne(w, "price", "amount", "fee", "cost", "revenue", "sales", "total", "value", "paid", "commission", "fare", "charge")
	})
}

// guardHints checks superlatives that imply a kind of number (longest, cheapest): the ranking must use
// a number of that kind. If the name of the number is more specific, a note says which one was chosen.
func (p *planner) guardHints(f *form) {
	reader := &parser{form: f}
	for i := range f.atoms {
		a := &f.atoms[i]
		hint := p.lang.keywords[strings.ToLower(a.words)].hint // the superlative's own hint, even before an average
		if a.kind == atomSuper && hint == "count" && f.mode == modeRows && f.orderCol != nil && !f.says(f.orderCol.words) {
			f.block(fmt.Sprintf("Which is the “%s” is not told by the rows of %s.", a.words, f.view.base.entity()))
		}
		if a.kind != atomSuper || hint == "" || hint == "count" || f.mode != modeGroups && f.mode != modeRows {
			continue
		}
		c := reader.byHint(hint)
		if c == nil || !f.uses(c) {
			if f.orderCol == nil && slices.ContainsFunc(f.measures, func(m measure) bool { return m.assumed || m.aggOnly }) {
				f.block(fmt.Sprintf("I found no number that tells which is the “%s”.", a.words))
			}
			continue
		}
		core := coreOf(c.words)
		if len(core) < 2 || core[len(core)-1] == stem(hint) || f.says(core[:1]) || slices.Contains(c.table.words, core[0]) {
			continue
		}
		f.note(fmt.Sprintf("“%s” may be told by another number; I took %s.", a.words, quoteName(c)))
	}
}

// guardHomonyms refuses a value that columns of two tables contain: an order to Germany is not an order
// from a German seller.
func (f *form) guardHomonyms() {
	for _, w := range f.where {
		for _, o := range w.also {
			if o.table != w.col.table {
				f.ask(fmt.Sprintf("%s may be of %s or of %s; please name the column.", quoteAll(w.values)[0], quoteName(w.col),
					quoteName(o)))
				return
			}
		}
	}
}

// guardHeadsOf checks a noun that ends the names of several numbers, and is the whole name of none: it
// does not say which number is meant. Beds may be occupied or closed.
func (f *form) guardHeadsOf() {
	for i := range f.atoms {
		a := &f.atoms[i]
		c, word := nounOf(a)
		if c == nil || c.made != nil || !c.isNumber() || !f.uses(c) || len(c.words) < 2 || c.words[len(c.words)-1] != word {
			continue
		}
		for _, o := range c.table.columns {
			if o == c || !o.isNumber() || o.made != nil || o.keyLike() || len(o.words) < 2 || o.words[len(o.words)-1] != word || f.uses(o) ||
				f.says(c.words[:len(c.words)-1]) || f.says(o.words[:len(o.words)-1]) {
				continue
			}
			if c.level() {
				f.ask(fmt.Sprintf("“%s” may be %s or %s; please say which of them.", a.words, quoteName(c), quoteName(o)))
			} else {
				f.note(fmt.Sprintf("“%s” may also be %s; I took %s.", a.words, quoteName(o), quoteName(c)))
			}
			return
		}
	}
}

// guardBins refuses steps of a number if the question does not name its column, but has a word that is
// a part of the column's name and also names a table: invoices per order are not grouped by the order
// value.
func (f *form) guardBins() {
	for _, d := range f.dims {
		if d.width == 0 {
			continue
		}
		for i := range f.atoms {
			links := f.atoms[i].links
			if slices.ContainsFunc(links, func(l link) bool { return l.table != nil && l.quality > 0.42 }) &&
				slices.ContainsFunc(links, func(l link) bool { return l.column == d.col && !l.isValue && l.quality < 0.9 }) {
				f.block(fmt.Sprintf("I would group by %s, and “%s” may mean something else.", quoteName(d.col), f.atoms[i].words))
			}
		}
	}
}

// says reports whether the question contains one of some words, given as stems.
func (f *form) says(words []string) bool {
	return slices.ContainsFunc(f.tokens, func(t token) bool { return slices.Contains(words, t.stem) })
}

// guardTimes refuses two overlapping times of one date: "the last week of October" does not mean a week
// and also all of October.
func (f *form) guardTimes() {
	for i, a := range f.where {
		for _, b := range f.where[i+1:] {
			if a.op != opSpan || b.op != opSpan || a.col != b.col || a.not != b.not || a.span.from.IsZero() || b.span.from.IsZero() {
				continue
			}
			if (b.span.to.IsZero() || a.span.from.Before(b.span.to)) && (a.span.to.IsZero() || b.span.from.Before(a.span.to)) {
				f.block(fmt.Sprintf("I could not combine “%s” and “%s”.", a.span.label, b.span.label))
			}
		}
	}
}
