package query_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/query"
)

func TestWelch(t *testing.T) {
	t.Parallel()
	b := setup(t)
	salary, budget := b.amount("employees", "salary"), b.amount("departments", "budget")
	women, men := b.is("employees", "sex", "f"), b.is("employees", "sex", "m")

	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		p := ok[query.Measure](t)(b.Welch("p", salary, women, men))
		ask := ok[query.Groups](t)(b.Groups(b.rows("employees"), nil, []query.Measure{p}))
		require.Equal(t, "P-value of Welch's test of the mean salary where sex is f and where sex is m. "+
			"Welch's test is two-sided and does not assume equal variances.", query.Say(ask))
		_, err := query.Compile(ask, query.Postgres())
		require.ErrorContains(t, err, "PostgreSQL, which has no p-values")
	})
	t.Run("ErrRowsInCommon", func(t *testing.T) {
		t.Parallel()
		_, err := b.Welch("p", salary, women, women)
		require.ErrorContains(t, err, "no row in common")
		_, err = b.Welch("p", salary, women, b.is("employees", "sex", "m", "f"))
		require.ErrorContains(t, err, "no row in common")
		_, err = b.Welch("p", salary, women, b.is("employees", "home_city", "Oslo"))
		require.ErrorContains(t, err, "no row in common")
	})
	t.Run("ErrRepeated", func(t *testing.T) {
		t.Parallel()
		_, err := b.Welch("t", budget, women, men)
		require.ErrorContains(t, err, "A department has many employees")
	})
	t.Run("ErrPart", func(t *testing.T) {
		t.Parallel()
		_, err := b.Welch("z", salary, women, men)
		require.ErrorContains(t, err, "no z")
	})
}

func TestSpearman(t *testing.T) {
	t.Parallel()
	b := setup(t)
	salary, budget, age := b.amount("employees", "salary"), b.amount("departments", "budget"), b.rate("employees", "age")

	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		r := ok[query.Measure](t)(query.Spearman(salary, age))
		ask := ok[query.Groups](t)(b.Groups(b.rows("employees"), []query.By{b.dim("employees", "sex")}, []query.Measure{r}))
		require.Equal(t, "Rank correlation of salary by age, by sex.", query.Say(ask))
		for _, d := range []query.Dialect{query.DuckDB(), query.Postgres()} {
			s, err := query.Compile(ask, d)
			require.NoError(t, err)
			require.Contains(t, s.SQL, `rank() OVER (PARTITION BY "employees"."sex" ORDER BY "employees"."salary")`)
		}
	})
	t.Run("ErrTwoTables", func(t *testing.T) {
		t.Parallel()
		_, err := query.Spearman(salary, budget)
		require.ErrorContains(t, err, "no row has both")
	})
	t.Run("ErrOfEach", func(t *testing.T) {
		t.Parallel()
		r := ok[query.Measure](t)(query.Spearman(salary, age))
		_, err := b.EachOf(r, b.col("employees", "sex"), "mean")
		require.ErrorContains(t, err, "Ranks are taken over all rows")
	})
	t.Run("ErrPValueOfPostgres", func(t *testing.T) {
		t.Parallel()
		p := ok[query.Measure](t)(query.SpearmanSignificance(salary, age))
		ask := ok[query.Groups](t)(b.Groups(b.rows("employees"), nil, []query.Measure{p}))
		_, err := query.Compile(ask, query.Postgres())
		require.ErrorContains(t, err, "PostgreSQL, which has no p-values")
	})
}
