package builtin

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/analyst/specialist"
)

func (p *parser) guardValues() {
	f := p.form
	for i := range p.atoms {
		a := &p.atoms[i]
		if a.kind != atomLink {
			continue
		}
		v := valueOf(a)
		if v == nil || !slices.ContainsFunc(f.where, func(w condition) bool {
			return (w.col == v.column || slices.Contains(w.also, v.column)) && slices.Contains(w.values, v.value)
		}) {
			continue
		}
		if i > 0 && isOne(strings.ToLower(p.atoms[i-1].words), "about", "regarding", "concerning", "on", "=", "called", "named") {
			continue
		}
		p.guardNoun(a, v)
	}
	for _, w := range f.where {
		if w.op == opContains && !w.guessed && w.col.Distinct <= 30 && len(w.col.Values) == int(w.col.Distinct) &&
			!slices.ContainsFunc(p.named, func(m mention) bool { return m.col == w.col }) {
			found := slices.ContainsFunc(w.col.Values, func(v string) bool {
				return slices.ContainsFunc(w.values, func(part string) bool {
					return strings.Contains(strings.ToLower(v),
						strings.ToLower(part))
				})
			})
			if !found {
				f.block(fmt.Sprintf("No value of %s contains %s.", quoteName(w.col), specialist.List(quoteAll(w.values), "or")))
			}
		}
	}
	p.guardParts()
	p.guardSigned()
	p.sameInOtherCase()
}

// guardParts refuses to group by a column if the noun of the question is only the first part of its
// name: customers are not customer segments.
func (p *parser) guardParts() {
	for _, m := range p.named {
		a := &p.atoms[m.at]
		c, word := m.col, stem(strings.ToLower(m.words))
		core := coreOf(c.words)
		if a.size != 1 || !c.isText() || c.keyLike() || len(core) < 2 || core[0] != word || !whoOrWhat(word) ||
			!isOne(core[len(core)-1], "segment", "group", "tier", "class", "status", "region", "country", "city", "gender",
				"channel", "source", "size", "industry", "level", "manager", "age", "reason", "state", "priority", "stage",
				"band") || p.unique(c) {
			continue
		}
		if next := m.at + 1; next < len(p.atoms) && p.atoms[next].kind == atomLink && columnOf(&p.atoms[next]) == c {
			continue
		}
		if slices.ContainsFunc(p.form.dims, func(d dimension) bool { return d.col == c }) {
			p.form.ask(fmt.Sprintf("“%s” may not be what %s means; please name the column.", m.words, quoteName(c)))
		}
	}
}

// guardNoun refuses a value that is only the noun for the rows: in a table of hotels, the word hotel
// does not select a value of a column with hotel in its name, unless the question also names the
// column.
func (p *parser) guardNoun(a *atom, v *link) {
	word := stem(strings.ToLower(a.words))
	if a.size != 1 || a.words != strings.ToLower(a.words) {
		return
	}
	named := len(v.column.words) > 1 && slices.Contains(v.column.words, word)
	if named && !slices.ContainsFunc(p.named, func(m mention) bool { return m.col == v.column }) {
		p.form.ask(fmt.Sprintf("“%s” may be the value of %s or only say what the data are of; please name the column beside it.",
			a.words, quoteName(v.column)))
	}
	if v.piece && (commonNoun(word) || isOne(word, "back", "out", "up", "off", "down", "away", "again", "over", "on", "home",
		"right", "left", "well", "still", "one")) {
		p.form.block(fmt.Sprintf("Nothing here is called “%s”; it is only a part of “%s” in %s.", a.words, v.value,
			quoteName(v.column)))
	}
}

// commonNoun reports whether a word is a common name for columns of many tables.
func commonNoun(word string) bool {
	for _, group := range synonyms() {
		if slices.Contains(stems(group), word) {
			return true
		}
	}
	return false
}

// sameInOtherCase counts values together that differ only by case or by blanks at their ends, and adds
// a note.
func (p *parser) sameInOtherCase() {
	f := p.form
	fold := func(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }
	for i := range f.where {
		w := &f.where[i]
		if w.op != opIn && w.op != opNotIn || !w.col.isText() {
			continue
		}
		for _, v := range slices.Clone(w.values) {
			for _, o := range w.col.Values {
				if o != v && fold(o) == fold(v) && !slices.Contains(w.values, o) {
					w.values = append(w.values, o)
					f.note(fmt.Sprintf("I counted “%s” and “%s” together; they differ only in case or blanks.", v, o))
				}
			}
		}
	}
	for _, d := range f.dims {
		if !d.col.isText() || d.grain != grainNone {
			continue
		}
		seen := make(map[string]string)
		for _, v := range d.col.Values {
			if o, ok := seen[fold(v)]; ok && o != v {
				f.note(fmt.Sprintf("“%s” and “%s” are separate in %s; they differ only in case or blanks.", o, v, quoteName(d.col)))
			}
			seen[fold(v)] = v
		}
	}
}

// guardMeasures refuses to count the distinct values of a number.
func (p *parser) guardMeasures() {
	f := p.form
	distinct := slices.ContainsFunc(p.atoms, func(a atom) bool { return a.kind == atomDistinct })
	for _, m := range f.measures {
		if m.agg != aggDistinct || m.col == nil || distinct {
			continue
		}
		if m.col.isNumber() || m.col.keyLike() && m.col.kind() == "number" &&
			isOne(m.col.words[len(m.col.words)-1], "num", "number", "count") && m.col.Min == "0" {
			f.block(fmt.Sprintf("%s contains numbers; I could not tell whether you want their total or how many rows there are.",
				quoteName(m.col)))
		}
	}
	if c := primary(f.view.base); c != nil && c.strong() && !c.rate() && len(f.measures) == 1 && f.measures[0].agg == aggCount &&
		f.measures[0].assumed && p.twoSides() &&
		slices.ContainsFunc(p.said(), func(w saidWord) bool {
			return isOne(w.text, "sell", "sold", "earn", "earned", "spend",
				"spent")
		}) {
		f.measures = []measure{{agg: aggSum, col: c, assumed: true}}
		f.note(fmt.Sprintf("You did not name a measure, so I took %s.", quoteName(c)))
	}
	if p.counting {
		return
	}
	for i := range p.atoms {
		// "how many active customers" does not ask for the sum of a column of active users.
		if p.atoms[i].kind != atomHowMany {
			continue
		}
		next, _ := p.peek(i + 1)
		if next == nil || next.kind != atomLink || valueOf(next) != nil {
			continue
		}
		c := columnOf(next)
		if c != nil && c.isNumber() && next.links[0].column == c && next.links[0].quality < 0.7 && next.size == 1 &&
			commonNoun(stem(strings.ToLower(next.words))) && !slices.Contains(c.words, stem(strings.ToLower(next.words))) &&
			slices.ContainsFunc(f.measures, func(m measure) bool { return m.col == c && m.agg == aggSum }) {
			f.block(fmt.Sprintf("I could not tell whether “%s” is %s.", next.words, quoteName(c)))
		}
	}
}
