package guard_test

import (
	"bufio"
	"encoding/json"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/guard"
	"parley.dev/parley/domain"
)

// golden is a plan that the real engine created, see cmd/parley-worker/totals_test.go.
type golden struct {
	Verdict string          `json:"verdict"`
	SQL     string          `json:"sql"`
	Plan    json.RawMessage `json:"plan"`
}

func plans(t *testing.T) []golden {
	t.Helper()
	f, err := os.Open("testdata/plans.jsonl")
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close() })
	var out []golden
	for s := bufio.NewReader(f); ; {
		line, err := s.ReadBytes('\n')
		if err != nil {
			break
		}
		var g golden
		require.NoError(t, json.Unmarshal(line, &g))
		out = append(out, g)
	}
	require.Len(t, out, 32)
	return out
}

// schema has the keys of the tables of the plans.
func schema() *guard.Schema {
	var facts []domain.TableFacts
	for table, key := range map[string]string{
		"departments": "department_id", "employees": "employee_id", "orders": "order_id", "order_items": "item_id", "payments": "payment_id",
		"products": "product_id", "customers": "customer_id", "price_list": "product_id",
	} {
		f := domain.TableFacts{Table: table, Rows: 10, Keys: [][]string{{key}}}
		// Names are unique in these tables, too.
		if table == "departments" || table == "products" {
			f.Keys = append(f.Keys, []string{strings.TrimSuffix(table, "s") + "_name"})
		}
		facts = append(facts, f)
	}
	s := guard.NewSchema()
	s.Add("s1", facts, nil)
	return s
}

func word(v guard.Verdict) string {
	switch {
	case len(v.Faults) > 0:
		return string(v.Faults[0].Kind)
	case len(v.Unchecked) > 0:
		return "unchecked"
	}
	return "right"
}

func TestJudge(t *testing.T) {
	t.Parallel()
	for _, g := range plans(t) {
		v := guard.Judge(g.Plan, schema())
		require.Equal(t, g.Verdict, word(v), "%s\n%v", g.SQL, v)
	}
}

// TestJudge_NotMeasured: without facts no total over a join counts as checked, and no result is withheld.
func TestJudge_NotMeasured(t *testing.T) {
	t.Parallel()
	unchecked := 0
	for _, g := range plans(t) {
		v := guard.Judge(g.Plan, guard.NewSchema())
		if word(v) == "unchecked" {
			require.Contains(t, strings.Join(v.Unchecked, " "), "not measured", g.SQL)
			unchecked++
		}
		if g.Verdict != "right" && word(v) == "right" {
			t.Errorf("a wrong total passes without facts: %s", g.SQL)
		}
		if len(v.Faults) > 0 {
			require.Equal(t, "repeated", g.Verdict, "withheld without facts: %s", g.SQL)
		}
	}
	require.Greater(t, unchecked, 10)
}

func TestJudge_Sentences(t *testing.T) {
	t.Parallel()
	all := plans(t)
	first := guard.Judge(all[0].Plan, schema()).Faults
	require.Len(t, first, 1)
	require.Equal(t, "sum(departments.budget)", first[0].Total)
	require.Equal(t, "sum(departments.budget) counts a department once for each of its employees (employees has many rows per department).\n"+
		"Sum budget from departments alone, or aggregate employees by department_id first and join that.", first[0].Model)
	require.Equal(t, "This total counts the budget of a department once for each of its employees.", first[0].People)
	require.Equal(t, `SELECT sum("budget") FROM "s1"."departments"`, first[0].Control.SQL)
	for _, g := range all {
		for _, f := range guard.Judge(g.Plan, schema()).Faults {
			require.NotEmpty(t, f.Model, g.SQL)
			require.NotEmpty(t, f.People, g.SQL)
			require.NotContains(t, f.Model, "…", g.SQL)
			// If another table decides which rows are meant, no figure is exact.
			if strings.Contains(g.SQL, "'Lamp'") {
				require.Nil(t, f.Control, g.SQL)
			}
		}
	}
}

// TestJudge_AnyBytes: a worker has read untrusted files, so a plan may contain anything.
func TestJudge_AnyBytes(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "null", "{}",
		`{"plans":[]}`, `{"plans":[null]}`, `{"plans":[{}]}`, `{"error":true,"plans":[{}]}`, `{"plans":[{"type":"LOGICAL_VALUES"}]}`,
		`{"plans":[{"type":"LOGICAL_NEW","children":[null,{"type":"LOGICAL_PROJECTION","children":[]}]}]}`,
		`{"plans":[` + strings.Repeat(`{"type":"LOGICAL_FILTER","children":[`, 1000) + strings.Repeat(`]}`, 1000) + `]}`,
	} {
		v := guard.Judge([]byte(text), schema())
		require.NotEmpty(t, v.Unchecked, text)
		require.Empty(t, v.Faults, text)
	}
	random := rand.New(rand.NewPCG(3, 4))
	for _, g := range plans(t) {
		for range 60 {
			broken := []byte(string(g.Plan))
			for range 1 + random.IntN(4) {
				broken[random.IntN(len(broken))] = "0123456789{}[],\"n"[random.IntN(17)]
			}
			guard.Judge(broken, schema())
			// If parts of a plan are missing, the rest stays readable.
			var tree any
			require.NoError(t, json.Unmarshal(g.Plan, &tree))
			body, err := json.Marshal(holed(random, tree))
			require.NoError(t, err)
			guard.Judge(body, schema())
		}
	}
}

// holed replaces some parts of a plan with nothing, or with another number.
func holed(r *rand.Rand, node any) any {
	if r.IntN(400) == 0 {
		return nil
	}
	switch n := node.(type) {
	case []any:
		for i := range n {
			n[i] = holed(r, n[i])
		}
	case map[string]any:
		for k := range n {
			n[k] = holed(r, n[k])
		}
	case float64:
		if r.IntN(100) == 0 {
			return float64(r.IntN(40) - 3)
		}
	}
	return node
}

// TestJudge_UnknownOperator: an operator of a later engine is unchecked, whatever is above it.
func TestJudge_UnknownOperator(t *testing.T) {
	t.Parallel()
	for _, g := range plans(t) {
		for _, known := range []string{
			"LOGICAL_COMPARISON_JOIN", "LOGICAL_AGGREGATE_AND_GROUP_BY", "LOGICAL_FILTER", "LOGICAL_DISTINCT", "LOGICAL_WINDOW",
		} {
			if !strings.Contains(string(g.Plan), known) {
				continue
			}
			v := guard.Judge([]byte(strings.ReplaceAll(string(g.Plan), known, "LOGICAL_LATER")), schema())
			require.NotEqual(t, "right", word(v), "%s without %s", g.SQL, known)
		}
	}
}

func TestSchema_Add(t *testing.T) {
	t.Parallel()
	number := func(n int64) *int64 { return &n }
	text := func(s string) *string { return &s }
	s := guard.NewSchema()
	s.Add("s1", []domain.TableFacts{
		// The number of distinct values proves a key that was not tested.
		{Table: "departments", Rows: 3, Columns: []domain.ColumnFacts{
			{Name: "department_id", Distinct: number(3), Min: text("1"), Max: text("3")},
		}},
		{Table: "employees", Rows: 30, Keys: [][]string{{"EMPLOYEE_ID"}}},
	}, nil)
	all := plans(t)
	require.Equal(t, "repeated", word(guard.Judge(all[0].Plan, s)))
	require.Equal(t, "right", word(guard.Judge(all[1].Plan, s)))
}

func TestFault_Line(t *testing.T) {
	t.Parallel()
	today := time.Date(2026, time.November, 23, 0, 0, 0, 0, time.UTC)
	f := guard.Judge(plans(t)[0].Plan, schema()).Faults[0]
	one := func(cells ...any) *domain.ResultSet { return &domain.ResultSet{Rows: [][]any{cells}} }
	said := "⚠ This total counts the budget of a department once for each of its employees."
	require.Equal(t, said, f.Line(nil, today))
	require.Equal(t, said, f.Line(one(nil), today))
	require.Equal(t, said, f.Line(&domain.ResultSet{}, today))
	require.Equal(t, said, f.Line(one(int64(1), int64(2)), today))
	for cell, want := range map[any]string{
		int64(410000): "410,000", 1234.5: "1,234.5", -1000.0: "-1,000", int64(7): "7", 0.001: "0",
		"12345678901234567890": "12,345,678,901,234,567,168",
	} {
		require.Equal(t, said+" The budgets themselves add up to "+want+".", f.Line(one(cell), today))
	}
}
