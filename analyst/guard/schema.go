package guard

import (
	"slices"
	"strings"
	"time"

	"parley.dev/parley/domain"
)

// Adds is what adding up the values of a column means.
type Adds int

// The kinds of numbers.
const (
	// Unknown: the kind is not known, so only repeated rows are a fault of its total.
	Unknown Adds = iota
	// Amount may be summed over everything: revenue, quantity.
	Amount
	// Level may be summed over entities, but not over time: stock, balance, monthly recurring revenue.
	Level
	// Rate is never summed: a price, a percentage, a score.
	Rate
)

// Schema is what the guard knows about the tables of a statement. A table that is not in it was not measured.
type Schema struct {
	tables map[string]*Table
}

// Table is one base table.
type Table struct {
	// Source is the SQL schema of the table, such as s12, and Name its name in that schema. Database is the schema within a remote
	// database that a statement must name; empty for others.
	Source, Name, Database string
	// Row is the singular of one row: "order line". Empty means that it is derived from the name.
	Row string
	// Measured means that Keys are known. A table without a key then has duplicate rows.
	Measured bool
	Keys     [][]string
	Implied  []domain.Implication
	Columns  map[string]Column
	// declared says that Keys are those that a database enforces, which may have others. repeats are then the columns of which a
	// value was found in several rows.
	declared bool
	repeats  map[string]bool
	// rows is the number of rows. counts are the numbers of distinct values of the columns without NULL.
	rows   int64
	counts map[string]int64
	// last are the highest values of the columns, and before the last but one of the periods of a panel, where they are measured.
	last, before map[string]string
}

// Column is what adding up a column means. The zero value is a column of which nothing is known.
type Column struct {
	Adds Adds
	// Period is the time column of a Level, and Entity the columns that identify what has the level. An empty Entity is derived
	// from the key that contains the period.
	Period string
	Entity []string
	// Step is the distance of two periods: "day", "week", "month", "quarter" or "year"; empty if it is unknown.
	Step string
	// Unclear is the reason why nobody knows whether the column may be added up, for people; empty if it is known, or if nothing
	// speaks against it.
	Unclear string
	// Barriers are columns over whose values the column must not be added up, such as a currency.
	Barriers []Barrier
}

// Barrier is a column, with the plural word for its values: "currencies", "units".
type Barrier struct {
	Column string
	Of     string
}

// Described is what people and rules state about a table in addition to its measured facts.
type Described struct {
	Row     string
	Columns map[string]Column
}

// NewSchema returns an empty schema.
func NewSchema() *Schema { return &Schema{tables: map[string]*Table{}} }

// Add adds the measured tables of a source, with the descriptions of their columns by table name. source is the SQL schema of
// the tables.
func (s *Schema) Add(source string, facts []domain.TableFacts, described map[string]Described) {
	for i := range facts {
		f := &facts[i]
		t := &Table{
			Source: source, Name: f.Table, Row: described[f.Table].Row,
			Measured: !slices.Contains(f.Unmeasured, domain.FactKeys), Keys: slices.Clone(f.Keys), Implied: f.Implied,
			Columns: map[string]Column{}, rows: f.Rows, counts: map[string]int64{},
		}
		if p := f.Panel; p != nil && len(p.Entity) > 0 {
			t.Keys = append(t.Keys, append(slices.Clone(p.Entity), p.Period))
		}
		t.measureEnds(f)
		if r := f.Running; r != nil {
			t.Keys = append(t.Keys, append(slices.Clone(r.Entity), r.Time))
		}
		single := map[string]bool{}
		for _, c := range f.Columns {
			if c.Distinct == nil || c.Missing > 0 {
				continue
			}
			// A column with as many distinct values as the table has rows is a key, even if it was not tested as one.
			if *c.Distinct == f.Rows && f.Rows > 0 && !hasKey(t.Keys, c.Name) {
				t.Keys = append(t.Keys, []string{c.Name})
			}
			t.counts[fold(c.Name)] = *c.Distinct
			// A column with a single value is no barrier.
			single[fold(c.Name)] = *c.Distinct <= 1
		}
		for name, c := range provenLevels(f) {
			t.Columns[fold(name)] = withFacts(c, f, single)
		}
		for name, c := range described[f.Table].Columns {
			t.Columns[fold(name)] = withFacts(c, f, single)
		}
		s.tables[fold(source)+"."+fold(f.Table)] = t
	}
}

// AddUnmeasured adds the tables of a file that has not been measured yet: only what people, documents and names state about
// their columns is known.
func (s *Schema) AddUnmeasured(source string, resources []domain.DataResource, described map[string]Described) {
	for i := range resources {
		name := resources[i].Table
		s.tables[fold(source)+"."+fold(name)] = newTable(source, name, described[name])
	}
}

// newTable is a table of which only a description is known.
func newTable(source, name string, d Described) *Table {
	t := &Table{Source: source, Name: name, Row: d.Row, Columns: map[string]Column{}, counts: map[string]int64{}}
	for column, c := range d.Columns {
		t.Columns[fold(column)] = c
	}
	return t
}

// AddDeclared adds the tables of a remote database. Their keys are those that it enforces; a column can be unique without one.
func (s *Schema) AddDeclared(source string, resources []domain.DataResource, described map[string]Described) {
	for i := range resources {
		r := &resources[i]
		t := newTable(source, r.Table, described[r.Table])
		t.Measured, t.Keys, t.declared, t.repeats = true, r.Declared.Keys, true, map[string]bool{}
		if schema, name, ok := strings.Cut(r.Table, "."); ok {
			t.Database, t.Name = schema, name
		}
		for _, c := range r.Columns {
			t.repeats[fold(c.Name)] = c.Repeats
		}
		s.tables[fold(source)+"."+fold(r.Declared.Schema)+"."+fold(t.Name)] = t
	}
}

// measureEnds keeps the last values of the columns.
func (t *Table) measureEnds(f *domain.TableFacts) {
	t.last, t.before = map[string]string{}, map[string]string{}
	for _, c := range f.Columns {
		if c.Max != nil {
			t.last[fold(c.Name)] = *c.Max
		}
	}
	if p := f.Panel; p != nil && len(p.Recent) > 1 {
		recent := p.Recent[len(p.Recent)-2:]
		if day, err := domain.DayOfFact(recent[1].Period); err == nil && day.Format(time.DateOnly) == dayText(t.last[fold(p.Period)]) {
			t.before[fold(p.Period)] = recent[0].Period
		}
	}
}

// provenLevels returns the levels that the measurements prove: a column whose change is another column in all rows, one that
// often rises and almost never falls, and a running total of a table without periods.
func provenLevels(f *domain.TableFacts) map[string]Column {
	out := map[string]Column{}
	if r := f.Running; r != nil {
		for _, s := range r.Series {
			out[s.Column] = Column{Adds: Level, Period: r.Time, Entity: r.Entity}
		}
	}
	p := f.Panel
	if p == nil {
		return out
	}
	for _, s := range p.Series {
		switch {
		case s.ChangeColumn != "":
			out[s.Column] = Column{Adds: Level, Period: p.Period, Entity: p.Entity}
			out[s.ChangeColumn] = Column{Adds: Amount}
		// One step in a hundred may be a correction.
		case s.Steps > 0 && s.Rising*10 > s.Steps && s.Falling*100 <= s.Steps:
			if _, ok := out[s.Column]; !ok {
				out[s.Column] = Column{Adds: Level, Period: p.Period, Entity: p.Entity}
			}
		}
	}
	return out
}

// withFacts completes the description of a column from the facts of its table.
func withFacts(c Column, f *domain.TableFacts, single map[string]bool) Column {
	c.Barriers = slices.DeleteFunc(slices.Clone(c.Barriers), func(b Barrier) bool { return single[fold(b.Column)] })
	if c.Adds != Level {
		return c
	}
	if p := f.Panel; p != nil {
		if c.Period == "" {
			c.Period = p.Period
		}
		if len(c.Entity) == 0 && fold(c.Period) == fold(p.Period) {
			c.Entity = p.Entity
		}
	}
	if r := f.Running; r != nil && len(c.Entity) == 0 && fold(c.Period) == fold(r.Time) {
		c.Entity = r.Entity
	}
	if c.Step == "" {
		c.Step = stepOf(f, c.Period)
	}
	return c
}

// hasKey reports whether a single column is a key.
func hasKey(keys [][]string, column string) bool {
	return slices.ContainsFunc(keys, func(k []string) bool { return len(k) == 1 && fold(k[0]) == fold(column) })
}

// stepOf returns the distance of two periods if there are no gaps; empty if it is unknown. With gaps, two periods could be in
// one month.
func stepOf(f *domain.TableFacts, period string) string {
	for _, c := range f.Columns {
		if fold(c.Name) != fold(period) || c.Distinct == nil || c.Min == nil || c.Max == nil {
			continue
		}
		var recent []domain.PeriodFacts
		if p := f.Panel; p != nil && fold(p.Period) == fold(period) {
			recent = p.Recent
		}
		if step, complete := domain.StepOfPeriods(*c.Distinct, *c.Min, *c.Max, recent); complete {
			return string(step)
		}
	}
	return ""
}

// table finds a table by its catalog, its schema and its name in the plan.
func (s *Schema) table(catalog, schema, name string) *Table {
	if s == nil {
		return nil
	}
	if t := s.tables[fold(catalog)+"."+fold(schema)+"."+fold(name)]; t != nil {
		return t
	}
	return s.tables[fold(catalog)+"."+fold(name)]
}

// fold returns a name in the form for comparison: the engine ignores case.
func fold(name string) string { return strings.ToLower(name) }
