package postgres

// The description of a remote database: tables, columns, statistics and first rows, as the
// catalogue shows them to the user of the connection. Each statement has a time limit of its own,
// and what takes too long is left out, so that a large database can be described at all.

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
)

const (
	tablesMax = 200
	// describedColumns is how many columns of a table are shown, previewRows how many rows.
	describedColumns = 300
	previewRows      = 10
	commentMax       = 1000 // characters
	// countingFor is how long tables may be counted and shown, all together; each statement
	// has its own limit, so that a view that takes hours costs seconds.
	countingFor  = time.Minute
	previewLimit = 2 * time.Second
	countLimit   = 5 * time.Second
)

// relation is a table or a view of the catalogue.
type relation struct {
	oid, schema, name, kind, comment string
	// rows is the engine's estimate, negative if it has no estimate; bytes is the size.
	rows, bytes int64
	columns     []column
}

// column is a column of the catalogue that may be read.
type column struct {
	domain.Column
	// ordered reports whether a minimum and a maximum of the type are useful to people.
	ordered bool
}

// sql is the relation's name in a statement.
func (r *relation) sql() string { return quoted(r.schema) + "." + quoted(r.name) }

// describe lists the tables that may be read in the schemas.
func (s *session) describe(ctx context.Context) (*domain.SourceDescription, error) {
	relations, notices, err := s.relations(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.readColumns(ctx, relations); err != nil {
		return nil, err
	}
	out := &domain.SourceDescription{Resources: []domain.DataResource{}}
	taken := map[string]bool{}
	// After this time the remaining tables are only listed.
	until := s.clock.Now().Add(countingFor)
	values, uncounted, wide := valuesBudget, 0, 0
	for i := range relations {
		r := &relations[i]
		// A table of which no column may be read cannot be queried.
		if len(r.columns) == 0 {
			continue
		}
		if len(r.columns) > describedColumns {
			r.columns = r.columns[:describedColumns]
			wide++
		}
		// The name is not qualified if the search path finds this table by it.
		resource := domain.DataResource{Name: r.name, Table: r.name, Description: r.comment, Rows: max(r.rows, 0)}
		// Another schema has a table of this name, so the name must be qualified.
		if taken[r.name] {
			resource.Name = r.schema + "." + r.name
			resource.Table = resource.Name
		}
		taken[r.name] = true
		if s.clock.Now().Before(until) {
			if err := s.study(ctx, r, &resource, &values); err != nil {
				return nil, err
			}
		} else {
			uncounted++
		}
		for _, c := range r.columns {
			resource.Columns = append(resource.Columns, c.Column)
		}
		out.Resources = append(out.Resources, resource)
	}
	// A user without any right to read is a mistake that the person can correct.
	if len(out.Resources) == 0 {
		return nil, domain.Invalid("params."+domain.ParamSchemas, "The user may read no table of these schemas.")
	}
	if wide > 0 {
		notices = append(notices, fmt.Sprintf("Tables with more than %d columns, of which the first ones are shown: %d.", describedColumns, wide))
	}
	if uncounted > 0 {
		notices = append(notices, fmt.Sprintf("Tables that are listed without statistics, for which there was no time: %d.", uncounted))
	}
	out.LeftOut = strings.Join(notices, " ")
	out.Text = connectors.Proposed(s.settings.database, out.Resources)
	return out, nil
}

// relations reads tables, views and foreign tables, in the order of the search path.
// A partition is left out, because its rows are also in the partitioned table.
func (s *session) relations(ctx context.Context) ([]relation, []string, error) {
	// One row more than the limit tells whether there are more.
	rows, err := s.rows(ctx, `SELECT c.oid, n.nspname, c.relname, c.relkind, coalesce(obj_description(c.oid, 'pg_class'), ''),
			c.reltuples::bigint, pg_table_size(c.oid)
		FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE n.nspname = ANY ($1::text[]) AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
			AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')
		ORDER BY array_position($1::text[], n.nspname::text), c.relname LIMIT $2`, array(s.settings.schemas), strconv.Itoa(tablesMax+1))
	if err != nil {
		return nil, nil, err
	}
	var notices []string
	if len(rows) > tablesMax {
		rows = rows[:tablesMax]
		notices = append(notices,
			fmt.Sprintf("Only the first %d tables are listed. Give schemas, or rights on fewer tables, to choose others.", tablesMax))
	}
	out := make([]relation, 0, len(rows))
	strange := 0
	for _, row := range rows {
		r := relation{
			oid: text(row[0]), schema: text(row[1]), name: text(row[2]), kind: text(row[3]),
			comment: domain.Shorten(domain.Clean(text(row[4])), commentMax), rows: whole(row[5]), bytes: whole(row[6]),
		}
		// A dot in a name would be taken for the dot after a schema.
		if strings.Contains(r.schema+r.name, ".") {
			strange++
			continue
		}
		out = append(out, r)
	}
	if strange > 0 {
		notices = append(notices, fmt.Sprintf("Tables with a point in their names, which are left out: %d.", strange))
	}
	return out, notices, nil
}

// readColumns reads the columns that may be read. For a domain, its base type is used.
func (s *session) readColumns(ctx context.Context, relations []relation) error {
	ids := make([]string, len(relations))
	place := make(map[string]int, len(relations))
	for i := range relations {
		ids[i], place[relations[i].oid] = relations[i].oid, i
	}
	rows, err := s.rows(ctx, `SELECT a.attrelid, a.attname, format_type(a.atttypid, a.atttypmod), coalesce(b.oid, t.oid),
			CASE WHEN b.oid IS NULL THEN a.atttypmod ELSE t.typtypmod END, coalesce(col_description(a.attrelid, a.attnum), ''),
			coalesce(b.typtype, t.typtype)
		FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_type b ON t.typtype = 'd' AND b.oid = t.typbasetype
		WHERE a.attrelid = ANY ($1::oid[]) AND a.attnum > 0 AND NOT a.attisdropped AND has_column_privilege(a.attrelid, a.attnum, 'SELECT')
		ORDER BY a.attrelid, a.attnum`, array(ids))
	if err != nil {
		return err
	}
	// The columns come in the order of their tables, and each in its own order.
	for _, row := range rows {
		oid, modifier := uint32(whole(row[3])), int32(whole(row[4])) //nolint:gosec // the engine's own sizes
		c := column{Column: domain.Column{
			Name: text(row[1]), DatabaseType: text(row[2]), Type: meaning(oid, modifier),
			Description: domain.Shorten(domain.Clean(text(row[5])), commentMax),
		}}
		// Enumerations are ordered by their definition, so their first and last values are useful.
		c.ordered = c.Type != domain.ColumnBoolean && (c.Type != domain.ColumnText || isText(oid)) || text(row[6]) == "e"
		r := &relations[place[text(row[0])]]
		r.columns = append(r.columns, c)
	}
	return nil
}

// study adds statistics and first rows to a table. What a statement cannot or may not
// return in time is left out.
func (s *session) study(ctx context.Context, r *relation, into *domain.DataResource, values *int) error {
	err := s.attempt(ctx, previewLimit, func() error {
		preview, err := s.preview(ctx, r)
		into.Preview = preview
		return err
	})
	if err != nil {
		return err
	}
	// A small table is counted exactly; a count that did not end in time falls back to the
	// estimate.
	if r.bytes <= exactBytes {
		counted := false
		err := s.attempt(ctx, countLimit, func() error {
			rows, err := s.count(ctx, r, values)
			if err == nil {
				into.Rows, counted = rows, true
			}
			return err
		})
		if err != nil || counted {
			return err
		}
	}
	return s.attempt(ctx, countLimit, func() error {
		// These have no estimate of their own in the catalogue: views, partitioned and foreign
		// tables.
		if r.rows < 0 || r.kind == "v" || r.kind == "p" || r.kind == "f" {
			rows, err := s.planned(ctx, r)
			if err != nil {
				return err
			}
			into.Rows = rows
		}
		return s.estimate(ctx, r, into.Rows, values)
	})
}

// attempt runs work with a limit for each of its statements. An error of a statement is
// ignored; an error of the connection and the end of the context are not.
func (s *session) attempt(ctx context.Context, limit time.Duration, work func() error) error {
	// A statement that fails ends the transaction; the savepoint lets it go on.
	if err := s.run(ctx, "SAVEPOINT parley_attempt"); err != nil {
		return err
	}
	_, err := s.rows(ctx, "SELECT set_config('statement_timeout', $1, true)", millis(limit))
	if err == nil {
		err = work()
	}
	if err == nil {
		return s.run(ctx, "RELEASE SAVEPOINT parley_attempt")
	}
	// These errors concern the whole description, and not this table alone.
	if ctx.Err() != nil || s.conn.IsClosed() {
		return err
	}
	return s.run(ctx, "ROLLBACK TO SAVEPOINT parley_attempt")
}

// preview returns the first rows as CSV.
func (s *session) preview(ctx context.Context, r *relation) (string, error) {
	names := make([]string, len(r.columns))
	for i, c := range r.columns {
		names[i] = quoted(c.Name)
	}
	first := fmt.Sprintf("SELECT %s FROM %s LIMIT %d", strings.Join(names, ", "), r.sql(), previewRows)
	result := s.conn.ExecParams(ctx, first, nil, nil, nil, nil)
	a := connectors.Answer{Caps: connectors.Caps{Rows: previewRows, Bytes: connectors.MaxCell * previewRows}}
	// The columns are known with the first row.
	for result.NextRow() {
		if a.Read == nil {
			a.Read = readers(result.FieldDescriptions())
		}
		a.Add(result.Values())
	}
	if _, err := result.Close(); err != nil {
		return "", err //nolint:wrapcheck // faultOf translates it
	}
	set := domain.ResultSet{Rows: a.Rows}
	for _, c := range r.columns {
		set.Columns = append(set.Columns, c.Column)
	}
	return set.CSV(-1), nil
}

// whole reads an integer that the engine has written.
func whole(cell []byte) int64 {
	n, _ := strconv.ParseInt(text(cell), 10, 64) // the engine made it from an integer
	return n
}
