package analyst

import (
	"parley.dev/parley/analyst/guard"
	"parley.dev/parley/domain/meaning"
)

// described is the input of the check of totals in addition to the measured facts, by table.
func described(m *meaning.Meaning, source int64) map[string]guard.Described {
	out := map[string]guard.Described{}
	for i := range m.Tables {
		t := &m.Tables[i]
		if t.Source != source {
			continue
		}
		d := guard.Described{Row: t.Row, Columns: map[string]guard.Column{}}
		if t.RowReason.State == meaning.Inferred {
			d.Row = "" // the check derives the same text from the name
		}
		for j := range t.Columns {
			if c := &t.Columns[j]; c.Number != nil {
				d.Columns[c.Name] = describedColumn(t, c.Number)
			}
		}
		out[t.Name] = d
	}
	return out
}

// describedColumn is the part for one numeric column.
func describedColumn(t *meaning.Table, n *meaning.Number) guard.Column {
	var c guard.Column
	switch n.Adds {
	case meaning.Amount:
		c.Adds = guard.Amount
	case meaning.Rate:
		c.Adds = guard.Rate
	case meaning.Level, meaning.Unknown:
		// In a table with a single period a level may be summed over its rows, so only a period column makes it a level here.
	}
	for _, b := range n.Barriers {
		if b.Resolve == meaning.FixOrGroup {
			c.Barriers = append(c.Barriers, guard.Barrier{Column: b.Column, Of: b.Of})
			continue
		}
		if n.Adds != meaning.Level {
			continue
		}
		c.Adds, c.Period = guard.Level, b.Column
		if s := t.Snapshot; s != nil && s.Period == b.Column {
			c.Entity, c.Step = s.Entity, string(s.Step)
		}
	}
	// Before a file is measured, and in a remote database, nobody knows whether a thing has a row in several periods.
	if n.Adds == meaning.Level && c.Adds != guard.Level && !t.KeysKnown && t.Time != "" {
		c.Unclear = "whether a level is there for several periods is not measured"
	}
	return c
}
