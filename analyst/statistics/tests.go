package statistics

import (
	"fmt"

	"parley.dev/parley/internal/sqltext"
)

// groupMoments returns the parts of a comparison of groups: k has the rows, m the first pass and s the means and
// variances (of a sample) by group.
func (q *Request) groupMoments() []string {
	by, filter := sqltext.QuoteName(q.By), ""
	if len(q.Groups) > 0 {
		filter = fmt.Sprintf(" WHERE %s::VARCHAR IN (%s, %s)", by, sqltext.QuoteText(q.Groups[0]), sqltext.QuoteText(q.Groups[1]))
	}
	return []string{
		fmt.Sprintf("v AS (SELECT %s AS g, %s AS x FROM %s%s)", by, cell(q.Columns[0]), rowsName, filter),
		"k AS (SELECT g, x FROM v WHERE g IS NOT NULL AND x IS NOT NULL)",
		"m AS (SELECT g, count(*) AS n, avg(x) AS mean, max(x) > min(x) AS varies FROM k GROUP BY g)",
		"d AS (SELECT k.g, sum((x - mean) ** 2) AS ss FROM k JOIN m ON k.g = m.g GROUP BY k.g)",
		"s AS (SELECT m.g, n, mean, CASE WHEN varies THEN ss ELSE 0 END AS ss, CASE WHEN varies THEN ss ELSE 0 END / nullif(n - 1, 0) AS var " +
			"FROM m JOIN d ON m.g = d.g)",
		"a AS (SELECT (SELECT count(*) FROM v) AS rows_all, (SELECT count(*) FROM k) AS used, (SELECT count(*) FROM m) AS groups)",
	}
}

// pair picks the two groups of a comparison, the first by the order of its value or as they were named.
func (q *Request) pair(of, columns string) string {
	order := "g"
	if len(q.Groups) > 0 {
		order = fmt.Sprintf("g::VARCHAR <> %s", sqltext.QuoteText(q.Groups[0]))
	}
	return "o AS (SELECT " + columns + ", row_number() OVER (ORDER BY " + order + ") AS place FROM " + of + ")"
}

// notTwo are the branches of a note about groups that are not two.
func (q *Request) notTwo() []string {
	if len(q.Groups) > 0 {
		return []string{"groups <> 2", "the column in by does not have both of the named groups with numbers"}
	}
	return []string{"groups < 2", "fewer than two groups have numbers", "groups > 2", "more than two groups have numbers: name " +
		"two of them in groups"}
}

// twoGroups compares two groups, by their means (Welch 1947, without assuming equal variances) or by their ranks.
func (q *Request) twoGroups() string {
	if q.Kind == MannWhitney {
		return q.mannWhitney()
	}
	notes := append(q.notTwo(), "x.n < 2 OR y.n < 2", "each group needs at least two numbers",
		"x.var + y.var = 0", "neither group has a spread")
	return with(append(q.groupMoments(), q.pair("s", "g, n, mean, var"),
		"t AS (SELECT rows_all - used AS left_out, x.g AS first_group, y.g AS second_group, x.n AS first_n, y.n AS second_n, "+
			"x.mean AS first_mean, "+
			"y.mean AS second_mean, sqrt(x.var) AS first_sd, sqrt(y.var) AS second_sd, x.mean - y.mean AS difference, "+
			"difference / nullif(sqrt(x.var / x.n + y.var / y.n), 0) AS t, (x.var / x.n + y.var / y.n) ** 2 / "+
			"nullif((x.var / x.n) ** 2 / (x.n - 1) + (y.var / y.n) ** 2 / (y.n - 1), 0) AS df, "+note(notes...)+" AS note "+
			"FROM a LEFT JOIN o AS x ON x.place = 1 AND groups = 2 LEFT JOIN o AS y ON y.place = 2 AND groups = 2)",
		"SELECT first_group, second_group, first_n, second_n, left_out, first_mean, second_mean, first_sd AS first_sd_sample, "+
			"second_sd AS second_sd_sample, difference, t, df, p_t(t, df) AS p, note FROM t")...)
}

// mannWhitney compares two groups by their ranks. U is that of the first group; z has the correction for ties and the
// continuity correction of 1/2 (Mann and Whitney 1947; Lehmann 1975), and p is two-sided by the normal distribution.
func (q *Request) mannWhitney() string {
	notes := append(q.notTwo(), "sigma = 0", "all numbers are the same", "u.nx < 8 OR u.ny < 8",
		"the p-value is rough below 8 numbers in a group")
	pair := q.pair("m", "g")
	return with(append(q.groupMoments(), pair,
		"h AS (SELECT o.place, k.x, rank() OVER (ORDER BY x) + (count(*) OVER (PARTITION BY x) - 1) / 2 AS r FROM k JOIN o ON k.g = o.g "+
			"WHERE (SELECT groups FROM a) = 2)",
		"ties AS (SELECT sum(c ** 3 - c) AS tied FROM (SELECT count(*)::DOUBLE AS c FROM h GROUP BY x))",
		"u AS (SELECT count(*) FILTER (place = 1)::DOUBLE AS nx, count(*) FILTER (place = 2)::DOUBLE AS ny, "+
			"sum(r) FILTER (place = 1) - nx * (nx + 1) / 2 AS u, median(x) FILTER (place = 1) AS mx, median(x) FILTER (place = 2) AS my FROM h)",
		"w AS (SELECT sqrt(greatest(0, nx * ny / 12 * (nx + ny + 1 - tied / nullif((nx + ny) * (nx + ny - 1), 0)))) AS sigma FROM "+
			"u CROSS JOIN ties)",
		"SELECT (SELECT g FROM o WHERE place = 1 AND groups = 2) AS first_group, (SELECT g FROM o WHERE place = 2 AND groups = 2) "+
			"AS second_group, "+
			"nx::BIGINT AS first_n, ny::BIGINT AS second_n, rows_all - used AS left_out, mx AS first_median, my AS second_median, u AS first_u, "+
			"sign(u - nx * ny / 2) * greatest(abs(u - nx * ny / 2) - 0.5, 0) / nullif(sigma, 0) AS z, p_normal(z) AS p, "+
			note(notes...)+" AS note FROM a CROSS JOIN u CROSS JOIN w")...)
}

// paired compares two columns of the same rows: Student's t of their differences.
func (q *Request) paired() string {
	return with(
		fmt.Sprintf("v AS (SELECT %s AS x, %s AS y FROM %s)", cell(q.Columns[0]), cell(q.Columns[1]), rowsName),
		"k AS (SELECT x, y, x - y AS d FROM v WHERE x IS NOT NULL AND y IS NOT NULL)",
		"m AS (SELECT count(*) AS n, avg(x) AS mx, avg(y) AS my, avg(d) AS mean, max(d) > min(d) AS varies FROM k)",
		"s AS (SELECT CASE WHEN any_value(varies) THEN sqrt(sum((d - mean) ** 2) / nullif(count(*) - 1, 0)) ELSE 0 END AS sd FROM "+
			"k CROSS JOIN m)",
		"SELECT n, (SELECT count(*) FROM v) - n AS left_out, mx AS first_mean, my AS second_mean, mean AS mean_difference, "+
			"CASE WHEN n > 1 THEN sd END AS sd_of_differences_sample, CASE WHEN n > 1 THEN mean / nullif(sd / sqrt(n), 0) END AS t, "+
			"CASE WHEN n > 1 THEN n - 1 END AS df, p_t(t, df) AS p, "+
			note("n < 2", "fewer than two rows have both values", "sd = 0", "all differences are the same")+" AS note FROM m CROSS JOIN s",
	)
}

// anova compares the means of all groups (Fisher's one-way analysis of variance, which assumes equal variances).
func (q *Request) anova() string {
	return with(append(q.groupMoments(),
		"c AS (SELECT sum(n * mean) / sum(n) AS mean FROM s)",
		"b AS (SELECT sum(s.n * (s.mean - c.mean) ** 2) AS between_ss, sum(s.ss) AS within_ss FROM s CROSS JOIN c)",
		"SELECT groups, used AS n, rows_all - used AS left_out, between_ss, within_ss, CASE WHEN groups > 1 THEN groups - 1 END AS "+
			"df_between, "+
			"CASE WHEN used > groups THEN used - groups END AS df_within, "+
			"(between_ss / df_between) / nullif(within_ss / df_within, 0) AS f, p_f(f, df_between, df_within) AS p, "+
			note("groups < 2", "fewer than two groups have numbers", "used <= groups", "no group has two numbers",
				"within_ss = 0", "no group has a spread")+
			" AS note FROM a CROSS JOIN b")...)
}

// chiSquare tests whether two columns are independent (Pearson's χ², without Yates's correction). Cells without rows
// count with their expected number.
func (q *Request) chiSquare() string {
	x, y := sqltext.QuoteName(q.Columns[0]), sqltext.QuoteName(q.Columns[1])
	return with(
		fmt.Sprintf("v AS (SELECT %s AS x, %s AS y FROM %s)", x, y, rowsName),
		"o AS (SELECT x, y, count(*) AS hits FROM v WHERE x IS NOT NULL AND y IS NOT NULL GROUP BY x, y)",
		"r AS (SELECT x, sum(hits)::DOUBLE AS total FROM o GROUP BY x)",
		"c AS (SELECT y, sum(hits)::DOUBLE AS total FROM o GROUP BY y)",
		"t AS (SELECT count(*) AS rows_all, (SELECT coalesce(sum(hits), 0) FROM o)::BIGINT AS n, (SELECT count(*) FROM r) AS nx, "+
			"(SELECT count(*) FROM c) AS ny FROM v)",
		"e AS (SELECT sum((coalesce(hits, 0) - r.total * c.total / n) ** 2 / (r.total * c.total / n)) AS chi2, min(r.total * "+
			"c.total / n) AS least "+
			"FROM r CROSS JOIN c CROSS JOIN t LEFT JOIN o ON o.x = r.x AND o.y = c.y)",
		"SELECT n, rows_all - n AS left_out, nx AS first_values, ny AS second_values, CASE WHEN nx > 1 AND ny > 1 THEN chi2 END AS chi2, "+
			"CASE WHEN nx > 1 AND ny > 1 THEN (nx - 1) * (ny - 1) END AS df, p_chi2(chi2, df) AS p, least AS smallest_expected, "+
			"CASE WHEN nx > 1 AND ny > 1 THEN sqrt(e.chi2 / (n * (least(nx, ny) - 1))) END AS cramers_v, "+
			note("n = 0", "no row has both values", "nx < 2 OR ny < 2", "a column has one value only",
				"least < 5", "an expected count is below 5, so the p-value is rough")+" AS note FROM t CROSS JOIN e",
	)
}
