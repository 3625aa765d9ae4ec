package main

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/connectors/workbench"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/sqltext"
)

// tenMillion makes a prepared file of ten million order lines with ten columns: a serial id, two keys that repeat, dates,
// texts, a fraction and an amount.
func tenMillion(b *testing.B, path string) domain.DataSource {
	b.Helper()
	db, err := openMemory()
	require.NoError(b, err)
	for _, sql := range []string{
		"SET memory_limit = '2GB'", "ATTACH " + sqltext.QuoteText(path) + " AS work",
		`CREATE TABLE work.main.orders AS SELECT range AS line_id, range // 3 AS order_id, (hash(range // 3) % 1000000)::BIGINT AS customer_id,
			DATE '2020-01-01' + (range // 3 % 2000)::INTEGER AS day, 'SKU-' || hash(range) % 5000 AS sku,
			['north', 'south', 'east', 'west'][(1 + hash(range // 3) % 4)::BIGINT] AS region, (1 + hash(range, 1) % 9)::BIGINT AS quantity,
			(hash(range, 2) % 100000 / 100)::DECIMAL(18,2) AS price, hash(range, 3) % 1000 / 7.0 AS weight,
			['card', 'cash', NULL][(1 + hash(range, 4) % 3)::BIGINT] AS method FROM range(10000000)`,
		"CHECKPOINT work", "DETACH work",
	} {
		require.NoError(b, db.exec(sql), sql)
	}
	source := domain.DataSource{ID: 1, WorkKey: path, Resources: []domain.DataResource{{Table: "orders"}}}
	for _, name := range []string{"line_id", "order_id", "customer_id", "day", "sku", "region", "quantity", "price", "weight", "method"} {
		source.Resources[0].Columns = append(source.Resources[0].Columns, domain.Column{Name: name})
	}
	return source
}

// BenchmarkFacts measures a table of ten million rows and ten columns, in the real worker with its limits.
func BenchmarkFacts(b *testing.B) {
	bench := setup(b, func(c *workbench.Config) { c.Idle = -1 })
	source := tenMillion(b, filepath.Join(bench.dir, "orders.work"))
	// The time of the processor tells what a measurement costs on a machine that does other work as well.
	used := func() time.Duration {
		var all syscall.Rusage
		require.NoError(b, syscall.Getrusage(syscall.RUSAGE_CHILDREN, &all))
		return time.Duration(all.Utime.Nano() + all.Stime.Nano())
	}
	for b.Loop() {
		before := used()
		facts, err := bench.bench.MeasureFacts(b.Context(), &source, nil)
		require.NoError(b, err)
		require.Equal(b, int64(10_000_000), facts.Tables[0].Rows)
		require.Equal(b, []string{"line_id"}, facts.Tables[0].Keys[0])
		b.ReportMetric((used() - before).Seconds(), "s/processor")
		b.Logf("unmeasured: %v; implied: %v", facts.Tables[0].Unmeasured, facts.Tables[0].Implied)
	}
}
