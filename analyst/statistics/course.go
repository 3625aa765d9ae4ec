package statistics

import (
	"fmt"
	"strings"

	"parley.dev/parley/internal/sqltext"
)

// change aggregates a column by steps of time and compares each step with the step just before it. A step without rows is
// not skipped: the step after it has nothing to compare with. A change in percent needs a value above zero before it.
func (q *Request) change() string {
	aggregate := "sum"
	if q.Method == "mean" {
		aggregate = "avg"
	}
	shown := "l.t::DATE"
	if q.Step == "hour" {
		shown = "l.t"
	}
	return with(
		fmt.Sprintf("v AS (SELECT %s AS g, date_trunc(%s, %s::TIMESTAMP) AS t, %s AS x FROM %s WHERE %s IS NOT NULL)",
			q.group(), sqltext.QuoteText(q.Step), sqltext.QuoteName(q.Columns[1]), cell(q.Columns[0]), rowsName, sqltext.QuoteName(q.Columns[1])),
		"a AS (SELECT g, t, count(*) AS rows_all, count(x) AS n, "+aggregate+"(x) AS value FROM v GROUP BY g, t)",
		"b AS (SELECT *, lag(t) OVER w AS before_t, lag(value) OVER w AS before FROM a WINDOW w AS (PARTITION BY g ORDER BY t))",
		"l AS (SELECT *, CASE WHEN before_t = t - INTERVAL 1 "+q.Step+" THEN before END AS previous FROM b)",
		"SELECT "+shown+" AS "+q.Step+q.showGroup("l")+", n, rows_all - n AS left_out, value, previous, value - previous AS change, "+
			"CASE WHEN previous > 0 THEN "+finite("100 * (value - previous) / previous")+" END AS percent_change, "+
			note("value IS NULL", "no number",
				"before_t IS NULL", "the first "+q.Step,
				"before_t <> t - INTERVAL 1 "+q.Step, "the "+q.Step+" before has no rows",
				"previous IS NULL", "the "+q.Step+" before has no number",
				"previous <= 0", "the value before is not above zero, so there is no percentage")+
			" AS note FROM l ORDER BY l.t"+q.byGroup(),
	)
}

// bins counts the rows between borders: of equal width, at quantiles, or given ones. A bin has its lower border and not its
// upper one; the last has both. Values outside given borders are counted in bins of their own.
func (q *Request) bins() string {
	edges := make([]string, q.Count+1)
	for i := range edges {
		switch {
		case len(q.Edges) > 0:
			edges[i] = number(q.Edges[i])
		case i == 0:
			edges[i] = "min(x)"
		case i == q.Count:
			edges[i] = "max(x)"
		case q.Method == "quantile":
			edges[i] = fmt.Sprintf("quantile_cont(x, %s)", number(float64(i)/float64(q.Count)))
		default:
			edges[i] = fmt.Sprintf("min(x) + %d * ((max(x) - min(x)) / %d)", i, q.Count)
		}
	}
	// A value belongs to the first bin whose upper border is above it, by the borders that are shown.
	branches := []string{"x IS NULL", "NULL", "x < e[1]", "0", fmt.Sprintf("x > e[%d]", q.Count+1), fmt.Sprint(q.Count + 1)}
	for i := 1; i < q.Count; i++ {
		branches = append(branches, fmt.Sprintf("x < e[%d]", i+1), fmt.Sprint(i))
	}
	branches = append(branches, "true", fmt.Sprint(q.Count))
	return with(
		fmt.Sprintf("v AS (SELECT %s AS g, %s AS x FROM %s)", q.group(), cell(q.Columns[0]), rowsName),
		"b AS (SELECT g, count(*) AS rows_all, count(x) AS n, ["+strings.Join(edges, ", ")+"] AS e FROM v GROUP BY g)",
		"c AS (SELECT v.g, "+cases(branches...)+" AS i, count(*) AS hits FROM v JOIN b ON "+same("v", "b")+" WHERE x IS NOT NULL "+
			"GROUP BY v.g, i)",
		fmt.Sprintf("i AS (SELECT range AS i FROM range(0, %d))", q.Count+2),
		"SELECT i.i AS bin"+q.showGroup("b")+fmt.Sprintf(", CASE WHEN i.i > 0 THEN e[i.i] END AS \"from\", CASE WHEN i.i <= %d "+
			"THEN e[i.i + 1] END AS \"to\", ",
			q.Count)+
			"coalesce(hits, 0) AS \"rows\", coalesce(hits, 0) / nullif(n, 0) AS share, n, rows_all - n AS left_out, "+
			note("n = 0", "no number", "i.i = 0", "below the first border",
				fmt.Sprintf("i.i = %d", q.Count+1), "above the last border", "e[i.i] = e[i.i + 1] AND hits IS NULL", "its borders are "+
					"the same value")+
			" AS note FROM b CROSS JOIN i LEFT JOIN c ON "+same("b", "c")+" AND c.i = i.i\n"+
			fmt.Sprintf("WHERE i.i BETWEEN 1 AND %d OR hits > 0 ORDER BY bin", q.Count)+q.byGroup(),
	)
}
