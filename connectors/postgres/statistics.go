package postgres

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5/pgtype"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/sqltext"
)

// isText reports whether the values of a type are texts for people.
func isText(oid uint32) bool {
	switch oid {
	case pgtype.TextOID, pgtype.VarcharOID, pgtype.BPCharOID, pgtype.NameOID:
		return true
	}
	return false
}

// planned returns how many rows the engine expects in a relation, for example in a view.
func (s *session) planned(ctx context.Context, r *connectors.Relation) (int64, error) {
	// A plan is made without reading any row.
	rows, err := s.rows(ctx, "EXPLAIN (FORMAT JSON) SELECT * FROM "+r.SQL())
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
func (s *session) estimate(ctx context.Context, r *connectors.Relation, rows int64, values *connectors.ValueBudget) error {
	// An interrupted count has left values, and counts that no number of rows belongs to.
	for i := range r.Columns {
		c := &r.Columns[i]
		c.Values, c.Distinct, c.Nulls, c.Estimated = nil, 0, 0, true
	}
	known, err := s.rows(ctx, `SELECT attname, null_frac, n_distinct, coalesce(to_json(most_common_vals::text::text[])::text, '[]')
		FROM pg_stats WHERE schemaname = $1 AND tablename = $2`, r.Schema, r.Name)
	if err != nil {
		return err
	}
	byName := make(map[string][][]byte, len(known))
	for _, k := range known {
		byName[text(k[0])] = k
	}
	for i := range r.Columns {
		c := &r.Columns[i]
		k, ok := byName[c.Name]
		if !ok {
			continue
		}
		c.Nulls = int64(connectors.Fraction(k[1]) * float64(rows))
		// A negative number is the fraction of the rows that have different values.
		if c.Distinct = int64(connectors.Fraction(k[2])); connectors.Fraction(k[2]) < 0 {
			c.Distinct = int64(-connectors.Fraction(k[2]) * float64(rows))
		}
		var common []string
		if c.Type == domain.ColumnText && c.Ordered && json.Unmarshal(k[3], &common) == nil {
			for _, v := range common[:min(len(common), connectors.ValuesMax)] {
				if domain.Length(v) <= connectors.ValueMax {
					c.AddValue(v, values)
				}
			}
		}
	}
	for i := range r.Columns {
		if c := &r.Columns[i]; c.Type == domain.ColumnDate || c.Type == domain.ColumnTime {
			edges, err := s.rows(ctx, fmt.Sprintf("SELECT min(%[1]s)::text, max(%[1]s)::text FROM %[2]s", sqltext.QuoteName(c.Name), r.SQL()))
			if err != nil {
				// Without an index this reads the whole table: the other columns need not try.
				return err
			}
			c.Min, c.Max = connectors.Edge(edges[0][0]), connectors.Edge(edges[0][1])
		}
	}
	return nil
}
