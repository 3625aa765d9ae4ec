package builtin

import (
	"fmt"
	"strings"

	"parley.dev/parley/analyst/query"
	"parley.dev/parley/domain/meaning"
)

// Running totals that are read now and then, such as those of meters (analyst/semantic/running.go). Readings of one thing are
// never added up. If a table has nothing else, a total is that of the last reading of each thing.

// hasReadings reports whether all numbers of the table are running totals.
func (t *table) hasReadings() bool {
	return t.meaning != nil && t.meaning.Snapshot != nil && t.meaning.Kind != meaning.SnapshotTable
}

// runs reports whether the column is measured to be a running total of a table without periods.
func (c *column) runs() bool {
	m := c.meant()
	return m != nil && m.Number != nil && m.Number.Adds == meaning.Level && m.Reasons["adds"].State == meaning.Measured &&
		(c.table.hasReadings() || !c.hasPeriods())
}

// guardReadings says which readings an answer takes, and refuses running totals of running totals.
func (f *form) guardReadings() {
	for _, m := range f.measures {
		if m.col == nil || !m.col.runs() {
			continue
		}
		switch {
		case m.agg == aggAvg || m.agg == aggMedian:
			f.note(fmt.Sprintf("%s is a running total; this is of all its readings.", quoteName(m.col)))
		case m.agg != aggSum:
		case f.running || f.moving != nil:
			f.block(fmt.Sprintf("%s is a running total already.", quoteName(m.col)))
		case m.col.table.hasReadings():
			s := m.col.table.meaning.Snapshot
			f.note(fmt.Sprintf("%s is a running total, so I took the last one of each %s.", quoteName(m.col), strings.Join(s.Entity, " and ")))
		}
	}
}

// addable refuses totals of running totals in a table that has other numbers too: nothing says at which times they are taken.
func addable(columns ...*column) error {
	for _, c := range columns {
		if c != nil && c.runs() && !c.table.hasReadings() {
			return &query.Error{
				Text:   fmt.Sprintf("%s is a running total, so its values are not added up.", quoteName(c)),
				Offers: []string{"the highest of it"},
			}
		}
	}
	return nil
}
