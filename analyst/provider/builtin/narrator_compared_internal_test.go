package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// Two years by groups are narrated by what changed; a note says if the data do not cover the whole last
// year.
func TestNarrate_Compared(t *testing.T) {
	t.Parallel()
	const notComplete = " Note that the data end on 31 October 2026, so the last year is not complete."
	rows := func(years ...[]float64) [][]any {
		var out [][]any
		for i, values := range years {
			for k, v := range values {
				out = append(out, []any{int64(2027 - len(years) + i), []string{"North", "South", "West"}[k], v})
			}
		}
		return out
	}
	for name, c := range map[string]struct {
		rows [][]any
		want string
	}{
		"rises and falls": {
			rows([]float64{100, 50, 80}, []float64{130, 40, 81}),
			"From 2025 to 2026, the total revenue rose by the largest amount for **North**, from €100 to **€130** (30% more). It " +
				"fell by the largest amount for South, from €50 to €40 (20% less)." + notComplete,
		},
		"rises only": {
			rows([]float64{100, 50, 80}, []float64{130, 52, 90}),
			"From 2025 to 2026, the total revenue rose by the largest amount for **North**, from €100 to **€130** (30% more). It " +
				"rose by the smallest amount for South, from €50 to €52 (4% more)." + notComplete,
		},
		"falls only": {
			rows([]float64{100, 50, 80}, []float64{90, 20, 80}),
			"From 2025 to 2026, the total revenue rose nowhere and fell by the largest amount for **South**, from €50 to **€20** " +
				"(60% less)." + notComplete,
		},
		"a group of one year alone": {
			[][]any{
				{int64(2025), "North", 100.0},
				{int64(2026), "North", 90.0},
				{int64(2026), "South", 500.0},
				{int64(2025), "West", 10.0},
				{int64(2026), "West", 12.5},
			},
			"From 2025 to 2026, the total revenue rose by the largest amount for **West**, from €10 to **€12.50** (25% more). It " +
				"fell by the largest amount for North, from €100 to €90 (10% less)." + notComplete,
		},
		"three years": {
			rows([]float64{1, 2, 3}, []float64{4, 5, 6}, []float64{7, 8, 9}),
			"Of the 9 combinations of year and region, **2026, West** has the highest total revenue: **€9**. The lowest is 2024, " +
				"North with €1. Added up by region, West leads with €18, before South with €15." + notComplete,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tables := listOf("orders",
				domain.Column{Name: "revenue_eur", Type: domain.ColumnNumber, Distinct: 90},
				domain.Column{Name: "region", Type: domain.ColumnText, Distinct: 3, Values: []string{"North", "South", "West"}},
				domain.Column{Name: "day", Type: domain.ColumnDate, Min: "2024-01-01", Max: "2026-10-31"},
			)
			f := newPlanner(newLanguage(), tables, nil, date(2026, 11, 15), nil).read("total revenue by year and region", nil)
			n := narrate(f, &domain.ResultSet{Rows: c.rows})
			require.Equal(t, c.want, n.answer)
			require.NotContains(t, n.summary, "**")
			require.Contains(t, n.summary, notComplete)
		})
	}
}
