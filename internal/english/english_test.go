package english_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/english"
)

func TestForms(t *testing.T) {
	t.Parallel()
	for one, many := range map[string]string{
		"order": "orders", "order item": "order items", "order_item": "order_items", "category": "categories", "day": "days",
		"box": "boxes", "batch": "batches", "wish": "wishes", "address": "addresses", "bonus": "bonuses", "status": "statuses",
		"person": "people", "child": "children", "sales person": "sales people", "series": "series", "woman": "women", "movie": "movies",
		"case": "cases", "warehouse": "warehouses", "price": "prices", "column": "columns", "human": "humans",
	} {
		require.Equal(t, many, english.Plural(one), one)
		require.Equal(t, one, english.Singular(many), many)
		require.Equal(t, one, english.Singular(one), "the singular of %s", one)
	}
	// Endings that look like a plural.
	for _, word := range []string{"gas", "analysis", "gross", "campus", "", "s"} {
		require.Equal(t, word, english.Singular(word))
	}
}

func TestArticle(t *testing.T) {
	t.Parallel()
	for noun, want := range map[string]string{
		"order": "an order", "department": "a department", "unit": "a unit", "user": "a user", "hour": "an hour", "undertaking": "an undertaking",
		"Account": "an Account", "European order": "a European order", "": "a ",
	} {
		require.Equal(t, want, english.Article(noun))
	}
}

func TestFigure(t *testing.T) {
	t.Parallel()
	for n, want := range map[float64]string{
		0: "0", 12: "12", 1234: "1,234", 1234567.891: "1,234,567.89", -1000: "-1,000", 0.5: "0.5", 999.999: "1,000", -0.001: "0",
	} {
		require.Equal(t, want, english.Figure(n))
	}
}
