package connectors

// The description of a remote database: tables, columns, statistics and first rows, as the
// catalogue shows them to the user of the connection. What takes too long is left out, so that a
// large database can be described at all. How a catalogue is read, and what the engine knows
// without counting, is in the package of each kind.

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/sqltext"
)

// The limits of a description.
const (
	TablesMax = 200
	// PreviewLimit is for the statement that reads the first rows of a table, CountLimit for
	// each statement that counts. A view that takes hours costs seconds.
	PreviewLimit = 2 * time.Second
	CountLimit   = 5 * time.Second
	// ExactBytes is the maximum size of a table that is counted and not estimated.
	ExactBytes = 64 << 20
	// ValuesMax is how many frequent values a text column shows, ValueMax how many characters
	// each may have.
	ValuesMax = 100
	ValueMax  = 100

	// describedColumns is how many columns of a table are shown, previewRows how many rows.
	describedColumns = 300
	previewRows      = 10
	commentMax       = 1000 // characters
	edgeMax          = 100  // characters
	// countingFor is how long tables may be studied, all together.
	countingFor = time.Minute
	// valuesBudget is the maximum size of all values of a connector together, as for files.
	valuesBudget = 256 << 10
	// measured is how many columns one statement measures.
	measured = 25
	// repeatRows is how many rows of a table are read to find out which of its columns have a value twice.
	repeatRows = 20_000
	// constraintsMax is the maximum number of keys, and of foreign keys, of a table.
	constraintsMax = 64
)

// Relation is a table or a view of a catalogue.
type Relation struct {
	// Schema qualifies the name; it is empty for a database without schemas.
	Schema, Name string
	// ID and Kind are for the package that made the relation, and mean nothing to others.
	ID, Kind string
	Comment  string
	// Rows is the engine's estimate, negative if it has none; Bytes is the size.
	Rows, Bytes int64
	// Columns are those that the user may read.
	Columns []RelationColumn
	// Keys and References are the constraints that the database enforces, as in domain.Declared.
	Keys       [][]string
	References []RelationReference
}

// RelationReference is a foreign key to the relation with an ID.
type RelationReference struct {
	Columns []string
	ID      string
	To      []string
}

// RelationColumn is a column of a catalogue.
type RelationColumn struct {
	domain.Column
	// Ordered reports whether a minimum and a maximum of the type are useful to people. The
	// frequent values of a text are shown only if it is true.
	Ordered bool
}

// SQL is the relation's name in a statement.
func (r *Relation) SQL() string {
	if r.Schema == "" {
		return sqltext.QuoteName(r.Name)
	}
	return sqltext.QuoteName(r.Schema) + "." + sqltext.QuoteName(r.Name)
}

// Catalogue is what a kind of warehouse knows about one database.
type Catalogue interface {
	// Relations lists what the user may read, at most limit, in the order in which it is shown.
	Relations(ctx context.Context, limit int) ([]Relation, error)
	// ReadColumns adds the columns that the user may read.
	ReadColumns(ctx context.Context, relations []Relation) error
	// ReadConstraints adds the keys and the foreign keys that the database enforces for all rows that the user sees. They can
	// name columns that the user may not read. A database that enforces none adds none.
	ReadConstraints(ctx context.Context, relations []Relation) error
	// Study adds statistics and first rows to a table, within the limits of this package. What
	// a statement cannot or may not return in time is left out and is no error.
	Study(ctx context.Context, r *Relation, into *domain.DataResource, values *ValueBudget) error
}

// Describing is how a database is described.
type Describing struct {
	// Database is its name for people.
	Database string
	// NothingField and Nothing are the error for a database without a table that may be read.
	NothingField, Nothing string
	// Fewer says how a person chooses other tables if there are too many.
	Fewer string
	Clock clock.Clock
}

// Describe lists the tables that may be read, with columns, statistics and first rows.
func (d *Describing) Describe(ctx context.Context, from Catalogue) (*domain.SourceDescription, error) {
	// One relation more than the limit tells whether there are more.
	relations, err := from.Relations(ctx, TablesMax+1)
	if err != nil {
		return nil, err
	}
	var notices []string
	if len(relations) > TablesMax {
		relations = relations[:TablesMax]
		notices = append(notices, fmt.Sprintf("Only the first %d tables are listed. %s", TablesMax, d.Fewer))
	}
	relations, strange := withoutDots(relations)
	if strange > 0 {
		notices = append(notices, fmt.Sprintf("Tables with a point in their names, which are left out: %d.", strange))
	}
	if err := from.ReadColumns(ctx, relations); err != nil {
		return nil, err
	}
	if err := from.ReadConstraints(ctx, relations); err != nil {
		return nil, err
	}
	out := &domain.SourceDescription{Resources: []domain.DataResource{}}
	listed := map[string]int{} // the index of its table in out, by the ID of a relation
	taken := map[string]bool{}
	// After this time the remaining tables are only listed.
	until := d.Clock.Now().Add(countingFor)
	values, uncounted, wide := ValueBudget(valuesBudget), 0, 0
	for i := range relations {
		r := &relations[i]
		// A table of which no column may be read cannot be queried.
		if len(r.Columns) == 0 {
			continue
		}
		if len(r.Columns) > describedColumns {
			r.Columns = r.Columns[:describedColumns]
			wide++
		}
		resource := domain.DataResource{Name: r.Name, Table: r.Name, Description: cleanComment(r.Comment), Rows: max(r.Rows, 0)}
		// Another schema has a table of this name, so the name must be qualified.
		if taken[r.Name] {
			resource.Name = r.Schema + "." + r.Name
			resource.Table = resource.Name
		}
		taken[r.Name] = true
		if d.Clock.Now().Before(until) {
			if err := from.Study(ctx, r, &resource, &values); err != nil {
				return nil, err
			}
		} else {
			uncounted++
		}
		for _, c := range r.Columns {
			c.Description = cleanComment(c.Description)
			resource.Columns = append(resource.Columns, c.Column)
		}
		listed[r.ID] = len(out.Resources)
		out.Resources = append(out.Resources, resource)
	}
	declare(out.Resources, relations, listed)
	// A user without any right to read is a mistake that the person can correct.
	if len(out.Resources) == 0 {
		return nil, domain.Invalid(d.NothingField, d.Nothing)
	}
	if wide > 0 {
		notices = append(notices, fmt.Sprintf("Tables with more than %d columns, of which the first ones are shown: %d.", describedColumns, wide))
	}
	if uncounted > 0 {
		notices = append(notices, fmt.Sprintf("Tables that are listed without statistics, for which there was no time: %d.", uncounted))
	}
	out.LeftOut = strings.Join(notices, " ")
	out.Text = Proposed(d.Database, out.Resources)
	return out, nil
}

// declare adds the constraints of the relations to their tables, as far as the user may read the columns.
func declare(resources []domain.DataResource, relations []Relation, listed map[string]int) {
	// at is the table of a relation; nil if it is not listed.
	at := func(id string) *domain.DataResource {
		if i, ok := listed[id]; ok {
			return &resources[i]
		}
		return nil
	}
	for i := range relations {
		r := &relations[i]
		own := at(r.ID)
		if own == nil {
			continue
		}
		own.Declared.Schema = r.Schema
		for _, key := range r.Keys {
			if hasColumns(own, key) && len(own.Declared.Keys) < constraintsMax {
				own.Declared.Keys = append(own.Declared.Keys, key)
			}
		}
		for _, f := range r.References {
			other := at(f.ID)
			if other != nil && hasColumns(own, f.Columns) && hasColumns(other, f.To) && len(own.Declared.References) < constraintsMax {
				own.Declared.References = append(own.Declared.References, domain.Reference{Columns: f.Columns, Table: other.Table, To: f.To})
			}
		}
	}
}

// hasColumns reports whether a table has all of some columns.
func hasColumns(r *domain.DataResource, names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		return !slices.ContainsFunc(r.Columns, func(c domain.Column) bool { return c.Name == name })
	})
}

// withoutDots leaves out names with a dot, which would be taken for the dot after a schema.
func withoutDots(relations []Relation) (out []Relation, strange int) {
	out = make([]Relation, 0, len(relations))
	for i := range relations {
		if strings.Contains(relations[i].Schema+relations[i].Name, ".") {
			strange++
			continue
		}
		out = append(out, relations[i])
	}
	return out, strange
}

func cleanComment(comment string) string { return domain.Shorten(domain.Clean(comment), commentMax) }

// Edge shortens a minimum or a maximum.
func Edge(cell []byte) string { return domain.Shorten(domain.Clean(string(cell)), edgeMax) }

// ValueBudget is how many bytes of values are left for all tables of a connector.
type ValueBudget int

// AddValue adds a frequent value while the budget lasts.
func (c *RelationColumn) AddValue(value string, budget *ValueBudget) {
	if *budget -= ValueBudget(len(value)); *budget > 0 && value != "" {
		c.Values = append(c.Values, domain.Clean(value))
	}
}

// PreviewSQL selects the first rows of a relation.
func (r *Relation) PreviewSQL() string {
	names := make([]string, len(r.Columns))
	for i, c := range r.Columns {
		names[i] = sqltext.QuoteName(c.Name)
	}
	return fmt.Sprintf("SELECT %s FROM %s LIMIT %d", strings.Join(names, ", "), r.SQL(), previewRows)
}

// PreviewAnswer gathers the rows of PreviewSQL.
func PreviewAnswer() Answer {
	return Answer{Caps: Caps{Rows: previewRows, Bytes: MaxCell * previewRows}}
}

// Preview writes the rows of a PreviewAnswer as CSV.
func (r *Relation) Preview(a *Answer) string {
	set := domain.ResultSet{Rows: a.Rows}
	for _, c := range r.Columns {
		set.Columns = append(set.Columns, c.Column)
	}
	return set.CSV(-1)
}

// Counting reads statistics from the rows of a relation, by SQL that every engine has.
type Counting struct {
	// Rows runs a statement; a nil cell is NULL.
	Rows func(ctx context.Context, sql string) ([][][]byte, error)
	// Text writes an expression as text, in the engine's way.
	Text func(expression string) string
}

// Count sets the statistics of the columns, and returns the number of rows.
func (c *Counting) Count(ctx context.Context, r *Relation, values *ValueBudget) (int64, error) {
	var rows int64
	// Several columns are measured by one statement, so the table is read fewer times.
	for first := 0; first < len(r.Columns); first += measured {
		batch := r.Columns[first:min(first+measured, len(r.Columns))]
		parts := make([]string, len(batch))
		for i := range batch {
			parts[i] = c.measures(&batch[i])
		}
		result, err := c.Rows(ctx, "SELECT count(*), "+strings.Join(parts, ", ")+" FROM "+r.SQL())
		if err != nil {
			return 0, err
		}
		cells := result[0]
		rows, cells = Whole(cells[0]), cells[1:]
		// Four cells for each column, in the order of measures.
		for i := range batch {
			column := &batch[i]
			column.Nulls, column.Distinct = rows-Whole(cells[4*i]), Whole(cells[4*i+1])
			column.Repeats = column.countable() && column.Distinct < Whole(cells[4*i])
			column.Min, column.Max = Edge(cells[4*i+2]), Edge(cells[4*i+3])
		}
	}
	for i := range r.Columns {
		column := &r.Columns[i]
		// Values are useful only for texts that people can read.
		if column.Type != domain.ColumnText || !column.Ordered || *values <= 0 {
			continue
		}
		name := sqltext.QuoteName(column.Name)
		// The order is by position, because an alias could be taken for a column of the table.
		result, err := c.Rows(ctx, fmt.Sprintf("SELECT %[1]s FROM %[2]s WHERE %[3]s IS NOT NULL AND char_length(%[1]s) <= %[4]d "+
			"GROUP BY %[3]s ORDER BY count(*) DESC, 1 LIMIT %[5]d", c.Text(name), r.SQL(), name, ValueMax, ValuesMax))
		if err != nil {
			return 0, err
		}
		for _, row := range result {
			column.AddValue(string(row[0]), values)
		}
	}
	return rows, nil
}

// measures selects four cells for a column: the number of values, the number of different
// values, the minimum and the maximum.
func (c *Counting) measures(column *RelationColumn) string {
	name := sqltext.QuoteName(column.Name)
	switch {
	case column.Ordered:
		return fmt.Sprintf("count(%[1]s), count(DISTINCT %[1]s), %[2]s, %[3]s", name, c.Text("min("+name+")"), c.Text("max("+name+")"))
	case column.countable():
		return fmt.Sprintf("count(%[1]s), count(DISTINCT %[1]s), '', ''", name)
	}
	return fmt.Sprintf("count(%s), 0, '', ''", name)
}

// countable reports whether the different values of a column can be counted.
func (c *RelationColumn) countable() bool { return c.Ordered || c.Type == domain.ColumnBoolean }

// Repeats finds the columns of a large table that have a value in several rows, by its first rows: two equal values there
// prove it, and none there prove nothing.
func (c *Counting) Repeats(ctx context.Context, r *Relation) error {
	var columns []*RelationColumn
	for i := range r.Columns {
		if r.Columns[i].countable() {
			columns = append(columns, &r.Columns[i])
		}
	}
	for batch := range slices.Chunk(columns, measured) {
		names, parts := make([]string, len(batch)), make([]string, len(batch))
		for i, column := range batch {
			names[i] = sqltext.QuoteName(column.Name)
			parts[i] = fmt.Sprintf("count(%[1]s), count(DISTINCT %[1]s)", names[i])
		}
		result, err := c.Rows(ctx, fmt.Sprintf("SELECT %s FROM (SELECT %s FROM %s LIMIT %d) first_rows",
			strings.Join(parts, ", "), strings.Join(names, ", "), r.SQL(), repeatRows))
		if err != nil {
			return err
		}
		for i, column := range batch {
			column.Repeats = Whole(result[0][2*i+1]) < Whole(result[0][2*i])
		}
	}
	return nil
}
