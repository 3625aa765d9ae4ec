package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/semantic"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// TestPlanner_Vague asks for the best of things without a number.
func TestPlanner_Vague(t *testing.T) {
	t.Parallel()
	read := func(t *testing.T, question string, said ...meaning.Correction) *form {
		t.Helper()
		tables, m := linked(t, func(in *semantic.Input) {
			for i := range in.Sources {
				for _, c := range said {
					if in.Sources[i].Resources[0].Table == c.Table {
						c.Source = in.Sources[i].ID
						in.Sources[i].Corrections = append(in.Sources[i].Corrections, c)
					}
				}
			}
		}, "customers", "orders", "order_items", "products", "payments")
		return newPlanner(newLanguage(), tables, m, date(2025, 10, 15), nil).read(question, nil)
	}
	for question, want := range map[string]struct{ by, number string }{
		"who are our biggest clients?":       {"customer_name", "order_total"},
		"Top 5 customers":                    {"customer_name", "order_total"},
		"the 3 worst customers in June 2025": {"customer_name", "order_total"},
		"best products":                      {"product_name", "line_amount"},
		"which product is the best?":         {"product_name", "line_amount"},
		"top 2 regions":                      {"region", "order_total"},
	} {
		f := read(t, question)
		require.True(t, f.understood(), "%s: %s", question, f.reason)
		require.Equal(t, want.by, f.dims[0].col.Name, question)
		require.Equal(t, want.number, f.measures[0].col.Name, question)
		require.Equal(t, aggSum, f.measures[0].agg, question)
		require.Contains(t, f.notes[len(f.notes)-1], "You did not say by what", question)
		require.Equal(t, domain.GradeAssumed, f.grade(), question)
	}
	t.Run("Assumption", func(t *testing.T) {
		t.Parallel()
		got := read(t, "top 5 customers").assumptions()
		require.Len(t, got, 1)
		require.Equal(t, "orders", got[0].Table)
		require.Equal(t, domain.Statement{Field: meaning.FieldMain, Value: "order_total"}, got[0].Taken)
		require.Equal(t, []domain.Statement{{Field: meaning.FieldMain, Value: "shipping_fee"}}, got[0].Others)
	})
	t.Run("Said", func(t *testing.T) {
		t.Parallel()
		f := read(t, "top 5 customers", meaning.Correction{Table: "orders", Field: meaning.FieldMain, Value: "shipping_fee"})
		require.Equal(t, "shipping_fee", f.measures[0].col.Name)
		require.Empty(t, f.assumptions(), "a person said so")
	})
	t.Run("Named", func(t *testing.T) {
		t.Parallel()
		for _, question := range []string{"top 5 customers by shipping fee", "which customer has the most orders?", "list the customers"} {
			f := read(t, question)
			require.Nil(t, f.taken, question)
		}
	})
	t.Run("NoNumber", func(t *testing.T) {
		t.Parallel()
		tables, m := linked(t, nil, "products")
		f := newPlanner(newLanguage(), tables, m, date(2025, 10, 15), nil).read("top 3 products", nil)
		require.False(t, f.understood())
		require.Contains(t, f.reason, "by which number")
	})
}
