package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCurrencyIn(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"What the customer paid for the line in euros: quantity times price.": " EUR",
		"Amount in EUR":                       " EUR",
		"Fee in US dollars, before tax":       " USD",
		"Refunded amount in pounds":           " GBP",
		"How often a euro was spent":          "",
		"Percent of the price":                "",
		"EUR":                                 "",
		"Salary of the year in Swiss francs.": " CHF",
	} {
		require.Equal(t, want, currencyIn(text), text)
	}
}
