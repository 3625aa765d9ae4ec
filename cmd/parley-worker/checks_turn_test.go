package main

// Checks of answers over the real engine: the control in the worker, and whole turns of the planner with right, wrong and empty
// results.

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/analysttest"
	checking "parley.dev/parley/analyst/check"
	"parley.dev/parley/domain"
)

func TestWorker_Control(t *testing.T) {
	t.Parallel()
	b := setup(t)
	source, _ := b.prepare(t, "sales.csv", "region,revenue\nNorth,3\nSouth,4\nNorth,5\n")
	const sql = "SELECT region, sum(revenue) FROM sales GROUP BY 1 ORDER BY 1"
	ask := func(control string) *domain.ResultSet {
		r, err := b.bench.Controlled(t.Context(), []domain.DataSource{source}, sql, domain.QueryControl{SQL: control})
		require.NoError(t, err, control)
		require.Equal(t, [][]any{{"North", int64(8)}, {"South", int64(4)}}, r.Rows, control)
		require.NotEmpty(t, r.Plan.JSON)
		return r.Control
	}
	require.Equal(t, [][]any{{int64(12), int64(3)}}, ask("SELECT sum(revenue), count(*) FROM sales").Rows)
	require.Nil(t, ask(""))
	// What is wrong with a control takes nothing away from the answer.
	require.Nil(t, ask("SELECT nothing FROM sales"))
	require.Nil(t, ask("SELECT 1; SELECT 2"))
	require.Nil(t, ask("CREATE TABLE t (a INTEGER)"))
	require.Nil(t, ask("SELECT 1\x00"))
	require.Len(t, ask("SELECT * FROM range(1000)").Rows, controlRows)
	begun := time.Now()
	require.Nil(t, ask("SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b"), "it is ended after a second")
	require.Less(t, time.Since(begun), 4*time.Second)
}

// tampered changes the statements of a workbench, not their controls.
type tampered struct {
	analyst.ControlledWorkbench
	change func(sql string) string
}

// Controlled implements analyst.ControlledWorkbench.
func (w tampered) Controlled(
	ctx context.Context, sources []domain.DataSource, sql string, control domain.QueryControl,
) (*domain.ResultSet, error) {
	return w.ControlledWorkbench.Controlled(ctx, sources, w.change(sql), control)
}

// Query implements analyst.Workbench.
func (w tampered) Query(ctx context.Context, sources []domain.DataSource, sql string) (*domain.ResultSet, error) {
	return w.Controlled(ctx, sources, sql, domain.QueryControl{})
}

// tally counts what the checks of turns say.
type tally struct {
	mu sync.Mutex
	of map[string]int
}

func (y *tally) add(k checking.Kind, o checking.Outcome, _ bool) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.of == nil {
		y.of = map[string]int{}
	}
	y.of[string(k)+" "+string(o)]++
}

// checkedTurn runs a turn of the planner and returns its answer and what its checks say.
func (x *turns) checkedTurn(
	t *testing.T, question string, change func(sql string) string,
) (analysttest.Message, *analysttest.Sink, map[string]int) {
	t.Helper()
	y, count := *x, &tally{}
	y.config.Checked = count.add
	if change != nil {
		bench, ok := x.config.Workbench.(analyst.ControlledWorkbench)
		require.True(t, ok)
		y.config.Workbench = tampered{bench, change}
	}
	sink, err := y.plan(t, analysttest.Job(question))
	require.NoError(t, err)
	answers := sink.Role(domain.RoleAssistant)
	return answers[len(answers)-1], sink, count.of
}

func TestTurn_Checks(t *testing.T) {
	t.Parallel()
	x := newTurns(t)
	const budgetsAndSalaries = "total budget and total salary by department name"
	wrong := func(of string) func(string) string {
		return func(sql string) string { return strings.Replace(sql, of, "2 * "+of, 1) }
	}

	t.Run("TotalOfSeveralTables", func(t *testing.T) {
		t.Parallel()
		answer, sink, counted := x.checkedTurn(t, budgetsAndSalaries, nil)
		require.Contains(t, answer.Text, "✓ Checked: adds up to the total of its own table.")
		require.Equal(t, domain.GradeCertain, answer.Annotation.Grade, "%v", texts(sink, domain.RoleAssistant))
		require.Equal(t, map[string]int{"total passed": 1}, counted)
		require.Contains(t, answer.Text[answer.Annotation.CaveatsAt:], "✓", "the line stands among the remarks")
	})
	t.Run("WrongTotalIsWithheld", func(t *testing.T) {
		t.Parallel()
		answer, sink, counted := x.checkedTurn(t, budgetsAndSalaries, wrong("sum("))
		require.Contains(t, answer.Text, "I got two different totals for this: the groups add up to 820,000, and the table alone gives 410,000. "+
			"I do not show this result. This is a fault of mine; it has been counted.")
		require.NotContains(t, answer.Text, "500,000")
		require.Equal(t, domain.GradeRefused, answer.Annotation.Grade)
		require.Equal(t, map[string]int{"total failed": 1}, counted)
		require.Equal(t, []domain.AnswerCheck{
			{Kind: domain.CheckRows, Outcome: domain.CheckPassed}, {
				Kind: "total", Outcome: domain.CheckFailed,
				Note: "I got two different totals for this: the groups add up to 820,000, and the table alone gives 410,000.",
			},
		}, answer.Annotation.Checks, "the mark of the grade says which check failed")
		work := sink.Role(domain.RoleUserProxy)[0]
		require.Contains(t, work.Text, "the result is not shown, because a check of its figures failed.")
		require.Equal(t, domain.DisplayPython, work.Objects[0].Type, "the statement stays visible")
		for _, o := range work.Objects {
			require.NotEqual(t, domain.DisplayCSV, o.Type, "the table does not")
		}
	})
	t.Run("WrongCountIsWithheld", func(t *testing.T) {
		t.Parallel()
		answer, _, counted := x.checkedTurn(t, "number of employees by city", wrong("count(*)"))
		require.Contains(t, answer.Text, "I got two different totals for this")
		require.Equal(t, 1, counted["total failed"])
	})
	t.Run("WrongSharesAreWithheld", func(t *testing.T) {
		t.Parallel()
		answer, _, counted := x.checkedTurn(t, "What share of the budget does each city have?", func(sql string) string {
			return strings.Replace(sql, "100.0 * ", "120.0 * ", 1)
		})
		require.Contains(t, answer.Text, "The parts of the whole do not add up: together they make 120 %.")
		require.Equal(t, 1, counted["shares failed"])
	})
	t.Run("SharesAddUp", func(t *testing.T) {
		t.Parallel()
		answer, _, counted := x.checkedTurn(t, "What share of the budget does each city have?", nil)
		require.Contains(t, answer.Text, "the parts make 100 %")
		require.Equal(t, 1, counted["shares passed"])
	})
	t.Run("LevelAtOnePeriod", func(t *testing.T) {
		t.Parallel()
		answer, _, counted := x.checkedTurn(t, "What is our mrr by plan?", nil)
		require.Contains(t, answer.Text, "read at one period, not added up over time")
		require.Equal(t, domain.GradeAssumed, answer.Annotation.Grade, "nobody said that the last month is meant")
		require.Equal(t, 1, counted["level passed"])
	})
	// Figures that do not add up are computed a second time, without the joins.
	for question, of := range map[string]string{
		"median salary by department name":       "median(",
		"average salary by department name":      "avg(",
		"order total per shipping fee by region": "sum(",
	} {
		t.Run(question, func(t *testing.T) {
			t.Parallel()
			answer, _, counted := x.checkedTurn(t, question, nil)
			require.Contains(t, answer.Text, "✓ Checked: the same figures without a join.")
			require.Equal(t, map[string]int{"figures passed": 1}, counted)
			require.Equal(t, domain.GradeCertain, answer.Annotation.Grade)
			answer, _, counted = x.checkedTurn(t, question, wrong(of))
			require.Contains(t, answer.Text, "I computed this in two ways and got different figures: those of all groups together make")
			require.NotContains(t, answer.Text, "highest")
			require.Equal(t, map[string]int{"figures failed": 1}, counted)
			require.Equal(t, domain.GradeRefused, answer.Annotation.Grade)
		})
	}
	t.Run("Asked", func(t *testing.T) {
		t.Parallel()
		for question, want := range map[string]domain.Grade{
			"Why did the budget of Sales drop?": domain.GradeRefused,
			"hello":                             domain.GradeUnsaid,
		} {
			answer, _, counted := x.checkedTurn(t, question, nil)
			require.Equal(t, want, answer.Annotation.Grade, "%s\n%s", question, answer.Text)
			require.Empty(t, counted)
		}
	})
	t.Run("ModelsSendNoChecks", func(t *testing.T) {
		t.Parallel()
		y, count := *x, &tally{}
		y.config.Checked = count.add
		sink, err := y.ask(t, analysttest.Job("budgets?"), func(results []string) (object, string) {
			if len(results) == 0 {
				plan := object{"control": "SELECT 1", "totals": []object{{"column": 0, "control": 0, "size": -1}}}
				return object{"sql": "SELECT sum(budget) FROM departments", "checks": plan}, ""
			}
			return nil, "So much."
		})
		require.NoError(t, err)
		require.Empty(t, count.of)
		require.Equal(t, "So much.", sink.Role(domain.RoleAssistant)[0].Text)
	})
}

func TestTurn_Empty(t *testing.T) {
	t.Parallel()
	x := newTurns(t)
	for question, want := range map[string]string{
		"total shipping fee in 2030":                      "what you asked for lies after that.",
		"total shipping fee in 2001":                      "what you asked for lies before that.",
		"number of orders by customer name in March 2031": "what you asked for lies after that.",
		"list the employees with a salary above 9999999":  "No row meets this condition: salary is above 9999999.",
		"departments with a budget below 5":               "No row meets this condition: budget is below 5.",
		"total salary of Research in Berlin":              "Each condition is met by some rows, but never all of them together",
	} {
		t.Run(question, func(t *testing.T) {
			t.Parallel()
			answer, _, _ := x.checkedTurn(t, question, nil)
			require.Contains(t, answer.Text, want)
			require.NotContains(t, answer.Text, "✓")
		})
	}
	t.Run("NotEmpty", func(t *testing.T) {
		t.Parallel()
		answer, _, _ := x.checkedTurn(t, "total shipping fee in 2025", nil)
		require.NotContains(t, answer.Text, "what you asked for")
		require.NotContains(t, answer.Text, "condition")
	})
}
