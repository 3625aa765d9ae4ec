package main

// The tests of the query tree over data whose results are published, and against the requests of analyst/statistics.

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	tree "parley.dev/parley/analyst/query"
	"parley.dev/parley/analyst/statistics"
	"parley.dev/parley/domain"
	means "parley.dev/parley/domain/meaning"
)

// studied is a table "study" with numbers y, x and z, and groups g and h, asked by trees.
type studied struct {
	t  *testing.T
	db *database
	m  *tree.Model
}

func study(t *testing.T, rows ...string) *studied {
	t.Helper()
	db, err := openMemory()
	require.NoError(t, err)
	require.NoError(t, db.exec("CREATE TABLE study (y DOUBLE, x DOUBLE, z DOUBLE, g VARCHAR, h VARCHAR)"))
	require.NoError(t, db.exec("INSERT INTO study VALUES "+strings.Join(rows, ", ")))
	number := func(name string) means.Column {
		return means.Column{Name: name, Role: means.Measure, Number: &means.Number{Adds: means.Rate, Scale: 1}}
	}
	m, err := tree.NewModel(&means.Meaning{Hash: "study", Tables: []means.Table{{
		Name: "study", Row: "row", Plural: "rows", Columns: []means.Column{
			number("y"), number("x"), number("z"), {Name: "g", Role: means.Dimension}, {Name: "h", Role: means.Dimension},
		},
	}}})
	require.NoError(t, err)
	return &studied{t, db, m}
}

// valued makes rows of a number and its group.
func valued(group string, values ...float64) []string {
	var out []string
	for _, v := range values {
		out = append(out, fmt.Sprintf("(%v, NULL, NULL, '%s', NULL)", v, group))
	}
	return out
}

func (s *studied) col(name string) tree.Col {
	c, err := s.m.Col("study", name)
	require.NoError(s.t, err)
	return c
}

func (s *studied) number(name string) tree.Number {
	n, err := s.m.Number(s.col(name))
	require.NoError(s.t, err)
	return n
}

// is compares the parts of a test with known values, to their digits.
func (s *studied) is(known map[string]string, made func(part string) (tree.Measure, error)) {
	s.t.Helper()
	for part, want := range known {
		m, err := made(part)
		require.NoError(s.t, err)
		t, err := s.m.Table("study")
		require.NoError(s.t, err)
		all, err := s.m.Set(t, nil)
		require.NoError(s.t, err)
		ask, err := s.m.Groups(all, nil, []tree.Measure{m})
		require.NoError(s.t, err)
		statement, err := tree.Compile(ask, tree.DuckDB())
		require.NoError(s.t, err)
		rows, err := s.db.rows("SELECT coalesce(COLUMNS(*)::VARCHAR, 'none') FROM (" + statement.SQL + ")")
		require.NoError(s.t, err, statement.SQL)
		if want == "none" {
			require.Equal(s.t, want, rows[0][0], part)
			continue
		}
		got, err := strconv.ParseFloat(rows[0][0], 64)
		require.NoError(s.t, err, "%s: %s", part, rows[0][0])
		x, err := strconv.ParseFloat(want, 64)
		require.NoError(s.t, err)
		mantissa, _, _ := strings.Cut(strings.ToLower(want), "e")
		digits := len(strings.TrimLeft(strings.NewReplacer(".", "", "-", "").Replace(mantissa), "0"))
		require.Equal(s.t, strconv.FormatFloat(x, 'e', digits-1, 64), strconv.FormatFloat(got, 'e', digits-1, 64), part)
	}
}

func TestTrees_Anova(t *testing.T) {
	t.Parallel()
	// Shell lengths of Mytilus trossulus, McDonald, Handbook of Biological Statistics, as in the documentation of scipy.stats.f_oneway.
	var rows []string
	for g, values := range map[string][]float64{
		"Tillamook":  {0.0571, 0.0813, 0.0831, 0.0976, 0.0817, 0.0859, 0.0735, 0.0659, 0.0923, 0.0836},
		"Newport":    {0.0873, 0.0662, 0.0672, 0.0819, 0.0749, 0.0649, 0.0835, 0.0725},
		"Petersburg": {0.0974, 0.1352, 0.0817, 0.1016, 0.0968, 0.1064, 0.105},
		"Magadan":    {0.1033, 0.0915, 0.0781, 0.0685, 0.0677, 0.0697, 0.0764, 0.0689},
		"Tvarminne":  {0.0703, 0.1026, 0.0956, 0.0973, 0.1039, 0.1045},
	} {
		rows = append(rows, valued(g, values...)...)
	}
	s := study(t, append(rows, "(NULL, 1, 1, 'Newport', NULL)", "(1, 1, 1, NULL, NULL)")...)
	anova := func(part string) (tree.Measure, error) { return s.m.Anova(part, s.number("y"), s.col("g")) }
	s.is(map[string]string{"f": "7.121019471642", "p": "0.000281224231453", "df_between": "4", "df_within": "34"}, anova)

	flat := study(t, append(valued("a", 0.1, 0.1, 0.1), valued("b", 0.3, 0.3, 0.3)...)...)
	flat.is(map[string]string{"f": "none", "p": "none", "df_within": "4"}, func(part string) (tree.Measure, error) {
		return flat.m.Anova(part, flat.number("y"), flat.col("g"))
	})
}

func TestTrees_Independence(t *testing.T) {
	t.Parallel()
	// The table of the documentation of scipy.stats.chi2_contingency.
	var rows []string
	for g, counts := range map[string][]int{"first": {10, 10, 20}, "second": {20, 20, 20}} {
		for h, n := range counts {
			for range n {
				rows = append(rows, fmt.Sprintf("(NULL, NULL, NULL, '%s', 'h%d')", g, h))
			}
		}
	}
	s := study(t, append(rows, "(1, 1, 1, 'first', NULL)")...)
	table, err := s.m.Table("study")
	require.NoError(t, err)
	s.is(map[string]string{"chi2": "2.77777777778", "p": "0.249352208777", "df": "2", "least": "12", "v": "0.166666666667"},
		func(part string) (tree.Measure, error) { return s.m.Independence(part, table, s.col("g"), s.col("h")) })
}

func TestTrees_MannWhitney(t *testing.T) {
	t.Parallel()
	// Ages at the diagnosis of diabetes, as in the documentation of scipy.stats.mannwhitneyu, method "asymptotic".
	s := study(t, append(valued("male", 19, 22, 16, 29, 24), valued("female", 20, 11, 17, 12)...)...)
	side := func(s *studied, value string) tree.Pred {
		p, err := s.m.In(s.col("g"), value)
		require.NoError(t, err)
		return p
	}
	s.is(map[string]string{"u": "17", "p": "0.111346886533"}, func(part string) (tree.Measure, error) {
		return s.m.MannWhitney(part, s.number("y"), side(s, "male"), side(s, "female"))
	})
	equal := study(t, append(valued("a", 1, 1), valued("b", 1, 1)...)...)
	equal.is(map[string]string{"u": "2", "z": "none", "p": "none"}, func(part string) (tree.Measure, error) {
		return equal.m.MannWhitney(part, equal.number("y"), side(equal, "a"), side(equal, "b"))
	})
}

func TestTrees_Normality(t *testing.T) {
	t.Parallel()
	// Weights of men, as in the documentation of scipy.stats.normaltest. The test does not change if all are a billion higher.
	weights := []float64{148, 154, 158, 160, 161, 162, 166, 170, 182, 195, 236}
	for _, more := range []float64{0, 1e9} {
		var all []float64
		for _, w := range weights {
			all = append(all, w+more)
		}
		s := study(t, valued("g", all...)...)
		s.is(map[string]string{"k2": "13.034263121", "p": "0.0014779023"}, func(part string) (tree.Measure, error) {
			return s.m.Normality(part, s.number("y"))
		})
	}
	few := study(t, valued("g", weights[:7]...)...)
	few.is(map[string]string{"k2": "none", "p": "none"}, func(part string) (tree.Measure, error) {
		return few.m.Normality(part, few.number("y"))
	})
}

func TestTrees_Paired(t *testing.T) {
	t.Parallel()
	// Student's sleep data (Biometrika 1908), as in R's t.test(extra ~ group, data = sleep, paired = TRUE).
	y, x := []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2}, []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
	rows := []string{"(1, NULL, NULL, NULL, NULL)", "(NULL, 1, NULL, NULL, NULL)"}
	for i := range y {
		rows = append(rows, fmt.Sprintf("(%v, %v, NULL, NULL, NULL)", y[i], x[i]))
	}
	s := study(t, rows...)
	s.is(map[string]string{"t": "-4.0621", "df": "9", "p": "0.002833"}, func(part string) (tree.Measure, error) {
		return s.m.Paired(part, s.number("y"), s.number("x"))
	})
}

func TestTrees_Fit(t *testing.T) {
	t.Parallel()
	// R's data set mtcars (Henderson and Velleman 1981): summary(lm(mpg ~ wt + hp, mtcars)).
	mpg := []float64{
		21, 21, 22.8, 21.4, 18.7, 18.1, 14.3, 24.4, 22.8, 19.2, 17.8, 16.4, 17.3, 15.2, 10.4, 10.4, 14.7, 32.4, 30.4, 33.9, 21.5, 15.5, 15.2,
		13.3, 19.2, 27.3, 26, 30.4, 15.8, 19.7, 15, 21.4,
	}
	wt := []float64{
		2.62, 2.875, 2.32, 3.215, 3.44, 3.46, 3.57, 3.19, 3.15, 3.44, 3.44, 4.07, 3.73, 3.78, 5.25, 5.424, 5.345, 2.2, 1.615, 1.835, 2.465, 3.52,
		3.435, 3.84, 3.845, 1.935, 2.14, 1.513, 3.17, 2.77, 3.57, 2.78,
	}
	hp := []float64{
		110, 110, 93, 110, 175, 105, 245, 62, 95, 123, 123, 180, 180, 180, 205, 215, 230, 66, 52, 65, 97, 150, 150, 245, 175, 66, 91, 113, 264,
		175, 335, 109,
	}
	rows := []string{"(1, NULL, 1, NULL, NULL)"}
	for i := range mpg {
		rows = append(rows, fmt.Sprintf("(%v, %v, %v, NULL, NULL)", mpg[i], wt[i], hp[i]))
	}
	s := study(t, rows...)
	fit := func(term int) func(part string) (tree.Measure, error) {
		return func(part string) (tree.Measure, error) {
			return s.m.Fit(part, term, s.number("y"), s.number("x"), s.number("z"))
		}
	}
	s.is(map[string]string{
		"intercept": "37.22727", "r2": "0.8268", "adjusted_r2": "0.8148", "f": "69.21", "df": "29", "p_of_f": "9.109e-12",
	}, fit(0))
	s.is(map[string]string{"coefficient": "-3.87783", "se": "0.63273", "t": "-6.129", "p": "1.12e-06"}, fit(1))
	s.is(map[string]string{"coefficient": "-0.03177", "se": "0.00903", "t": "-3.519", "p": "0.00145"}, fit(2))

	twice := study(t, "(1, 1, 2, '', '')", "(2, 2, 4, '', '')", "(4, 3, 6, '', '')", "(3, 4, 8, '', '')", "(7, 5, 10, '', '')")
	twice.is(map[string]string{"coefficient": "none", "p": "none"}, func(part string) (tree.Measure, error) {
		return twice.m.Fit(part, 1, twice.number("y"), twice.number("x"), twice.number("z"))
	})
}

// TestTrees_Statistics compares the tests of the tree with the requests of analyst/statistics, which are written in another way.
func TestTrees_Statistics(t *testing.T) {
	t.Parallel()
	var rows []string
	for i := range 60 {
		y, x, z := float64(i*i%37)+0.25, float64(i*7%23)/3, float64(i*i*i%41)
		rows = append(rows, fmt.Sprintf("(%v, %v, %v, '%s', '%s')", y, x, z, []string{"a", "b", "c"}[i*5%7%3], []string{"p", "q"}[i*3%5%2]))
	}
	s := study(t, append(rows, "(NULL, 1, 2, 'a', 'p')", "(4, NULL, 2, NULL, 'q')")...)
	table, err := s.m.Table("study")
	require.NoError(t, err)
	sides := make([]tree.Pred, 2)
	for i, v := range []string{"p", "q"} {
		sides[i], err = s.m.In(s.col("h"), v)
		require.NoError(t, err)
	}
	y, x, z := s.number("y"), s.number("x"), s.number("z")
	for _, c := range []struct {
		request statistics.Request
		columns map[string]string
		made    func(part string) (tree.Measure, error)
		where   string
	}{
		{
			statistics.Request{Kind: statistics.Anova, Columns: []string{"y"}, By: "g"},
			map[string]string{"f": "f", "p": "p", "df_between": "df_between", "df_within": "df_within"},
			func(part string) (tree.Measure, error) { return s.m.Anova(part, y, s.col("g")) }, "",
		},
		{
			statistics.Request{Kind: statistics.ChiSquare, Columns: []string{"g", "h"}},
			map[string]string{"chi2": "chi2", "p": "p", "df": "df", "least": "smallest_expected", "v": "cramers_v"},
			func(part string) (tree.Measure, error) {
				return s.m.Independence(part, table, s.col("g"), s.col("h"))
			}, "",
		},
		{
			statistics.Request{Kind: statistics.MannWhitney, Columns: []string{"y"}, By: "h"},
			map[string]string{"u": "first_u", "z": "z", "p": "p"},
			func(part string) (tree.Measure, error) { return s.m.MannWhitney(part, y, sides[0], sides[1]) }, "",
		},
		{
			statistics.Request{Kind: statistics.DAgostino, Columns: []string{"y"}},
			map[string]string{"k2": "statistic", "p": "p"},
			func(part string) (tree.Measure, error) { return s.m.Normality(part, y) }, "",
		},
		{
			statistics.Request{Kind: statistics.PairedT, Columns: []string{"y", "x"}},
			map[string]string{"t": "t", "df": "df", "p": "p"},
			func(part string) (tree.Measure, error) { return s.m.Paired(part, y, x) }, "",
		},
		{
			statistics.Request{Kind: statistics.Regression, Columns: []string{"y", "x", "z"}},
			map[string]string{"coefficient": "coefficient", "se": "standard_error", "t": "t", "p": "p"},
			func(part string) (tree.Measure, error) { return s.m.Fit(part, 2, y, x, z) }, " WHERE term = 'z'",
		},
		{
			statistics.Request{Kind: statistics.Regression, Columns: []string{"y", "x", "z"}},
			map[string]string{"r2": "r2", "adjusted_r2": "adjusted_r2", "f": "f", "p_of_f": "p_of_f", "df": "df", "intercept": "coefficient"},
			func(part string) (tree.Measure, error) { return s.m.Fit(part, 0, y, x, z) }, " WHERE term = '(intercept)'",
		},
	} {
		c.request.From, c.request.Known = "study", []domain.Column{
			{Name: "y", Type: domain.ColumnNumber},
			{Name: "x", Type: domain.ColumnNumber},
			{Name: "z", Type: domain.ColumnNumber},
			{Name: "g", Type: domain.ColumnText},
			{Name: "h", Type: domain.ColumnText},
		}
		sql, err := c.request.SQL()
		require.NoError(t, err)
		for part, column := range c.columns {
			found, err := s.db.rows("SELECT printf('%.9g', " + column + "::DOUBLE) FROM (" + sql + ")" + c.where)
			require.NoError(t, err, sql)
			s.is(map[string]string{part: found[0][0]}, c.made)
		}
	}
}
