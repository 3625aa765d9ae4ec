package query_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/query"
)

func TestNewControl(t *testing.T) {
	t.Parallel()
	b := setup(t)
	control := func(a query.Ask) query.Control { return ok[query.Control](t)(query.NewControl(a, query.DuckDB())) }
	groups := func(of query.Set, by []query.By, show ...query.Measure) query.Groups {
		return ok[query.Groups](t)(b.Groups(of, by, show))
	}
	salary := query.Total(b.amount("employees", "salary"))

	t.Run("LooksUpWhatTheQuestionJoins", func(t *testing.T) {
		t.Parallel()
		sales := b.rows("employees", b.is("departments", "department_name", "Sales"))
		a := groups(sales, []query.By{b.dim("departments", "department_name")}, salary, query.Count(b.rows("employees")))
		s := ok[query.Statement](t)(query.Compile(a, query.DuckDB()))
		require.True(t, s.Joined)
		c := control(a)
		require.NotContains(t, c.SQL, " JOIN ")
		require.Equal(t, `SELECT "c1", "c2", "c3"
FROM (SELECT sum("own"."salary") AS "c1", sum(abs("own"."salary")) AS "c2", count(*) AS "c3" FROM "employees" AS "own"
WHERE (SELECT any_value("departments"."department_name") FROM "departments" AS "departments" WHERE TRUE AND `+
			`"departments"."department_id" = "own"."department_id") = 'Sales') AS "control1"`, c.SQL)
		require.Equal(t, []query.ControlFigure{
			{Column: 1, Value: 0, Size: 1, Periods: -1}, {Column: 2, Value: 2, Size: -1, Periods: -1},
		}, c.Figures)
	})
	t.Run("OneTableIsNotJoined", func(t *testing.T) {
		t.Parallel()
		a := groups(b.rows("employees"), []query.By{b.dim("employees", "sex")}, salary)
		require.False(t, ok[query.Statement](t)(query.Compile(a, query.DuckDB())).Joined)
	})
	t.Run("LevelHasItsPeriods", func(t *testing.T) {
		t.Parallel()
		last := ok[query.Measure](t)(query.At(b.level("revenue", "mrr"), query.LastPeriod))
		c := control(groups(b.rows("revenue"), []query.By{b.dim("revenue", "country")}, last))
		require.Contains(t, c.SQL, `count(DISTINCT "own"."month")`)
		require.Equal(t, []query.ControlFigure{{Column: 1, Value: 0, Size: 1, Periods: 2}}, c.Figures)
		each := ok[query.Measure](t)(query.At(b.level("revenue", "mrr"), query.Each))
		c = control(groups(b.rows("revenue"), []query.By{b.by("revenue", "month", "month")}, each))
		require.Contains(t, c.SQL, `max("periods")`)
		require.Equal(t, []query.ControlFigure{{Column: 1, Value: -1, Size: -1, Periods: 0}}, c.Figures)
	})
	t.Run("MedianOfGroupsIsComputedAgain", func(t *testing.T) {
		t.Parallel()
		a := groups(b.rows("employees"), []query.By{b.dim("departments", "department_name")}, query.Median(b.amount("employees", "salary")))
		require.Equal(t, query.Control{
			SQL: `SELECT "c1", "c2"
FROM (SELECT sum("v1") AS "c1", sum("s1") AS "c2" FROM (SELECT "m1" AS "v1", abs("m1") + "z1" AS "s1" FROM (SELECT ` +
				`(SELECT any_value("departments"."department_name") FROM "departments" AS "departments" WHERE TRUE AND ` +
				`"departments"."department_id" = "own"."department_id") AS "d1", ` +
				`CAST(median(CAST("own"."salary" AS DOUBLE)) AS DOUBLE) AS "m1", CAST(0 AS DOUBLE) AS "z1" FROM "employees" AS "own" ` +
				`GROUP BY 1) AS "groups") AS "figures") AS "control1"`,
			Figures: []query.ControlFigure{{Column: 1, Value: 0, Size: 1, Periods: -1, Again: true}},
		}, control(a))
	})
	t.Run("RatioOfTwoTablesIsStacked", func(t *testing.T) {
		t.Parallel()
		budget := query.Total(b.amount("departments", "budget"))
		c := control(groups(b.rows("employees"), []query.By{b.dim("departments", "department_name")}, salary, query.Ratio(salary, budget)))
		require.NotContains(t, c.SQL, "FULL JOIN")
		require.Contains(t, c.SQL, " UNION ALL ")
		require.Equal(t, []query.ControlFigure{
			{Column: 1, Value: 0, Size: 1, Periods: -1}, {Column: 2, Value: 2, Size: 3, Periods: -1, Again: true},
		}, c.Figures)
	})
	t.Run("None", func(t *testing.T) {
		t.Parallel()
		median := query.Median(b.amount("employees", "salary"))
		by := []query.By{b.dim("employees", "sex")}
		require.Empty(t, control(groups(b.rows("employees"), by, query.Std(b.amount("employees", "salary"), false))).SQL, "inexact")
		first := ok[query.Part](t)(query.TopOf(median, "desc", 1, 1))
		require.Empty(t, control(ok[query.Groups](t)(b.Groups(b.rows("employees"), by, []query.Measure{median}, first))).SQL, "cut")
		overlap := ok[query.Groups](t)(b.Groups(b.rows("orders"), []query.By{b.Overlap(b.col("items", "product"))},
			[]query.Measure{query.Median(b.amount("orders", "shipping_fee"))}))
		require.Empty(t, control(overlap).SQL, "a row is in several groups")
		rows := ok[query.Rows](t)(b.Rows(b.rows("employees"), []query.Column{{Is: b.col("employees", "salary")}}))
		require.Empty(t, control(rows).SQL)
	})
}

func TestNewProbe(t *testing.T) {
	t.Parallel()
	b := setup(t)
	probe := func(a query.Ask) query.Probe { return ok[query.Probe](t)(query.NewProbe(a, query.DuckDB())) }
	columns := []query.Column{{Is: b.col("orders", "order_id")}}
	ordered := ok[query.Time](t)(b.Time(b.col("orders", "ordered")))
	in2030 := ok[query.Pred](t)(query.During(ordered, ok[query.Span](t)(query.NewSpan("2030-01-01", "2031-01-01"))))
	p := probe(ok[query.Rows](t)(b.Rows(b.rows("orders", in2030, b.is("orders", "currency", "EUR")), columns)))
	require.Equal(t, "orders", p.Rows)
	require.ElementsMatch(t, []query.ProbeFilter{
		{Said: "ordered is from 2030-01-01 to before 2031-01-01", Of: "ordered", From: "2030-01-01", Before: "2031-01-01"},
		{Said: "currency is EUR"},
	}, p.Filters)
	require.Empty(t, probe(ok[query.Rows](t)(b.Rows(b.rows("orders"), columns))).SQL, "no condition, nothing to explain")
}
