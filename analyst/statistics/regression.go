package statistics

import (
	"fmt"
	"strings"

	"parley.dev/parley/internal/sqltext"
)

// tolerance is the share of a predictor's variation that the predictors before it must leave over. Below it the
// predictors are dependent, and their coefficients would be noise.
const tolerance = "1e-12"

// regression fits the first column by the others with least squares. The columns are centred, divided by their range and
// made orthogonal one after the other (modified Gram–Schmidt; Björck 1967), which keeps digits that the normal
// equations lose: those square the condition of the data. With X = Q·R and R unit upper triangular the coefficients are
// R⁻¹·(qᵢ·y / qᵢ·qᵢ), and their variances s²·Σ (R⁻¹)ᵢₗ² / (qₗ·qₗ).
func (q *Request) regression() string {
	k := len(q.Columns) - 1
	parts := q.orthogonal(k)
	parts = append(parts, q.coefficients(k))
	var terms []string
	for i := 1; i <= k; i++ {
		terms = append(terms, fmt.Sprintf("SELECT %d AS pos, %s AS term, g, b%[1]d AS coefficient, e%[1]d AS se FROM "+
			"f", i, sqltext.QuoteText(q.Columns[i])))
	}
	parts = append(parts, "t AS (SELECT 0 AS pos, '(intercept)' AS term, g, b0 AS coefficient, e0 AS se FROM f UNION ALL "+
		strings.Join(terms, " UNION ALL ")+")")
	return with(append(parts, "SELECT term"+q.showGroup("t")+", coefficient, se AS standard_error, coefficient / nullif(se, 0) AS t, "+
		cases("se = 0 AND coefficient <> 0", "0", "true", "p_t(coefficient / nullif(se, 0), df)")+" AS p, n, rows_all - n AS "+
		"left_out, df, r2, "+
		"1 - (1 - r2) * (n - 1) / df AS adjusted_r2, sd AS residual_sd, fstat AS f, p_f(fstat, "+fmt.Sprint(k)+", df) AS p_of_f, "+
		note("n = 0", "no row has all values",
			fmt.Sprintf("n < %d", k+2), fmt.Sprintf("%d predictors need at least %d rows", k, k+2),
			"flat", "a predictor has one value only",
			"NOT good", "the predictors are linearly dependent: leave one out",
			"sy = 0", "the first column has one value only")+
		" AS note FROM t JOIN f ON "+same("t", "f")+" ORDER BY pos"+q.byGroup())...)
}

// orthogonal returns the parts that make the predictors orthogonal: c0 has the centred columns, and each step j computes
// the products with x_j (sj) and removes x_j from the columns after it (cj).
func (q *Request) orthogonal(k int) []string {
	all, there := []string{cell(q.Columns[0]) + " AS y"}, []string{"y IS NOT NULL"}
	first := []string{"count(*) AS n", "avg(y) AS my", "max(y) - min(y) AS sy"}
	centred := []string{"(y - my) / nullif(sy, 0) AS y"}
	squares := []string{"sum(y * y) AS yy"}
	for i := 1; i <= k; i++ {
		all = append(all, fmt.Sprintf("%s AS x%d", cell(q.Columns[i]), i))
		there = append(there, fmt.Sprintf("x%d IS NOT NULL", i))
		first = append(first, fmt.Sprintf("avg(x%[1]d) AS m%[1]d, max(x%[1]d) - min(x%[1]d) AS s%[1]d", i))
		centred = append(centred, fmt.Sprintf("(x%[1]d - m%[1]d) / nullif(s%[1]d, 0) AS x%[1]d", i))
		squares = append(squares, fmt.Sprintf("sum(x%[1]d * x%[1]d) AS o%[1]d", i))
	}
	parts := []string{
		"v AS (SELECT " + q.group() + " AS g, " + strings.Join(all, ", ") + " FROM " + rowsName + ")",
		"w AS (SELECT * FROM v WHERE " + strings.Join(there, " AND ") + ")",
		"a AS (SELECT g, count(*) AS rows_all FROM v GROUP BY g)",
		"m AS (SELECT g, " + strings.Join(first, ", ") + " FROM w GROUP BY g)",
		"c0 AS (SELECT w.g, " + strings.Join(centred, ", ") + " FROM w JOIN m ON " + same("w", "m") + ")",
		"z AS (SELECT g, " + strings.Join(squares, ", ") + " FROM c0 GROUP BY g)",
	}
	for j := 1; j <= k; j++ {
		d := fmt.Sprintf("nullif(sum(x%[1]d * x%[1]d), 0)", j)
		products := []string{
			fmt.Sprintf("sum(x%[1]d * x%[1]d) AS d%[1]d", j), fmt.Sprintf("sum(x%[1]d * y) / %[2]s AS h%[1]d", j, d),
		}
		rest := []string{fmt.Sprintf("c.y - coalesce(h%[1]d, 0) * c.x%[1]d AS y", j)}
		for i := j + 1; i <= k; i++ {
			products = append(products, fmt.Sprintf("sum(x%[1]d * x%[2]d) / %[3]s AS r%[1]d_%[2]d", j, i, d))
			rest = append(rest, fmt.Sprintf("c.x%[2]d - coalesce(r%[1]d_%[2]d, 0) * c.x%[1]d AS x%[2]d", j, i))
		}
		parts = append(parts,
			fmt.Sprintf("s%d AS (SELECT g, %s FROM c%d GROUP BY g)", j, strings.Join(products, ", "), j-1),
			fmt.Sprintf("c%[1]d AS (SELECT c.g, %[2]s FROM c%[3]d AS c JOIN s%[1]d ON %[4]s)", j, strings.Join(rest, ", "+
				""), j-1, same("c", fmt.Sprintf("s%d", j))))
	}
	return append(parts, fmt.Sprintf("e AS (SELECT g, sum(y * y) AS ee FROM c%d GROUP BY g)", k))
}

// coefficients returns the part f: one row for each group, in the units of the data again.
func (q *Request) coefficients(k int) string {
	var names, scaled, intercept, variances, flats, leaves []string
	joins := ""
	for j := 1; j <= k; j++ {
		joins += fmt.Sprintf(" LEFT JOIN s%d ON %s", j, same("a", fmt.Sprintf("s%d", j)))
		flats = append(flats, fmt.Sprintf("coalesce(m.s%d = 0, false)", j))
		leaves = append(leaves, fmt.Sprintf("coalesce(d%[1]d > %[2]s * o%[1]d, false)", j, tolerance))
	}
	// The inverse of R, a column after the other; each may use those before it, as aliases of the same SELECT.
	inverse := func(i, l int) string {
		if i == l {
			return "1"
		}
		return fmt.Sprintf("i%d_%d", i, l)
	}
	for i := k; i >= 1; i-- {
		for l := i + 1; l <= k; l++ {
			var sum []string
			for p := i + 1; p <= l; p++ {
				sum = append(sum, fmt.Sprintf("r%d_%d * %s", i, p, inverse(p, l)))
			}
			names = append(names, fmt.Sprintf("-(%s) AS %s", strings.Join(sum, " + "), inverse(i, l)))
		}
	}
	for i := 1; i <= k; i++ {
		var b, v []string
		for l := i; l <= k; l++ {
			b = append(b, fmt.Sprintf("%s * h%d", inverse(i, l), l))
			v = append(v, fmt.Sprintf("%s ** 2 / nullif(d%d, 0)", inverse(i, l), l))
		}
		scaled = append(scaled, fmt.Sprintf("CASE WHEN good THEN (%s) * sy / m.s%d END AS b%[2]d", strings.Join(b, " + "), i))
		variances = append(variances, fmt.Sprintf("CASE WHEN good THEN sd * sqrt(%s) / m.s%d END AS e%[2]d", strings.Join(v, " + "), i))
		intercept = append(intercept, fmt.Sprintf("b%[1]d * m%[1]d", i))
	}
	// The intercept is the mean less the line at the means; its variance adds that of the line, through the same R⁻¹.
	var atMeans []string
	for l := 1; l <= k; l++ {
		var u []string
		for i := 1; i <= l; i++ {
			u = append(u, fmt.Sprintf("m%[1]d / nullif(m.s%[1]d, 0) * %[2]s", i, inverse(i, l)))
		}
		atMeans = append(atMeans, fmt.Sprintf("(%s) ** 2 / nullif(d%d, 0)", strings.Join(u, " + "), l))
	}
	// A remainder at the limit of a DOUBLE is a perfect fit, and not a residual.
	columns := append(names,
		fmt.Sprintf("coalesce(m.n, 0) >= %d AND %s AS good", k+2, strings.Join(leaves, " AND ")),
		"CASE WHEN good THEN CASE WHEN ee > 1e-28 * yy THEN ee ELSE 0 END END AS rest",
		fmt.Sprintf("m.n - %d AS free", k+1),
		"sy * sqrt(rest / nullif(greatest(free, 0), 0)) AS sd")
	columns = append(append(columns, scaled...), variances...)
	columns = append(columns, "my - ("+strings.Join(intercept, " + ")+") AS b0", "sd * sqrt(1 / n + "+strings.Join(atMeans, " + ")+") AS e0",
		"CASE WHEN good THEN free END AS df", "1 - rest / nullif(yy, 0) AS r2",
		fmt.Sprintf("(yy - rest) / %d / nullif(rest / nullif(greatest(free, 0), 0), 0) AS fstat", k), strings.Join(flats, " OR ")+" AS flat")
	return "f AS (SELECT a.g, a.rows_all, coalesce(m.n, 0) AS n, sy, " + strings.Join(columns, ", ") + "\nFROM a LEFT JOIN m ON " +
		"" + same("a", "m") +
		" LEFT JOIN z ON " + same("a", "z") + " LEFT JOIN e ON " + same("a", "e") + joins + ")"
}
