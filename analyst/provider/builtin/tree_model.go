package builtin

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/analyst/query"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// meant returns what the tables of a form mean, for the query tree. It has only the joins of the view, so that the statement has
// the same joins as the plan that a person reads, and the columns as the parser took them.
func (f *form) meant() *meaning.Meaning {
	m := &meaning.Meaning{Tables: []meaning.Table{f.view.base.meant()}}
	for _, t := range f.used() {
		m.Tables = append(m.Tables, t.meant())
		m.Links = append(m.Links, t.link())
	}
	f.addEvents(m)
	return m
}

// link is the join of a table to the one that it is joined to.
func (t *table) link() meaning.Link {
	return meaning.Link{
		From: meaning.Ends{Source: t.from.SourceID, Table: t.from.Bare(), Columns: columnNames(t.ons)},
		To:   meaning.Ends{Source: t.SourceID, Table: t.Bare(), Columns: columnNames(t.keys)}, Cardinality: meaning.ManyToOne,
		Reason: meaning.Reason{State: meaning.Measured},
	}
}

func columnNames(columns []*column) []string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = c.Name
	}
	return out
}

// meant returns what a table means, with all of its columns. Entities are left out: by them the tree would find other joins
// than those of the view.
func (t *table) meant() meaning.Table {
	out := meaning.Table{}
	if t.meaning != nil {
		out = *t.meaning
		out.Entities, out.Implies = nil, nil
	}
	out.Source, out.Name, out.Columns = t.SourceID, t.Bare(), nil
	for _, c := range t.columns {
		if t.named(c.Name) == c {
			out.Columns = append(out.Columns, c.inTree())
		}
	}
	if s := out.Snapshot; s != nil && t.named(s.Period) == nil {
		out.Snapshot = nil
	}
	return out
}

// inTree returns what a column means in the tree. Its role follows from how it is stored, as everywhere in the parser; what is
// known of a number is kept.
func (c *column) inTree() meaning.Column {
	out := meaning.Column{Name: c.Name, Label: c.title(), Role: meaning.Dimension}
	switch c.kind() {
	case domain.ColumnDate, domain.ColumnTime:
		out.Role = meaning.Time
	case domain.ColumnText:
		out.Role = meaning.Text
	case domain.ColumnNumber:
		out.Role, out.Number = meaning.Measure, &meaning.Number{Adds: meaning.Unknown, Default: meaning.AskFirst, Scale: 1}
		if known := c.meant(); known != nil && known.Number != nil {
			number := *known.Number
			if known.Reasons["adds"].State == meaning.Inferred {
				number = c.guessed(number)
			}
			if number.Adds == meaning.Level && !c.hasPeriods() {
				number.Adds = meaning.Unknown
			}
			number.Barriers = slices.DeleteFunc(slices.Clone(number.Barriers), func(b meaning.Barrier) bool {
				return c.table.named(b.Column) == nil
			})
			out.Number = &number
		}
	default:
	}
	return out
}

// guessed keeps of an inferred number only what the parser also says in its plan: that it is a level, if the parser took it for
// one, and that it is never added up. An inferred weight is dropped.
func (c *column) guessed(n meaning.Number) meaning.Number {
	if n.Weight = ""; (n.Adds == meaning.Level) != c.level() {
		n.Adds = meaning.Unknown
	}
	return n
}

// hasPeriods reports whether the meaning of the column's table says at which periods a level is taken.
func (c *column) hasPeriods() bool {
	m := c.table.meaning
	return m != nil && m.Snapshot != nil && c.table.named(m.Snapshot.Period) != nil
}

// treeDialect is a dialect of the tree that names tables as people see them.
type treeDialect struct {
	query.Dialect
	tables map[tableKey]string
}

type tableKey struct {
	source int64
	name   string
}

// Table writes the name by which the worker and the database know a table.
func (w treeDialect) Table(source int64, name string) string { return w.tables[tableKey{source, name}] }

// Trunc cuts a time to a unit, which is read as the day where it begins unless it is an hour.
func (w treeDialect) Trunc(grain, x string) string {
	if cut := w.Dialect.Trunc(grain, x); grain == string(grainHour) || strings.HasPrefix(cut, "CAST(") {
		return cut
	}
	return "CAST(" + w.Dialect.Trunc(grain, x) + " AS DATE)"
}

// dialect returns the dialect of the form's tables. It panics for a database whose SQL the query tree does not write.
func (f *form) dialect() query.Dialect {
	w := treeDialect{tables: map[tableKey]string{}}
	switch d := f.view.base.Dialect; {
	case d.OfFiles():
		w.Dialect = query.DuckDB()
	case d == domain.DialectPostgres:
		w.Dialect = query.Postgres()
	default:
		panic(fmt.Sprintf("builtin: no SQL of %s; see analyst/query", d))
	}
	for _, t := range slices.Concat([]*table{f.view.base}, f.used(), f.eventTables()) {
		w.tables[tableKey{t.SourceID, t.Bare()}] = tableName(t)
	}
	return w
}
