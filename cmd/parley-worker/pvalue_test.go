package main

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// TestPFunctions_Known compares with closed forms and with quantiles of published tables.
func TestPFunctions_Known(t *testing.T) {
	t.Parallel()
	near := func(want, got float64, what string) {
		t.Helper()
		require.InEpsilon(t, want, got, 1e-12, what)
	}
	for _, v := range []float64{1e-3, 0.1, 0.5, 1, 1.7, 2.5, 4, 9, 40, 1e3, 1e6} {
		for _, x := range []float64{v, -v} {
			near(2/math.Pi*math.Atan(1/v), pT(x, 1), fmt.Sprint("t with df 1: ", x))
			s := math.Sqrt(v*v + 2)
			near(2/(s*(s+v)), pT(x, 2), fmt.Sprint("t with df 2: ", x))
		}
		if v <= 1e3 {
			near(math.Exp(-v/2), pChi2(v, 2), fmt.Sprint("χ² with df 2: ", v))
			near(math.Exp(-v/2)*(1+v/2), pChi2(v, 4), fmt.Sprint("χ² with df 4: ", v))
			near(math.Erfc(math.Sqrt(v/2)), pChi2(v, 1), fmt.Sprint("χ² with df 1: ", v))
		}
		for _, d := range []float64{1, 2, 7, 30} {
			near(math.Pow(1+2*v/d, -d/2), pF(v, 2, d), fmt.Sprint("F with d1 2: ", v, d))
			near(pT(math.Sqrt(v), d), pF(v, 1, d), fmt.Sprint("F with d1 1 is t²: ", v, d))
		}
	}
	// Critical values of 5 % and 1 %.
	near(0.05, pNormal(1.959963984540054), "z")
	near(0.01, pNormal(-2.5758293035489004), "z")
	near(0.05, pT(2.2281388519862748, 10), "t with df 10")
	near(0.05, pT(2.0422724563012373, 30), "t with df 30")
	near(0.05, pChi2(3.841458820694124, 1), "χ² with df 1")
	near(0.05, pChi2(18.307038053275146, 10), "χ² with df 10")
	near(0.05, pF(3.7082648190468435, 3, 10), "F with 3 and 10")
	// Welch's degrees of freedom are not whole, and many of them are nearly the normal distribution.
	require.Less(t, pT(2, 7.5), pT(2, 7))
	// The beta function loses digits to the logarithm of the gamma function: of a billion degrees six are left.
	require.InEpsilon(t, pNormal(1.5), pT(1.5, 1e9), 1e-6)
	require.InEpsilon(t, pNormal(2)+2*math.Exp(-2)/math.Sqrt(2*math.Pi)*(8+2)/(4*1e5), pT(2, 1e5), 1e-8)
}

func TestPFunctions_Edges(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	for _, c := range []struct{ want, got float64 }{
		{1, pT(0, 5)},
		{0, pT(inf, 5)},
		{0, pT(-inf, 5)},
		{1, pF(0, 2, 3)},
		{0, pF(inf, 2, 3)},
		{1, pChi2(0, 3)},
		{0, pChi2(inf, 3)},
		{1, pNormal(0)},
		{0, pNormal(inf)},
	} {
		require.Equal(t, c.want, c.got) //nolint:testifylint // exact on purpose
	}
	nan := math.NaN()
	for i, got := range []float64{
		pT(nan, 5), pT(1, 0), pT(1, -1), pT(1, nan), pT(1, inf), pF(-1,
			2, 3), pF(1, 0, 3), pF(1, 2, inf), pF(nan, 1, 1), pChi2(-1, 2), pChi2(1, 0),
		pChi2(nan, 1), pNormal(nan),
	} {
		require.True(t, math.IsNaN(got), i)
	}
}

// TestQuery_PFunctions runs them in the real worker, where statements of models run.
func TestQuery_PFunctions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s, _ := b.prepare(t, "numbers.csv", "x\n1\n2\n")
	ask := func(sql string) *domain.ResultSet {
		t.Helper()
		found, err := b.bench.Query(t.Context(), []domain.DataSource{s}, sql)
		require.NoError(t, err)
		require.Empty(t, found.Plan.Missing)
		require.NotEmpty(t, found.Plan.JSON)
		return found
	}
	t.Run("Constants", func(t *testing.T) {
		found := ask("SELECT p_t(2.2281388519862748, 10), P_F(1, 2, 2), p_chi2(2, 2), p_normal(0), p_t(NULL, 3), " +
			"p_t('nan'::DOUBLE, 3), p_chi2(-1, 2)")
		row := found.Rows[0]
		require.InEpsilon(t, 0.05, row[0], 1e-12)
		require.InEpsilon(t, 0.5, row[1], 1e-12)
		require.InEpsilon(t, math.Exp(-1), row[2], 1e-12)
		require.InEpsilon(t, 1.0, row[3], 1e-12)
		require.Equal(t, []any{nil, nil, nil}, row[4:])
	})
	t.Run("ManyRowsWithMissing", func(t *testing.T) {
		found := ask("SELECT count(*), count(p_chi2(i, 2)), max(abs(p_chi2(i, 2) - exp(-i / 2))) " +
			"FROM (SELECT CASE WHEN range % 7 > 0 THEN range END AS i FROM range(5000))")
		require.EqualValues(t, 5000, found.Rows[0][0])
		require.EqualValues(t, 5000-715, found.Rows[0][1])
		require.InDelta(t, 0, found.Rows[0][2], 1e-14)
	})
	t.Run("WrongNumberOfArguments", func(t *testing.T) {
		_, err := b.bench.Query(t.Context(), []domain.DataSource{s}, "SELECT p_t(1)")
		require.ErrorContains(t, err, "p_t")
	})
}
