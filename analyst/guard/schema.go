package guard

import (
	"slices"
	"strings"

	"parley.dev/parley/domain"
)

// Adds says what adding up the values of a column means.
type Adds int

// The kinds of numbers.
const (
	// Unknown: nothing says what it is, so only repeated rows are a fault of its total.
	Unknown Adds = iota
	// Amount may be summed over everything: revenue, quantity.
	Amount
	// Level may be summed over things, and not over time: stock, balance, monthly recurring revenue.
	Level
	// Rate is never summed: a price, a percentage, a score.
	Rate
)

// Schema is what the guard knows of the tables of a statement. A table that is not in it was not measured.
type Schema struct {
	tables map[string]*Table
}

// Table is one base table.
type Table struct {
	// Source is the schema of the table in SQL, such as s12, and Name its name there.
	Source, Name string
	// Row is what one row is, in the singular: "order line". Empty means that it is derived from the name.
	Row string
	// Measured says that Keys are known. A table without a key then has rows that repeat.
	Measured bool
	Keys     [][]string
	Implied  []domain.Implication
	Columns  map[string]Column
	// rows is the number of rows, and counts have the numbers of different values of the columns without missing ones.
	rows   int64
	counts map[string]int64
}

// Column says what adding up a column means. The zero value is a column of which nothing is known.
type Column struct {
	Adds Adds
	// Period is the column of the time of a Level, and Entity the columns that name the thing that has the level. An empty
	// Entity is derived from the key that contains the period.
	Period string
	Entity []string
	// Step is the distance of two periods: "day", "week", "month", "quarter" or "year"; empty if it is not known.
	Step string
	// Barriers are columns over whose values the column must not be added up, such as a currency.
	Barriers []Barrier
}

// Barrier is a column with the word for what it separates: "currencies", "units".
type Barrier struct {
	Column string
	Of     string
}

// Described is what people and rules say about a table beside its facts.
type Described struct {
	Row     string
	Columns map[string]Column
}

// NewSchema makes an empty schema.
func NewSchema() *Schema { return &Schema{tables: map[string]*Table{}} }

// Add adds the measured tables of a source, with what is said about their columns by the name of the table. source is the
// schema of the tables in SQL.
func (s *Schema) Add(source string, facts []domain.TableFacts, said map[string]Described) {
	for i := range facts {
		f := &facts[i]
		t := &Table{
			Source: source, Name: f.Table, Row: said[f.Table].Row,
			Measured: !slices.Contains(f.Unmeasured, domain.FactKeys), Keys: slices.Clone(f.Keys), Implied: f.Implied,
			Columns: map[string]Column{}, rows: f.Rows, counts: map[string]int64{},
		}
		if p := f.Panel; p != nil && len(p.Entity) > 0 {
			t.Keys = append(t.Keys, append(slices.Clone(p.Entity), p.Period))
		}
		single := map[string]bool{}
		for _, c := range f.Columns {
			if c.Distinct == nil || c.Missing > 0 {
				continue
			}
			// A column with as many values as the table has rows is a key, even if nobody has tried it as one.
			if *c.Distinct == f.Rows && f.Rows > 0 && !hasKey(t.Keys, c.Name) {
				t.Keys = append(t.Keys, []string{c.Name})
			}
			t.counts[fold(c.Name)] = *c.Distinct
			// A column with a single value separates nothing.
			single[fold(c.Name)] = *c.Distinct <= 1
		}
		for name, c := range proven(f.Panel) {
			t.Columns[fold(name)] = completed(c, f, single)
		}
		for name, c := range said[f.Table].Columns {
			t.Columns[fold(name)] = completed(c, f, single)
		}
		s.tables[fold(source)+"."+fold(f.Table)] = t
	}
}

// proven returns the levels that the measurements themselves prove: a column whose change is another column in all rows, and
// one that never falls and rises.
func proven(p *domain.PanelFacts) map[string]Column {
	out := map[string]Column{}
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

// completed adds to what is said about a column what the facts of its table say.
func completed(c Column, f *domain.TableFacts, single map[string]bool) Column {
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
	if c.Step == "" {
		c.Step = stepOf(f, c.Period)
	}
	return c
}

// hasKey reports whether a column alone is a key.
func hasKey(keys [][]string, column string) bool {
	return slices.ContainsFunc(keys, func(k []string) bool { return len(k) == 1 && fold(k[0]) == fold(column) })
}

// stepOf is the distance of two periods if none is left out; empty if it is not known. With gaps, two periods could lie in
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

// table finds a table by its catalog and its name in the plan.
func (s *Schema) table(catalog, name string) *Table {
	if s == nil {
		return nil
	}
	return s.tables[fold(catalog)+"."+fold(name)]
}

// fold compares names as the engine does, without regard to case.
func fold(name string) string { return strings.ToLower(name) }
