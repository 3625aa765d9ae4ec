package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/semantic"
	"parley.dev/parley/domain/meaning"
)

// TestProvider_FollowUpsOfMeasuredTables asks everything that is offered after each question that is offered, of the samples
// and of eight other tables, with their measured facts.
func TestProvider_FollowUpsOfMeasuredTables(t *testing.T) {
	t.Parallel()
	for file, names := range map[string][]string{
		"samples.json": {"retail_orders", "service_tickets", "subscription_revenue"},
		"asked.json":   {"clients", "customers", "departments", "employees", "order_items", "orders", "payments", "products"},
	} {
		for _, name := range names {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				tables, m := stored(t, file, date(2026, 11, 23), nil, name)
				p := New(Config{})
				questions := p.planner(tables, m, nil).suggest(4)
				require.GreaterOrEqual(t, len(questions), 2)
				for _, q := range questions {
					asked := p.planner(tables, m, []string{q}).follow([]string{q})
					require.True(t, asked.understood(), q)
					offers := p.FollowUps(tables, m, []string{q}, nil, 6)
					require.NotEmpty(t, offers, q)
					for _, next := range offers {
						both := []string{q, next}
						f := p.planner(tables, m, both).follow(both)
						require.True(t, f.understood(), both)
						require.Empty(t, f.ignored, both)
						require.NotEqual(t, sql(asked), sql(f), both)
					}
				}
			})
		}
	}
}

// TestProvider_OfferByMeaning offers other questions after a person said what is meant.
func TestProvider_OfferByMeaning(t *testing.T) {
	t.Parallel()
	today := date(2026, 11, 23)
	offered := func(said ...meaning.Correction) []string {
		tables, m := stored(t, "samples.json", today, func(in *semantic.Input) {
			for _, c := range said {
				c.Source, c.Table = in.Sources[0].ID, "retail_orders"
				in.Sources[0].Corrections = append(in.Sources[0].Corrections, c)
			}
		}, "retail_orders")
		return newPlanner(newLanguage(), tables, m, today, nil).suggest(4)
	}
	require.Contains(t, offered(), "What is the total net sales by customer segment?")
	require.Contains(t, offered(meaning.Correction{Column: "net_sales", Field: meaning.FieldAdds, Value: "rate"}),
		"What is the average net sales by customer segment?")
	require.Contains(t, offered(meaning.Correction{Column: "customer_segment", Field: meaning.FieldRole, Value: "text"}),
		"What is the total net sales by region?")

	mixed := []analyst.Table{invoices()[0]}
	mixed[0].Columns[3].Name, mixed[0].Columns[3].Values = "currency", []string{"EUR", "USD"}
	for i := range mixed[0].Columns {
		if mixed[0].Columns[i].Name == "worth" {
			mixed[0].Columns[i].Name = "amount"
		}
	}
	mixed[0].Columns = mixed[0].Columns[:5]
	for _, q := range newPlanner(newLanguage(), mixed, nil, today, nil).suggest(6) {
		require.NotContains(t, q, "amount", "a total of several currencies is not offered")
	}
}
