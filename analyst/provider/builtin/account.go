package builtin

import (
	"fmt"
	"slices"
	"strings"
)

// mention is a name of the schema that the question contains.
type mention struct {
	col   *column
	words string
	at    int
}

// account checks that everything the question named has a part in the form. Anything without a part is
// reported; where it would have changed the number, the question is not answered.
func (p *parser) account() {
	f := p.form
	if f.mode == modeDescribe || f.help {
		return
	}
	if p.not {
		f.block("I could not tell what to leave out.")
	}
	if p.unplaced() && f.stance.ranksOnly {
		f.unranked, f.few, f.ordered, f.desc = true, 1, true, p.superDir == "desc"
	} else if p.unplaced() {
		for i := range p.atoms {
			if p.atoms[i].kind == atomSuper {
				f.ignored = append(f.ignored, p.atoms[i].words)
				f.blocked = true
			}
		}
	}
	if f.mode == modeGroups && slices.ContainsFunc(p.atoms, func(a atom) bool {
		return a.kind == atomLatest
	}) && f.timed() == nil && f.limit == 0 {
		f.block(unable("latestper"))
	}
	for _, x := range p.ambiguities {
		if x.col.isNumber() && slices.ContainsFunc(f.measures, func(m measure) bool { return m.col == x.col }) {
			f.note(x.note)
		}
	}
	for _, d := range f.dims {
		if c := d.col; f.mode == modeGroups && c.table != f.view.base && c == nameColumn(c.table) && c.Distinct < c.table.Rows {
			f.note(c.sharedName())
		}
	}
	for _, m := range p.named {
		if p.predicateOf(m) || p.accounted(p.known(m.col)) || p.accounted(m.col) || slices.Contains(f.ignored, m.words) ||
			p.accountedWord(m.words) {
			continue
		}
		if next := m.at + 1; next < len(p.atoms) && p.atoms[next].kind == atomLink && f.mode == modeGroups {
			if c := columnOf(&p.atoms[next]); c != nil && c.isNumber() && valueOf(&p.atoms[next]) == nil {
				f.blocked = true // "the shipping cost" is not just any cost
			}
		}
		f.ignored = append(f.ignored, m.words)
	}
	for i := 1; i < len(p.atoms) && f.mode == modeRows; i++ {
		if p.atoms[i].kind == atomUnknown && isOne(strings.ToLower(p.atoms[i-1].words), "with", "from", "for", "in", "at", "of") {
			f.blocked = true // all rows would not be the rows that were asked for
		}
	}
	if f.mode == modeGroups && len(f.ignored) > 0 && len(f.measures) == 1 && f.measures[0].agg == aggCount && f.measures[0].assumed &&
		!p.tableNamed() && !f.follows {
		// "profit by channel" in a table without a profit does not ask for the number of rows.
		f.blocked = true
	}
	if len(f.ignored) > 0 {
		// The one number would be mistaken for the answer to the whole question.
		f.blocked = true
	}
}

// predicateOf reports whether a date's name is the verb of the sentence: in "were played on grass" it
// belongs to the value grass, and a date that every row has ("loans that were borrowed") excludes no
// row.
func (p *parser) predicateOf(m mention) bool {
	words := strings.Fields(strings.ToLower(m.words))
	if len(words) == 1 && (past(words[0]) || nounOfDoing(words[0])) && m.col.isDate() && m.col.Nulls == 0 {
		return true // every row has this date, so the verb is true of every row: books borrowed, or bookings by the day they were booked on
	}
	if !m.col.isDate() || len(words) != 2 || !past(words[0]) || !isOne(words[1], "on", "in", "at") || m.at == 0 || m.at+1 >= len(p.atoms) {
		return false
	}
	next := &p.atoms[m.at+1]
	return auxiliary(strings.ToLower(p.atoms[m.at-1].words)) && next.kind == atomLink && valueOf(next) != nil
}

// meanOfRows turns the total into a mean for "the average number of rooms", for each group or over all
// rows: each row has a number of its own.
func (p *parser) meanOfRows() {
	f := p.form
	if !p.meanCount {
		return
	}
	for i := range f.measures {
		if m := &f.measures[i]; m.agg == aggSum && m.col != nil && m.per == nil && m.over == nil && m.each == grainNone {
			m.agg = aggAvg
		}
	}
}

// countedValue makes "how many card payments" and "how many grades of A" count rows: a column that is
// filtered to one value has only one distinct value.
func (p *parser) countedValue() {
	f := p.form
	for i := range f.measures {
		m := &f.measures[i]
		if m.agg == aggDistinct && slices.ContainsFunc(f.where, func(w condition) bool {
			return w.col == m.col && w.op == opIn
		}) && !slices.ContainsFunc(p.atoms, func(a atom) bool { return a.kind == atomDistinct }) {
			*m = measure{agg: aggCount}
		}
	}
}

// accounted reports whether the form uses a column, or another column that the same words may have
// meant.
func (p *parser) accounted(c *column) bool {
	f := p.form
	if p.unique(c) || c.keyLike() || p.keyed(c) != nil || slices.Contains(p.passed, c) {
		return true
	}
	has := false
	for _, m := range f.measures {
		has = has || f.mode != modeRows && m.col == c || m.per != nil && (m.per == c || c.table.on == m.per && c == p.displayColumn(c.table)) ||
			m.over == c || m.each != grainNone && c.isDate()
	}
	for _, d := range f.dims {
		has = has || d.col == c
	}
	has = has || f.latestOf == c
	for _, w := range f.where {
		has = has || w.col == c || w.other == c || slices.Contains(w.also, c)
	}
	return has || slices.Contains(f.columns, c) || f.orderCol == c && (f.mode == modeRows || len(f.dims) > 0) || f.within == c ||
		f.shareOf != nil && f.shareOf.col == c ||
		(f.mode == modeRows && len(f.columns) == 0 && !c.isDate())
}

// accountedWord reports whether a word is part of the name of a filtered column: emergency admissions
// are admissions whose admission type is emergency.
func (p *parser) accountedWord(words string) bool {
	return slices.ContainsFunc(p.form.where, func(w condition) bool {
		return w.op == opIn && slices.Contains(w.col.words, stem(strings.ToLower(words)))
	})
}

// stateDate returns the date that a word such as resolved refers to, and not a status of that name, where
// the question has a time or where it asks what was not done.
func (p *parser) stateDate(a *atom) *column {
	v := valueOf(a)
	if v == nil || !past(strings.ToLower(a.words)) {
		return nil
	}
	timed := slices.ContainsFunc(p.atoms, func(a atom) bool { return a.kind == atomSpan || a.kind == atomRecurring || a.kind == atomTrend })
	for _, c := range p.form.view.base.columns {
		if c.isDate() && slices.ContainsFunc(c.words, func(w string) bool {
			return (w == stem(strings.ToLower(a.words)) || shareBeginning(w, stem(strings.ToLower(a.words))))
		}) && (timed && !p.not || p.not && c.Nulls > 0) {
			return c
		}
	}
	return nil
}

// creationVerb reports whether a word is a verb for the creation of a row: tickets opened on a Sunday are
// the tickets of that day, and not the tickets that are open.
func (p *parser) creationVerb(a *atom) bool {
	v := valueOf(a)
	if v == nil || a.size != 1 || !isOne(strings.ToLower(a.words), "opened", "created", "placed", "raised", "started", "submitted", "filed",
		"logged", "registered", "reported", "booked", "made") {
		return false
	}
	return !strings.EqualFold(strings.TrimSpace(v.value), a.words)
}

// unplaced reports whether the question has a superlative that ranks nothing; it would be left out silently.
func (p *parser) unplaced() bool {
	f := p.form
	if p.superDir == "" || f.orderCol != nil || len(f.dims) > 0 || f.limit > 0 && f.mode == modeGroups || f.flow != "" {
		return false
	}
	return !slices.ContainsFunc(f.measures, func(m measure) bool { return m.agg == aggMin || m.agg == aggMax })
}

// addDateFilters adds filters for verbs of dates: a row with the date was done, a row without it was not (how
// many left, which are not resolved).
func (p *parser) addDateFilters() {
	f := p.form
	for _, m := range p.named {
		c, word := m.col, strings.ToLower(m.words)
		if !c.isDate() || !(past(word) || isOne(word, "left", "churned", "quit", "churn", "churns", "cancel", "lapsed", "inactive")) {
			continue
		}
		if p.dated(c) || c.Nulls == 0 {
			continue
		}
		op := opNotNull
		if slices.Contains(p.undone, m.at) {
			op = opNull
		}
		if f.shared && f.shareOf == nil && len(f.dims) == 0 {
			// This is "the percentage of listings sold".
			f.shareOf, f.share, f.fragment = &condition{col: c, op: op}, true, false
			continue
		}
		f.where = append(f.where, condition{col: c, op: op})
	}
}

// dated reports whether a date already has a part in the form.
func (p *parser) dated(c *column) bool {
	f := p.form
	return f.orderCol == c || len(p.spans) > 0 || f.shareOf != nil && f.shareOf.col == c ||
		slices.ContainsFunc(f.where, func(w condition) bool { return w.col == c }) ||
		slices.ContainsFunc(f.dims, func(d dimension) bool { return d.grain != grainNone }) ||
		slices.ContainsFunc(f.measures, func(m measure) bool { return m.col == c || m.each != grainNone })
}

// sharedName says that things of one name are one group.
func (c *column) sharedName() string {
	return fmt.Sprintf("Several %s go by one %s; they are taken together.", c.table.entity(), quoteName(c))
}
