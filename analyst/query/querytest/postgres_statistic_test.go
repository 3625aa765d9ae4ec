package querytest_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/query"
	"parley.dev/parley/persistence/embedded/embeddedtest"
)

// TestPostgres_Shape compares the statistics that PostgreSQL does not have itself with figures that were computed
// separately from their definitions, for 1, 2, 3, 4, 10.
func TestPostgres_Shape(t *testing.T) {
	t.Parallel()
	db, err := pgx.Connect(t.Context(), embeddedtest.Empty(t))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close(t.Context())) })
	five := "(VALUES ('a', 1), ('a', 2), ('a', 3), ('a', 4), ('a', 10), ('a', NULL), ('b', 99)) AS t(g, x)"
	for _, tt := range []struct {
		stat, x, from, filter string
		want                  *float64
	}{
		{"skew", "x", five, " FILTER (WHERE g = 'a')", new(1.6970562748477143)},
		{"kurtosis", "x", five, " FILTER (WHERE g = 'a')", new(3.152)},
		{"mad", "x", five, " FILTER (WHERE g = 'a')", new(1.0)},
		// A large mean with a small spread: sums of squares as floating point numbers would cancel out.
		{"skew", "x + CAST(1e9 AS DOUBLE PRECISION)", five, " FILTER (WHERE g = 'a')", new(1.6970562748477143)},
		{"kurtosis", "x + CAST(1e9 AS DOUBLE PRECISION)", five, " FILTER (WHERE g = 'a')", new(3.152)},
		{"skew", "x", "(VALUES (1), (2)) AS t(x)", "", nil},
		{"kurtosis", "x", "(VALUES (1), (2), (4)) AS t(x)", "", nil},
		{"skew", "x", "(VALUES (7), (7), (7)) AS t(x)", "", nil},
		{"kurtosis", "x", "(VALUES (7), (7), (7), (7)) AS t(x)", "", nil},
		{"mad", "x", "(VALUES (7), (7)) AS t(x)", "", new(0.0)},
		{"mad", "x", "(SELECT 1 AS x WHERE false) AS t", "", nil},
		// The column has the name of a part of the statement.
		{"mad", "v", "(VALUES (1), (2), (9)) AS t(v)", "", new(1.0)},
	} {
		statistic, err := query.Postgres().Stat(tt.stat, tt.x, 0, tt.filter)
		require.NoError(t, err)
		sql := "SELECT " + statistic + " FROM " + tt.from
		var got *float64
		require.NoError(t, db.QueryRow(t.Context(), sql).Scan(&got), sql)
		if tt.want == nil {
			require.Nil(t, got, sql)
			continue
		}
		require.NotNil(t, got, sql)
		require.InDelta(t, *tt.want, *got, 1e-9, sql)
	}
}
