package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

// readings is a file with degrees, percentages in both forms, and money in three forms.
func readings() []analyst.Table {
	return listOf("readings",
		domain.Column{Name: "day", Type: domain.ColumnDate, Description: "Day", Min: "2025-01-01", Max: "2025-12-31", Distinct: 90},
		domain.Column{Name: "station", Type: domain.ColumnText, Description: "Station", Distinct: 2, Values: []string{"Alpha", "Beta"}},
		domain.Column{Name: "air", Type: domain.ColumnNumber, Description: "Air (°F)", Distinct: 90, Min: "-5", Max: "90"},
		domain.Column{Name: "temperature", Type: domain.ColumnNumber, Description: "Temperature", Distinct: 90, Min: "-5", Max: "90"},
		domain.Column{Name: "humidity", Type: domain.ColumnNumber, Description: "Humidity %", Distinct: 90, Min: "20", Max: "90"},
		domain.Column{Name: "fill_rate", Type: domain.ColumnNumber, Description: "Fill rate", Distinct: 90, Min: "0.2", Max: "0.9"},
		domain.Column{Name: "cost_usd", Type: domain.ColumnNumber, Description: "Cost USD", Distinct: 90, Min: "1", Max: "900"},
		domain.Column{Name: "fee", Type: domain.ColumnNumber, Description: "Fee, in $", Distinct: 90, Min: "1", Max: "900"},
		domain.Column{Name: "toll", Type: domain.ColumnNumber, Description: "Toll (CHF)", Distinct: 90, Min: "1", Max: "900"},
		domain.Column{Name: "rain", Type: domain.ColumnNumber, Description: "Rain (mm)", Distinct: 90, Min: "1", Max: "900"},
	)
}

// A number in a sentence is written in the same form as in its table and on its axis.
func TestNarrate_NumbersAsTablesWriteThem(t *testing.T) {
	t.Parallel()
	for question, c := range map[string]struct {
		value         float64
		title, answer string
	}{
		"average fill rate": {0.63241, "Average fill rate (%)", "The average fill rate is **63.24%**."},
		"average humidity":  {54.333, "Average humidity (%)", "The average humidity is **54.33%**."},
		"total cost":        {1250.5, "Total cost ($)", "The total cost is **$1,250**."},
		"average fee":       {12.5, "Average fee ($)", "The average fee is **$12.50**."},
		"lowest fee":        {-2.5, "Lowest fee ($)", "The lowest fee is **-$2.50**."},
		"total toll":        {12.5, "Total toll (CHF)", "The total toll is **CHF 12.50**."},
		"total rain":        {12.5, "Total rain (mm)", "The total rain is **12.5 mm**."},
	} {
		f, n := narrated(readings(), question, []any{c.value})
		require.Equal(t, []string{c.title, c.answer}, []string{title(f), n.answer}, question)
	}
}

// Degrees have no true zero, and changes of percentages are in percentage points: a change of either is
// a difference.
func TestNarrate_ChangesOfIntervals(t *testing.T) {
	t.Parallel()
	months := [][]any{{"2025-01-01", 40.0}, {"2025-02-01", 50.0}}
	stations := [][]any{{"Alpha", 50.0}, {"Beta", 40.0}}
	for _, c := range []struct {
		question string
		rows     [][]any
		answer   string
	}{
		{"average air by month", months, "From January 2025 to February 2025, the average air went from 40 °F to **50 °F** (10 °F more)."},
		{"average temperature by month", months, "From January 2025 to February 2025, the average temperature went from 40 to **50** (10 more)."},
		{"average humidity by month", months, "From January 2025 to February 2025, the average humidity went from 40% to **50%** (10 " +
			"percentage points more)."},
		{"total rain by month", months, "From January 2025 to February 2025, the total rain went from 40 mm to **50 mm** (25% more)."},
		{"average air by station", stations, "**Alpha** has the highest average air: **50 °F**. Beta has 40 °F, a difference of 10 °F."},
		{"average humidity by station", stations, "**Alpha** has the highest average humidity: **50%**. Beta has 40%, a difference of 10 " +
			"percentage points."},
		{"average fill rate by station", [][]any{{"Alpha", 0.5}, {"Beta", 0.4}}, "**Alpha** has the highest average fill rate: **50%**. Beta " +
			"has 40%, a difference of 10 percentage points."},
		{
			"month over month change of average air",
			[][]any{{"2025-01-01", 40.0, nil}, {"2025-02-01", 50.0, 10.0}, {"2025-03-01", 45.0, -5.0}},
			"In March 2025 the average air was **45 °F**, 5 °F less than the month before. The biggest rise was in February 2025 (+10 °F), the " +
				"biggest fall in March 2025 (-5 °F).",
		},
	} {
		f, n := narrated(readings(), c.question, c.rows...)
		require.Equal(t, c.answer, n.answer, c.question)
		require.NotContains(t, sql(f), "change_percent")
	}
	f, _ := narrated(readings(), "month over month change of rain")
	require.Contains(t, sql(f), "change_percent")
}
