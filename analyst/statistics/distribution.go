package statistics

import (
	"fmt"
	"strings"

	"parley.dev/parley/internal/sqltext"
)

// moments returns the first parts of a statement about the distribution of columns: v has the values in long form, m the
// first pass over them, p and d the central moments by a second pass, and s all of it with one row a column and group.
// The central moments are of values divided by their range, so powers neither overflow nor vanish; skewness and kurtosis
// do not depend on the scale, and sd has it back. The mean of the first pass is rounded, so d moves the moments by what
// it is off (e1).
func (q *Request) moments() []string {
	each := make([]string, len(q.Columns))
	for i, name := range q.Columns {
		x, kind := "NULL::DOUBLE", "false"
		if c, err := q.find(name); err == nil && isNumber(c) {
			x, kind = cell(name), "true"
		}
		each[i] = fmt.Sprintf("SELECT %d AS pos, %s AS name, %s AS is_number, %s AS g, %s IS NULL AS is_missing, %s AS x FROM %s",
			i, sqltext.QuoteText(name), kind, q.group(), sqltext.QuoteName(name), x, rowsName)
	}
	return []string{
		"v AS (" + strings.Join(each, "\nUNION ALL ") + ")",
		"m AS (SELECT pos, name, is_number, g, count(*) AS rows_all, count(*) FILTER (is_missing) AS missing, count(x) AS n, avg(x) AS mean, " +
			"min(x) AS lo, max(x) AS hi, quantile_cont(x, 0.25) AS q1, quantile_cont(x, 0.5) AS q2, quantile_cont(x, 0.75) AS q3 " +
			"FROM v GROUP BY pos, name, is_number, g)",
		"p AS (SELECT v.pos, v.g, avg((x - mean) / (hi - lo)) AS e1, avg(((x - mean) / (hi - lo)) ** 2) AS e2, " +
			"avg(((x - mean) / (hi - lo)) ** 3) AS e3, avg(((x - mean) / (hi - lo)) ** 4) AS e4 FROM v JOIN m ON v.pos = m.pos AND " +
			same("v", "m") + " WHERE hi > lo AND isfinite(hi - lo) GROUP BY v.pos, v.g)",
		"d AS (SELECT pos, g, e2 - e1 ** 2 AS m2, e3 - 3 * e1 * e2 + 2 * e1 ** 3 AS m3, " +
			"e4 - 4 * e1 * e3 + 6 * e1 ** 2 * e2 - 3 * e1 ** 4 AS m4 FROM p)",
		"s AS (SELECT m.*, m.n::DOUBLE AS c, CASE WHEN m.n > 1 AND m.hi = m.lo THEN 0 " +
			"ELSE (hi - lo) * sqrt(m2 * m.n / nullif(m.n - 1, 0)) END AS sd, " +
			"m3 / m2 ** 1.5 AS skew, m4 / (m2 * m2) - 3 AS kurt FROM m LEFT JOIN d ON m.pos = d.pos AND " + same("m", "d") + ")",
	}
}

// profile describes each column: what is missing, and the distribution of numbers. The standard deviation, the skewness
// (G1) and the excess kurtosis (G2) are those of a sample (Joanes and Gill 1998).
func (q *Request) profile() string {
	return with(append(q.moments(), "SELECT s.name AS \"column\""+q.showGroup("s")+", rows_all AS \"rows\", missing, "+
		"round(missing / rows_all, 6) AS missing_share, n AS numbers, mean, sd AS sd_sample, lo AS \"min\", q1, q2 AS median, q3, "+
		"hi AS \"max\", "+
		finite("skew * sqrt(c * (c - 1)) / nullif(greatest(c - 2, 0), 0)")+" AS skewness_sample, "+
		finite("(c - 1) * ((c + 1) * kurt + 6) / nullif(greatest(c - 2, 0) * greatest(c - 3, 0), 0)")+" AS excess_kurtosis_sample, "+
		note("NOT is_number", "not a number: only missing values are counted",
			"n = 0", "no number",
			"n = 1", "one number has no spread",
			"hi = lo", "all numbers are the same, so they have no shape",
			"NOT isfinite(hi - lo)", "the range is too large for a number",
			"n = 2", "a skewness needs 3 numbers and a kurtosis 4",
			"n = 3", "a kurtosis needs 4 numbers")+
		" AS note FROM s ORDER BY pos"+q.byGroup())...)
}

// normality tests columns against a normal distribution, from the population forms of skewness (g1) and kurtosis (g2).
func (q *Request) normality() string {
	statistic, least := "c / 6 * (skew * skew + kurt * kurt / 4)", "2"
	rough := "n < 2000"
	roughly := "the p-value is only near the truth for many numbers (2,000 or more)"
	parts := q.moments()
	if q.Kind == DAgostino {
		parts = append(parts, dAgostino()...)
		statistic, least, rough, roughly = "z1 * z1 + z2 * z2", "8", "n < 20", "the kurtosis part is rough below 20 numbers"
	} else {
		parts = append(parts, "k AS (SELECT * FROM s)")
	}
	parts = append(parts, fmt.Sprintf("t AS (SELECT *, CASE WHEN n >= %s THEN %s END AS statistic FROM k)", least, finite(statistic)))
	return with(append(parts, "SELECT t.name AS \"column\""+q.showGroup("t")+", n, rows_all - n AS left_out, skew AS skewness_population, "+
		"kurt AS excess_kurtosis_population, statistic, p_chi2(statistic, 2) AS p, "+
		note("n = 0", "no number",
			"n < "+least, "a test needs at least "+least+" numbers",
			"hi = lo", "all numbers are the same, so they have no shape",
			"NOT isfinite(hi - lo)", "the range is too large for a number",
			rough, roughly)+
		" AS note FROM t ORDER BY pos"+q.byGroup())...)
}

// dAgostino returns the transformations of skewness (D'Agostino 1970) and kurtosis (Anscombe and Glynn 1983) to standard
// normal deviates z1 and z2, as in D'Agostino, Belanger and D'Agostino Jr. (1990).
func dAgostino() []string {
	return []string{
		"k1 AS (SELECT *, skew * sqrt((c + 1) * (c + 3) / (6 * (c - 2))) AS y, " +
			"-1 + sqrt(2 * (3 * (c * c + 27 * c - 70) * (c + 1) * (c + 3) / ((c - 2) * (c + 5) * (c + 7) * (c + 9)) - 1)) AS w2, " +
			"(kurt + 3 - 3 * (c - 1) / (c + 1)) / sqrt(24 * c * (c - 2) * (c - 3) / ((c + 1) ** 2 * (c + 3) * (c + 5))) AS u, " +
			"6 * (c * c - 5 * c + 2) / ((c + 7) * (c + 9)) * sqrt(6 * (c + 3) * (c + 5) / (c * (c - 2) * (c - 3))) AS b FROM s WHERE n >= 8)",
		"k2 AS (SELECT *, asinh(y / sqrt(2 / (w2 - 1))) / sqrt(0.5 * ln(w2)) AS z1, 6 + 8 / b * (2 / b + sqrt(1 + 4 / (b * b))) AS a FROM k1)",
		"k3 AS (SELECT *, 1 + u * sqrt(2 / (a - 4)) AS e FROM k2)",
		"k AS (SELECT s.*, z1, (1 - 2 / (9 * a) - sign(e) * cbrt((1 - 2 / a) / nullif(abs(e), 0))) / sqrt(2 / (9 * a)) AS z2 " +
			"FROM s LEFT JOIN k3 ON s.pos = k3.pos AND " + same("s", "k3") + ")",
	}
}
