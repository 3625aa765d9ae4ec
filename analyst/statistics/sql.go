package statistics

import (
	"fmt"
	"strconv"
	"strings"

	"parley.dev/parley/internal/sqltext"
)

// number writes a number as SQL. A cast keeps all digits: a bare 0.1 would be a DECIMAL.
func number(x float64) string { return "'" + strconv.FormatFloat(x, 'g', -1, 64) + "'::DOUBLE" }

// cell is a column as a finite DOUBLE; NULL if it is missing, NaN or infinite.
func cell(name string) string {
	n := sqltext.QuoteName(name)
	return fmt.Sprintf("CASE WHEN isfinite(%s::DOUBLE) THEN %s::DOUBLE END", n, n)
}

// finite is a figure, or NULL if it is not a finite number.
func finite(expression string) string {
	return fmt.Sprintf("CASE WHEN isfinite(%s) THEN %s END", expression, expression)
}

// group is the column of the groups inside the statement. Without groups all rows are in one.
func (q *Request) group() string {
	if q.By == "" {
		return "1"
	}
	return sqltext.QuoteName(q.By)
}

// showGroup is the column of the groups in a result, with a comma before it; "" without groups.
func (q *Request) showGroup(of string) string {
	if q.By == "" {
		return ""
	}
	return ", " + of + ".g AS " + sqltext.QuoteName(q.By)
}

// byGroup is an order by groups that follows another.
func (q *Request) byGroup() string {
	if q.By == "" {
		return ""
	}
	return ", " + sqltext.QuoteName(q.By) + " NULLS LAST"
}

// same compares groups, of which one may be NULL.
func same(a, b string) string { return a + ".g IS NOT DISTINCT FROM " + b + ".g" }

// with joins common table expressions and the last SELECT, one on each line. They follow the one of the rows.
func with(parts ...string) string {
	last := len(parts) - 1
	return strings.Join(parts[:last], ",\n") + "\n" + parts[last]
}

// cases writes a CASE with one branch a line: a condition and its result by turns.
func cases(branches ...string) string {
	var b strings.Builder
	b.WriteString("CASE")
	for i := 0; i+1 < len(branches); i += 2 {
		b.WriteString(" WHEN " + branches[i] + " THEN " + branches[i+1])
	}
	return b.String() + " END"
}

// note writes a CASE whose results are texts.
func note(branches ...string) string {
	for i := 1; i < len(branches); i += 2 {
		branches[i] = sqltext.QuoteText(branches[i])
	}
	return cases(branches...)
}
