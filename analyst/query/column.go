package query

import (
	"strings"

	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// Col is a handle to a column of a table of a model.
type Col struct {
	m *Model
	t *table
	c *meaning.Column
	// part names the part of a link by which the column is reached, as home of home_team_id; empty if only one path leads there.
	part string
}

// Col finds a column of the table.
func (t Table) Col(name string) (Col, error) {
	if t.t == nil {
		return Col{}, refuse(nil, "The column %s has no table.", name)
	}
	c := t.t.columns[name]
	if c == nil {
		return Col{}, refuse(t.Columns(), "A %s has no %s.", t.t.row(), name)
	}
	return Col{m: t.m, t: t.t, c: c}, nil
}

// Col finds a column by the names of its table and its own.
func (m *Model) Col(table, column string) (Col, error) {
	t, err := m.Table(table)
	if err != nil {
		return Col{}, err
	}
	return t.Col(column)
}

// By is the column reached by the link that plays this part, as "home" in home_team_id.
func (c Col) By(part string) Col {
	c.part = part
	return c
}

// Name is the name of the column in SQL.
func (c Col) Name() string { return c.c.Name }

// Table is the table of the column.
func (c Col) Table() Table { return Table{m: c.m, t: c.t} }

func (c Col) node() *node {
	return &node{Op: opCol, Table: c.t.key(), Column: c.c.Name, Part: c.part}
}

// label returns the name of a column as people write it.
func label(t *table, column string) string {
	if c := t.columns[column]; c != nil && c.Label != "" {
		return c.Label
	}
	return strings.ReplaceAll(column, "_", " ")
}

func (c Col) label() string { return label(c.t, c.c.Name) }

// Number is a column that can be calculated with. What it is decides what can be made of it: an Amount, a Level, a Rate, or
// Plain if nothing says what it is.
//
//sumtype:decl
type Number interface {
	number() Col
}

// Amount may be added up over everything: revenue, quantity.
type Amount struct{ c Col }

// Level may be added up over things, and not over time: a stock, a balance. It has the snapshot of its table.
type Level struct{ c Col }

// Rate is never added up: a price, a percentage.
type Rate struct{ c Col }

// Plain is a number whose kind is not known. A person must say it: AsAmount, AsRate.
type Plain struct{ c Col }

func (n Amount) number() Col { return n.c }
func (n Level) number() Col  { return n.c }
func (n Rate) number() Col   { return n.c }
func (n Plain) number() Col  { return n.c }

// AsAmount is the number as an amount, because a question or a person named its total.
func (n Plain) AsAmount() Amount { return Amount(n) }

// AsRate is the number as one of which only means are formed.
func (n Plain) AsRate() Rate { return Rate(n) }

// Number is the only function that makes a Number of a column. It refuses a column that is no measure, and a level whose table has
// no periods.
func (m *Model) Number(c Col) (Number, error) {
	n := c.number()
	if n == nil {
		var offers []string
		for i := range c.t.Columns {
			if c.t.Columns[i].Number != nil {
				offers = append(offers, c.t.Columns[i].Name)
			}
		}
		return nil, refuse(offers, "%s of a %s is nothing to calculate with.", c.label(), c.t.row())
	}
	switch n.Adds {
	case meaning.Amount:
		return Amount{c}, nil
	case meaning.Rate:
		return Rate{c}, nil
	case meaning.Level:
		if s := c.t.Snapshot; s == nil || c.t.columns[s.Period] == nil {
			return nil, refuse([]string{"the mean of it"}, "%s is a level, and the table %s has no periods to take it at.", c.label(), c.t.Name)
		}
		return Level{c}, nil
	case meaning.Unknown, "":
		return Plain{c}, nil
	default:
		return nil, refuse(nil, "%s has an unknown kind of number: %s.", c.label(), n.Adds)
	}
}

func (c Col) number() *meaning.Number {
	if c.c == nil {
		return nil
	}
	return c.c.Number
}

// Time is a column with a date or a time, or the default time of every table.
type Time struct {
	c Col
	m *Model
}

// Time is the column as a time. A column with another role is refused.
func (m *Model) Time(c Col) (Time, error) {
	if c.c.Role != meaning.Time {
		var offers []string
		for i := range c.t.Columns {
			if c.t.Columns[i].Role == meaning.Time {
				offers = append(offers, c.t.Columns[i].Name)
			}
		}
		return Time{}, refuse(offers, "%s of a %s is no date.", c.label(), c.t.row())
	}
	if m.types != nil {
		if k := m.types(c.t.Source, c.t.Name, c.c.Name); k != domain.ColumnDate && k != domain.ColumnTime {
			return Time{}, refuse(nil, "%s is a time that is not stored as a date, so its periods cannot be calculated.", c.label())
		}
	}
	return Time{c: c, m: m}, nil
}

// Calendar is the default time of every table: levels by month next to orders by month.
func (m *Model) Calendar() Time { return Time{m: m} }

func (t Time) node() *node {
	if t.c.c == nil {
		return &node{Op: opCalendar}
	}
	return t.c.node()
}

// Flag is a column that says yes or no.
type Flag struct{ c Col }

// Flag is the column as a flag.
func (m *Model) Flag(c Col) (Flag, error) {
	if c.c.Role != meaning.Flag {
		return Flag{}, refuse(nil, "%s of a %s does not say yes or no.", c.label(), c.t.row())
	}
	return Flag{c}, nil
}

// Text is a column of text.
type Text struct{ c Col }

// Text is the column as text. Numbers, times and flags are refused; a key or a code is read as it is written.
func (m *Model) Text(c Col) (Text, error) {
	if c.c.Number != nil || c.c.Role == meaning.Time || c.c.Role == meaning.Measure || c.c.Role == meaning.Flag {
		return Text{}, refuse(nil, "%s of a %s is no text.", c.label(), c.t.row())
	}
	return Text{c}, nil
}

// Snapshot is a table with a row for each thing in each period.
type Snapshot struct{ t Table }

// Snapshot is the table as one of periods.
func (m *Model) Snapshot(t Table) (Snapshot, error) {
	if s := t.t.Snapshot; s == nil || t.t.columns[s.Period] == nil || len(s.Entity) == 0 {
		return Snapshot{}, refuse(nil, "A %s has no periods.", t.t.row())
	}
	return Snapshot{t}, nil
}
