package statistics

import (
	"fmt"
	"strings"

	"parley.dev/parley/internal/sqltext"
)

// ranks replaces x or y by its rank; equal values get the mean of their ranks.
func ranks(column string) string {
	return fmt.Sprintf("rank() OVER (PARTITION BY pos, g ORDER BY %[1]s) + (count(*) OVER (PARTITION BY pos, g, %[1]s) - 1) / 2 "+
		"AS %[1]s", column)
}

// correlation correlates each pair of columns, the strongest first. Spearman's is Pearson's of the ranks. A pair uses
// the rows in which both values are there. The p-value is that of t = r·√((n−2)/(1−r²)) with n−2 degrees of freedom.
func (q *Request) correlation() string {
	var each []string
	for i, first := range q.Columns {
		for _, second := range q.Columns[i+1:] {
			each = append(each, fmt.Sprintf("SELECT %d AS pos, %s AS first, %s AS second, %s AS g, %s AS x, %s AS y FROM %s",
				len(each), sqltext.QuoteText(first), sqltext.QuoteText(second), q.group(), cell(first), cell(second), rowsName))
		}
	}
	kept := "k AS (SELECT pos, g, x, y FROM v WHERE x IS NOT NULL AND y IS NOT NULL)"
	if q.Method == "spearman" {
		kept = "k AS (SELECT pos, g, " + ranks("x") + ", " + ranks("y") + " FROM v WHERE x IS NOT NULL AND y IS NOT NULL)"
	}
	return with(
		"v AS ("+strings.Join(each, "\nUNION ALL ")+")",
		kept,
		"a AS (SELECT pos, first, second, g, count(*) AS rows_all FROM v GROUP BY pos, first, second, g)",
		"m AS (SELECT pos, g, count(*) AS n, avg(x) AS mx, avg(y) AS my, max(x) - min(x) AS sx, max(y) - min(y) AS sy FROM k GROUP BY pos, g)",
		"d AS (SELECT k.pos, k.g, sum((x - mx) / sx * (y - my) / sy) AS xy, sum(((x - mx) / sx) ** 2) AS xx, sum(((y - my) / sy) ** 2) AS yy "+
			"FROM k JOIN m ON k.pos = m.pos AND "+same("k", "m")+" WHERE sx > 0 AND sy > 0 AND isfinite(sx) AND isfinite(sy) GROUP BY k.pos, k.g)",
		"r AS (SELECT a.*, coalesce(m.n, 0) AS n, sx, sy, CASE WHEN m.n > 2 AND xx * yy > 0 THEN greatest(-1, least(1, xy / "+
			"sqrt(xx * yy))) END AS r FROM a "+
			"LEFT JOIN m ON a.pos = m.pos AND "+same("a", "m")+" LEFT JOIN d ON a.pos = d.pos AND "+same("a", "d")+")",
		"SELECT first, second"+q.showGroup("r")+", n, rows_all - n AS left_out, r AS "+q.Method+"_r, "+
			cases("abs(r) = 1", "0", "true", "p_t(r * sqrt((n - 2) / (1 - r * r)), n - 2)")+" AS p, "+
			note("n < 3", "fewer than 3 rows have both values", "sx = 0", "the first column has one value only",
				"sy = 0", "the second column has one value only", "r IS NULL", "the range is too large for a number")+
			" AS note FROM r ORDER BY abs(r) DESC NULLS LAST, pos"+q.byGroup(),
	)
}
