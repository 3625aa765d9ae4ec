package query

import (
	"fmt"
	"regexp"
	"strings"

	"parley.dev/parley/internal/sqltext"
)

// DuckDB is the dialect of the worker.
func DuckDB() Dialect { return duckDB{} }

type duckDB struct{}

func (duckDB) Name() string   { return "DuckDB" }
func (duckDB) Qualify() bool  { return true }
func (duckDB) FullJoin() bool { return true }

// Table names a table by its source, whose tables are in the catalog s12: the short names are views.
func (duckDB) Table(source int64, name string) string {
	if source == 0 {
		return sqltext.QuoteName(name)
	}
	return fmt.Sprintf("s%d.main.%s", source, sqltext.QuoteName(name))
}

// Trunc is left as a timestamp: a cast to a date would hide from the guard of totals that months are not mixed.
func (duckDB) Trunc(grain, x string) string { return fmt.Sprintf("date_trunc('%s', %s)", grain, x) }

func (duckDB) DatePart(part, x string) string {
	if part == "weekday" {
		part = "isodow"
	}
	return fmt.Sprintf("CAST(date_part('%s', CAST(%s AS TIMESTAMP)) AS BIGINT)", part, x)
}

func (duckDB) PartName(part, x string) string {
	return map[string]string{"weekday": "dayname", "month": "monthname"}[part] + "(" + x + ")"
}

func (duckDB) Between(a, b string) string {
	return fmt.Sprintf("CAST(epoch(CAST(%s AS TIMESTAMP) - CAST(%s AS TIMESTAMP)) AS DOUBLE)", b, a)
}

func (duckDB) Interval(n int, grain string) string {
	if grain == "quarter" {
		n, grain = n*3, "month"
	}
	return fmt.Sprintf("INTERVAL %d %s", n, grain)
}

func (duckDB) Quotient(a, b string) string { return a + " / " + b }

func (duckDB) Func(name, x string, digits int) string {
	if name == "round" {
		return fmt.Sprintf("round(%s, %d)", x, digits)
	}
	return orNull(name, x)
}

func (duckDB) Match(how, x, text string) string {
	if how == "is" {
		return fmt.Sprintf("lower(%s) = lower(%s)", x, text)
	}
	name := map[string]string{"contains": "contains", "starts": "starts_with", "ends": "suffix"}[how]
	return fmt.Sprintf("%s(lower(%s), lower(%s))", name, x, text)
}

func (duckDB) Extract(x, pattern string) (string, error) {
	group := 0
	if regexp.MustCompile(pattern).NumSubexp() > 0 {
		group = 1
	}
	p := sqltext.QuoteText(pattern)
	return fmt.Sprintf("CASE WHEN regexp_matches(%s, %s) THEN regexp_extract(%s, %s, %d) END", x, p, x, p, group), nil
}

func (duckDB) Clock(x string) string {
	return "TRY_CAST(regexp_extract(" + x + `, '^([0-9]{1,2}):[0-9]', 1) AS BIGINT)`
}

func (duckDB) First(x string) string { return "any_value(" + x + ")" }

func (d duckDB) Stat(name, x string, q float64, filter string) (string, error) {
	call := func(f string) string { return f + "(" + x + ")" + filter }
	switch name {
	case "mean":
		return call("avg"), nil
	case "mode", "min", "max":
		return call(name), nil
	case "median", "mad":
		x = asDouble(x)
		return call(name), nil
	case "skew":
		return finite(call("skewness")), nil
	case "kurtosis":
		return finite(call("kurtosis")), nil
	case "quantile":
		return fmt.Sprintf("quantile_cont(%s, %s)%s", asDouble(x), number(q), filter), nil
	case "iqr":
		x = asDouble(x)
		return fmt.Sprintf("(quantile_cont(%s, 0.75)%s - quantile_cont(%s, 0.25)%s)", x, filter, x, filter), nil
	}
	return moments(d, name, x, filter)
}

// asDouble casts a number so that a value between two others is not rounded to their decimals: the median of 0.1 and 0.2 of a
// column with one decimal is 0.15.
func asDouble(x string) string { return "CAST(" + x + " AS DOUBLE)" }

// moments are the statistics that all databases write alike.
func moments(d Dialect, name, x, filter string) (string, error) {
	switch name {
	case "range":
		return "(max(" + x + ")" + filter + " - min(" + x + ")" + filter + ")", nil
	case "std", "stdp", "var", "varp":
		f := map[string]string{"std": "stddev_samp", "stdp": "stddev_pop", "var": "var_samp", "varp": "var_pop"}[name]
		return f + "(" + x + ")" + filter, nil
	}
	return "", lacks(d, name)
}

// P calls a function of the worker.
func (duckDB) P(function string, arguments ...string) (string, error) {
	return function + "(" + strings.Join(arguments, ", ") + ")", nil
}

// Pair writes a statistic of two numbers.
func (d duckDB) Pair(name, y, x, filter string) (string, error) {
	if name == "p" {
		// The engine counts pairs in an unsigned type, and a correlation that is not defined is NaN there.
		return significance(finite("corr("+y+", "+x+")"+filter), "CAST(regr_count("+y+", "+x+")"+filter+" AS DOUBLE)"), nil
	}
	sql, err := pairs(d, name, y, x, filter)
	return finite(sql), err
}

// significance is the p-value of a correlation, by the function p_t of the worker (docs/statistics.md).
func significance(r, pairs string) string {
	return fmt.Sprintf("CASE WHEN abs(%[1]s) >= 1 AND %[2]s > 2 THEN 0 ELSE p_t(%[1]s * sqrt((%[2]s - 2) / nullif(1 - "+
		"least(1, %[1]s * %[1]s), 0)), %[2]s - 2) END", r, pairs)
}

// finite gives NULL where all values are equal; the engine itself gives NaN there.
func finite(sql string) string { return "nullif(" + sql + ", CAST('NaN' AS DOUBLE))" }

func pairs(d Dialect, name, y, x, filter string) (string, error) {
	f, ok := map[string]string{"corr": "corr", "slope": "regr_slope", "intercept": "regr_intercept", "r2": "regr_r2"}[name]
	if !ok {
		return "", lacks(d, name)
	}
	return f + "(" + y + ", " + x + ")" + filter, nil
}
