package postgres

import (
	"context"
	"strconv"
	"time"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
)

// Describe implements connectors.RemoteSession.
func (s *session) Describe(ctx context.Context) (*domain.SourceDescription, error) {
	d := connectors.Describing{
		Database: s.settings.Database, NothingField: "params." + domain.ParamSchemas, Nothing: "The user may read no table of these schemas.",
		Fewer: "Give schemas, or rights on fewer tables, to choose others.", Clock: s.clock,
	}
	return d.Describe(ctx, s)
}

// Relations reads tables, views and foreign tables, in the order of the search path.
// A partition is left out, because its rows are also in the partitioned table.
func (s *session) Relations(ctx context.Context, limit int) ([]connectors.Relation, error) {
	rows, err := s.rows(ctx, `SELECT c.oid, n.nspname, c.relname, c.relkind, coalesce(obj_description(c.oid, 'pg_class'), ''),
			c.reltuples::bigint, pg_table_size(c.oid)
		FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE n.nspname = ANY ($1::text[]) AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
			AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')
		ORDER BY array_position($1::text[], n.nspname::text), c.relname LIMIT $2`, array(s.settings.schemas), strconv.Itoa(limit))
	if err != nil {
		return nil, err
	}
	out := make([]connectors.Relation, len(rows))
	for i, row := range rows {
		out[i] = connectors.Relation{
			ID: text(row[0]), Schema: text(row[1]), Name: text(row[2]), Kind: text(row[3]), Comment: text(row[4]),
			Rows: connectors.Whole(row[5]), Bytes: connectors.Whole(row[6]),
		}
	}
	return out, nil
}

// ReadColumns reads the columns that may be read. For a domain, its base type is used.
func (s *session) ReadColumns(ctx context.Context, relations []connectors.Relation) error {
	ids, place := relationIDs(relations)
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
		oid, modifier := uint32(connectors.Whole(row[3])), int32(connectors.Whole(row[4])) //nolint:gosec // the engine's own sizes
		c := connectors.RelationColumn{Column: domain.Column{
			Name: text(row[1]), DatabaseType: text(row[2]), Type: meaning(oid, modifier), Description: text(row[5]),
		}}
		// Enumerations are ordered by their definition, so their first and last values are useful.
		c.Ordered = c.Type != domain.ColumnBoolean && (c.Type != domain.ColumnText || isText(oid)) || text(row[6]) == "e"
		r := &relations[place[text(row[0])]]
		r.Columns = append(r.Columns, c)
	}
	return nil
}

// Study implements connectors.Catalogue.
func (s *session) Study(ctx context.Context, r *connectors.Relation, into *domain.DataResource, values *connectors.ValueBudget) error {
	err := s.attempt(ctx, connectors.PreviewLimit, func() error {
		preview, err := s.preview(ctx, r)
		into.Preview = preview
		return err
	})
	if err != nil {
		return err
	}
	// A small table is counted exactly; a count that did not end in time falls back to the
	// estimate.
	if r.Bytes <= connectors.ExactBytes {
		counted := false
		err := s.attempt(ctx, connectors.CountLimit, func() error {
			counting := connectors.Counting{Rows: s.read, Text: func(expression string) string { return expression + "::text" }}
			rows, err := counting.Count(ctx, r, values)
			if err == nil {
				into.Rows, counted = rows, true
			}
			return err
		})
		if err != nil || counted {
			return err
		}
	}
	err = s.attempt(ctx, connectors.CountLimit, func() error {
		// These have no estimate of their own in the catalogue: views, partitioned and foreign
		// tables.
		if r.Rows < 0 || r.Kind == "v" || r.Kind == "p" || r.Kind == "f" {
			rows, err := s.planned(ctx, r)
			if err != nil {
				return err
			}
			into.Rows = rows
		}
		return s.estimate(ctx, r, into.Rows, values)
	})
	if err != nil {
		return err
	}
	return s.attempt(ctx, connectors.CountLimit, func() error {
		counting := connectors.Counting{Rows: s.read}
		return counting.Repeats(ctx, r)
	})
}

// read is rows without arguments.
func (s *session) read(ctx context.Context, sql string) ([][][]byte, error) { return s.rows(ctx, sql) }

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
func (s *session) preview(ctx context.Context, r *connectors.Relation) (string, error) {
	result := s.conn.ExecParams(ctx, r.PreviewSQL(), nil, nil, nil, nil)
	a := connectors.PreviewAnswer()
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
	return r.Preview(&a), nil
}
