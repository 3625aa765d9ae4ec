package query

// Dialect writes what databases write in different ways. The compiler writes the rest, which is common SQL: joins on equality,
// EXISTS, FILTER of aggregates, IS [NOT] DISTINCT FROM, window frames with RANGE, WITH, UNION ALL, casts to DOUBLE PRECISION,
// VARCHAR, DATE and TIMESTAMP. What a database lacks is refused with an *Error, never approximated.
type Dialect interface {
	// Name is what people call the database.
	Name() string
	// Table writes the name of a table of a data source.
	Table(source int64, name string) string
	// Trunc cuts a time to a unit, as a date or a timestamp at its beginning.
	Trunc(grain, x string) string
	// DatePart is a part of the calendar as a whole number; weeks begin on Monday, which is 1.
	DatePart(part, x string) string
	// PartName is the English name of a part of the calendar: weekday or month.
	PartName(part, x string) string
	// Between is the number of seconds from a to b.
	Between(a, b string) string
	// Interval is n units of time.
	Interval(n int, grain string) string
	// Quotient divides without truncation: two whole numbers can give a fraction. The divisor is never 0.
	Quotient(a, b string) string
	// Func applies a function to a number. Where the function is not defined it gives NULL, never an error.
	Func(name, x string, digits int) string
	// Match compares texts without regard to capitals: how is contains, starts, ends or is; both are SQL.
	Match(how, x, text string) string
	// Extract is the first group of a regular expression, or all of the match; pattern is plain text.
	Extract(x, pattern string) (string, error)
	// Clock is the hour of a text that is a time of day, as 09:30; no value for other texts.
	Clock(x string) string
	// Stat is a statistic of a number; filter is empty or a FILTER clause.
	Stat(name, x string, parameter float64, filter string) (string, error)
	// Pair is a statistic of two numbers.
	Pair(name, y, x, filter string) (string, error)
	// P is a p-value by one of the functions p_t, p_f, p_chi2 and p_normal (docs/statistics.md).
	P(function string, arguments ...string) (string, error)
	// First is a value of a group in which all values are equal, except for missing ones.
	First(x string) string
	// Qualify reports whether a SELECT can have a condition on its windows.
	Qualify() bool
	// FullJoin reports whether a FULL JOIN can compare missing values as equal.
	FullJoin() bool
}

// lacks refuses what a database does not have.
func lacks(d Dialect, what string) error {
	return refuse(nil, "The data is in %s, which has no %s.", d.Name(), what)
}

// orNull wraps functions that fail outside their domain, so that they give NULL there.
func orNull(name, x string) string {
	switch name {
	case "ln", "log10":
		return "CASE WHEN " + x + " > 0 THEN " + map[string]string{"ln": "ln", "log10": "log10"}[name] + "(" + x + ") END"
	case "sqrt":
		return "CASE WHEN " + x + " >= 0 THEN sqrt(" + x + ") END"
	}
	return name + "(" + x + ")"
}
