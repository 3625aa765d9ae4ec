package specialist_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/domain"
)

// drawing contains the options of a chart that these tests read.
type drawing struct {
	XAxis struct {
		Categories []string `json:"categories"`
	} `json:"xAxis"`
	Series []struct {
		Name   string `json:"name"`
		Column string `json:"column"`
		Data   []any  `json:"data"`
	} `json:"series"`
	Parley struct {
		Columns    []domain.ShownColumn `json:"columns"`
		X          string               `json:"x"`
		Split      string               `json:"split"`
		Compared   bool                 `json:"compared"`
		Incomplete any                  `json:"incomplete"`
	} `json:"parley"`
}

func TestDeriveChart_Shown(t *testing.T) {
	t.Parallel()
	sales := domain.ShownColumn{
		Name: "total_net_sales", Label: "Total net sales", Unit: "EUR", Format: domain.FormatMoney,
		Role: domain.RoleOfMeasure, Adds: true,
	}
	region := domain.ShownColumn{Name: "region", Label: "Region", Format: domain.FormatText, Role: domain.RoleOfCategory}
	draw := func(t *testing.T, r *domain.ResultSet) (drawing, *specialist.Chart) {
		t.Helper()
		chart, err := specialist.DeriveChart(r, specialist.ChartWish{})
		require.NoError(t, err)
		var d drawing
		require.NoError(t, json.Unmarshal(chart.Options, &d))
		return d, chart
	}

	t.Run("HasTheColumnsThatAreDrawn", func(t *testing.T) {
		t.Parallel()
		d, chart := draw(t, &domain.ResultSet{
			Columns: []domain.Column{col("region", text), col("total_net_sales", num)}, Shown: []domain.ShownColumn{region, sales},
			Rows: [][]any{{"Nord", 12.0}, {"Süd", 8.0}},
		})
		require.Equal(t, []domain.ShownColumn{region, sales}, d.Parley.Columns)
		require.Equal(t, d.Parley.Columns, chart.Columns)
		require.Equal(t, "region", d.Parley.X)
		require.Equal(t, "total_net_sales", d.Series[0].Column)
		require.Equal(t, "Total net sales", d.Series[0].Name)
		require.Equal(t, "Total net sales by region", chart.Title)
	})

	t.Run("MarksTheLastComparedYearAsIncomplete", func(t *testing.T) {
		t.Parallel()
		year := domain.ShownColumn{Name: "year", Label: "Year", Format: domain.FormatYear, Role: domain.RoleOfTime}
		for until, want := range map[string]any{"2025-10-31": "2025", "2025-12-31": nil} {
			year.Until = until
			d, _ := draw(t, &domain.ResultSet{
				Columns: []domain.Column{col("year", whole), col("region", text), col("total_net_sales", num)},
				Shown:   []domain.ShownColumn{year, region, sales},
				Rows:    [][]any{{int64(2025), "Nord", 3.0}, {int64(2025), "Süd", 4.0}, {int64(2024), "Nord", 1.0}, {int64(2024), "Süd", 2.0}},
			})
			require.True(t, d.Parley.Compared)
			require.Equal(t, want, d.Parley.Incomplete, until)
		}
	})

	t.Run("AddsUpOnlyCompleteResults", func(t *testing.T) {
		t.Parallel()
		for name, r := range map[string]*domain.ResultSet{
			"more rows than are drawn": {Rows: rows(300, func(i int) []any { return []any{fmt.Sprint("Region ", i), 1.5} })},
			"cut":                      {Rows: [][]any{{"Nord", 12.0}, {"Süd", 8.0}}, Truncated: true},
			"two rows of one region":   {Rows: [][]any{{"Nord", 12.0}, {"Süd", 8.0}, {"Nord", 1.0}}},
		} {
			r.Columns, r.Shown = []domain.Column{col("region", text), col("total_net_sales", num)}, []domain.ShownColumn{region, sales}
			d, _ := draw(t, r)
			require.False(t, d.Parley.Columns[1].Adds, name)
		}
	})

	t.Run("ComparesTheYearsForEachCategory", func(t *testing.T) {
		t.Parallel()
		year := domain.ShownColumn{Name: "year", Label: "Year", Format: domain.FormatYear, Role: domain.RoleOfTime}
		d, chart := draw(t, &domain.ResultSet{
			Columns: []domain.Column{col("year", whole), col("region", text), col("total_net_sales", num)},
			Shown:   []domain.ShownColumn{year, region, sales},
			Rows:    [][]any{{int64(2025), "Nord", 3.0}, {int64(2025), "Süd", 4.0}, {int64(2024), "Nord", 1.0}, {int64(2024), "Süd", 2.0}},
		})
		require.Equal(t, specialist.Column, chart.Kind)
		require.Equal(t, []string{"Nord", "Süd"}, d.XAxis.Categories)
		require.Len(t, d.Series, 2)
		require.Equal(t, "2024", d.Series[0].Name)
		require.Equal(t, []any{1.0, 2.0}, d.Series[0].Data)
		require.True(t, d.Parley.Compared)
		require.Equal(t, "year", d.Parley.Split)
	})

	t.Run("DifferentUnitsDoNotShareAnAxis", func(t *testing.T) {
		t.Parallel()
		orders := domain.ShownColumn{Name: "orders", Label: "Orders", Format: domain.FormatCount, Role: domain.RoleOfMeasure}
		d, _ := draw(t, &domain.ResultSet{
			Columns: []domain.Column{col("region", text), col("total_net_sales", num), col("orders", whole)},
			Shown:   []domain.ShownColumn{region, sales, orders},
			Rows:    [][]any{{"Nord", 12.0, int64(10)}, {"Süd", 8.0, int64(7)}},
		})
		require.Len(t, d.Series, 1)
	})

	t.Run("DrawsAFractionAsAPercentage", func(t *testing.T) {
		t.Parallel()
		rate := domain.ShownColumn{Name: "rate", Label: "Rate", Unit: "%", Format: domain.FormatFraction, Role: domain.RoleOfMeasure}
		d, _ := draw(t, &domain.ResultSet{
			Columns: []domain.Column{col("region", text), col("rate", num)}, Shown: []domain.ShownColumn{region, rate},
			Rows: [][]any{{"Nord", 0.125}, {"Süd", 0.5}},
		})
		require.Equal(t, []any{12.5, 50.0}, d.Series[0].Data)
		require.Equal(t, domain.FormatPercent, d.Parley.Columns[1].Format)
	})

	for _, c := range []struct {
		name  string
		until string
		want  any
	}{
		{"MarksTheLastMonthAsIncomplete", "2025-03-20", 1740787200000.0},
		{"AMonthWithoutSalesOnItsLastDayIsComplete", "2025-03-30", nil},
		{"MarksNothingIfTheDataContinue", "2026-01-01", nil},
		{"MarksNothingIfTheEndIsNotKnown", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			month := domain.ShownColumn{Name: "month", Label: "Month", Format: domain.FormatMonth, Role: domain.RoleOfTime, Until: c.until}
			d, _ := draw(t, &domain.ResultSet{
				Columns: []domain.Column{col("month", day), col("total_net_sales", num)}, Shown: []domain.ShownColumn{month, sales},
				Rows: rows(3, func(i int) []any { return []any{fmt.Sprintf("2025-%02d-01", i+1), float64(i)} }),
			})
			require.Equal(t, c.want, d.Parley.Incomplete)
		})
	}

	for _, c := range []struct {
		name    string
		format  domain.ColumnFormat
		periods []any
		until   string
		want    any
	}{
		{"MarksTheLastMonthInTextAsIncomplete", domain.FormatMonth, []any{"2025-01", "2025-02", "2025-03"}, "2025-03-20", "2025-03"},
		{"MarksTheLastQuarterInTextAsIncomplete", domain.FormatQuarter, []any{"2025-Q1", "2025-Q2", "2025-Q3"}, "2025-08-31", "2025-Q3"},
		{"AQuarterInTextThatHasEndedIsComplete", domain.FormatQuarter, []any{"2025 Q1", "2025 Q2", "2025 Q3"}, "2025-09-30", nil},
		{"MarksTheLastWeekInTextAsIncomplete", domain.FormatWeek, []any{"2026-W01", "2026-W02", "2026-W03"}, "2026-01-14", "2026-W03"},
		{"AWeekInTextThatHasEndedIsComplete", domain.FormatWeek, []any{"2026-W01", "2026-W02", "2026-W03"}, "2026-01-18", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			period := domain.ShownColumn{Name: "period", Label: "Period", Format: c.format, Role: domain.RoleOfTime, Until: c.until}
			d, _ := draw(t, &domain.ResultSet{
				Columns: []domain.Column{col("period", text), col("total_net_sales", num)}, Shown: []domain.ShownColumn{period, sales},
				Rows: rows(3, func(i int) []any { return []any{c.periods[i], float64(i)} }),
			})
			require.Equal(t, c.want, d.Parley.Incomplete)
		})
	}

	t.Run("MarksTheLastYearAsIncomplete", func(t *testing.T) {
		t.Parallel()
		year := domain.ShownColumn{Name: "year", Label: "Year", Format: domain.FormatYear, Role: domain.RoleOfTime, Until: "2026-11-22"}
		d, _ := draw(t, &domain.ResultSet{
			Columns: []domain.Column{col("year", whole), col("total_net_sales", num)}, Shown: []domain.ShownColumn{year, sales},
			Rows: rows(5, func(i int) []any { return []any{int64(2022 + i), float64(i)} }),
		})
		require.Equal(t, "2026", d.Parley.Incomplete)
	})
}
