package builtin

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/semantic"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// linked reads the tables of eval/asked with some of them, and what they mean. change may be nil.
func linked(t *testing.T, change func(*semantic.Input), names ...string) ([]analyst.Table, *meaning.Meaning) {
	t.Helper()
	return stored(t, "asked.json", date(2025, 10, 15), change, names...)
}

// stored reads some of the measured tables of a file, and what they mean on a day. change may be nil.
func stored(
	t *testing.T, file string, today time.Time, change func(*semantic.Input), names ...string,
) ([]analyst.Table, *meaning.Meaning) {
	t.Helper()
	text, err := os.ReadFile("../../semantic/testdata/measured/" + file)
	require.NoError(t, err)
	var known struct {
		Sources []struct {
			Source domain.DataSource
			Facts  *domain.SourceFacts
		}
		Links []domain.SourceLink
	}
	require.NoError(t, json.Unmarshal(text, &known))
	in := &semantic.Input{Links: known.Links, Today: today}
	var sources []domain.DataSource
	for _, s := range known.Sources {
		for _, name := range names {
			if s.Source.Resources[0].Table == name {
				facts := &domain.KnownFacts{WorkKey: s.Source.WorkKey, Measured: true, SourceFacts: *s.Facts}
				in.Sources = append(in.Sources, semantic.NewSource(&s.Source, facts, nil))
				sources = append(sources, s.Source)
			}
		}
	}
	if change != nil {
		change(in)
	}
	return analyst.Tables(sources), semantic.Derive(in)
}

// TestPlanner_Joins asks over tables that are linked through others.
func TestPlanner_Joins(t *testing.T) {
	t.Parallel()
	read := func(t *testing.T, question string, change func(*semantic.Input), names ...string) *form {
		t.Helper()
		tables, m := linked(t, change, names...)
		return newPlanner(newLanguage(), tables, m, date(2025, 10, 15), nil).read(question, nil)
	}
	all := []string{"customers", "orders", "order_items", "payments"}

	t.Run("TwoHops", func(t *testing.T) {
		t.Parallel()
		f := read(t, "total quantity by region", nil, all...)
		require.True(t, f.understood())
		query := sql(f)
		require.Equal(t, 2, strings.Count(query, "LEFT JOIN"))
		require.Less(t, strings.Index(query, "JOIN orders"), strings.Index(query, "JOIN customers"), "the table on the way is joined before")
	})
	t.Run("NotWithoutTheTableBetween", func(t *testing.T) {
		t.Parallel()
		f := read(t, "total quantity by region", nil, "customers", "order_items")
		require.False(t, f.understood())
	})
	t.Run("NotByAGuess", func(t *testing.T) {
		t.Parallel()
		tables, m := linked(t, nil, all...)
		for i := range m.Links {
			m.Links[i].Reason.State = meaning.Inferred
		}
		for _, v := range views(tables, m) {
			for _, joined := range v.joined {
				require.False(t, joined.joinedIndirectly())
				require.Nil(t, joined.via)
			}
		}
	})
	t.Run("CountsNothingThatIsMissing", func(t *testing.T) {
		t.Parallel()
		// Some orders have no payment, so orders counted over payments would be too few.
		f := read(t, "number of orders and total paid amount by region", nil, "customers", "orders", "payments")
		require.True(t, !f.understood() || !strings.Contains(sql(f), "FROM payments"), "%v", f.reason)
	})
	t.Run("CountsNoRowsUnasked", func(t *testing.T) {
		t.Parallel()
		f := read(t, "regions in March 2025", nil, "customers", "orders", "order_items")
		require.True(t, !f.understood() || !strings.Contains(sql(f), "FROM order_items"), "%v", f.reason)
	})
	t.Run("AddsUpEachTableAlone", func(t *testing.T) {
		t.Parallel()
		f := read(t, "total shipping fee and total line amount by month", nil, "orders", "order_items")
		require.True(t, f.understood(), f.reason)
		require.Contains(t, sql(f), "FULL JOIN")
		require.Contains(t, strings.Join(f.notes, " "), "Each figure is calculated from its own table.")
		// A line of an order has no shipping fee of its own, so the products of the lines cannot group the fees.
		f = read(t, "total shipping fee and total line amount by product", nil, "orders", "order_items")
		require.False(t, f.understood(), sql(f))
	})
	t.Run("SaidOfANumber", func(t *testing.T) {
		t.Parallel()
		say := func(field meaning.Field, value string) func(*semantic.Input) {
			return func(in *semantic.Input) {
				s := &in.Sources[0]
				s.Corrections = []meaning.Correction{{Source: s.ID, Table: "orders", Column: "order_total", Field: field, Value: value}}
			}
		}
		column := func(change func(*semantic.Input)) *column {
			tables, m := linked(t, change, "orders")
			return views(tables, m)[0].base.named("order_total")
		}
		require.False(t, column(nil).rate())
		require.True(t, column(say(meaning.FieldAdds, "rate")).rate())
		require.False(t, column(nil).level())
		require.True(t, column(say(meaning.FieldAdds, "level")).level())
	})
}
