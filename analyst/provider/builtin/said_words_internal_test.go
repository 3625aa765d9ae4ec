package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// TestPlanner_SaidWords asks with words that no name contains and that a person has said.
func TestPlanner_SaidWords(t *testing.T) {
	t.Parallel()
	tables := []analyst.Table{{Name: "s1.deals", Title: "Deals", SourceID: 1, Rows: 300, Columns: []domain.Column{
		{Name: "deal_id", Type: domain.ColumnNumber, Distinct: 300},
		{Name: "amount", Type: domain.ColumnNumber, Distinct: 280},
		{Name: "segment", Type: domain.ColumnText, Distinct: 3, Values: []string{"Small", "Medium", "Large"}},
	}}}
	word := func(text, column string, state meaning.State) meaning.Word {
		return meaning.Word{Text: text, Source: 1, Table: "Deals", Column: column, Reason: meaning.Reason{State: state}}
	}
	read := func(question string, words ...meaning.Word) *form {
		return newPlanner(newLanguage(), tables, &meaning.Meaning{Words: words}, date(2026, 10, 15), nil).read(question, nil)
	}
	tier, bookings, wins := word("customer tier", "segment", meaning.Said), word("ACV", "amount", meaning.Said), word("wins", "", meaning.Said)

	const question = "total acv by customer tier"
	require.False(t, read(question).understood(), "nothing is called so")
	f := read(question, tier, bookings)
	require.True(t, f.understood(), f.reason)
	require.Contains(t, sql(f), "sum(amount)")
	require.Contains(t, sql(f), "segment")

	f = read("how many wins are there per segment?", wins)
	require.True(t, f.understood(), f.reason)
	require.Contains(t, sql(f), "count(*)")

	require.False(t, read(question, tier, word("ACV", "price", meaning.Said)).understood(), "the file has no such column any more")
	tier.Source = 2
	require.False(t, read(question, tier, bookings).understood(), "that is said of another source")
}
