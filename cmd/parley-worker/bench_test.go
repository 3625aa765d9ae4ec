package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/connectors/workbench"
	"parley.dev/parley/domain"
)

// million writes a CSV file of orders with a million rows and six columns.
func million(b *testing.B, path string) {
	b.Helper()
	f, err := os.Create(path)
	require.NoError(b, err)
	w := bufio.NewWriter(f)
	random := rand.New(rand.NewPCG(1, 2))
	start := time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC)
	_, _ = w.WriteString("Order,Date,Region,Product,Units,Revenue\n") // Flush returns the error
	for i := range 1_000_000 {
		_, _ = fmt.Fprintf(w, "O-%06d,%s,Region %d,Product %d,%d,%.2f\n", i,
			start.AddDate(0, 0, random.IntN(1000)).Format(time.DateOnly), random.IntN(8), random.IntN(200), random.IntN(50), random.Float64()*1000)
	}
	require.NoError(b, w.Flush())
	require.NoError(b, f.Close())
}

func prepareMillion(b *testing.B, bench *bundle) domain.DataSource {
	b.Helper()
	path := filepath.Join(bench.dir, "orders.csv")
	million(b, path)
	started := time.Now()
	info, err := bench.csv.Prepare(b.Context(), path, "orders.csv", path+".work", domain.FileOptions{})
	require.NoError(b, err)
	b.ReportMetric(time.Since(started).Seconds(), "s/prepare")
	return domain.DataSource{ID: 1, WorkKey: path + ".work", Resources: info.Resources}
}

// BenchmarkQuery runs queries over a table of a million rows. Each query has its own process, as in production.
func BenchmarkQuery(b *testing.B) {
	bench := setup(b, func(c *workbench.Config) { c.Idle = 2 })
	source := prepareMillion(b, bench)
	for name, sql := range map[string]string{
		"constant": "SELECT 1",
		"count":    "SELECT count(*) FROM orders",
		"group":    "SELECT region, sum(revenue) AS revenue FROM orders GROUP BY region ORDER BY revenue DESC",
		"trend":    "SELECT date_trunc('month', date) AS month, sum(revenue), median(units) FROM orders GROUP BY month ORDER BY month",
		"rows":     "SELECT * FROM orders LIMIT 10000",
	} {
		b.Run(name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				started := time.Now()
				_, err := bench.bench.Query(b.Context(), []domain.DataSource{source}, sql)
				require.NoError(b, err)
				took = append(took, time.Since(started))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms/p50")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms/p99")
		})
	}
}

// BenchmarkStart measures a query for which no worker is waiting, so that a process must be started first.
func BenchmarkStart(b *testing.B) {
	bench := setup(b, func(c *workbench.Config) { c.Idle = -1 })
	for b.Loop() {
		_, err := bench.bench.Query(b.Context(), nil, "SELECT 1")
		require.NoError(b, err)
	}
}
