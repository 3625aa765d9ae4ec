package query

import (
	"fmt"
	"regexp"
	"strings"

	"parley.dev/parley/internal/sqltext"
)

// Postgres is the dialect of PostgreSQL, 13 or later.
func Postgres() Dialect { return postgres{} }

type postgres struct{}

func (postgres) Name() string   { return "PostgreSQL" }
func (postgres) Qualify() bool  { return false }
func (postgres) FullJoin() bool { return false }

// Table names a table. The connection is one to the source, so that its number is not part of the name.
func (postgres) Table(_ int64, name string) string { return sqltext.QuoteName(name) }

func (postgres) Trunc(grain, x string) string {
	to := "DATE"
	if grain == "hour" {
		to = "TIMESTAMP"
	}
	return fmt.Sprintf("CAST(date_trunc('%s', CAST(%s AS TIMESTAMP)) AS %s)", grain, x, to)
}

func (postgres) DatePart(part, x string) string {
	if part == "weekday" {
		part = "isodow"
	}
	return fmt.Sprintf("CAST(date_part('%s', CAST(%s AS TIMESTAMP)) AS BIGINT)", part, x)
}

func (postgres) PartName(part, x string) string {
	return fmt.Sprintf("to_char(%s, '%s')", x, map[string]string{"weekday": "FMDay", "month": "FMMonth"}[part])
}

func (postgres) Between(a, b string) string {
	return fmt.Sprintf("CAST(extract(epoch FROM CAST(%s AS TIMESTAMP) - CAST(%s AS TIMESTAMP)) AS DOUBLE PRECISION)", b, a)
}

func (postgres) Interval(n int, grain string) string {
	if grain == "quarter" {
		n, grain = n*3, "month"
	}
	return fmt.Sprintf("INTERVAL '%d %s'", n, grain)
}

func (postgres) Quotient(a, b string) string { return "CAST(" + a + " AS DOUBLE PRECISION) / " + b }

func (postgres) Func(name, x string, digits int) string {
	switch name {
	case "round":
		return fmt.Sprintf("CAST(round(CAST(%s AS NUMERIC), %d) AS DOUBLE PRECISION)", x, digits)
	case "ln", "log10", "sqrt", "exp":
		return strings.ReplaceAll(orNull(name, "CAST("+x+" AS DOUBLE PRECISION)"), "log10(", "log(")
	}
	return orNull(name, x)
}

func (postgres) Match(how, x, text string) string {
	switch how {
	case "contains":
		return fmt.Sprintf("strpos(lower(%s), lower(%s)) > 0", x, text)
	case "is":
		return fmt.Sprintf("lower(%s) = lower(%s)", x, text)
	case "starts":
		return fmt.Sprintf("starts_with(lower(%s), lower(%s))", x, text)
	}
	return fmt.Sprintf("right(lower(%s), length(%s)) = lower(%s)", x, text, text)
}

// plainPattern are the expressions that RE2 and PostgreSQL read alike: classes, repetitions and one group, without
// alternatives, which PostgreSQL chooses by their length.
var plainPattern = regexp.MustCompile(`^(?:[A-Za-z0-9 :/_-]|\[[A-Za-z0-9 _-]+\]|\\d|\\.|[+*(){},0-9^$])+$`)

func (d postgres) Extract(x, pattern string) (string, error) {
	if !plainPattern.MatchString(pattern) || strings.Contains(pattern, "(?") {
		return "", lacks(d, "such pattern: "+pattern)
	}
	return fmt.Sprintf("substring(%s FROM %s)", x, sqltext.QuoteText(pattern)), nil
}

func (postgres) Clock(x string) string {
	return "CAST(substring(" + x + ` FROM '^([0-9]{1,2}):[0-9]') AS BIGINT)`
}

// First takes the first value that is not missing; it works for booleans as well, which have no minimum.
func (postgres) First(x string) string {
	return "(array_agg(" + x + " ORDER BY " + x + " NULLS LAST))[1]"
}

func (d postgres) Stat(name, x string, q float64, filter string) (string, error) {
	within := func(part float64) string {
		return fmt.Sprintf("percentile_cont(%s) WITHIN GROUP (ORDER BY %s)%s", number(part), x, filter)
	}
	switch name {
	case "mean":
		return "avg(" + x + ")" + filter, nil
	case "min", "max":
		return name + "(" + x + ")" + filter, nil
	case "median":
		return within(0.5), nil
	case "quantile":
		return within(q), nil
	case "iqr":
		return "(" + within(0.75) + " - " + within(0.25) + ")", nil
	case "mode":
		return "mode() WITHIN GROUP (ORDER BY " + x + ")" + filter, nil
	case "skew":
		return skewness(x, filter), nil
	case "kurtosis":
		return kurtosis(x, filter), nil
	case "mad":
		// Both aggregates belong to the outer SELECT, because their columns do. Neither part of the FROM sees the names of the
		// other, so that no column can be mistaken for them.
		return fmt.Sprintf("(SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY abs(a.v - b.m)) FROM unnest(array_agg(%s)%s) AS a(v), "+
			"(SELECT %s) AS b(m))", x, filter, within(0.5)), nil
	}
	return moments(d, name, x, filter)
}

// powers are the number of the values of x and the sums of its first four powers. They are added up as NUMERIC, which is exact,
// so that a small spread around a large mean does not cancel out.
func powers(x, filter string) (n string, sums [5]string) {
	value := "CAST(" + x + " AS NUMERIC)"
	power := value
	for i := 1; i < len(sums); i++ {
		sums[i] = "sum(" + power + ")" + filter
		power += " * " + value
	}
	return "CAST(count(" + x + ")" + filter + " AS NUMERIC)", sums
}

// skewness is the sample skewness G1 that DuckDB computes: Joanes and Gill, Comparing measures of sample skewness and kurtosis
// (1998). It is NULL for fewer than three rows, and where all are equal. The central moments are written as whole multiples (n² m2,
// n³ m3), so that only the last quotient is rounded.
func skewness(x, filter string) string {
	n, s := powers(x, filter)
	second := fmt.Sprintf("(%[1]s * %[3]s - %[2]s * %[2]s)", n, s[1], s[2])
	third := fmt.Sprintf("(%[1]s * %[1]s * %[4]s - 3 * %[1]s * %[3]s * %[2]s + 2 * %[2]s * %[2]s * %[2]s)", n, s[1], s[2], s[3])
	return fmt.Sprintf("CASE WHEN %[1]s > 2 THEN CAST(%[3]s / nullif(%[2]s * sqrt(%[2]s), 0) * "+
		"sqrt(%[1]s * (%[1]s - 1)) / (%[1]s - 2) AS DOUBLE PRECISION) END", n, second, third)
}

// kurtosis is the excess kurtosis G2 of a sample, from the same source. It is NULL for fewer than four rows, and where all are
// equal.
func kurtosis(x, filter string) string {
	n, s := powers(x, filter)
	second := fmt.Sprintf("(%[1]s * %[3]s - %[2]s * %[2]s)", n, s[1], s[2])
	fourth := fmt.Sprintf("(%[1]s * %[1]s * %[1]s * %[5]s - 4 * %[1]s * %[1]s * %[4]s * %[2]s + 6 * %[1]s * %[3]s * %[2]s * %[2]s - "+
		"3 * %[2]s * %[2]s * %[2]s * %[2]s)", n, s[1], s[2], s[3], s[4])
	return fmt.Sprintf("CASE WHEN %[1]s > 3 THEN CAST((%[1]s - 1) * ((%[1]s + 1) * %[3]s / nullif(%[2]s * %[2]s, 0) - 3 * (%[1]s - 1)) / "+
		"((%[1]s - 2) * (%[1]s - 3)) AS DOUBLE PRECISION) END", n, second, fourth)
}

func (d postgres) P(_ string, _ ...string) (string, error) { return "", lacks(d, "p-values") }

func (d postgres) Pair(name, y, x, filter string) (string, error) {
	if name == "p" {
		return "", lacks(d, "p-values")
	}
	return pairs(d, name, y, x, filter)
}
