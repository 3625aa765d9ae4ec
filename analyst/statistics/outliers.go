package statistics

import (
	"fmt"

	"parley.dev/parley/internal/sqltext"
)

// outliers finds values far from the others of their group: by z, below or above mean ∓ k·sd with the standard deviation
// of a sample; by iqr, below q1 − k·(q3 − q1) or above q3 + k·(q3 − q1) (Tukey's fences).
func (q *Request) outliers() string {
	x := cell(q.Columns[0])
	k := number(q.K)
	lower, upper := "mean - "+k+" * sd", "mean + "+k+" * sd"
	if q.Method == "iqr" {
		lower, upper = "q1 - "+k+" * (q3 - q1)", "q3 + "+k+" * (q3 - q1)"
	}
	parts := append(q.moments(), fmt.Sprintf(
		"b AS (SELECT g, rows_all, n, CASE WHEN n > 1 THEN %s END AS lower, CASE WHEN n > 1 THEN %s END AS upper FROM "+
			"s)", finite(lower), finite(upper)))
	if q.Rows {
		return with(append(parts, fmt.Sprintf("SELECT t.*, b.lower AS lower_bound, b.upper AS upper_bound FROM %s AS t JOIN b ON "+
			"%s IS NOT DISTINCT FROM b.g\n"+
			"WHERE %s < b.lower OR %s > b.upper ORDER BY %s", rowsName, q.group(), x, x, x))...)
	}
	return with(append(parts,
		"o AS (SELECT v.g, count(*) FILTER (x < lower) AS below, count(*) FILTER (x > upper) AS above FROM v JOIN b ON "+
			""+same("v", "b")+" GROUP BY v.g)",
		"SELECT "+sqltext.QuoteText(q.Columns[0])+" AS \"column\""+q.showGroup("b")+", n, rows_all - n AS left_out, lower AS lower_bound, "+
			"upper AS upper_bound, "+
			"below, above, below + above AS outliers, "+
			note("n = 0", "no number", "n = 1", "one number has no spread", "lower IS NULL", "the range is too large for a number",
				"lower = upper", "the spread is zero: every other value counts as an outlier")+
			" AS note FROM b JOIN o ON "+same("b", "o")+" ORDER BY 1"+q.byGroup())...)
}
