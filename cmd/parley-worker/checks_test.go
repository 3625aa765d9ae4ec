package main

// The checks of an answer, over random questions: they never fail for a right result, and they do for a wrong one.

import (
	"encoding/json"
	"math"
	"testing"

	duckdb "github.com/duckdb/duckdb-go-bindings"
	"github.com/stretchr/testify/require"

	checking "parley.dev/parley/analyst/check"
	tree "parley.dev/parley/analyst/query"
	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/domain"
)

// checked counts what the checks of random questions say.
type checked struct {
	outcomes map[string]int
	// planted are totals that were made wrong, each of which must be found; explained are empty results with a reason.
	planted, empty, explained int
	// again are those of the planted ones that do not add up, such as medians and ratios.
	again int
}

// resultOf runs a statement and returns its result with numbers as numbers.
func (x *totals) resultOf(tb testing.TB, sql string) *domain.ResultSet {
	tb.Helper()
	var statement duckdb.PreparedStatement
	defer duckdb.DestroyPrepare(&statement)
	require.NotEqual(tb, duckdb.StateError, duckdb.Prepare(x.db.conn, sql, &statement), "%s\n%s", duckdb.PrepareError(statement), sql)
	found, err := collect(statement, frame.Caps{Rows: 100_000, Columns: 1000, Bytes: 1 << 26, Cell: 1000})
	require.NoError(tb, err, sql)
	out := &domain.ResultSet{}
	require.NoError(tb, json.Unmarshal(found.Rows, &out.Rows))
	return out
}

// check judges the right result of a question, and wrong ones that are made of it.
func (c *checked) check(tb testing.TB, x *totals, ask tree.Ask, s tree.Statement, name string) {
	tb.Helper()
	plan, err := checking.New(ask, tree.DuckDB(), nil, s)
	require.NoError(tb, err, name)
	result := x.resultOf(tb, s.SQL)
	var control *domain.ResultSet
	if plan.Control != "" {
		control = x.resultOf(tb, plan.Control)
		require.Len(tb, control.Rows, 1, "%s\n%s", name, plan.Control)
	}
	report := plan.Judge(result, control)
	require.Empty(tb, report.Failures, "a false alarm: %s\n%s\n%s", name, s.SQL, plan.Control)
	report.Outcomes(func(k checking.Kind, o checking.Outcome) { c.outcomes[string(k)+" "+string(o)]++ })
	for _, t := range plan.Totals {
		c.plant(tb, plan, result, control, t.Column, name)
	}
	for _, a := range plan.Again {
		c.again += c.plant(tb, plan, result, control, a.Column, name)
	}
	if plan.Probe != nil && plan.Empty(result) {
		c.empty++
		if plan.Probe.Explain(x.resultOf(tb, plan.Probe.SQL)) != "" {
			c.explained++
		}
	}
}

// plant makes one value of a figure half as high again, as a join that repeats rows would, and returns how many it has changed.
func (c *checked) plant(tb testing.TB, plan *checking.Plan, result, control *domain.ResultSet, column int, name string) int {
	tb.Helper()
	for i, row := range result.Rows {
		n, ok := row[column].(float64)
		if !ok || n == 0 || math.Abs(n) > 1e15 {
			continue
		}
		wrong := &domain.ResultSet{Rows: append([][]any{}, result.Rows...)}
		wrong.Rows[i] = append([]any{}, row...)
		wrong.Rows[i][column] = n * 1.5
		report := plan.Judge(wrong, control)
		require.NotEmpty(tb, report.Failures, "a wrong figure passes: %s\n%s", name, plan.Control)
		c.planted++
		return 1
	}
	return 0
}
