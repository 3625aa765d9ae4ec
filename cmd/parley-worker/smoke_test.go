package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWorker_PrepareAndQuery(t *testing.T) {
	t.Parallel()
	b := setup(t)
	source, info := b.prepare(t, "sales_2025.csv", "Order Date,Region,Net Revenue,Units\n2025-01-03,North,\"1,200.50\",3\n2025-02-04,South,80.25,1\n2025-02-05,North,19.25,\n")
	t.Logf("%+v", info)
	r := b.query(t, "SELECT region, sum(net_revenue) AS revenue, count(units) AS n FROM sales_2025 GROUP BY region ORDER BY revenue DESC", source)
	require.Equal(t, [][]any{{"North", 1219.75, int64(1)}, {"South", 80.25, int64(1)}}, r.Rows)
}
