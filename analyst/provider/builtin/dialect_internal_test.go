package builtin

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/provider/builtin/corpus"
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

// TestTranslationOf asks the tables of each kind of connector: the planner can write its dialect, and a
// database gets none of the forms that only DuckDB has.
func TestTranslationOf(t *testing.T) {
	t.Parallel()
	for _, name := range domain.DataSourceTypes() {
		dialect := name.Kind().Dialect
		for _, question := range []string{"Total amount by month", "Top 2 users by amount in each country", "Describe the data"} {
			r := Read(shopIn(dialect), date(2025, 7, 1), question)
			require.True(t, r.Understood, "%s: %s", name, question)
			if !dialect.OfFiles() {
				require.NotContains(t, r.SQL, "GROUP BY ALL", name)
				require.NotContains(t, r.SQL, "QUALIFY", name)
			}
		}
	}
	_, ok := translationOf(domain.DialectDuckDB)
	require.False(t, ok)
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

// TestTranslation_Lacks has questions that need a function that a database does not have: they are
// refused in words, and are not sent to the database.
func TestTranslation_Lacks(t *testing.T) {
	t.Parallel()
	poor := intoPostgres()
	poor.lacks = map[string]string{"median": "medians", "quantile_cont": "percentiles", "corr": "correlations", "arg_max": "rows of a maximum"}
	poor.lacks["RANGE"] = "moving averages"
	for question, want := range map[string]string{
		"Median amount by country":                 "medians",
		"90th percentile of amount by country":     "percentiles",
		"Correlation between amount and quantity":  "correlations",
		"Average amount by country":                "",
		"Median amount by country in 2024 by user": "medians",
		"7-day moving average of amount":           "moving averages",
	} {
		p := newPlanner(newLanguage(), shopIn(domain.DialectPostgres), nil, date(2025, 7, 1), []string{question})
		f := p.follow([]string{question})
		require.True(t, f.understood(), question)
		f.guardForms(&poor)
		require.Equal(t, want == "", f.understood(), question)
		if want != "" {
			require.Contains(t, misunderstood(f, p), "I cannot answer that: the data is in a database of PostgreSQL, which has no "+want+".")
		}
	}
	require.Equal(t, "rows of a maximum", poor.missing("WITH x AS (SELECT arg_max(a, b) FROM t) SELECT 1 FROM x"))
	require.Empty(t, poor.missing("SELECT median FROM t WHERE a = 'median(x)'"), "a column and a text are no functions")
}

// TestForms checks that the list at the head of dialect.go has every function that the writer has
// called in the corpus, but for those that are the same in all databases.
func TestForms(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("dialect.go")
	require.NoError(t, err)
	list, _, ok := strings.Cut(string(file), "// inDialect returns")
	require.True(t, ok)
	questions, err := corpus.Questions()
	require.NoError(t, err)
	called := regexp.MustCompile(`\b([a-z_]+)\(`)
	texts := regexp.MustCompile(`'[^']*'|"[^"]*"`)
	found := 0
	for _, q := range questions {
		for _, m := range called.FindAllStringSubmatch(texts.ReplaceAllString(q.SQL, ""), -1) {
			switch m[1] {
			case "count", "sum", "avg", "min", "max":
			default:
				found++
				require.Regexp(t, `\b`+m[1]+`\b`, list, q.SQL)
			}
		}
	}
	require.Greater(t, found, 20)
}
