package builtin

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/domain"
)

// computed computes the number that a figure describes, from the rows alone.
func computed(t *testing.T, f *domain.Figure, rows [][]any) float64 {
	t.Helper()
	if f.Of == domain.FigureRows {
		return float64(len(rows))
	}
	cell := func(row int) float64 {
		v, ok := specialist.Number(rows[row][f.Column])
		if text, isText := rows[row][f.Column].(string); isText {
			// The lowest and highest values in an overview have various types, so they are written as
			// text.
			v, ok = parseNumber(text), true
		}
		require.True(t, ok, "row %d column %d is not a number", row, f.Column)
		return v
	}
	sum, group := 0.0, 0.0
	for i := range rows {
		if v, ok := specialist.Number(rows[i][f.Column]); ok {
			sum += v
			if rows[i][f.Other%len(rows[i])] == rows[f.Row][f.Other%len(rows[i])] {
				group += v
			}
		}
	}
	switch f.Of {
	case domain.FigureCell:
		return cell(f.Row)
	case domain.FigureSum:
		return sum
	case domain.FigureGroupSum:
		return group
	case domain.FigureShare:
		return 100 * cell(f.Row) / sum
	case domain.FigureDifference:
		return math.Abs(cell(f.Row) - cell(f.Other))
	case domain.FigureChange:
		return 100 * math.Abs(cell(f.Row)-cell(f.Other)) / math.Abs(cell(f.Other))
	case domain.FigureTimes:
		return cell(f.Row) / cell(f.Other)
	case domain.FigureRows:
	}
	require.Fail(t, "no such figure", string(f.Of))
	return 0
}

var numberText = regexp.MustCompile(`[0-9][0-9,]*(?:\.[0-9]+)?`)

// TestNarrate_EveryNumberHasItsCells checks that each number of an answer has a figure, and equals what
// its figure describes. Numbers in times and names are excluded: they are not computed from cells.
func TestNarrate_EveryNumberHasItsCells(t *testing.T) {
	t.Parallel()
	tables := listOf("orders",
		domain.Column{Name: "revenue_eur", Type: domain.ColumnNumber, Distinct: 90},
		domain.Column{Name: "discount_pct", Type: domain.ColumnNumber, Distinct: 9, Min: "1", Max: "30"},
		domain.Column{Name: "region", Type: domain.ColumnText, Distinct: 3, Values: []string{"North", "South", "West"}},
		domain.Column{Name: "channel", Type: domain.ColumnText, Distinct: 2, Values: []string{"Online", "Store"}},
		domain.Column{Name: "customer", Type: domain.ColumnText, Distinct: 60},
		domain.Column{Name: "day", Type: domain.ColumnDate, Min: "2025-01-01", Max: "2025-03-31"},
		domain.Column{Name: "returned", Type: domain.ColumnBoolean},
		domain.Column{Name: "weight_kg", Type: domain.ColumnNumber, Distinct: 40, Nulls: 12},
		domain.Column{Name: "note", Type: domain.ColumnText},
	)
	months := [][]any{{"2025-01-01", 100.0}, {"2025-02-01", 80.0}, {"2025-03-01", 350.0}}
	for question, rows := range map[string][][]any{
		"how many orders?":                {{int64(1234)}},
		"revenue by region":               {{"South", 886725.0}, {"North", 2000000.5}, {"West", 1091944.0}},
		"compare North and South revenue": {{"South", 100.0}, {"North", 112.5}},
		"compare North and West revenue":  {{"North", 700.0}, {"West", 112.5}},
		"average discount pct by channel": {{"Online", 12.5}, {"Store", 10.25}},
		"revenue by month":                months,
		"revenue growth by month": {
			{"2025-01-01", 100.0, nil, nil},
			{"2025-02-01", 150.0, 50.0, 50.0},
			{"2025-03-01", 120.0, -30.0, -20.0},
		},
		"revenue by region and channel": {
			{"North", "Store", 10.0},
			{"North", "Online", 20.0},
			{"South", "Online", 5.5},
			{"South", "Store", nil},
		},
		"revenue by year and region": {
			{int64(2023), "North", 100.0},
			{int64(2023), "South", 50.0},
			{int64(2024), "North", 120.0},
			{int64(2024), "South", 35.5},
		},
		"running total of revenue by month":   {{"2025-01-01", 100.0, 100.0}, {"2025-02-01", 180.0, 80.0}},
		"return rate":                         {{int64(1), int64(4), 25.0}},
		"share of returned orders by region":  {{"North", int64(3), int64(4), 75.0}, {"South", int64(1), int64(4), 25.0}},
		"average revenue per month":           {{176.67, int64(3)}},
		"which customer has the most revenue": {{"Ann", 10.0}, {"Bob", 10.0}, {"Cid", 3.0}},
		"share of revenue by region":          {{"South", 60.0, 60.0}, {"North", 30.0, 30.0}, {"West", 10.0, 10.0}},
		// The numbers of remarks under an answer are counted, too.
		"average weight":              {{17.5, int64(12), int64(1234)}},
		"average weight in the North": {{17.5, int64(1), int64(345)}},
		"What is in this data?": {
			{"Revenue", int64(1234), int64(0), nil, "2.50", "12345.00"},
			{"Discount percent", int64(1234), int64(3), nil, "1", "30"},
			{"Region", int64(1234), int64(0), int64(3), nil, nil},
			{"Channel", int64(1234), int64(0), int64(2), nil, nil},
			{"Customer", int64(1234), int64(7), int64(60), nil, nil},
			{"Day", int64(1234), int64(0), nil, "2025-01-01", "2025-03-31"},
			{"Returned", int64(1234), int64(5), nil, nil, nil},
			{"Weight", int64(1234), int64(12), nil, "0.25", "70.5"},
			{"Note", int64(1234), int64(1234), int64(0), nil, nil},
		},
	} {
		t.Run(question, func(t *testing.T) {
			t.Parallel()
			f := newPlanner(newLanguage(), tables, nil, date(2025, 10, 15), nil).read(question, nil)
			n := narrate(f, &domain.ResultSet{Rows: rows})
			require.NotEmpty(t, n.figures, n.answer)
			rest, from := "", 0
			for i := range n.figures {
				g := &n.figures[i]
				said := n.answer[g.Start:g.End]
				if day := parseDay(fmt.Sprint(rows[g.Row][g.Column])); g.Of == domain.FigureCell && day.Year() > 1 {
					require.Equal(t, day.Format("2 January 2006"), said)
					rest, from = rest+n.answer[from:g.Start], g.End
					continue
				}
				number, err := strconv.ParseFloat(strings.ReplaceAll(numberText.FindString(said), ",", ""), 64)
				require.NoError(t, err, said)
				want := math.Abs(computed(t, g, rows))
				require.InDelta(t, want, number, 0.05+want/1000, "%s: %q is %q", n.answer, said, g.Of)
				rest, from = rest+n.answer[from:g.Start], g.End
			}
			rest += n.answer[from:]
			require.Equal(t, question != "What is in this data?" && strings.Contains(question, "weight"), n.caveatsAt > 0)
			rest = regexp.MustCompile(`20[0-9]{2}`).ReplaceAllString(rest, "")
			require.NotRegexp(t, numberText, rest, n.answer)
		})
	}
}

func TestTell_NumbersAreCells(t *testing.T) {
	t.Parallel()
	result := &domain.ResultSet{
		Columns: []domain.Column{{Name: "region"}, {Name: "orders"}},
		Rows:    [][]any{{"North", int64(1200)}, {"South", int64(7)}},
	}
	n := tell(result)
	require.Equal(t, "The query gives 2 rows.\n\n- **North**: orders 1,200\n- **South**: orders 7", n.answer)
	require.Equal(t, "The query gives 2 rows, the first North with orders 1,200.", n.summary)
	require.Len(t, n.figures, 3)
	require.Equal(t, domain.FigureRows, n.figures[0].Of)
	require.Equal(t, "7", n.answer[n.figures[2].Start:n.figures[2].End])
	require.Equal(t, [2]int{1, 1}, [2]int{n.figures[2].Row, n.figures[2].Column})
}
