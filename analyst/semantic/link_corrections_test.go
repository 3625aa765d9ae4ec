package semantic_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// TestDerive_LinkOfSeveralColumns corrects a link of two columns as people correct one of a single column.
func TestDerive_LinkOfSeveralColumns(t *testing.T) {
	t.Parallel()
	of := func(measured bool, said ...string) []meaning.Link {
		s := source(
			t, 1, made{
				name: "stores", rows: 9, columns: []string{"Country text a b", "store.no integer 1 5", "square_metres number 1 900"},
				keys: [][]string{{"Country", "store.no"}},
			},
			made{name: "visits", rows: 99, columns: []string{"land text a b", "at_no integer 1 5", "day date"}, keys: [][]string{{"day"}}},
		)
		if measured {
			s.Facts.Links = []domain.LinkFacts{{
				FromTable: "visits", From: []string{"land", "at_no"}, ToTable: "stores", To: []string{"Country", "store.no"}, Distinct: 9, Matched: 9,
			}}
		}
		for _, value := range said {
			s.Corrections = append(s.Corrections, meaning.Correction{
				Source: 1, Table: "visits", Column: "land", Field: meaning.FieldLink, Value: value, ByName: "Mara",
			})
		}
		return slices.DeleteFunc(derived(s).Links, func(l meaning.Link) bool { return len(l.From.Columns) < 2 })
	}
	const link = `Stores.[["land","country"],["at_no","store.no"]]`
	require.Len(t, of(true), 1)
	require.False(t, of(true)[0].Preferred)
	require.True(t, of(true, "!"+link)[0].Preferred)
	require.Empty(t, of(true, "-"+link))
	require.Len(t, of(true, `-stores.Country`), 1, "another link is denied")
	require.Len(t, of(true, `-stores.[["land","country"],["nothing","store.no"]]`), 1, "it rests")
	require.Empty(t, of(false))
	made := of(false, "s1."+link)
	require.Len(t, made, 1)
	require.Equal(t, meaning.Ends{Source: 1, Table: "visits", Columns: []string{"land", "at_no"}}, made[0].From)
	require.Equal(t, meaning.Ends{Source: 1, Table: "stores", Columns: []string{"Country", "store.no"}}, made[0].To)
	require.Equal(t, meaning.ManyToOne, made[0].Cardinality)
	require.Equal(t, meaning.Said, made[0].Reason.State)
}
