package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"parley.dev/parley/connectors/workbench"
	"parley.dev/parley/domain"
)

func TestWorker_PrepareAndQuery(t *testing.T) {
	t.Parallel()
	b := setup(t)
	source, info := b.prepare(t, "sales_2025.csv",
		"Order Date,Region,Net Revenue,Units\n2025-01-03,North,\"$1,200.50\",3\n2025-02-04,South,$80.25,1\n2025-02-05,North,$19.25,\n")
	require.Equal(t, "sales_2025", info.Name)
	require.Equal(t, "3 rows of sales 2025 with 4 columns: Order Date, Region, Net Revenue and Units. Order Date is from 3 January 2025 to "+
		"5 February 2025. Region is North or South.", info.Description)
	table := info.Resources[0]
	require.Equal(t, int64(3), table.Rows)
	require.Equal(t, "Order Date,Region,Net "+
		"Revenue,Units\n2025-01-03,North,\"$1,200.50\",3\n2025-02-04,South,$80.25,1\n2025-02-05,North,$19.25,\n", table.Preview)
	require.Equal(t, []domain.Column{
		{
			Name: "order_date", Type: domain.ColumnDate, DatabaseType: "DATE", Distinct: 3, Min: "2025-01-03", Max: "2025-02-05",
			Description: "Order Date",
		},
		{
			Name: "region", Type: domain.ColumnText, DatabaseType: "VARCHAR", Distinct: 2, Min: "North", Max: "South",
			Values: []string{"North", "South"}, Description: "Region",
		},
		{
			Name: "net_revenue", Type: domain.ColumnNumber, DatabaseType: "DECIMAL(18,2)", Distinct: 3, Min: "19.25", Max: "1200.50",
			Description: "Net Revenue, in $",
		},
		{Name: "units", Type: domain.ColumnInteger, DatabaseType: "BIGINT", Distinct: 2, Nulls: 1, Min: "1", Max: "3", Description: "Units"},
	}, table.Columns)

	r := b.query(t, "SELECT region, sum(net_revenue) AS revenue, count(units) AS n FROM sales_2025 GROUP BY region ORDER BY revenue DESC",
		source)
	require.Equal(t, [][]any{{"North", 1219.75, int64(1)}, {"South", 80.25, int64(1)}}, r.Rows)
	require.False(t, r.Truncated)
	require.Positive(t, r.Elapsed)
}

func TestWorker_Inspect(t *testing.T) {
	t.Parallel()
	b := setup(t)
	path := filepath.Join(b.dir, "upload")
	require.NoError(t, os.WriteFile(path, []byte("a,b\n1,x\n"), 0o600))
	info, err := b.bench.InspectCSV(t.Context(), path, "things", "auto")
	require.NoError(t, err)
	require.Equal(t, "1 row of things with 2 columns: A and B.", info.Description)
	left, err := filepath.Glob(filepath.Join(b.dir, "*"))
	require.NoError(t, err)
	require.ElementsMatch(t, []string{path, filepath.Join(b.dir, "bench")}, left)
}

// TestWorker_Cells: each type has the form that domain.ResultSet documents.
func TestWorker_Cells(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for sql, want := range map[string]struct {
		cell any
		kind domain.ColumnType
	}{
		"NULL":                                 {nil, domain.ColumnInteger},
		"true":                                 {true, domain.ColumnBoolean},
		"42::TINYINT":                          {int64(42), domain.ColumnInteger},
		"-9223372036854775808":                 {int64(-9223372036854775808), domain.ColumnInteger},
		"18446744073709551615::UBIGINT":        {1.8446744073709552e19, domain.ColumnInteger},
		"sum(7)":                               {int64(7), domain.ColumnInteger},
		"-1::HUGEINT":                          {int64(-1), domain.ColumnInteger},
		"1.10::DECIMAL(4,2)":                   {1.1, domain.ColumnNumber},
		"-123456789012.345::DECIMAL(30,3)":     {-123456789012.345, domain.ColumnNumber},
		"12::DECIMAL(18,0)":                    {int64(12), domain.ColumnInteger},
		"0.1::FLOAT":                           {0.1, domain.ColumnNumber},
		"2.5::DOUBLE":                          {2.5, domain.ColumnNumber},
		"'nan'::DOUBLE":                        {nil, domain.ColumnNumber},
		"'infinity'::DOUBLE":                   {nil, domain.ColumnNumber},
		"'héé 日本'":                             {"héé 日本", domain.ColumnText},
		"''":                                   {"", domain.ColumnText},
		"'\\x00a'::BLOB":                       {"0061", domain.ColumnText},
		"DATE '1969-12-31'":                    {"1969-12-31", domain.ColumnDate},
		"TIMESTAMP '2024-02-29 23:59:59.25'":   {"2024-02-29T23:59:59.25", domain.ColumnTime},
		"TIMESTAMPTZ '2024-01-01 01:00:00+02'": {"2023-12-31T23:00:00Z", domain.ColumnTime},
		"TIMESTAMP_NS '2024-01-01 00:00:00.000000001'": {"2024-01-01T00:00:00.000000001", domain.ColumnTime},
		"TIME '01:02:03'":                              {"01:02:03", domain.ColumnText},
		"INTERVAL '14 months 3 days 1.5 seconds'":      {"P1Y2M3DT1.5S", domain.ColumnText},
		"'0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0'::UUID": {"0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0", domain.ColumnText},
		"'b'::ENUM('a', 'b')":                          {"b", domain.ColumnText},
		"[1, NULL, 3]":                                 {"[1, NULL, 3]", domain.ColumnText},
		"[['a'], []]":                                  {"[[a], []]", domain.ColumnText},
		"{'a': 1, 'b': [2]}":                           {"{a: 1, b: [2]}", domain.ColumnText},
		"MAP {'k': 1.5}":                               {"{k=1.5}", domain.ColumnText},
		"date_trunc('month', DATE '2024-05-17')::DATE": {"2024-05-01", domain.ColumnDate},
		"date_trunc('month', TIMESTAMP '2024-05-17')":  {"2024-05-01T00:00:00", domain.ColumnTime},
		"extract('year' FROM DATE '2024-05-17')":       {int64(2024), domain.ColumnInteger},
		"1 / 4":                                        {0.25, domain.ColumnNumber},
		"round(100.0 * 1 / 3, 1)":                      {33.3, domain.ColumnNumber},
	} {
		t.Run(sql, func(t *testing.T) {
			r := b.query(t, "SELECT "+sql+" AS v")
			require.Equal(t, want.cell, r.Rows[0][0])
			require.Equal(t, want.kind, r.Columns[0].Type)
		})
	}
	t.Run("ErrNoCellForm", func(t *testing.T) {
		_, err := b.bench.Query(t.Context(), nil, "SELECT '101'::BIT AS flags")
		require.ErrorContains(t, err, "The column flags is of type BIT; cast it to VARCHAR.")
		for _, nested := range []string{"MAP {'a': '101'::BIT}", "MAP {'101'::BIT: 'a'}", "['101'::BIT]", "{'a': MAP {'b': '101'::BIT}}"} {
			_, err := b.bench.Query(t.Context(), nil, "SELECT "+nested+" AS flags")
			require.ErrorContains(t, err, "cast it to VARCHAR.", nested)
		}
	})
}

// TestWorker_Names: tables have the names that analyst.Tables returns.
func TestWorker_Names(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, _ := b.prepare(t, "sales.csv", "a\n1\n")
	second, _ := b.prepare(t, "sales.csv", "a\n2\n")
	third, _ := b.prepare(t, "costs.csv", "a\n3\n")
	r := b.query(t, "SELECT w.a, x.a, y.a, z.a FROM s1.sales w, s2.sales x, costs y, s3.costs z", first, second, third, first)
	require.Equal(t, []any{int64(1), int64(2), int64(3), int64(3)}, r.Rows[0])
	_, err := b.bench.Query(t.Context(), []domain.DataSource{first, second}, "FROM sales")
	require.ErrorContains(t, err, "sales")
	require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
}

// TestWorker_Caps: a result that was cut says so.
func TestWorker_Caps(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *workbench.Config) { c.Rows, c.Bytes = 100, 1000 })
	r := b.query(t, "SELECT 1 FROM range(100)")
	require.Len(t, r.Rows, 100)
	require.False(t, r.Truncated)
	r = b.query(t, "SELECT 1 FROM range(101)")
	require.Len(t, r.Rows, 100)
	require.True(t, r.Truncated)
	r = b.query(t, "SELECT repeat('é', 100) FROM range(50)")
	require.Len(t, r.Rows, 4)
	require.True(t, r.Truncated)
	_, err := b.bench.Query(t.Context(), nil, "SELECT "+strings.TrimSuffix(strings.Repeat("1,", 501), ","))
	require.ErrorContains(t, err, "501 columns")
	r = b.query(t, "SELECT 1 AS a WHERE false")
	require.Equal(t, [][]any{}, r.Rows)
}

// TestWorker_Cancel is G10: a query that is cancelled ends long before its deadline.
func TestWorker_Cancel(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *workbench.Config) { c.Deadline = time.Minute })
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(t.Context())
	var at time.Time
	time.AfterFunc(300*time.Millisecond, func() {
		at = time.Now()
		cancel(stopped)
	})
	_, err := b.bench.Query(ctx, nil, "SELECT count(*) FROM range(1000000) a, range(1000000) b")
	require.ErrorIs(t, err, stopped)
	require.Less(t, time.Since(at), 30*time.Second, "the query must end well before its deadline")
}

// TestWorker_Deadline: a query ends at its deadline. If the engine cannot interrupt it, its process is killed.
func TestWorker_Deadline(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *workbench.Config) { c.Deadline = time.Second })
	for _, sql := range []string{
		"SELECT count(*) FROM range(1000000) a, range(1000000) b",
		"SELECT levenshtein(repeat('a', 100000), repeat('b', 100000))",
	} {
		started := time.Now()
		_, err := b.bench.Query(t.Context(), nil, sql)
		require.Equal(t, domain.CodeInvalid, domain.CodeOf(err), "%v", err)
		require.Regexp(t, "took (longer than 1s|too long)", err.Error())
		require.Less(t, time.Since(started), 30*time.Second, sql)
	}
}

// TestWorker_Bombs: the memory of the node does not grow, no matter how much memory a query needs.
//
//nolint:paralleltest // it measures the memory of the whole process
func TestWorker_Bombs(t *testing.T) {
	b := setup(t, func(c *workbench.Config) { c.Deadline = 5 * time.Second })
	resident := func() int {
		runtime.GC()
		kb, err := strconv.Atoi(strings.TrimSuffix(proc(t, os.Getpid(), "status", "VmRSS"), " kB"))
		require.NoError(t, err)
		return kb >> 10
	}
	before := resident()
	for _, sql := range []string{
		"SELECT repeat('x', 4000000000)", "SELECT list(range) FROM range(2000000000)",
		"SELECT string_agg(repeat('x', 1000000), '') FROM range(100000)", "SELECT * FROM range(100000000) ORDER BY hash(range)",
		"SELECT repeat('x', 100000) FROM range(1000)", "SELECT * FROM range(100000000)",
	} {
		_, err := b.bench.Query(t.Context(), nil, sql)
		require.Contains(t, []domain.Code{"", domain.CodeInvalid}, domain.CodeOf(err))
	}
	require.Less(t, resident()-before, 100)
}

// TestWorker_Crowd: if there are more queries than workers, the queries wait, and all are answered.
func TestWorker_Crowd(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *workbench.Config) { c.Workers, c.Idle, c.Wait = 3, 2, time.Minute })
	source, _ := b.prepare(t, "t.csv", "a\n1\n2\n")
	var crowd sync.WaitGroup
	errs := make(chan error, 40)
	for i := range cap(errs) {
		crowd.Go(func() {
			r, err := b.bench.Query(t.Context(), []domain.DataSource{source}, fmt.Sprintf("SELECT sum(a) + %d AS s FROM t", i))
			if err == nil && r.Rows[0][0] != int64(3+i) {
				err = fmt.Errorf("answer %v to question %d", r.Rows, i)
			}
			errs <- err
		})
	}
	crowd.Wait()
	close(errs)
	for err := range errs {
		require.NoError(t, err)
	}
}

// TestWorker_RoundTrip: a query reads the values that are in the CSV file.
func TestWorker_RoundTrip(t *testing.T) {
	t.Parallel()
	b := setup(t)
	rapid.Check(t, func(r *rapid.T) {
		rows := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) [4]any {
			return [4]any{
				rapid.Int64Range(-1e12, 1e12).Draw(r, "integer"),
				float64(rapid.IntRange(-1e8, 1e8).Draw(r, "cents")) / 100,
				rapid.StringMatching(`[a-zé"',; ]{0,10}x`).Draw(r, "text"),
				time.Unix(rapid.Int64Range(-2e9, 4e9).Draw(r, "day"), 0).UTC().Format(time.DateOnly),
			}
		}), 1, 30).Draw(r, "rows")
		var text strings.Builder
		text.WriteString("id,cents,words,day\n")
		want := make([][]any, len(rows))
		for i, row := range rows {
			words := row[2].(string)
			fmt.Fprintf(&text, "%d,%.2f,\"%s\",%s\n", row[0], row[1], strings.ReplaceAll(words, `"`, `""`), row[3])
			want[i] = []any{row[0], row[1], strings.TrimSpace(words), row[3]}
		}
		source, _ := b.prepare(t, "t.csv", text.String())
		require.Equal(r, want, b.query(t, "SELECT * FROM t", source).Rows)
	})
}
