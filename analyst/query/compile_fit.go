package query

import (
	"fmt"
	"strings"
)

// independent is the part of a predictor's variation that the predictors before it must leave over. Below it the predictors are
// dependent, and their coefficients would be noise.
const independent = "1e-12"

// fit writes a regression on k numbers by least squares. The normal equations are not solved, for they square the condition of the
// data: the columns are centred, and each predictor is removed from those after it (modified Gram–Schmidt; Björck 1967), as layers
// of the statement. With X = Q·R and R unit upper triangular the coefficients are R⁻¹·h, where h has the slopes of y by the columns
// of Q, and their variances are s²·Σ (R⁻¹)² by the sums of squares of those columns.
func (l *layers) fit(k int, p func(string, ...string) string) {
	means, centred := []string{"avg(y)" + l.over() + " AS my"}, []string{"y - my AS y"}
	for i := 1; i <= k; i++ {
		means = append(means, fmt.Sprintf("avg(x%[1]d)%[2]s AS m%[1]d, var_pop(x%[1]d)%[2]s AS o%[1]d", i, l.over()))
		centred = append(centred, fmt.Sprintf("x%[1]d - m%[1]d AS x%[1]d", i))
	}
	l.add(append(means, "var_pop(y)"+l.over()+" AS oy")...)
	l.replace(centred...)
	slope := func(y string, j int) string { return finite(fmt.Sprintf("regr_slope(%s, x%d)%s", y, j, l.over())) }
	for j := 1; j <= k; j++ {
		slopes, rest := []string{slope("y", j) + fmt.Sprintf(" AS h%d", j)}, []string{fmt.Sprintf("y - h%[1]d * x%[1]d AS y", j)}
		for i := j + 1; i <= k; i++ {
			slopes = append(slopes, slope(fmt.Sprintf("x%d", i), j)+fmt.Sprintf(" AS r%d_%d", j, i))
			rest = append(rest, fmt.Sprintf("x%[2]d - r%[1]d_%[2]d * x%[1]d AS x%[2]d", j, i))
		}
		l.add(slopes...)
		l.replace(rest...)
	}
	l.fitted(k, p)
}

// fitted sums up a regression from the orthogonal columns and the slopes. All sums of squares are divided by the number of rows, which
// cancels out in every part.
func (l *layers) fitted(k int, p func(string, ...string) string) {
	inverse := func(i, j int) string {
		if i == j {
			return "1"
		}
		return fmt.Sprintf("i%d_%d", i, j)
	}
	columns := []string{casesOf, "max(my) AS my", "max(oy) AS yy", "var_pop(y) AS ee"}
	good := []string{fmt.Sprintf("n >= %d", k+2)}
	for j := 1; j <= k; j++ {
		columns = append(columns, fmt.Sprintf("var_pop(x%[1]d) AS v%[1]d, max(o%[1]d) AS o%[1]d", j),
			fmt.Sprintf("max(m%[1]d) AS m%[1]d, max(h%[1]d) AS h%[1]d", j))
		for i := j + 1; i <= k; i++ {
			columns = append(columns, fmt.Sprintf("max(r%[1]d_%[2]d) AS r%[1]d_%[2]d", j, i))
		}
		good = append(good, fmt.Sprintf("coalesce(v%[1]d > %[2]s * o%[1]d, false)", j, independent))
	}
	l.sum(columns...)
	// A rest at the limit of a DOUBLE is a perfect fit, which leaves nothing to test against.
	l.add("CASE WHEN " + strings.Join(good, " AND ") + " THEN CASE WHEN ee > 1e-28 * yy THEN ee ELSE 0 END END AS rest")
	l.add(fmt.Sprintf("CASE WHEN rest >= 0 THEN n - %d END AS df", k+1))
	l.add("rest / df AS s2", "1 - rest / nullif(yy, 0) AS r2")
	// The inverse of R, from its last row up: each entry uses those below it.
	for i := k - 1; i >= 1; i-- {
		var row []string
		for j := i + 1; j <= k; j++ {
			var sum []string
			for q := i + 1; q <= j; q++ {
				sum = append(sum, fmt.Sprintf("r%d_%d * %s", i, q, inverse(q, j)))
			}
			row = append(row, fmt.Sprintf("-(%s) AS %s", strings.Join(sum, " + "), inverse(i, j)))
		}
		l.add(row...)
	}
	var terms, ts, ps []string
	intercept := []string{"my"}
	for i := 1; i <= k; i++ {
		var b, v []string
		for j := i; j <= k; j++ {
			b = append(b, fmt.Sprintf("%s * h%d", inverse(i, j), j))
			v = append(v, fmt.Sprintf("%[1]s * %[1]s / nullif(v%[2]d, 0)", inverse(i, j), j))
		}
		terms = append(terms, fmt.Sprintf("CASE WHEN df > 0 THEN %s END AS coefficient%d", strings.Join(b, " + "), i),
			fmt.Sprintf("sqrt(s2 * (%s)) AS se%d", strings.Join(v, " + "), i))
		ts = append(ts, fmt.Sprintf("coefficient%[1]d / nullif(se%[1]d, 0) AS t%[1]d", i))
		ps = append(ps, p("p_t", fmt.Sprintf("t%d", i), "df")+fmt.Sprintf(" AS p%d", i))
		intercept = append(intercept, fmt.Sprintf("coefficient%[1]d * m%[1]d", i))
	}
	l.add(terms...)
	l.add(append(ts, strings.Join(intercept, " - ")+" AS intercept", "1 - (1 - r2) * (n - 1) / df AS adjusted_r2",
		fmt.Sprintf("(yy - rest) / %d / nullif(s2, 0) AS f", k))...)
	l.add(append(ps, p("p_f", "f", fmt.Sprint(k), "df")+" AS p_of_f")...)
}
