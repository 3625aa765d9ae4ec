package main

// Statements that add something up, each with what is right about it. The guard judges the plan that the engine makes; the
// oracle knows nothing of plans and keys: it changes one row of the measured table at a time and looks how often the
// change arrives in each cell of the result.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	judging "parley.dev/parley/analyst/guard"
	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/sqltext"
)

// statement is one entry of testdata/totals.
type statement struct {
	line int
	// verdict is right, unchecked, or the kind of the fault.
	verdict string
	// oracle says how to find out, see judge. "-" is only for what cannot be judged.
	oracle []string
	sql    string
	truth  string
}

// readStatements reads a file of statements:
//
//	? verdict oracle
//	SELECT …
//	= SELECT …   what is right, written in another way, for the oracle "truth"
func readStatements(t *testing.T, path string) []statement {
	t.Helper()
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	var out []statement
	line := 0
	for s := bufio.NewScanner(strings.NewReader(string(content))); s.Scan(); {
		line++
		text := strings.TrimSpace(s.Text())
		switch {
		case text == "", strings.HasPrefix(text, "#"):
		case strings.HasPrefix(text, "? "):
			f := strings.Fields(text[2:])
			require.GreaterOrEqual(t, len(f), 2, "line %d", line)
			out = append(out, statement{line: line, verdict: f[0], oracle: f[1:]})
		case strings.HasPrefix(text, "= "):
			out[len(out)-1].truth = text[2:]
		default:
			s := &out[len(out)-1]
			s.sql = strings.TrimSpace(s.sql + " " + text)
		}
	}
	return out
}

// totals is an engine with the small tables of testdata/totals, and what the guard knows of them.
type totals struct {
	db     *database
	names  []string
	facts  []domain.TableFacts
	schema *judging.Schema
}

func newTotals(tb testing.TB) *totals {
	tb.Helper()
	db, err := openMemory()
	require.NoError(tb, err)
	x := &totals{db: db, schema: judging.NewSchema()}
	require.NoError(tb, db.exec("ATTACH ':memory:' AS s1"))
	files, err := filepath.Glob("testdata/totals/tables/*.csv")
	require.NoError(tb, err)
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".csv")
		x.names = append(x.names, name)
		require.NoError(tb, db.exec(fmt.Sprintf("CREATE TABLE s1.main.%s AS SELECT * FROM read_csv(%s)", name, sqltext.QuoteText(f))))
		require.NoError(tb, db.exec(fmt.Sprintf("CREATE VIEW %s AS FROM s1.main.%s", name, name)))
		x.facts = append(x.facts, x.measured(tb, name))
	}
	x.schema.Add("s1", x.facts, saidOf())
	return x
}

// described is what is said about the columns of the tables.
func saidOf() map[string]judging.Described {
	amount, level := judging.Column{Adds: judging.Amount}, judging.Column{Adds: judging.Level, Period: "month"}
	return map[string]judging.Described{
		"departments": {Columns: map[string]judging.Column{"budget": amount}},
		"orders":      {Columns: map[string]judging.Column{"order_total": amount, "shipping_fee": amount}},
		"order_items": {Row: "order line", Columns: map[string]judging.Column{"quantity": amount, "line_amount": amount}},
		"revenue":     {Columns: map[string]judging.Column{"mrr": level, "seats": level, "mrr_change": amount}},
		"price_list":  {Columns: map[string]judging.Column{"price": {Adds: judging.Rate}, "cost": {Adds: judging.Rate}}},
		"films":       {Columns: map[string]judging.Column{"gross": amount}},
		"roles":       {Columns: map[string]judging.Column{"fee": amount}},
		"stock":       {Columns: map[string]judging.Column{"on_hand": {Adds: judging.Level, Period: "day"}, "received": amount}},
		"readings":    {Columns: map[string]judging.Column{"meter_kwh": {Adds: judging.Level, Period: "read_on"}}},
		"warehouses":  {Columns: map[string]judging.Column{"rent": amount}},
		"reps":        {Columns: map[string]judging.Column{"quota": amount}},
		"sales":       {Columns: map[string]judging.Column{"amount": amount}},
		"targets":     {Columns: map[string]judging.Column{"target": amount}},
		"invoices": {Columns: map[string]judging.Column{"amount": {
			Adds: judging.Amount, Barriers: []judging.Barrier{{Column: "currency", Of: "currencies"}},
		}}},
	}
}

// measured finds the minimal keys of up to two columns by trying all of them.
func (x *totals) measured(tb testing.TB, table string) domain.TableFacts {
	tb.Helper()
	f := domain.TableFacts{Table: table}
	one := func(sql string) int64 {
		found, err := x.db.rows(sql)
		require.NoError(tb, err)
		n, err := strconv.ParseInt(found[0][0], 10, 64)
		require.NoError(tb, err)
		return n
	}
	f.Rows = one("SELECT count(*)::VARCHAR FROM s1.main." + table)
	found, err := x.db.rows("SELECT column_name::VARCHAR FROM duckdb_columns() WHERE database_name = 's1' AND table_name = $1 "+
		"ORDER BY column_index", table)
	require.NoError(tb, err)
	var names []string
	for _, r := range found {
		ends, err := x.db.rows(fmt.Sprintf("SELECT min(%[1]s)::VARCHAR, max(%[1]s)::VARCHAR FROM s1.main.%[2]s", r[0], table))
		require.NoError(tb, err)
		n := one(fmt.Sprintf("SELECT count(DISTINCT %s)::VARCHAR FROM s1.main.%s", r[0], table))
		f.Columns = append(f.Columns, domain.ColumnFacts{Name: r[0], Distinct: &n, Min: &ends[0][0], Max: &ends[0][1]})
		names = append(names, r[0])
		if n == f.Rows {
			f.Keys = append(f.Keys, []string{r[0]})
		}
	}
	for i, a := range names {
		for _, b := range names[i+1:] {
			held := slices.ContainsFunc(f.Keys, func(k []string) bool { return len(k) == 1 && (k[0] == a || k[0] == b) })
			if !held && one(fmt.Sprintf("SELECT count(DISTINCT (%s, %s))::VARCHAR FROM s1.main.%s", a, b, table)) == f.Rows {
				f.Keys = append(f.Keys, []string{a, b})
			}
		}
	}
	x.addRecent(tb, &f)
	return f
}

// addRecent measures the last periods of a table that has a row for each thing and period, as facts_panel.go does.
func (x *totals) addRecent(tb testing.TB, f *domain.TableFacts) {
	tb.Helper()
	for _, k := range f.Keys {
		if len(k) != 2 {
			continue
		}
		period := slices.IndexFunc(k, func(c string) bool { return c == "day" || c == "month" })
		if period < 0 {
			continue
		}
		f.Panel = &domain.PanelFacts{Entity: []string{k[1-period]}, Period: k[period]}
		found, err := x.db.rows(fmt.Sprintf("SELECT %[1]s::VARCHAR FROM s1.main.%[2]s GROUP BY %[1]s ORDER BY %[1]s", k[period], f.Table))
		require.NoError(tb, err)
		for _, r := range found {
			f.Panel.Recent = append(f.Panel.Recent, domain.PeriodFacts{Period: r[0]})
		}
		return
	}
}

// placeOf returns the place of the column t in the result of a statement. It depends on the statement alone, so it is read
// once and not for each change of a row: describing a statement takes about as long as running it on these small tables.
func (x *totals) placeOf(tb testing.TB, sql string) int {
	tb.Helper()
	found, err := x.db.rows("SELECT COLUMNS(*)::VARCHAR FROM (DESCRIBE " + sql + ")")
	require.NoError(tb, err, sql)
	at := slices.IndexFunc(found, func(r []string) bool { return r[0] == "t" })
	require.GreaterOrEqual(tb, at, 0, "no column t in %s", sql)
	return at
}

// cells runs a statement and returns the column t, which is at a place, as numbers by the columns before it.
func (x *totals) cells(tb testing.TB, sql string, at int) map[string]float64 {
	tb.Helper()
	rows, err := x.db.rows("SELECT COLUMNS(*)::VARCHAR FROM (" + sql + ")")
	require.NoError(tb, err, sql)
	out := map[string]float64{}
	times := map[string]int{}
	for _, r := range rows {
		key := strings.Join(r[:at], "|")
		// Windows have several rows with the same beginning, in the order of the table.
		times[key]++
		key += "#" + strconv.Itoa(times[key])
		if r[at] == "" {
			continue
		}
		n, err := strconv.ParseFloat(r[at], 64)
		require.NoError(tb, err, sql)
		out[key] = n
	}
	return out
}

// changed runs a statement while one row of a table is changed.
func (x *totals) changed(tb testing.TB, change, sql string, at int) map[string]float64 {
	tb.Helper()
	require.NoError(tb, x.db.exec("BEGIN"))
	defer func() { require.NoError(tb, x.db.exec("ROLLBACK")) }()
	require.NoError(tb, x.db.exec(change))
	return x.cells(tb, sql, at)
}

// bump is added to a value. It is large, so that rounding does not hide it.
const bump = 1 << 20

// weights says for each cell how often each row of a table is in it.
func (x *totals) weights(tb testing.TB, table, column, sql string) map[string]map[int]float64 {
	tb.Helper()
	at := x.placeOf(tb, sql)
	before := x.cells(tb, sql, at)
	out := map[string]map[int]float64{}
	rows := x.rowsOf(tb, table)
	for _, r := range rows {
		change := fmt.Sprintf("UPDATE s1.main.%s SET %s = %s + %d WHERE rowid = %d", table, column, column, bump, r)
		if column == "*" {
			change = fmt.Sprintf("DELETE FROM s1.main.%s WHERE rowid = %d", table, r)
		}
		after := x.changed(tb, change, sql, at)
		for key, n := range before {
			weight := (after[key] - n) / bump
			if column == "*" {
				weight = n - after[key]
			}
			if math.Abs(weight) < 1e-9 {
				continue
			}
			if out[key] == nil {
				out[key] = map[int]float64{}
			}
			out[key][r] = weight
		}
	}
	return out
}

func (x *totals) rowsOf(tb testing.TB, table string) []int {
	tb.Helper()
	found, err := x.db.rows("SELECT rowid::VARCHAR FROM s1.main." + table + " ORDER BY rowid")
	require.NoError(tb, err)
	var out []int
	// Of a longer table some rows are enough.
	for i := 0; i < len(found); i += 1 + (len(found)-1)/60 {
		n, err := strconv.Atoi(found[i][0])
		require.NoError(tb, err)
		out = append(out, n)
	}
	return out
}

// near compares two numbers that may be rounded.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*(1+math.Abs(a)+math.Abs(b)) }

// right is the oracle. Its first word says what a right total does with a row:
//
//	sum table.column          adds it once
//	avg table.column          gives it the weight of every other row
//	rows table                counts it once; "rows *": the rows of some table
//	per table.column e        adds each e (a column of the table) once at most
//	apart table.column e      has no two different e in a cell
//	alone table.column        has no second row in a cell
//	truth                     is what another statement says
func (x *totals) right(tb testing.TB, s *statement) bool {
	tb.Helper()
	if s.oracle[0] == "truth" {
		return x.same(tb, s.sql, s.truth)
	}
	if s.oracle[0] == "rows" {
		tables := []string{s.oracle[1]}
		if tables[0] == "*" {
			tables = x.names
		}
		return slices.ContainsFunc(tables, func(t string) bool { return strings.Contains(s.sql, t) && x.counts(tb, t, s.sql) })
	}
	table, column, _ := strings.Cut(s.oracle[1], ".")
	weights := x.weights(tb, table, column, s.sql)
	require.NotEmpty(tb, weights, "line %d: no row of %s changes anything", s.line, table)
	for _, cell := range weights {
		if !x.fair(tb, s, table, cell) {
			return false
		}
	}
	return true
}

// counts reports whether each row of a table is counted once, and some are.
func (x *totals) counts(tb testing.TB, table, sql string) bool {
	tb.Helper()
	weights := x.weights(tb, table, "*", sql)
	for _, cell := range weights {
		for _, w := range cell {
			if !near(w, 1) {
				return false
			}
		}
	}
	return len(weights) > 0
}

// fair judges the weights of the rows in one cell.
func (x *totals) fair(tb testing.TB, s *statement, table string, cell map[int]float64) bool {
	tb.Helper()
	first, entities := 0.0, map[string]float64{}
	for row, w := range cell {
		w = math.Abs(w)
		if first == 0 {
			first = w
		}
		switch s.oracle[0] {
		case "avg":
			if !near(w, first) {
				return false
			}
			continue
		case "alone":
			if len(cell) > 1 && near(w, 1) {
				return false
			}
			continue
		}
		if !near(w, 1) {
			return false
		}
		if len(s.oracle) > 2 {
			found, err := x.db.rows(fmt.Sprintf("SELECT %s::VARCHAR FROM s1.main.%s WHERE rowid = %d", s.oracle[2], table, row))
			require.NoError(tb, err)
			entities[found[0][0]] += w
		}
	}
	if s.oracle[0] == "apart" {
		return len(entities) < 2
	}
	for _, w := range entities {
		if w > 1+1e-6 {
			return false
		}
	}
	return true
}

// same compares the results of two statements, without regard to the order of rows.
func (x *totals) same(tb testing.TB, a, b string) bool {
	tb.Helper()
	read := func(sql string) [][]string {
		rows, err := x.db.rows("SELECT COLUMNS(*)::VARCHAR FROM (" + sql + ")")
		require.NoError(tb, err, sql)
		for _, r := range rows {
			for i, c := range r {
				if n, err := strconv.ParseFloat(c, 64); err == nil {
					r[i] = strconv.FormatFloat(n, 'g', 6, 64)
				}
			}
		}
		slices.SortFunc(rows, slices.Compare)
		return rows
	}
	return slices.EqualFunc(read(a), read(b), slices.Equal)
}

// judged returns the verdict of the guard in one word.
func (x *totals) judged(tb testing.TB, sql string) (string, judging.Verdict) {
	tb.Helper()
	plan, missing := planOf(x.db, sql, 1<<20)
	if missing != "" {
		return "unchecked", judging.Verdict{Unchecked: []string{missing}}
	}
	v := judging.Judge(plan, x.schema)
	switch {
	case len(v.Faults) > 0:
		return string(v.Faults[0].Kind), v
	case len(v.Unchecked) > 0:
		return "unchecked", v
	}
	return "right", v
}

func TestTotals(t *testing.T) {
	t.Parallel()
	x := newTotals(t)
	files, err := filepath.Glob("testdata/totals/*.sql")
	require.NoError(t, err)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".sql"), func(t *testing.T) {
			for _, s := range readStatements(t, file) {
				t.Run(strconv.Itoa(s.line), func(t *testing.T) {
					got, v := x.judged(t, s.sql)
					require.Equal(t, s.verdict, got, "%s\n%v", s.sql, v)
					if s.oracle[0] == "-" {
						require.Equal(t, "unchecked", got, "only what cannot be judged needs no oracle")
						return
					}
					right := x.right(t, &s)
					if s.verdict == "unchecked" {
						return
					}
					require.Equal(t, s.verdict == "right", right, "the oracle disagrees: %s", s.sql)
				})
			}
		})
	}
}

// TestTotals_NotMeasured: without facts a total that counts rows twice does not pass as checked, and no right one is
// withheld. What a column adds up to is not known then, so levels and rates pass.
func TestTotals_NotMeasured(t *testing.T) {
	t.Parallel()
	x := newTotals(t)
	files, err := filepath.Glob("testdata/totals/*.sql")
	require.NoError(t, err)
	x.schema = judging.NewSchema()
	for _, file := range files {
		for _, s := range readStatements(t, file) {
			got, v := x.judged(t, s.sql)
			switch s.verdict {
			case "right":
				require.Contains(t, []string{"right", "unchecked"}, got, "%s line %d: %s\n%v", file, s.line, s.sql, v)
			case "repeated", "distinct":
				require.NotEqual(t, "right", got, "%s line %d: %s", file, s.line, s.sql)
			}
		}
	}
}

// update writes testdata again, after an engine with other plans was looked at.
var update = flag.Bool("update", false, "write the golden plans again")

// golden is one line of analyst/guard/testdata/plans.jsonl.
type golden struct {
	Verdict string          `json:"verdict"`
	SQL     string          `json:"sql"`
	Plan    json.RawMessage `json:"plan"`
}

// TestPlans_Golden compares the plans of the statements of the design with those that the guard was written for. The tests
// of package guard use the same file.
func TestPlans_Golden(t *testing.T) {
	t.Parallel()
	x := newTotals(t)
	path := filepath.Join("..", "..", "analyst", "guard", "testdata", "plans.jsonl")
	list := readStatements(t, "testdata/totals/design.sql")
	require.Len(t, list, 32)
	var made bytes.Buffer
	for _, s := range list {
		plan, missing := planOf(x.db, s.sql, 1<<20)
		require.Empty(t, missing)
		var tree any
		require.NoError(t, json.Unmarshal(plan, &tree))
		body, err := json.Marshal(stripped(tree))
		require.NoError(t, err)
		// The guard must need nothing of what is stripped.
		require.Equal(t, judging.Judge(plan, x.schema), judging.Judge(body, x.schema), s.sql)
		line, err := json.Marshal(golden{Verdict: s.verdict, SQL: s.sql, Plan: body})
		require.NoError(t, err)
		made.Write(append(line, '\n'))
	}
	if *update {
		require.NoError(t, os.WriteFile(path, made.Bytes(), 0o600))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), made.String(), "the engine makes other plans: look at them, then run the test with -update")
}

// stripped removes from a plan what says nothing about its meaning.
func stripped(node any) any {
	switch n := node.(type) {
	case []any:
		for i := range n {
			n[i] = stripped(n[i])
		}
	case map[string]any:
		for _, key := range []string{
			"query_location", "returned_types", "extra_info", "alias", "type_info", "original_arguments", "has_serialize", "arguments",
			"catalog_name", "schema_name", "ordinality_idx", "row_group_order_options", "table_filters", "position", "distinct_validity",
			"index_type", "has_index", "field", "child_indexes", "mark_types", "is_index_scan", "is_create_index", "result_ids", "delim_flipped",
		} {
			delete(n, key)
		}
		for k, v := range n {
			if v == nil {
				delete(n, k)
				continue
			}
			n[k] = stripped(v)
		}
	}
	return node
}

// TestQuery_Plan asks the real program behind its walls.
func TestQuery_Plan(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s, _ := b.prepare(t, "departments.csv", "department_id,budget\n1,100\n2,250\n")
	result := b.query(t, "SELECT sum(budget) FROM departments", s)
	require.Empty(t, result.Plan.Missing)
	root := string(result.Plan.JSON)
	require.Contains(t, root, `"table":"departments"`)
	require.Contains(t, root, fmt.Sprintf(`"catalog":"s%d"`, s.ID))
	require.Equal(t, int64(350), result.Rows[0][0])

	// The function stays refused inside a statement.
	_, err := b.bench.Query(t.Context(), []domain.DataSource{s}, "SELECT json_serialize_plan('SELECT 1')")
	require.ErrorContains(t, err, "not available")
}

func TestPlanOf(t *testing.T) {
	t.Parallel()
	db, err := openMemory()
	require.NoError(t, err)
	plan, missing := planOf(db, "SELECT 1", 1<<20)
	require.Empty(t, missing)
	require.Contains(t, string(plan), "LOGICAL_PROJECTION")
	_, missing = planOf(db, "SELECT 1", 10)
	require.Equal(t, "its plan is too long", missing)
	require.NoError(t, db.exec("CREATE TABLE t(a INT, b INT)"))
	_, missing = planOf(db, "PIVOT t ON a USING sum(b)", 1<<20)
	require.Equal(t, "PIVOT", missing)
	_, missing = planOf(db, "SELECT nothing", 1<<20)
	require.Equal(t, "the engine made no plan", missing)
	// A statement is answered also without a plan.
	r, err := query(db, frame.Query{SQL: "SELECT 1", Plan: 10, Caps: frame.Caps{Rows: 1, Columns: 1, Bytes: 100, Cell: 10}, Millis: 60_000})
	require.NoError(t, err)
	require.Equal(t, "[[1]]", string(r.Rows))
	require.Equal(t, "its plan is too long", r.Unplanned)
}

// BenchmarkPlan measures what the check adds to a query: the plan in the worker, and its judgement in the node.
func BenchmarkPlan(b *testing.B) {
	x := newTotals(b)
	for name, sql := range map[string]string{
		"one":  "SELECT city, sum(budget) FROM departments GROUP BY 1",
		"join": "SELECT department_name, sum(budget), sum(salary) FROM employees JOIN departments USING (department_id) GROUP BY 1",
		"four": "SELECT region, product_name, sum(line_amount), count(*) FROM orders JOIN customers USING (customer_id) JOIN order_items USING " +
			"(order_id) JOIN products USING (product_id) WHERE tier = 'Gold' GROUP BY 1, 2 HAVING count(*) > 1 ORDER BY 3 DESC LIMIT 10",
		"drill": "WITH o AS (SELECT region, sum(order_total) a FROM orders JOIN customers USING (customer_id) GROUP BY 1), p AS (SELECT " +
			"region, sum(paid_amount) b FROM payments JOIN orders USING (order_id) JOIN customers USING (customer_id) GROUP BY 1) SELECT region, " +
			"a, b FROM o JOIN p USING (region)",
		"stack": "WITH o AS (SELECT region, sum(order_total) a FROM orders JOIN customers USING (customer_id) GROUP BY 1), p AS (SELECT " +
			"region, sum(paid_amount) b FROM payments JOIN orders USING (order_id) JOIN customers USING (customer_id) GROUP BY 1), s AS (" +
			"SELECT region, a, NULL AS b FROM o UNION ALL SELECT region, NULL, b FROM p) SELECT region, max(a), max(b), max(a) / " +
			"sum(max(a)) OVER () FROM s GROUP BY 1",
	} {
		b.Run(name+"/plan", func(b *testing.B) {
			for b.Loop() {
				_, missing := planOf(x.db, sql, 1<<20)
				require.Empty(b, missing)
			}
		})
		plan, _ := planOf(x.db, sql, 1<<20)
		b.Run(name+"/judge", func(b *testing.B) {
			b.ReportMetric(float64(len(plan)), "bytes/plan")
			for b.Loop() {
				judging.Judge(plan, x.schema)
			}
		})
	}
}
