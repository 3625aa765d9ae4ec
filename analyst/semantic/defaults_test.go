package semantic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain/meaning"
)

// TestDerive_Defaults derives the main number of tables and the names of things, whose rules are in defaults.go.
func TestDerive_Defaults(t *testing.T) {
	t.Parallel()
	derive := func(tables ...made) *meaning.Meaning { return derived(source(t, 1, tables...)) }
	orders := func(columns ...string) *meaning.Table {
		return &derive(made{
			name: "orders", rows: 50, keys: [][]string{{"order_id"}},
			columns: append([]string{"order_id integer 1 50", "ordered_on date 2026-01-01 2026-10-01"}, columns...),
		}).Tables[0]
	}
	for name, tt := range map[string]struct {
		columns []string
		want    string
	}{
		"OnlyMoney":  {[]string{"quantity integer 1 9", "amount_eur number 1 900"}, "amount_eur"},
		"Whole":      {[]string{"tax_eur number 1 90", "amount_eur number 1 900"}, "amount_eur"},
		"NoMoney":    {[]string{"quantity integer 1 900"}, "quantity"},
		"Rate":       {[]string{"discount_percent number 1 90"}, ""},
		"Currencies": {[]string{"amount number 1 900", "currency text EUR USD"}, ""},
		"Unclear":    {[]string{"quantity integer 1 900", "points number 1 800"}, ""},
	} {
		require.Equal(t, tt.want, orders(tt.columns...).Main, name)
	}
	people := derive(made{
		name: "customers", rows: 4, keys: [][]string{{"customer_id"}},
		columns: []string{"customer_id integer 1 4", "email text a@x b@x c@x d@x", "town text Bern Basel", "name text A B C D"},
	}).Tables[0]
	require.Equal(t, "name", people.Called)
	require.Empty(t, people.Main, "a thing is not what happened")
}
