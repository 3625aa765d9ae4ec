package builtin

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// lastTaken is a level that was read at its last period. averages says that the mean of the periods could be taken instead.
type lastTaken struct {
	column   *column
	unit     grain
	averages bool
}

// assumptions returns what the answer assumes about the data although nobody said so, and what can be said instead. They are shown
// with the answer; each of them is a correction of what the data mean.
func (f *form) assumptions() []domain.Assumption {
	var out []domain.Assumption
	add := func(a *domain.Assumption) {
		// An assumption with a name that no correction accepts is not offered.
		one := domain.Annotation{Assumptions: []domain.Assumption{*a}}
		if len(out) < domain.AssumptionsMax && one.Validate() == nil {
			out = append(out, *a)
		}
	}
	for _, l := range f.lastOf {
		if a := l.assumption(); a != nil {
			add(a)
		}
	}
	for i := range f.measures {
		if a := f.averaged(&f.measures[i]); a != nil {
			add(a)
		}
		if a := f.addedUp(&f.measures[i]); a != nil {
			add(a)
		}
	}
	if a := f.defaultTime(); a != nil {
		add(a)
	}
	if a := f.mainNumber(); a != nil {
		add(a)
	}
	return out
}

// assumption returns that the last period was taken; nil if a person said so.
func (l lastTaken) assumption() *domain.Assumption {
	a := l.column.assumed()
	if a == nil || l.column.reason("default") == meaning.Said {
		return nil
	}
	a.Taken = domain.Statement{Field: meaning.FieldDefault, Value: string(meaning.LastPeriod)}
	step := meaning.Step(l.unit)
	if slices.Contains([]meaning.Step{meaning.Day, meaning.Week, meaning.Month, meaning.Quarter, meaning.Year}, step) {
		a.Step = step
	}
	if l.averages {
		a.Others = append(a.Others, domain.Statement{Field: meaning.FieldDefault, Value: string(meaning.MeanOfPeriods)})
	}
	if l.column.reason("adds") != meaning.Said {
		a.Others = append(a.Others, domain.Statement{Field: meaning.FieldAdds, Value: string(meaning.Amount)})
	}
	return a
}

// averaged returns that a number was averaged whose aggregate the question did not name; nil if a person
// or a document says that it is.
func (f *form) averaged(m *measure) *domain.Assumption {
	c := m.col
	if f.mode != modeGroups || !m.assumed || m.agg != aggAvg || m.over != nil || m.per != nil || c == nil || !c.rate() {
		return nil
	}
	a := c.assumed()
	if why := c.reason("adds"); a == nil || why == meaning.Said || why == meaning.Documented {
		return nil
	}
	a.Taken = domain.Statement{Field: meaning.FieldAdds, Value: string(meaning.Rate)}
	a.Others = []domain.Statement{{Field: meaning.FieldAdds, Value: string(meaning.Amount)}}
	return a
}

// addedUp returns that a number was added up over the periods of a table only because its name says that it arises in each of
// them: if it is a level, it was counted once for each period. nil if something stronger than the name says so.
func (f *form) addedUp(m *measure) *domain.Assumption {
	c := m.col
	if f.mode != modeGroups || m.agg != aggSum || c == nil || c.table == nil || c.table.meaning == nil || c.table.meaning.Snapshot == nil {
		return nil
	}
	s := c.table.meaning.Snapshot
	// Within one period a level adds up, too, and it was read at its last one.
	if slices.ContainsFunc(f.lastOf, func(l lastTaken) bool { return l.column == c }) {
		return nil
	}
	if slices.ContainsFunc(f.dims, func(d dimension) bool { return d.col.Name == s.Period && string(d.grain) == string(s.Step) }) {
		return nil
	}
	a := c.assumed()
	if a == nil || c.reason("adds") != meaning.Inferred {
		return nil
	}
	a.Taken = domain.Statement{Field: meaning.FieldAdds, Value: string(meaning.Amount)}
	a.Others = []domain.Statement{
		{Field: meaning.FieldAdds, Value: string(meaning.Level)}, {Field: meaning.FieldAdds, Value: string(meaning.Rate)},
	}
	return a
}

// defaultTime returns that one of several times of a table was taken, which the question does not name;
// nil if there is only one, or if a person, a document or a measurement says which one is meant.
func (f *form) defaultTime() *domain.Assumption {
	if f.follows {
		return nil // the question before may have named it
	}
	var taken *column
	for _, d := range f.dims {
		if d.col.isDate() && (d.grain != grainNone || len(d.periods) > 0) {
			taken = d.col
		}
	}
	for i := range f.where {
		if w := &f.where[i]; taken == nil && w.op == opSpan && w.col.isDate() {
			taken = w.col
		}
	}
	if taken == nil || taken.made != nil || taken.table.meaning == nil || f.names(taken) {
		return nil
	}
	switch why := taken.table.meaning.TimeReason.State; why {
	case meaning.Said, meaning.Documented, meaning.Measured, meaning.Declared:
		return nil
	case meaning.Inferred, "":
	}
	dates := taken.table.dates()
	if dates[0] != taken || len(dates) < 2 {
		return nil
	}
	a := &domain.Assumption{
		Source: taken.table.SourceID, Table: taken.table.Bare(), Taken: domain.Statement{Field: meaning.FieldTime, Value: taken.Name},
	}
	for _, c := range dates[1:] {
		if c.made == nil && len(a.Others) < domain.AssumptionOthersMax {
			a.Others = append(a.Others, domain.Statement{Field: meaning.FieldTime, Value: c.Name})
		}
	}
	return a
}

// mainNumber returns by which number of a table things were ranked, which the question does not name; nil if a person said so.
func (f *form) mainNumber() *domain.Assumption {
	c := f.taken
	if c == nil || c.table.meaning == nil || !slices.ContainsFunc(f.measures, func(m measure) bool { return m.col == c }) ||
		c.table.meaning.MainReason.State == meaning.Said {
		return nil
	}
	a := &domain.Assumption{
		Source: c.table.SourceID, Table: c.table.Bare(), Taken: domain.Statement{Field: meaning.FieldMain, Value: c.Name},
	}
	for _, other := range c.table.columns {
		m := other.meant()
		if m != nil && other.Name != c.Name && m.Role == meaning.Measure && m.Number != nil && m.Number.Adds == meaning.Amount &&
			!other.mixed() && len(a.Others) < domain.AssumptionOthersMax {
			a.Others = append(a.Others, domain.Statement{Field: meaning.FieldMain, Value: other.Name})
		}
	}
	return a
}

// names reports whether the question has a word of a date's name that says which date is meant.
func (f *form) names(c *column) bool {
	return slices.ContainsFunc(f.tokens, func(t token) bool {
		w := stem(strings.ToLower(t.norm))
		return slices.Contains(c.words, w) && !slices.Contains(c.table.words, w) &&
			!isOne(w, "date", "time", "day", "week", "month", "quarter", "year")
	})
}

// assumed returns an assumption about a column; nil for one that no correction can be about.
func (c *column) assumed() *domain.Assumption {
	if c == nil || c.made != nil || c.table == nil || c.table.meaning == nil {
		return nil
	}
	return &domain.Assumption{Source: c.table.SourceID, Table: c.table.Bare(), Column: c.Name}
}

// meant returns what is known of a column in addition to its statistics; nil if nothing is.
func (c *column) meant() *meaning.Column {
	if c.made != nil || c.table == nil || c.table.meaning == nil {
		return nil
	}
	for i := range c.table.meaning.Columns {
		if m := &c.table.meaning.Columns[i]; m.Name == c.Name {
			return m
		}
	}
	return nil
}

// reason returns where a field of what a column means comes from; empty if nothing is known.
func (c *column) reason(field string) meaning.State {
	if m := c.meant(); m != nil {
		return m.Reasons[field].State
	}
	return ""
}

// averageOfPeriods takes the mean of the periods of a level if a person said so.
func (f *form) averageOfPeriods(levels []*column, s *snapshot, things int) bool {
	if !f.canAverage(levels, s, things) {
		return false
	}
	m := levels[0].meant()
	if m == nil || m.Number == nil || m.Number.Default != meaning.MeanOfPeriods || m.Reasons["default"].State != meaning.Said {
		return false
	}
	f.measures[0].agg, f.measures[0].each = aggSum, s.unit
	f.note(fmt.Sprintf("%s is what there is in a %s, and is not added up over several, so I took the mean of the %ss, as somebody said.",
		quoteName(levels[0]), s.unit, s.unit))
	return true
}

// canAverage reports whether the form can have the mean of the periods of its only measure.
func (f *form) canAverage(levels []*column, s *snapshot, things int) bool {
	if len(levels) != 1 || things > 0 || len(f.measures) != 1 || f.mode != modeGroups || s.unit == grainNone ||
		s.exit != nil && f.filters(s.exit) {
		return false
	}
	m := &f.measures[0]
	return m.col == levels[0] && m.agg == aggSum && m.per == nil && m.over == nil && f.dateColumn(nil) == s.period && f.timed() == nil &&
		!f.growth && !f.share && !f.running && f.shareOf == nil && f.moving == nil && f.limit == 0 && f.nth == 0 && len(f.having) == 0
}
