package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPlanner_Ratio asks for ratios of two figures, each of rows of its own.
func TestPlanner_Ratio(t *testing.T) {
	t.Parallel()
	read := func(t *testing.T, question string) *form {
		t.Helper()
		tables, m := linked(t, nil, "customers", "orders")
		return newPlanner(newLanguage(), tables, m, date(2025, 10, 15), nil).read(question, nil)
	}
	for _, c := range []struct {
		name, asked string
		contains    []string
	}{
		{
			"TwoConditions", "What is the ratio of Gold customers to Silver customers?",
			[]string{"count(*) FILTER (WHERE tier = 'Gold') / nullif(count(*) FILTER (WHERE tier = 'Silver'), 0)"},
		},
		{
			"APartOfAll", "What is the ratio of Gold customers to the total number of customers?",
			[]string{"count(*) FILTER (WHERE tier = 'Gold') / nullif(count(*), 0)"},
		},
		{
			"APlaceHoldsForBoth", "What is the ratio of Gold customers to Silver customers in East?",
			[]string{"FILTER (WHERE tier = 'Gold')", "FILTER (WHERE tier = 'Silver')", "WHERE region = 'East'"},
		},
		{
			"InGroups", "What is the ratio of Gold customers to Silver customers for each region?",
			[]string{"FILTER (WHERE tier = 'Gold')", "GROUP BY 1", "region"},
		},
		{
			"OfTwoNumbers", "What is the ratio of the shipping fee to the order total?",
			[]string{"sum(shipping_fee) / nullif(sum(order_total), 0)"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := read(t, c.asked)
			require.True(t, f.understood(), f.reason)
			for _, part := range c.contains {
				require.Contains(t, sql(f), part)
			}
		})
	}
	for name, asked := range map[string]string{
		"ASideThatIsUnknown": "What is the ratio of unicorns to customers?",
		"AMeanOfRatios":      "What is the average ratio of the shipping fee to the order total by region?",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Nil(t, ratioOf(t, asked))
		})
	}
}

// ratioOf reads a question as a ratio; nil if it is none.
func ratioOf(t *testing.T, question string) *form {
	t.Helper()
	tables, m := linked(t, nil, "customers", "orders")
	return newPlanner(newLanguage(), tables, m, date(2025, 10, 15), nil).ratio(newLanguage().phrased(question))
}
