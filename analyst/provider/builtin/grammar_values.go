package builtin

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/analyst/specialist"
)

// readValue filters by a value. Several columns may contain the same value, such as an airport that is
// an origin and a destination: the words around it decide which column is meant.
func (p *parser) readValue(a *atom) {
	best := valueOf(a)
	if best.piece && p.pos > 0 && p.lastAt == p.pos-1 && p.last == best.column && p.atoms[p.pos-1].kind == atomLink &&
		valueOf(&p.atoms[p.pos-1]) != nil {
		return // "river water" is the value River, whatever else contains the word water
	}
	if p.comparing() && slices.ContainsFunc(p.form.where, func(c condition) bool {
		return c.col == best.column && (c.op == opContains) != best.part && (c.op == opContains || c.op == opIn)
	}) {
		p.form.block("I cannot set a whole name beside a part of one yet.")
	}
	var all []link
	for _, l := range a.links {
		if l.isValue && l.part == best.part && l.quality > best.quality-0.02 && strings.EqualFold(l.value, best.value) {
			all = append(all, l)
		}
	}
	if len(all) < 2 {
		p.addValue(*best, nil)
		return
	}
	for _, l := range all {
		if slices.ContainsFunc(p.form.where, func(c condition) bool {
			return c.col == l.column && c.op == opIn && !p.not && c.also == nil
		}) && p.comparing() {
			p.addValue(l, nil)
			return
		}
	}
	if role, i := p.peek(p.pos + 2); role != nil && role.kind == atomLink && strings.EqualFold(p.atoms[p.pos+1].words, "as") {
		for _, l := range all {
			if l.column == columnOf(role) {
				p.addValue(l, nil) // Albion as home team
				p.pos = i + 1
				return
			}
		}
	}
	for _, l := range all {
		if p.pointsAt(l.column) {
			p.addValue(l, nil)
			return
		}
	}
	for _, l := range all {
		if i := p.distinguishingWord(l.column, all); i > 0 {
			p.atoms[i].kind = atomStop
			p.addValue(l, nil)
			return
		}
	}
	if named := p.namedOf(all); named != nil {
		p.addValue(*named, nil)
		return
	}
	var others []*column
	twins := true
	for _, l := range all {
		if l.column != best.column {
			others = append(others, l.column)
			twins = twins && alike(best.column, l.column)
		}
	}
	if twins {
		p.addValue(*best, others)
		return
	}
	p.addValue(*best, nil)
	p.alternatives = append(p.alternatives, alternative{best.column, best.value, others})
}

// namedOf returns the reading of a value whose column the question names elsewhere: who agree that the support was helpful agree in
// that column, and not in one of the others with the same answers. It returns nil if none or several of them are named.
func (p *parser) namedOf(all []link) *link {
	var found *link
	at := 0
	for i := range p.atoms {
		a := &p.atoms[i]
		if i == p.pos || a.kind != atomLink || i > 0 && (p.atoms[i-1].kind == atomBy || p.atoms[i-1].kind == atomEach) {
			continue
		}
		for k := range all {
			if slices.ContainsFunc(a.links, func(l link) bool { return !l.isValue && l.column == all[k].column && l.quality >= 0.85 }) {
				if found != nil && found.column != all[k].column {
					return nil
				}
				found, at = &all[k], i
			}
		}
	}
	if found != nil && at > p.pos {
		p.atoms[at].kind = atomStop
	}
	return found
}

// distinguishingWord finds a word shortly after a value that only one of its columns has in its name: Arsenal at home is the home
// team. It returns the position of the word, or 0.
func (p *parser) distinguishingWord(c *column, all []link) int {
	for i := p.pos + 1; i < len(p.atoms) && i <= p.pos+4; i++ {
		if k := p.atoms[i].kind; k != atomLink && k != atomUnknown && k != atomStop || k == atomLink && valueOf(&p.atoms[i]) != nil {
			break
		}
		w := stem(strings.ToLower(p.atoms[i].words))
		if !slices.Contains(c.words, w) || len(w) < 4 {
			continue
		}
		if !slices.ContainsFunc(all, func(l link) bool { return l.column != c && slices.Contains(l.column.words, w) }) {
			return i
		}
	}
	return 0
}

// alternative is a value together with the other columns that may have been meant.
type alternative struct {
	col    *column
	value  string
	others []*column
}

// settleAlternatives moves a value to the column of the value that it is compared with. If there is no
// such value, the plan says which column was chosen.
func (p *parser) settleAlternatives() {
	for _, alt := range p.alternatives {
		at := slices.IndexFunc(p.form.where, func(c condition) bool {
			return c.col == alt.col && c.op == opIn && len(c.values) == 1 && c.values[0] == alt.value
		})
		if at < 0 {
			continue
		}
		moved := false
		for _, other := range alt.others {
			for i := range p.form.where {
				if w := &p.form.where[i]; w.col == other && w.op == opIn && !moved {
					w.values = append([]string{alt.value}, w.values...)
					moved = true
				}
			}
		}
		if moved {
			p.form.where = slices.Delete(p.form.where, at, at+1)
			continue
		}
		var names []string
		for _, o := range alt.others {
			names = append(names, quoteName(o))
		}
		p.form.note(fmt.Sprintf("%s is also in %s; I took %s.", quoteAll([]string{alt.value})[0], specialist.List(names, "and"),
			quoteName(alt.col)))
	}
}

func (p *parser) comparing() bool {
	for i := p.pos - 1; i >= 0 && i >= p.pos-2; i-- {
		if k := p.atoms[i].kind; k == atomVs || k == atomAnd {
			return true
		}
	}
	return false
}

// pointsAt reports whether the words next to a value refer to the column.
func (p *parser) pointsAt(c *column) bool {
	near := func(i int) bool {
		if i < 0 || i >= len(p.atoms) {
			return false
		}
		for _, w := range strings.Fields(strings.ToLower(p.atoms[i].words)) {
			if len(w) > 2 && slices.Contains(c.words, stem(w)) {
				return true
			}
		}
		return false
	}
	if near(p.pos+1) || near(p.pos-1) || near(p.pos-2) || near(p.pos-3) {
		return true
	}
	if p.pos == 0 {
		return false
	}
	before := strings.ToLower(p.atoms[p.pos-1].words)
	if p.pos > 1 && before == "of" && strings.EqualFold(p.atoms[p.pos-2].words, "out") {
		before = "out of"
	}
	is := func(words ...string) bool {
		return slices.ContainsFunc(c.words, func(w string) bool { return isOne(w, words...) })
	}
	switch before {
	case "from", "leaving", "out of":
		return is("origin", "from", "source", "sender", "departur", "start", "pickup", "orig")
	case "to", "into", "towards":
		return is("destination", "to", "target", "receiver", "recipient", "arrival", "end", "dropoff", "dest")
	default:
		return false
	}
}

// alike reports whether two columns contain the same kind of thing.
func alike(a, b *column) bool {
	if len(a.Values) == 0 || len(b.Values) == 0 {
		return false
	}
	n := 0
	for _, v := range a.Values {
		if slices.Contains(b.Values, v) {
			n++
		}
	}
	return 2*n >= min(len(a.Values), len(b.Values)) && n > 1
}

// ambiguous records a note if a word names several columns equally well.
func (p *parser) ambiguous(a *atom, picked *column) {
	var others []string
	quality := 0.0
	for _, l := range a.links {
		if l.column == picked && !l.isValue {
			quality = l.quality
		}
	}
	for _, l := range a.links {
		if l.column != nil && !l.isValue && l.column != picked && quality < 0.95 && l.quality == quality && l.column.kind() == picked.kind() &&
			l.column.table == picked.table {
			others = append(others, quoteName(l.column))
		}
	}
	if len(others) == 0 || strings.EqualFold(a.words, picked.Name) || picked.isDate() {
		return
	}
	more := ""
	if len(others) > 3 {
		more = fmt.Sprintf(" and %d more", len(others)-3)
		others = others[:3]
	}
	p.ambiguities = append(p.ambiguities, ambiguity{picked, fmt.Sprintf("%s may also mean %s%s; I took %s.", quoteAll([]string{a.words})[0],
		strings.Join(others, ", "), more, quoteName(picked))})
}

// ambiguity is a column that was chosen among equally good ones, and the note about it.
type ambiguity struct {
	col  *column
	note string
}

// readOpen reads open: a ticket is open as long as the date of its end is empty.
func (p *parser) readOpen(a *atom) {
	c := p.form.view.ending()
	p.explain(a, 1)
	op := opNull
	if p.not {
		op, p.not = opNotNull, false
	}
	p.form.where = append(p.form.where, condition{col: c, op: op})
	p.form.note(fmt.Sprintf("I took those without %s as %s.", quoteName(c), strings.ToLower(a.words)))
}

// ending returns the date on which a row of the base ended, if some rows have not ended yet. It is not
// needed, and nil, if a column says which rows are open.
func (v *view) ending() *column {
	var end *column
	for _, c := range v.base.columns {
		if slices.ContainsFunc(c.Values, func(x string) bool {
			return isOne(strings.ToLower(x), "open", "active", "inactive", "pending", "unresolved", "ongoing", "in progress")
		}) {
			return nil
		}
		if end == nil && c.isDate() && c.Nulls > 0 && slices.ContainsFunc(c.words, func(w string) bool {
			return isOne(w, stem("closed"), stem("resolved"), stem("solved"), stem("completed"), stem("finished"), stem("ended"), stem("end"),
				stem("settled"), stem("cancelled"), stem("canceled"), stem("cancellation"), stem("terminated"), stem("termination"), stem("churned"),
				stem("churn"), "exit", stem("left"), stem("leave"), "leaving", "quit", stem("deactivated"))
		}) {
			end = c
		}
	}
	return end
}
