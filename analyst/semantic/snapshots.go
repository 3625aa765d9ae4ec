package semantic

import (
	"slices"
	"strconv"
	"time"

	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

const (
	// regularLeast is the share of the periods of an entity's life, in per cent, in which it must have a row.
	regularLeast = 95
	// completeLeast is the share of the usual number of rows, in per cent, that a complete period has. The usual number is the
	// median of the periods before, at most usualPeriods.
	completeLeast, usualPeriods = 70, 6
	// exitLeast is the share of the rows of a flag, in per cent, that must be the last row of an entity.
	exitLeast = 99
	// birthLeast is the share of the entities, in per cent, whose date must lie within their first period.
	birthLeast = 90
)

// snapshot takes over the measured panel.
func (t *table) snapshot(today time.Time) {
	if t.facts == nil || t.facts.Panel == nil {
		return
	}
	p := t.facts.Panel
	period := t.column(p.Period)
	if period == nil {
		return
	}
	s := &meaning.Snapshot{Entity: slices.Clone(p.Entity), Period: p.Period, Step: period.step()}
	s.Regular = p.Lived > 0 && t.facts.Rows*100 >= p.Lived*regularLeast
	s.Last = lastComplete(p.Recent, s.Step, period.atEnds(), today)
	for _, b := range p.Births {
		if b.Entities > 0 && b.Equal*100 >= b.Entities*birthLeast {
			s.Birth = b.Column
			break
		}
	}
	if s.Birth == "" {
		s.Birth = t.namedBirth(p)
	}
	for _, f := range p.Flags {
		c := t.column(f.Column)
		// A flag of a few rows is in the last row of an entity by chance, so its name must not say something else.
		if c != nil && f.Yes > 0 && f.Last*100 >= f.Yes*exitLeast && (anyIn(c.words, "exits") || f.Yes >= serialLeast) {
			s.Exit = c.Name
			break
		}
	}
	t.m.Snapshot = s
}

// namedBirth is the date whose name says since when an entity exists, if all entities began before the table does.
func (t *table) namedBirth(p *domain.PanelFacts) string {
	for _, implied := range t.facts.Implied {
		if !slices.Equal(implied.By, p.Entity) {
			continue
		}
		for _, name := range implied.Columns {
			if c := t.column(name); c != nil && c.isTime() && anyIn(c.words, "births") {
				return c.Name
			}
		}
	}
	return ""
}

// step is the distance of two periods of a column of time; empty if it is not known.
func (c *column) step() meaning.Step {
	switch {
	case c.isYear():
		return meaning.Year
	case c.isPeriodText():
		return stepOfText(c.Values[0])
	}
	var recent []domain.PeriodFacts
	if f := c.table.facts; f != nil && f.Panel != nil && f.Panel.Period == c.Name {
		recent = f.Panel.Recent
	}
	least, most := c.edges()
	step, _ := domain.StepOfPeriods(c.distinct(), least, most, recent)
	return step
}

// stepOfText is the step of periods such as 2026-03.
func stepOfText(value string) meaning.Step {
	switch {
	case slices.Contains([]rune(value), 'Q'):
		return meaning.Quarter
	case slices.Contains([]rune(value), 'W'):
		return meaning.Week
	}
	return meaning.Month
}

// atEnds reports whether the dates are the last days of months, which are over when they are reached.
func (c *column) atEnds() bool {
	least, most := c.edges()
	from, err := domain.DayOfFact(least)
	to, errTo := domain.DayOfFact(most)
	return err == nil && errTo == nil && from.Day() > 1 && domain.IsLastOfMonth(from) && domain.IsLastOfMonth(to)
}

// lastComplete is the last period that is over today and has about as many rows as those before it; empty if it is not known.
func lastComplete(recent []domain.PeriodFacts, step meaning.Step, atEnds bool, today time.Time) string {
	for i := len(recent) - 1; i >= 0; i-- {
		end, ok := endOf(recent[i].Period, step, atEnds)
		if !ok {
			return ""
		}
		if end.After(today) {
			continue
		}
		var before []int64
		for _, p := range recent[max(0, i-usualPeriods):i] {
			before = append(before, p.Rows)
		}
		slices.Sort(before)
		if len(before) == 0 || recent[i].Rows*100 >= before[len(before)/2]*completeLeast {
			return dayOf(recent[i].Period)
		}
	}
	return ""
}

// dayOf cuts the time off a time stamp at midnight, which periods are.
func dayOf(period string) string {
	if len(period) > len(time.DateOnly) && period[len(time.DateOnly):] == " 00:00:00" {
		return period[:len(time.DateOnly)]
	}
	return period
}

// endOf is the first moment after a period.
func endOf(period string, step meaning.Step, atEnds bool) (time.Time, bool) {
	if year, err := strconv.Atoi(period); err == nil {
		return time.Date(year+1, time.January, 1, 0, 0, 0, 0, time.UTC), true
	}
	if t, err := time.Parse("2006-01", period); err == nil {
		return t.AddDate(0, 1, 0), true
	}
	t, err := domain.DayOfFact(period)
	switch {
	case err != nil:
		return time.Time{}, false
	case atEnds:
		return t.AddDate(0, 0, 1), true
	}
	switch step {
	case meaning.Year:
		return t.AddDate(1, 0, 0), true
	case meaning.Quarter:
		return t.AddDate(0, 3, 0), true
	case meaning.Month:
		return t.AddDate(0, 1, 0), true
	case meaning.Week:
		return t.AddDate(0, 0, 7), true
	case meaning.Day:
	}
	return t.AddDate(0, 0, 1), true
}
