package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

// shopIn is a table of a shop in a dialect.
func shopIn(dialect domain.Dialect) []analyst.Table {
	tables := listOf("orders",
		domain.Column{Name: "amount", Type: domain.ColumnNumber, Distinct: 90},
		domain.Column{Name: "quantity", Type: domain.ColumnInteger, Distinct: 7},
		domain.Column{Name: "country", Type: domain.ColumnText, Distinct: 2, Values: []string{"France", "Italy"}},
		domain.Column{Name: "user", Type: domain.ColumnText, Distinct: 9},
		domain.Column{Name: "placed", Type: domain.ColumnDate, Distinct: 99, Min: "2024-01-01", Max: "2025-06-30"},
	)
	tables[0].Dialect = dialect
	return tables
}

// TestDialect asks the tables of each kind of connector: the planner can write its dialect, and a database gets none of the forms
// that only DuckDB has.
func TestDialect(t *testing.T) {
	t.Parallel()
	for _, name := range domain.DataSourceTypes() {
		dialect := name.Kind().Dialect
		for _, question := range []string{
			"Total amount by month", "Top 2 users by amount in each country", "Describe the data", "Median amount by user",
		} {
			r := Read(shopIn(dialect), date(2025, 7, 1), question)
			require.True(t, r.Understood, "%s: %s", name, question)
			if !dialect.OfFiles() {
				require.NotContains(t, r.SQL, "QUALIFY", name)
				require.NotContains(t, r.SQL, "median(", name)
				require.NotRegexp(t, `[^"]\buser\b[^"]`, r.SQL, name)
			}
		}
	}
	require.Panics(t, func() { Read(shopIn("another"), date(2025, 7, 1), "Total amount by month") })
}

// TestOverview_EmptyCells checks that a union has the types that the dialect needs, and no others.
func TestOverview_EmptyCells(t *testing.T) {
	t.Parallel()
	ask := func(dialect domain.Dialect) string {
		return flat(Read(shopIn(dialect), date(2025, 7, 1), "Describe the data").SQL)
	}
	require.Contains(t, ask(domain.DialectDuckDB), "count(*) - count(amount) AS empty, NULL AS different")
	require.Contains(t, ask(domain.DialectPostgres), "count(*) - count(amount) AS empty, CAST(NULL AS BIGINT) AS different")
}
