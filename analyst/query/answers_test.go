package query_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/query"
)

// TestCompileAs writes a result under other names, in another order, rounded and as percentages.
func TestCompileAs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	salary := query.Total(b.amount("employees", "salary"))
	g := ok[query.Groups](t)(b.Groups(b.rows("employees"), []query.By{b.dim("employees", "sex")}, []query.Measure{salary},
		query.Over(ok[query.Window](t)(b.PartOfTotal(salary))), ok[query.Part](t)(query.OrderBy(salary, "desc"))))
	s := ok[query.Statement](t)(query.CompileAs(g, query.DuckDB(), []query.Heading{
		{Column: 0, Name: "who"}, {Column: 2, Name: "share", Percent: true, Digits: 2}, {Column: 1, Name: "pay"},
	}))
	require.Equal(t, []string{"who", "share", "pay"}, s.Columns)
	require.Contains(t, s.SQL, `round((100.0 * "m1" / nullif(sum("m1") OVER (), 0)), 2) AS "share", "m1" AS "pay"`)
	require.True(t, strings.HasSuffix(s.SQL, "ORDER BY 3 DESC NULLS LAST, 1 NULLS LAST"), s.SQL)

	hidden := ok[query.Statement](t)(query.CompileAs(g, query.DuckDB(), []query.Heading{{Column: 0, Name: "who"}}))
	require.True(t, strings.HasSuffix(hidden.SQL, `ORDER BY "m1" DESC NULLS LAST, 1 NULLS LAST`), hidden.SQL)

	one := ok[query.Groups](t)(b.Groups(b.rows("employees"), []query.By{b.dim("employees", "sex")}, []query.Measure{salary}))
	_, err := query.CompileAs(one, query.DuckDB(), []query.Heading{{Column: 1, Name: "pay"}, {Column: 0, Name: "who"}})
	require.ErrorContains(t, err, "A heading is of no column of the result.")
	_, err = query.CompileAs(one, query.DuckDB(), []query.Heading{{Column: 0, Name: "who"}, {Column: 7, Name: "pay"}})
	require.ErrorContains(t, err, "A heading is of no column of the result.")
}

// TestFirst: First cuts an answer between groups with equal figures, where TopOf keeps all of them.
func TestFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	people := query.Count(b.rows("employees"))
	hired := ok[query.Time](t)(b.Time(b.col("employees", "hired")))
	weekday := ok[query.Dim](t)(hired.Name("weekday"))
	sex := b.dim("employees", "sex")
	first := func(parts ...query.Part) string {
		return b.sql(ok[query.Groups](t)(b.Groups(b.rows("employees"), []query.By{sex, weekday}, []query.Measure{people}, parts...)))
	}
	sql := first(ok[query.Part](t)(query.OrderBy(people, "desc")), ok[query.Part](t)(query.First(3, 2)))
	require.True(t, strings.HasSuffix(sql, "LIMIT 3 OFFSET 1"), sql)
	require.Contains(t, sql, `ORDER BY 3 DESC NULLS LAST, 1 NULLS LAST, CASE WHEN dayname("employees"."hired") = 'Monday' THEN 1`)
	within := first(ok[query.Part](t)(query.OrderBy(people, "desc")), ok[query.Part](t)(query.First(1, 1, sex)))
	require.Contains(t, within, `QUALIFY row_number() OVER (PARTITION BY "d1" ORDER BY "m1" DESC NULLS LAST, "d1" NULLS LAST,`)

	rows := ok[query.Rows](t)(b.Rows(b.rows("employees"), []query.Column{{Is: b.col("employees", "sex")}},
		ok[query.RowPart](t)(query.FirstRows(5, 1))))
	require.True(t, strings.HasSuffix(b.sql(rows), "LIMIT 5"))
	require.Equal(t, "Sex of the employees, the first 5.", query.Say(rows))
	_, err := query.First(0, 1)
	require.ErrorContains(t, err, "A ranking has 1 to 1000000 places.")
	_, err = hired.Name("year")
	require.ErrorContains(t, err, "A year has no name.")
}

// TestTally counts groups.
func TestTally(t *testing.T) {
	t.Parallel()
	b := setup(t)
	salary := query.Total(b.amount("employees", "salary"))
	g := ok[query.Groups](t)(b.Groups(b.rows("employees"), []query.By{b.dim("employees", "sex")}, []query.Measure{salary},
		ok[query.Part](t)(query.Having(salary, ">", 10))))
	tally := ok[query.Tally](t)(g.Tally())
	require.Contains(t, b.sql(tally), "SELECT count(*) AS \"count\"\nFROM (SELECT")
	require.Equal(t, "How many groups there are of: total salary, by sex, only groups with total salary above 10.", query.Say(tally))

	_, err := ok[query.Groups](t)(b.Groups(b.rows("employees"), nil, []query.Measure{salary})).Tally()
	require.ErrorContains(t, err, "There are no groups to count.")
	two := ok[query.Groups](t)(b.Groups(b.rows("employees"), []query.By{b.dim("departments", "department_name")},
		[]query.Measure{salary, query.Total(b.amount("departments", "budget"))}))
	_, err = two.Tally()
	require.ErrorContains(t, err, "Groups are counted by figures of the same rows.")
}

// TestEnds asks for the first and last values of columns that are not numbers: they are shown, but nothing is calculated with them.
func TestEnds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	last := query.Highest(b.col("employees", "hired"))
	salary := query.Total(b.amount("employees", "salary"))
	g := ok[query.Groups](t)(b.Groups(b.rows("employees"), []query.By{b.dim("employees", "sex")}, []query.Measure{last, salary}))
	require.Contains(t, b.sql(g), `max("employees"."hired") AS "highest_hired"`)
	for _, m := range []query.Measure{query.Ratio(last, salary), query.Diff(salary, last)} {
		_, err := b.Groups(b.rows("employees"), nil, []query.Measure{m})
		require.ErrorContains(t, err, "highest hired is nothing to calculate with.")
	}
	_, err := b.Groups(b.rows("employees"), nil, []query.Measure{last, query.Total(b.amount("departments", "budget"))})
	require.ErrorContains(t, err, "A first or last value stands beside figures of the same rows only.")
	_, err = b.EachOf(last, b.col("employees", "sex"), "median")
	require.ErrorContains(t, err, "is nothing to calculate with")
}

// TestEachOf takes a statistic of the totals of things that have several rows, and counts the periods of a level.
func TestEachOf(t *testing.T) {
	t.Parallel()
	b := setup(t)
	salary := query.Total(b.amount("employees", "salary"))
	m := ok[query.Measure](t)(b.EachOf(salary, b.col("employees", "department_id"), "median"))
	g := ok[query.Groups](t)(b.Groups(b.rows("employees"), nil, []query.Measure{m}))
	require.Contains(t, b.sql(g), `median(CAST("periods"."v" AS DOUBLE))`)
	require.Equal(t, "Median total salary of each department id.", query.Say(g))

	month := ok[query.Time](t)(b.Time(b.col("revenue", "month")))
	each := ok[query.Measure](t)(query.At(b.level("revenue", "mrr"), query.Each))
	_ = ok[query.Measure](t)(b.EachPeriod(each, month, "month", "median"))
	_, err := b.EachPeriod(each, month, "year", "median")
	require.ErrorContains(t, err, "A level is taken of each of its own periods.")
}
