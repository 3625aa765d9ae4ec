package builtin

import (
	"fmt"
	"slices"
	"strings"
)

// noteTaken says what was taken for granted where the words leave room for another
// reading that is as likely: the reader can then ask for the other one.
func (p *parser) noteTaken() {
	if p.form.blocked {
		return
	}
	p.noteState()
	if p.form.mode != modeGroups {
		return
	}
	p.noteDone()
	p.noteGone()
	p.noteTotals()
	p.notePerHour()
}

// noteDone: a state that is told by a verb has a day of its own, which a date of
// something else is not: tickets that were solved in March may be older.
func (p *parser) noteDone() {
	f := p.form
	for i := range p.atoms {
		a := &p.atoms[i]
		v := valueOf(a)
		if a.kind != atomLink || v == nil || !p.verbal(i, v) || !f.filters(v.column) {
			continue
		}
		for _, w := range f.where {
			if w.op != opSpan || !w.col.isDate() || slices.ContainsFunc(w.col.words, func(x string) bool {
				return x == stem(strings.ToLower(v.value)) || akinWords(x, stem(strings.ToLower(v.value)))
			}) {
				continue
			}
			f.note(fmt.Sprintf("The time is that of %s; when something became “%s”, the data do not say.", quoteName(w.col), v.value))
		}
	}
}

// noteState: what was done may be told by a state or by the day on which it was done;
// orders that were shipped are no longer "shipped" once they are delivered.
func (p *parser) noteState() {
	f := p.form
	for i := range p.atoms {
		v := valueOf(&p.atoms[i])
		if p.atoms[i].kind != atomLink || v == nil || !past(strings.ToLower(v.value)) || !f.filters(v.column) {
			continue
		}
		for _, c := range f.view.base.columns {
			if c.isDate() && slices.Contains(c.words, stem(strings.ToLower(v.value))) && !f.stands(c) && c.Nulls > 0 {
				f.note(fmt.Sprintf("I took “%s” for the %s; %s is there for %d rows.", p.atoms[i].words, coreTitle(v.column), quoteName(c),
					c.table.Rows-c.Nulls))
			}
		}
	}
}

// verbal tells a value that stands as the verb of its sentence: did she solve, were
// delivered.
func (p *parser) verbal(i int, v *link) bool {
	word, value := strings.ToLower(p.atoms[i].words), strings.ToLower(v.value)
	if strings.Contains(value, " ") || !past(value) {
		return false
	}
	if word != value {
		return true // solve of Solved
	}
	for k := i - 1; k >= 0 && k >= i-3; k-- {
		if auxiliary(strings.ToLower(p.atoms[k].words)) {
			return true
		}
		if p.atoms[k].kind != atomStop && p.atoms[k].kind != atomNot {
			return false
		}
	}
	return false
}

// noteGone: of people, members and the like those who have left are still in the table.
func (p *parser) noteGone() {
	f := p.form
	gone := f.view.base.leaving()
	if gone == nil || !slices.ContainsFunc(f.measures, func(m measure) bool { return m.agg == aggCount || m.agg == aggDistinct }) ||
		f.view.base.snapshot() != nil || p.stands(gone) || slices.ContainsFunc(f.dims,
		func(d dimension) bool { return d.col == gone }) || f.shareOf != nil && f.shareOf.col == gone {
		return
	}
	if slices.ContainsFunc(f.where, func(w condition) bool { return w.op == opSpan }) || f.timed() != nil ||
		slices.ContainsFunc(f.measures, func(m measure) bool { return f.made(m) == gone }) {
		return
	}
	n := gone.table.Rows - gone.Nulls
	f.note(fmt.Sprintf("%d of the %d rows have %s; they count as well.", n, gone.table.Rows, quoteName(gone)))
}

// made is a column of which a measure is made, nil for none.
func (f *form) made(m measure) *column {
	if m.col == nil || m.col.made == nil {
		return m.col
	}
	return m.col.made.b
}

// leaving is the date on which those whom the rows stand for left; nil for none, or
// where the rows are no people or the like.
func (t *table) leaving() *column {
	for _, c := range t.columns {
		if !c.isDate() || c.Nulls == 0 || c.Nulls >= t.Rows {
			continue
		}
		if slices.ContainsFunc(splitName(c.Name), func(w string) bool {
			return isOne(w, "left", "leaving", "exit", "exited", "termination", "terminated", "resigned", "resignation",
				"departure", "departed", "churned", "churn", "cancelled", "canceled", "deceased", "retired", "decommissioned",
				"scrapped")
		}) {
			return c
		}
	}
	return nil
}

// noteTotals: which of two sides is higher may be asked of their totals or of their means.
func (p *parser) noteTotals() {
	f := p.form
	if len(f.measures) != 1 || !f.measures[0].assumed || f.measures[0].agg != aggSum || f.measures[0].col == nil ||
		f.measures[0].col.strongFlow() || !p.twoSides() {
		return
	}
	if slices.ContainsFunc(p.said(), func(w saidWord) bool {
		return isOne(w.text, "higher", "lower", "than", "compare", "differ", "vs", "versus")
	}) {
		f.note(fmt.Sprintf("You did not say total or average, so I compared the totals of %s.", quoteName(f.measures[0].col)))
	}
}

// strongFlow tells money that is taken in, of which the total is meant.
func (c *column) strongFlow() bool {
	return slices.ContainsFunc(c.words, func(w string) bool {
		return isOne(w, "revenue", "revenu", "sales", "turnover", "profit", "income", "incom")
	})
}

// notePerHour: of what has hours or minutes of its own, "per hour" may be one of those.
func (p *parser) notePerHour() {
	d := p.form.timed()
	if d == nil || !isOne(string(d.grain), string(grainHour), string(grainMinute)) {
		return
	}
	for _, c := range p.form.view.base.columns {
		if c.isNumber() && c.made == nil && c.longLasting() && slices.ContainsFunc(p.atoms,
			func(a atom) bool {
				return a.kind == atomGrain && strings.HasPrefix(strings.ToLower(a.words), "per ") ||
					a.kind == atomEach
			}) {
			p.refuse("per "+string(d.grain), fmt.Sprintf(": it may be each %s of %s, or one of those in %s", d.grain,
				quoteName(d.col), quoteName(c)))
			return
		}
	}
}
