package domain_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestTerms(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"How many active customers do we have per region?": {"active", "customer", "region"},
		"Customers' stories: the customer's STORY":         {"customer", "story"},
		"Umsätze 2025, größer als 10 %":                    {"umsätze", "2025", "größer", "als", "10"},
		"売上 by region":                                     {"売", "上", "region"},
		"net_sales":                                        {"net", "sale"},
		"status, class, business":                          {"status", "class", "business"},
		"how is it?":                                       {},
		"":                                                 {},
		"a\x00b \xff c":                                    {"b", "c"},
	} {
		require.Equal(t, want, domain.Terms(text), text)
	}
	t.Run("Bounded", func(t *testing.T) {
		t.Parallel()
		require.Empty(t, domain.Terms(strings.Repeat("x", 65)))
		var many strings.Builder
		for i := range 500 {
			many.WriteString(strings.Repeat("b", i%20+2) + strings.Repeat("c", i/20+1) + " ")
		}
		require.Len(t, domain.Terms(many.String()), domain.MaxTerms)
	})
}
