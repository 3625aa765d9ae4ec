package builtin

import (
	"slices"
	"time"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/semantic"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// What the planner takes from the meaning about single tables and columns. Joins are in joins.go, and the sentences about
// assumptions in assumptions.go.

// meaningOf derives what tables mean from the tables alone, for questions that are read without the facts of their sources.
func meaningOf(tables []analyst.Table, now time.Time) *meaning.Meaning {
	in := &semantic.Input{Today: now}
	for i := range tables {
		t := &tables[i]
		at := slices.IndexFunc(in.Sources, func(s semantic.Source) bool { return s.ID == t.SourceID })
		if at < 0 {
			at = len(in.Sources)
			in.Sources = append(in.Sources, semantic.Source{ID: t.SourceID, Description: t.Description})
		}
		in.Sources[at].Resources = append(in.Sources[at].Resources, domain.DataResource{
			Name: t.Title, Table: t.Bare(), Rows: t.Rows, Columns: t.Columns, Details: t.Dictionary, Description: t.Made,
		})
	}
	return semantic.Derive(in)
}

// measuredSnapshot returns the periods of the table as they were measured; nil if there are none.
func (t *table) measuredSnapshot() *snapshot {
	if t.meaning == nil || t.meaning.Snapshot == nil {
		return nil
	}
	m := t.meaning.Snapshot
	s := &snapshot{period: t.named(m.Period), unit: grain(m.Step), exit: t.named(m.Exit)}
	for _, name := range m.Entity {
		if c := t.named(name); c != nil {
			s.keys = append(s.keys, c)
		}
	}
	if s.period == nil || len(s.keys) == 0 {
		return nil
	}
	if !s.period.isDate() {
		s.unit = grainNone // periods as text and years as numbers are compared as they are
		return s
	}
	if last := parseDay(m.Last); !last.IsZero() && s.unit != grainNone {
		s.complete = shift(floor(last, s.unit), s.unit, 1).AddDate(0, 0, -1)
	}
	return s
}

// unitMeant returns the unit of a column that its meaning is sure of: a currency, or a unit that a person or a document names.
// ok is false if only the column's name can say it.
func (c *column) unitMeant() (unit meaning.Unit, ok bool) {
	m := c.meant()
	if m == nil || m.Number == nil {
		return meaning.Unit{}, false
	}
	u := m.Number.Unit
	switch state := m.Reasons["unit"].State; {
	case state == meaning.Said:
		return u, true
	case u.Kind == meaning.Money:
		return u, u.Symbol != "" || m.Number.Scale == centScale
	default:
		return u, state == meaning.Documented && u.Kind != meaning.NoUnit
	}
}

// scaleWord is the word after a number in another scale than its column's name says: thousand; "" if there is none.
func (c *column) scaleWord() string {
	if m := c.meant(); m == nil || m.Reasons["scale"].State != meaning.Said && m.Reasons["scale"].State != meaning.Documented {
		return "" // the heading has it
	}
	switch c.scale() {
	case 1e3:
		return " thousand"
	case 1e6:
		return " million"
	case 1e9:
		return " billion"
	default:
		return ""
	}
}

// centScale is the scale of an amount of money in hundredths of its currency.
const centScale = 0.01

// written writes a unit as it follows a number; "" for a percentage, which has a form of its own.
func (c *column) written(u meaning.Unit) string {
	switch {
	case u.Kind == meaning.Money && c.scale() == centScale:
		return " cents"
	case u.Symbol == "" || u.Kind == meaning.Percent:
		return ""
	default:
		return " " + u.Symbol
	}
}
