package builtin

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

func narrated(tables []analyst.Table, question string, rows ...[]any) (*form, narration) {
	f := newPlanner(newLanguage(), tables, nil, date(2025, 10, 15), nil).read(question, nil)
	return f, narrate(f, &domain.ResultSet{Rows: rows})
}

func TestNarrate_Overview(t *testing.T) {
	t.Parallel()
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		tables := listOf("umsätze_2025_filialen",
			domain.Column{Name: "tag", Type: domain.ColumnDate, Description: "Tag"},
			domain.Column{Name: "umsatz", Type: domain.ColumnNumber, Description: "Umsatz, in €"},
			domain.Column{Name: "filiale", Type: domain.ColumnText, Description: "Filiale", Distinct: 2, Values: []string{"Köln", "Ulm"}},
			domain.Column{Name: "kunde", Type: domain.ColumnText, Description: "Kunde", Distinct: 80, Values: []string{"A", "B", "C", "D", "E"}},
			domain.Column{Name: "notiz", Type: domain.ColumnText, Description: "Notiz"},
		)
		tables[0].Title = "Umsätze 2025 Filialen"
		f, n := narrated(tables, "What is in this data?",
			[]any{"Tag", int64(1300), int64(0), nil, "2025-01-02", "2025-09-27"}, []any{"Umsatz", int64(1300), int64(31), nil, "6.68", "12345.00"},
			[]any{"Filiale", int64(1300), int64(0), int64(2), nil, nil}, []any{"Kunde", int64(1300), int64(0), int64(80), nil, nil},
			[]any{"Notiz", int64(1300), int64(1300), int64(0), nil, nil})
		require.Equal(t, "**Umsätze 2025 Filialen** has **1,300 rows** and 5 columns, from 2 January 2025 to 27 September 2025.\n\n"+
			"- `Tag`: from 2 January 2025 to 27 September 2025\n"+
			"- `Umsatz`: number, €6.68 to €12,345; 31 empty\n"+
			"- `Filiale`: 2 different: Köln and Ulm\n"+
			"- `Kunde`: 80 different, such as A, B, C and D\n"+
			"- `Notiz`: no values; 1,300 empty", n.answer)
		require.Contains(t, flat(sql(f)), `UNION ALL SELECT 'Umsatz', count(*), count(*) - count(umsatz), NULL, CAST(min(umsatz) AS VARCHAR), `+
			`CAST(max(umsatz) AS VARCHAR) FROM "umsätze_2025_filialen"`)
		require.Equal(t, domain.FigureRows, n.figures[1].Of, "there is a row for each column")
	})
	t.Run("MoreColumnsThanAreListed", func(t *testing.T) {
		t.Parallel()
		var columns []domain.Column
		var rows [][]any
		for i := range 50 {
			columns = append(columns, domain.Column{Name: fmt.Sprintf("n%d", i), Type: domain.ColumnNumber})
			if i < overviewColumns {
				rows = append(rows, []any{"n", int64(9), int64(0), nil, "1", "2"})
			}
		}
		f, n := narrated(listOf("wide", columns...), "What is in this data?", rows...)
		require.Equal(t, overviewColumns, strings.Count(sql(f), "SELECT"))
		require.Contains(t, n.answer, "**9 rows** and 50 columns.")
		require.Contains(t, n.answer, "\n- … and 10 more columns")
	})
	t.Run("NamesOfItsOwnColumns", func(t *testing.T) {
		t.Parallel()
		f, _ := narrated(listOf("t", domain.Column{Name: "rows", Type: domain.ColumnNumber},
			domain.Column{Name: "it's", Type: domain.ColumnText}), "What is in this data?")
		require.Contains(t, sql(f), "count(*) AS rows_value", "a query does not use one name for two things")
		require.Contains(t, sql(f), "'It''s'")
	})
}

func TestNarrate_Empty(t *testing.T) {
	t.Parallel()
	tables := listOf("orders",
		domain.Column{Name: "weight_kg", Type: domain.ColumnNumber, Distinct: 40, Nulls: 12},
		domain.Column{Name: "region", Type: domain.ColumnText, Distinct: 2, Values: []string{"North", "South"}})
	t.Run("CountedByTheQuery", func(t *testing.T) {
		t.Parallel()
		f, n := narrated(tables, "average weight in the North", []any{17.5, int64(4), int64(60)})
		require.Contains(t, flat(sql(f)), "count(*) FILTER (WHERE weight_kg IS NULL) AS rows_without_weight, count(*) AS rows FROM orders WHERE")
		require.Equal(t, "`Weight` is empty in 4 of 60 rows; those do not count.", n.answer[n.caveatsAt:])
		require.Len(t, n.figures, 3)
		last := n.figures[2]
		require.Equal(t, "60", n.answer[last.Start:last.End])
		require.Equal(t, 2, last.Column)
	})
	t.Run("NoneOfThoseChosen", func(t *testing.T) {
		t.Parallel()
		_, n := narrated(tables, "average weight in the North", []any{17.5, int64(0), int64(60)})
		require.Zero(t, n.caveatsAt)
	})
	t.Run("OfGroupsByTheStatistics", func(t *testing.T) {
		t.Parallel()
		f, n := narrated(tables, "average weight by region", []any{"North", 17.5}, []any{"South", 12.5})
		require.NotContains(t, sql(f), "rows_without")
		require.Equal(t, "`Weight` is empty in 12 of 100 rows (12%); those do not count.", n.answer[n.caveatsAt:])
	})
	t.Run("WithoutInsights", func(t *testing.T) {
		t.Parallel()
		_, n := narrated(tables, "average weight in the North", []any{17.5, int64(4), int64(60)})
		short := n.short()
		require.Equal(t, "The average weight for North is 17.5 kg.", short.answer)
		require.Equal(t, "17.5 kg", short.answer[short.figures[0].Start:short.figures[0].End], "its numbers have figures, too")
	})
}
