package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLex(t *testing.T) {
	t.Parallel()
	norms := func(s string) []string {
		var out []string
		for _, x := range lex(s) {
			out = append(out, x.norm)
		}
		return out
	}
	require.Equal(t, []string{"what", "is", "the", "year", "over", "year", "growth"}, norms("What is the year-over-year growth?"))
	require.Equal(t, []string{"customer", "revenue"}, norms("customer's revenue."))
	require.Equal(t, []string{"a", ",", "b", ">=", "5"}, norms("a, b >=5"))
	require.Equal(t, []string{"order", "date"}, norms("order_date"))
	require.Empty(t, norms("  ?! "))

	values := map[string]float64{"1,234.5": 1234.5, "$5k": 5000, "2m": 2e6, "3 million": 3e6, "20%": 20, "seven": 7, "2025": 2025}
	for text, want := range values {
		got := lex(text)
		require.Len(t, got, 1, text)
		require.Equal(t, tokenNumber, got[0].kind)
		require.InDelta(t, want, got[0].value, 0)
	}
	quoted := lex(`name is "New York"`)
	require.Equal(t, tokenQuoted, quoted[2].kind)
	require.Equal(t, "New York", quoted[2].text)
	require.Len(t, lex(longText()), maxTokens, "a long question is cut")
}

func longText() string {
	b := make([]byte, 0, 2*maxTokens*2)
	for range 2 * maxTokens {
		b = append(b, "a "...)
	}
	return string(b)
}

func TestStem(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{"category", "categories"},
		{"order", "orders", "ordered", "ordering"},
		{"price", "prices", "pricing"},
		{"ship", "shipped", "shipping"},
		{"box", "boxes"},
		{"sell", "sold"},
		{"person", "people"},
		{"machine", "machines"},
		{"rate", "rates", "rated"},
	} {
		for _, w := range same {
			require.Equal(t, stem(same[0]), stem(w), w)
		}
	}
	require.NotEqual(t, stem("rating"), stem("rate"))
	require.Equal(t, "status", stem("status"))
	require.Equal(t, []string{"order", "date", "utc"}, splitName("OrderDate (UTC)"))
}

func TestNear(t *testing.T) {
	t.Parallel()
	require.True(t, near("revnue", "revenue", 1))
	require.True(t, near("regoin", "region", 1), "two letters swapped")
	require.False(t, near("cost", "most", 1), "the first letter is rarely mistyped")
	require.False(t, near("region", "reason", 1))
}
