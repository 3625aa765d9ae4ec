package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// TestSignificance_OnlyOfCorrelations checks that a test that the planner cannot make stops the answer.
func TestSignificance_OnlyOfCorrelations(t *testing.T) {
	t.Parallel()
	follow := func(d domain.Dialect, question string) *form {
		return newPlanner(newLanguage(), shopIn(d), nil, date(2025, 7, 1), []string{question}).follow([]string{question})
	}
	require.True(t, follow(domain.DialectDuckDB, "p-value of the correlation between amount and quantity").understood())
	require.NotContains(t, sql(follow(domain.DialectDuckDB, "correlation between amount and quantity")), "p_t(")
	for _, question := range []string{"p-value of the average amount by country", "is the total amount significant?", "p-value"} {
		require.False(t, follow(domain.DialectDuckDB, question).understood(), question)
	}
	f := follow(domain.DialectPostgres, "p-value of the correlation between amount and quantity")
	require.False(t, f.understood(), "a database has no p_t")
}
