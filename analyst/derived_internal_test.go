package analyst

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/guard"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// TestRun_assumptions checks that a number that a model adds up although nothing says that it adds up is said with the answer,
// with the corrections that would say so or otherwise.
func TestRun_assumptions(t *testing.T) {
	t.Parallel()
	number := func(name string, adds meaning.Adds) meaning.Column {
		return meaning.Column{Name: name, Number: &meaning.Number{Adds: adds}}
	}
	m := &meaning.Meaning{Tables: []meaning.Table{
		{Source: 3, Name: "visits", Columns: []meaning.Column{number("minutes", meaning.Unknown), number("fee", meaning.Amount)}},
		{Source: 3, Name: "stock", Snapshot: &meaning.Snapshot{}, Columns: []meaning.Column{number("pieces", meaning.Unknown)}},
	}}
	says := func(value string) domain.Statement { return domain.Statement{Field: meaning.FieldAdds, Value: value} }
	basisOfSum := func(table, column string) basis {
		note, taken := assumedSum(m, &guard.Derived{Sums: []guard.DerivedSum{{Source: "s3", Table: table, Column: column}}})
		require.Equal(t, note == "", taken == nil)
		return basis{Assumption: taken}
	}
	r := &run{results: []*queryResult{
		{basis: basisOfSum("visits", "MINUTES")},
		{basis: basisOfSum("stock", "pieces"), aside: true},
		{basis: basisOfSum("visits", "fee")},
		{basis: basisOfSum("visits", "minutes")},
		{basis: basisOfSum("stock", "pieces")},
	}}
	require.Equal(t, []domain.Assumption{
		{Source: 3, Table: "visits", Column: "minutes", Taken: says("amount"), Others: []domain.Statement{says("rate")}},
		{Source: 3, Table: "stock", Column: "pieces", Taken: says("amount"), Others: []domain.Statement{says("level"), says("rate")}},
	}, r.assumptions())
}
