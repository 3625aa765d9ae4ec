package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgtype"

	"parley.dev/parley/domain"
)

const (
	// exactBytes is the maximum size of a table that is counted and not estimated.
	exactBytes = 64 << 20
	// valuesMax is how many frequent values a text column shows, valueMax how long each may
	// be, and valuesBudget the maximum size of all values of a connector together, as for
	// files.
	valuesMax    = 100
	valueMax     = 100
	valuesBudget = 256 << 10
	edgeMax      = 100 // characters
	// measured is how many columns one statement measures.
	measured = 25
)

// isText reports whether the values of a type are texts for people.
func isText(oid uint32) bool {
	switch oid {
	case pgtype.TextOID, pgtype.VarcharOID, pgtype.BPCharOID, pgtype.NameOID:
		return true
	}
	return false
}

// count reads the statistics from the rows themselves.
func (s *session) count(ctx context.Context, r *relation, values *int) (int64, error) {
	var rows int64
	// Several columns are measured by one statement, so the table is read fewer times.
	for first := 0; first < len(r.columns); first += measured {
		batch := r.columns[first:min(first+measured, len(r.columns))]
		parts := make([]string, 0, len(batch)+1)
		for _, c := range batch {
			parts = append(parts, measures(&c))
		}
		result, err := s.rows(ctx, "SELECT count(*), "+strings.Join(parts, ", ")+" FROM "+r.sql())
		if err != nil {
			return 0, err
		}
		cells := result[0]
		rows, cells = whole(cells[0]), cells[1:]
		// Four cells for each column, in the order of measures.
		for i := range batch {
			c := &batch[i]
			c.Nulls = rows - whole(cells[4*i])
			c.Distinct = whole(cells[4*i+1])
			c.Min, c.Max = edge(cells[4*i+2]), edge(cells[4*i+3])
		}
	}
	for i := range r.columns {
		c := &r.columns[i]
		// Values are useful only for texts that people can read.
		if c.Type != domain.ColumnText || !c.ordered || *values <= 0 {
			continue
		}
		// The order is by position, because an alias could be taken for a column of the table.
		result, err := s.rows(ctx, fmt.Sprintf("SELECT %[1]s::text FROM %[2]s WHERE %[1]s IS NOT NULL AND length(%[1]s::text) <= %[3]d "+
			"GROUP BY %[1]s ORDER BY count(*) DESC, 1 LIMIT %[4]d", quoted(c.Name), r.sql(), valueMax, valuesMax))
		if err != nil {
			return 0, err
		}
		for _, row := range result {
			c.addValue(text(row[0]), values)
		}
	}
	return rows, nil
}

// measures selects four cells for a column: the number of values, the number of different
// values, the minimum and the maximum.
func measures(c *column) string {
	name := quoted(c.Name)
	switch {
	case c.ordered:
		return fmt.Sprintf("count(%[1]s), count(DISTINCT %[1]s), min(%[1]s)::text, max(%[1]s)::text", name)
	case c.Type == domain.ColumnBoolean:
		return fmt.Sprintf("count(%[1]s), count(DISTINCT %[1]s), '', ''", name)
	}
	return fmt.Sprintf("count(%s), 0, '', ''", name)
}

// edge shortens a minimum or a maximum.
func edge(cell []byte) string { return domain.Shorten(domain.Clean(text(cell)), edgeMax) }

// addValue adds a value while the budget lasts. The budget is for all tables of the connector.
func (c *column) addValue(value string, budget *int) {
	if *budget -= len(value); *budget > 0 && value != "" {
		c.Values = append(c.Values, domain.Clean(value))
	}
}

// planned returns how many rows the engine expects in a relation, for example in a view.
func (s *session) planned(ctx context.Context, r *relation) (int64, error) {
	// A plan is made without reading any row.
	rows, err := s.rows(ctx, "EXPLAIN (FORMAT JSON) SELECT * FROM "+r.sql())
	if err != nil {
		return 0, err
	}
	var plans []struct {
		Plan struct {
			Rows float64 `json:"Plan Rows"` //nolint:tagliatelle // the engine's name
		} `json:"Plan"` //nolint:tagliatelle // the engine's name
	}
	if err := json.Unmarshal(rows[0][0], &plans); err != nil || len(plans) == 0 {
		return 0, domain.Internal(err, "read a plan")
	}
	return int64(plans[0].Plan.Rows), nil
}

// estimate uses the statistics that the engine has gathered itself, if the user may read
// them. They have neither minimum nor maximum; for dates and times these are read from the
// rows, if that is quick.
func (s *session) estimate(ctx context.Context, r *relation, rows int64, values *int) error {
	known, err := s.rows(ctx, `SELECT attname, null_frac, n_distinct, coalesce(to_json(most_common_vals::text::text[])::text, '[]')
		FROM pg_stats WHERE schemaname = $1 AND tablename = $2`, r.schema, r.name)
	if err != nil {
		return err
	}
	byName := make(map[string][][]byte, len(known))
	for _, k := range known {
		byName[text(k[0])] = k
	}
	for i := range r.columns {
		c := &r.columns[i]
		c.Values = nil // an interrupted count has left some
		k, ok := byName[c.Name]
		if !ok {
			continue
		}
		c.Nulls = int64(fraction(k[1]) * float64(rows))
		// A negative number is the fraction of the rows that have different values.
		if c.Distinct = int64(fraction(k[2])); fraction(k[2]) < 0 {
			c.Distinct = int64(-fraction(k[2]) * float64(rows))
		}
		var common []string
		if c.Type == domain.ColumnText && c.ordered && json.Unmarshal(k[3], &common) == nil {
			for _, v := range common[:min(len(common), valuesMax)] {
				if domain.Length(v) <= valueMax {
					c.addValue(v, values)
				}
			}
		}
	}
	for i := range r.columns {
		if c := &r.columns[i]; c.Type == domain.ColumnDate || c.Type == domain.ColumnTime {
			edges, err := s.rows(ctx, fmt.Sprintf("SELECT min(%[1]s)::text, max(%[1]s)::text FROM %[2]s", quoted(c.Name), r.sql()))
			if err != nil {
				// Without an index this reads the whole table: the other columns need not try.
				return err
			}
			c.Min, c.Max = edge(edges[0][0]), edge(edges[0][1])
		}
	}
	return nil
}

func fraction(cell []byte) float64 {
	f, _ := strconv.ParseFloat(text(cell), 64) // the engine made it from a number
	return f
}
