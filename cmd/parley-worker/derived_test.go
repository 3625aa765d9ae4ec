package main

// The checks that are derived from the plan of a statement, over the statements of testdata/totals: they must not fail for what
// is right.

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/analysttest"
	judging "parley.dev/parley/analyst/guard"
	"parley.dev/parley/domain"
)

// differs runs the derived control of a statement, and says of each total whether it is another one with each row once.
func (x *totals) differs(tb testing.TB, d *judging.Derived) (wrong []string) {
	tb.Helper()
	if d.Control == "" {
		return nil
	}
	found, err := x.db.rows("SELECT COLUMNS(*)::VARCHAR FROM (" + d.Control + ")")
	require.NoError(tb, err, d.Control)
	require.Len(tb, found, 1)
	at := func(i int) float64 {
		if i < 0 {
			return 0
		}
		n, err := strconv.ParseFloat(found[0][i], 64)
		if found[0][i] == "" {
			return 0
		}
		require.NoError(tb, err)
		return n
	}
	for _, t := range d.Totals {
		if math.Abs(at(t.Joined)-at(t.Once)) > 1e-8*at(t.Size) {
			wrong = append(wrong, fmt.Sprintf("%s of %s: %v, once %v", t.Total, t.Table, at(t.Joined), at(t.Once)))
		}
	}
	return wrong
}

// TestDerived_Corpora: no right statement fails a derived check, and most of the wrong ones do that count rows twice, although
// the checks know no keys.
func TestDerived_Corpora(t *testing.T) {
	t.Parallel()
	x := newTotals(t)
	files, err := filepath.Glob("testdata/totals/*.sql")
	require.NoError(t, err)
	right, controlled, repeated, found := 0, 0, 0, 0
	reasons := map[string]int{}
	for _, file := range files {
		for _, s := range readStatements(t, file) {
			plan, missing := planOf(x.db, s.sql, 1<<20)
			if missing != "" {
				continue
			}
			d := judging.Derive(plan)
			wrong := x.differs(t, &d)
			where := fmt.Sprintf("%s line %d: %s\n%s", file, s.line, s.sql, d.Control)
			switch s.verdict {
			case "right":
				right++
				require.Empty(t, wrong, where)
				if len(d.Totals) > 0 {
					controlled++
				}
				for _, u := range d.Unchecked {
					reasons[u]++
				}
			case "repeated":
				repeated++
				if len(wrong) > 0 {
					found++
				}
			}
		}
	}
	require.GreaterOrEqual(t, right, 220)
	require.GreaterOrEqual(t, controlled, 107)
	require.GreaterOrEqual(t, found, 100)
	t.Logf("%d right, %d with a control; %d of %d that count twice are found; without a control: %v", right, controlled, found, repeated,
		reasons)
}

// TestDerived_Shapes: totals over windows, and those of subqueries that use outer rows, have a control that finds rows counted twice.
func TestDerived_Shapes(t *testing.T) {
	t.Parallel()
	x := newTotals(t)
	const staff, lines = " FROM employees JOIN departments USING (department_id)", " FROM orders o JOIN order_items i USING (order_id) WHERE "
	for sql, wrong := range map[string]int{
		"SELECT employee_id, sum(salary) OVER (PARTITION BY city)" + staff:                                                            0,
		"SELECT employee_id, sum(budget) OVER (PARTITION BY city)" + staff:                                                            1,
		"SELECT avg(salary) OVER (), count(*) OVER (PARTITION BY city), sum(salary) OVER (ORDER BY 1)" + staff:                        0,
		"SELECT sum(salary) OVER (ORDER BY hire_date), sum(budget) OVER (PARTITION BY job_title)" + staff:                             1,
		"SELECT sum(budget) FILTER (WHERE budget > 100000) OVER ()" + staff:                                                           1,
		"SELECT c.region, (SELECT sum(i.line_amount)" + lines + "o.customer_id = c.customer_id) FROM customers c":                     0,
		"SELECT c.region, (SELECT sum(o.order_total)" + lines + "o.customer_id = c.customer_id) FROM customers c":                     1,
		"SELECT c.region, x.s FROM customers c, LATERAL (SELECT sum(o.order_total) AS s" + lines + "o.customer_id = c.customer_id) x": 1,
		"SELECT region, (SELECT count(*) FROM orders o WHERE o.customer_id = c.customer_id AND o.order_total > " +
			"(SELECT avg(order_total) FROM orders p WHERE p.customer_id = c.customer_id)) FROM customers c": 0,
	} {
		plan, missing := planOf(x.db, sql, 1<<20)
		require.Empty(t, missing)
		d := judging.Derive(plan)
		require.Empty(t, d.Unchecked, sql)
		require.NotEmpty(t, d.Totals, sql)
		require.Len(t, x.differs(t, &d), wrong, "%s\n%s", sql, d.Control)
	}
}

// BenchmarkDerived measures what the derived checks add to a query beside their control.
func BenchmarkDerived(b *testing.B) {
	x := newTotals(b)
	var plans [][]byte
	for _, sql := range []string{
		"SELECT department_name, sum(budget), sum(salary) FROM employees JOIN departments USING (department_id) GROUP BY 1",
		"WITH o AS (SELECT region, sum(order_total) a FROM orders JOIN customers USING (customer_id) GROUP BY 1), p AS (SELECT " +
			"region, sum(paid_amount) b FROM payments JOIN orders USING (order_id) JOIN customers USING (customer_id) GROUP BY 1) SELECT region, " +
			"a, b FROM o JOIN p USING (region)",
	} {
		plan, missing := planOf(x.db, sql, 1<<20)
		require.Empty(b, missing)
		plans = append(plans, plan)
	}
	for i, plan := range plans {
		b.Run(strconv.Itoa(i), func(b *testing.B) {
			for b.Loop() {
				judging.Derive(plan)
			}
		})
	}
}

// checkedByModel runs a turn with a model and returns its last answer, what it was told, and what its checks say.
func (x *turns) checkedByModel(t *testing.T, statements ...string) (analysttest.Message, []string, map[string]int, *analysttest.Sink) {
	t.Helper()
	y, count := *x, &tally{}
	y.config.Checked = count.add
	var told []string
	sink, err := y.ask(t, analysttest.Job("a question"), func(results []string) (object, string) {
		if told = results; len(results) < len(statements) {
			return object{"sql": statements[len(results)]}, ""
		}
		return nil, "Here it is."
	})
	require.NoError(t, err)
	answers := sink.Role(domain.RoleAssistant)
	return answers[len(answers)-1], told, count.of, sink
}

func TestTurn_Derived(t *testing.T) {
	t.Parallel()
	x := newTurns(t)
	// Nothing was measured of the employees, so the guard cannot say how often a department is there.
	facts := maps.Clone(x.facts)
	for id, f := range facts {
		if f.Tables[0].Table == "employees" {
			facts[id] = domain.KnownFacts{Source: id, WorkKey: f.WorkKey}
		}
	}
	x.config.Facts = facts
	const wrong = budgets
	const joined = "SELECT d.city, sum(e.salary) AS total FROM employees e JOIN departments d USING (department_id) GROUP BY 1"

	t.Run("WrongTotalIsMended", func(t *testing.T) {
		t.Parallel()
		answer, told, counted, sink := x.checkedByModel(t, wrong, joined)
		require.Contains(t, told[0], "Not shown: sum(departments.budget) gives 3,760,000 over the joined rows, and 410,000 if each row of "+
			"departments is counted once. A join repeats rows of departments. Aggregate departments before the join")
		require.NotContains(t, told[0], "Result ")
		require.Contains(t, told[1], "✓ Checked: adds up to the total of its own table.")
		require.Equal(t, "Here it is.", answer.Text)
		require.Equal(t, domain.GradeCertain, answer.Annotation.Grade)
		require.Equal(t, []domain.AnswerCheck{{Kind: "rows", Outcome: "passed"}, {Kind: "total", Outcome: "passed"}}, answer.Annotation.Checks)
		require.Equal(t, map[string]int{"total failed": 1, "total passed": 1}, counted)
		work := sink.Role(domain.RoleUserProxy)[0]
		require.Contains(t, work.Text, "the result is not shown, because a check of its figures failed.")
		for _, o := range work.Objects {
			require.NotEqual(t, domain.DisplayCSV, o.Type)
		}
	})
	t.Run("NeverMended", func(t *testing.T) {
		t.Parallel()
		answer, told, counted, _ := x.checkedByModel(t, wrong, wrong, wrong, wrong)
		for _, text := range told {
			require.Contains(t, text, "Not shown: ", "the figure stays withheld")
		}
		require.Equal(t, domain.GradeRefused, answer.Annotation.Grade)
		require.Equal(t, map[string]int{"total failed": 4}, counted)
		last := answer.Annotation.Checks[len(answer.Annotation.Checks)-1]
		require.Equal(t, "total", last.Kind)
		require.Equal(t, domain.CheckFailed, last.Outcome)
		require.Contains(t, last.Note, "sum(departments.budget) gives 3,760,000 over the joined rows")
	})
	t.Run("NeverMendedOfKnownKeys", func(t *testing.T) {
		t.Parallel()
		y := *x
		y.config.Facts = x.facts
		answer, _, _, _ := y.checkedByModel(t, budgets)
		require.Equal(t, domain.GradeRefused, answer.Annotation.Grade)
		require.Len(t, answer.Annotation.Checks, 1)
		require.Equal(t, domain.CheckFailed, answer.Annotation.Checks[0].Outcome)
		require.Contains(t, answer.Annotation.Checks[0].Note, "budget", "people read which total was wrong")
	})
	t.Run("NotMeasured", func(t *testing.T) {
		t.Parallel()
		y := *x
		y.config.Facts = nil
		_, told, _, _ := y.checkedByModel(t, budgets)
		require.Contains(t, told[0], "Not shown: sum(departments.budget) gives 3,760,000")
		answer, told, _, _ := y.checkedByModel(t, joined)
		require.Contains(t, told[0], "Not checked for double counting")
		require.Equal(t, domain.GradeUnchecked, answer.Annotation.Grade, "without keys nothing is proven")
	})
	t.Run("Unchecked", func(t *testing.T) {
		t.Parallel()
		answer, _, _, _ := x.checkedByModel(t, "SELECT sum(x) FROM (SELECT budget AS x FROM departments UNION ALL SELECT salary FROM employees)")
		require.Equal(t, domain.GradeUnchecked, answer.Annotation.Grade)
		require.Contains(t, answer.Annotation.Checks[len(answer.Annotation.Checks)-1].Note, "Its totals are not checked in a second way (")
	})
	t.Run("OneTable", func(t *testing.T) {
		t.Parallel()
		answer, told, counted, _ := x.checkedByModel(t, "SELECT city, sum(budget) FROM departments GROUP BY 1")
		require.Equal(t, domain.GradeCertain, answer.Annotation.Grade)
		require.Equal(t, []domain.AnswerCheck{{Kind: "rows", Outcome: "passed"}}, answer.Annotation.Checks)
		require.NotContains(t, told[0], "✓")
		require.Empty(t, counted)
	})
	t.Run("Shares", func(t *testing.T) {
		t.Parallel()
		answer, told, counted, _ := x.checkedByModel(t,
			"SELECT city, round(100.0 * sum(budget) / sum(sum(budget)) OVER (), 1) AS share FROM departments GROUP BY 1 ORDER BY 2 DESC")
		require.Equal(t, domain.GradeCertain, answer.Annotation.Grade)
		require.Equal(t, 1, counted["shares passed"], "%v", answer.Annotation.Checks)
		require.Contains(t, told[0], "✓ Checked: the parts make 100 %.")
	})
	t.Run("BoundsAndCounts", func(t *testing.T) {
		t.Parallel()
		_, _, counted, _ := x.checkedByModel(t,
			"SELECT city, min(budget), avg(budget), median(budget), max(budget), count(*) FROM departments GROUP BY 1")
		require.Equal(t, map[string]int{"bounds passed": 1, "counts passed": 1}, counted)
	})
	t.Run("Empty", func(t *testing.T) {
		t.Parallel()
		for sql, want := range map[string]string{
			"SELECT sum(budget) FROM departments WHERE city = 'Oslob'":                      "No row meets this condition: city is Oslob.",
			"SELECT * FROM employees WHERE salary > 9999999 AND job_title = 'Lead' LIMIT 5": "No row meets this condition: salary is above 9999999.",
			"SELECT d.city, sum(e.salary) FROM employees e JOIN departments d USING (department_id) WHERE d.city = 'Oslob' GROUP BY 1 " +
				"ORDER BY 2": "No row meets this condition: city is Oslob.",
		} {
			_, told, _, _ := x.checkedByModel(t, sql)
			require.Contains(t, told[0], want, sql)
			require.NotContains(t, told[0], "✓")
		}
	})
	t.Run("AcceptedFault", func(t *testing.T) {
		t.Parallel()
		y := *x
		y.config.Facts = x.facts
		answer, told, _, _ := y.checkedByModel(t, budgets, budgets, budgets)
		require.Contains(t, told[2], "⚠", "after two errors it is shown with what is wrong")
		require.Equal(t, domain.GradeAssumed, answer.Annotation.Grade)
		require.Equal(t, "failed", answer.Annotation.Checks[0].Outcome)
	})
	t.Run("NoQuery", func(t *testing.T) {
		t.Parallel()
		answer, _, _, _ := x.checkedByModel(t)
		require.Equal(t, domain.GradeUnsaid, answer.Annotation.Grade)
		require.Empty(t, answer.Annotation.Checks)
	})
	t.Run("Memory", func(t *testing.T) {
		t.Parallel()
		memory := func(sql string) analysttest.Message {
			sink, err := x.plan(t, analysttest.Job("What do we pay by city?"), domain.Memory{
				ID: 1, Name: "Pay", Question: "What do we pay by city?", Response: "```sql\n" + sql + "\n```", AlwaysRecalled: true,
			})
			require.NoError(t, err)
			answers := sink.Role(domain.RoleAssistant)
			return answers[len(answers)-1]
		}
		require.Equal(t, domain.GradeCertain, memory(joined).Annotation.Grade)
		answer := memory(wrong)
		require.Equal(t, domain.GradeRefused, answer.Annotation.Grade)
		require.Contains(t, answer.Text, "sum(departments.budget) gives 3,760,000 over the joined rows")
		require.NotContains(t, answer.Text, "fault of mine")
	})
}
