package builtin

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/domain/meaning"
)

// noteTaken adds notes on assumptions if the words allow another reading that is as likely: the reader
// can then ask for the other one.
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

// noteDone adds a note if a state such as solved is filtered together with the date of something else:
// tickets that were solved may be older or newer than that date.
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
				return x == stem(strings.ToLower(v.value)) || shareBeginning(x, stem(strings.ToLower(v.value)))
			}) {
				continue
			}
			f.note(fmt.Sprintf("The time is that of %s; the data do not say when something became “%s”.", quoteName(w.col), v.value))
		}
	}
}

// noteState adds a note if an action may be found by a state or by its date: orders that were shipped no
// longer have the state "shipped" once they are delivered.
func (p *parser) noteState() {
	f := p.form
	for i := range p.atoms {
		v := valueOf(&p.atoms[i])
		if p.atoms[i].kind != atomLink || v == nil || !past(strings.ToLower(v.value)) || !f.filters(v.column) {
			continue
		}
		for _, c := range f.view.base.columns {
			if c.isDate() && slices.Contains(c.words, stem(strings.ToLower(v.value))) && !f.uses(c) && c.Nulls > 0 {
				f.note(fmt.Sprintf("I took “%s” for the %s; %s is there for %d rows.", p.atoms[i].words, coreTitle(v.column), quoteName(c),
					c.table.Rows-c.Nulls))
			}
		}
	}
}

// verbal reports whether a value is the verb of its sentence: did she solve, were delivered.
func (p *parser) verbal(i int, v *link) bool {
	word, value := strings.ToLower(p.atoms[i].words), strings.ToLower(v.value)
	if strings.Contains(value, " ") || !past(value) {
		return false
	}
	if word != value {
		return true // solve, for the value Solved
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

// noteGone adds a note that people or things which have left are still in the table, and count.
func (p *parser) noteGone() {
	f := p.form
	gone := f.view.base.leaving()
	if gone == nil || !slices.ContainsFunc(f.measures, func(m measure) bool { return m.agg == aggCount || m.agg == aggDistinct }) ||
		f.view.base.snapshot() != nil || p.uses(gone) || slices.ContainsFunc(f.dims,
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

// made returns a column that a measure is computed from, or nil.
func (f *form) made(m measure) *column {
	if m.col == nil || m.col.made == nil {
		return m.col
	}
	return m.col.made.b
}

// leaving returns the date on which the person or thing of a row left; nil if there is no such date.
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

// noteTotals adds a note if a comparison of two sides may be about their totals or about their means.
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

// strongFlow reports whether a number is income, for which the total is meant.
func (c *column) strongFlow() bool {
	return slices.ContainsFunc(c.words, func(w string) bool {
		return isOne(w, "revenue", "revenu", "sales", "turnover", "profit", "income", "incom")
	})
}

// notePerHour refuses "per hour" if the table also has a number of hours or minutes that may be meant.
func (p *parser) notePerHour() {
	d := p.form.timed()
	if slices.ContainsFunc(p.form.measures, func(m measure) bool { return m.each == grainHour || m.each == grainMinute }) {
		d = &dimension{col: p.form.dateColumn(p.spanHint), grain: grainHour}
	}
	if d == nil || d.col == nil || !isOne(string(d.grain), string(grainHour), string(grainMinute)) {
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

// noteCurrencies says that rows are ranked, or compared with a number, whatever their currency is.
func (f *form) noteCurrencies() {
	if f.mode != modeRows || f.blocked {
		return
	}
	compared := []*column{f.orderCol}
	for _, w := range f.where {
		if len(w.nums) > 0 {
			compared = append(compared, w.col)
		}
	}
	for _, c := range compared {
		if c == nil || c.meant() == nil || c.meant().Number == nil {
			continue
		}
		of := c.table.named(c.meant().Number.Unit.Column)
		if of == nil || of.Distinct < 2 || c.meant().Number.Unit.Kind != meaning.Money || slices.ContainsFunc(f.where, func(w condition) bool {
			return w.col == of && w.op == opIn && len(w.values) == 1
		}) {
			continue
		}
		f.note(fmt.Sprintf("%s is in several currencies, by %s; I took the numbers as they are.", quoteName(c), quoteName(of)))
		return
	}
}
