package semantic

// Tables of readings: a meter that is read now and then. Each of their numbers is a running total, whose last value for each
// thing is what a question means.

import (
	"slices"

	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// running returns the measurement of a running total in a table that is no panel; nil if the column is none.
func (c *column) running() *domain.SeriesFacts {
	if c.table.facts == nil || c.table.facts.Running == nil {
		return nil
	}
	return seriesOf(c.table.facts.Running.Series, c.Name)
}

// readings makes the times of a table its periods if all of its measures are running totals of the same things. If it has
// other numbers too, its rows are events, and a running total of them has no periods at which it could be added up.
func (t *table) readings() {
	if t.m.Snapshot != nil || t.facts == nil || t.facts.Running == nil {
		return
	}
	for _, c := range t.columns {
		if c.m.Role == meaning.Measure && c.running() == nil {
			return
		}
	}
	r := t.facts.Running
	t.m.Snapshot = &meaning.Snapshot{Entity: slices.Clone(r.Entity), Period: r.Time}
}
