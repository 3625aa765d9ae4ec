package specialist_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/domain"
)

// drawnChart contains the options of a chart that the tests read.
type drawnChart struct {
	XAxis struct {
		Categories []string `json:"categories"`
	} `json:"xAxis"`
	Subtitle struct {
		Text string `json:"text"`
	} `json:"subtitle"`
	Series []struct {
		Name string            `json:"name"`
		Data []json.RawMessage `json:"data"`
	} `json:"series"`
	Parley struct {
		Exact    [][2]string `json:"exact"`
		Empty    string      `json:"empty"`
		Compared bool        `json:"compared"`
	} `json:"parley"`
}

func drawnOf(t *testing.T, kind specialist.Kind, columns []domain.Column, rows [][]any) (*specialist.Chart, drawnChart) {
	t.Helper()
	chart, err := specialist.DeriveChart(&domain.ResultSet{Columns: columns, Rows: rows}, specialist.ChartWish{Kind: kind})
	require.NoError(t, err)
	var d drawnChart
	require.NoError(t, json.Unmarshal(chart.Options, &d))
	return chart, d
}

func values(t *testing.T, data []json.RawMessage) string {
	t.Helper()
	out, err := json.Marshal(data)
	require.NoError(t, err)
	return string(out)
}

func TestDeriveChart_Names(t *testing.T) {
	t.Parallel()
	byName := []domain.Column{col("size", text), col("n", num)}

	t.Run("AreDrawnAsPlainTextAndPassedOnUnchanged", func(t *testing.T) {
		t.Parallel()
		_, d := drawnOf(t, specialist.Column, byName, [][]any{{"< 5 kg", 3.0}, {"5-10 kg", 2.0}, {"> 10 kg", 1.0}})
		require.Equal(t, []string{"‹ 5 kg", "5-10 kg", "› 10 kg"}, d.XAxis.Categories)
		require.Equal(t, [][2]string{{"‹ 5 kg", "< 5 kg"}, {"› 10 kg", "> 10 kg"}}, d.Parley.Exact)
	})

	t.Run("OfSeries", func(t *testing.T) {
		t.Parallel()
		columns := []domain.Column{col("region", text), col("size", text), col("n", num)}
		_, d := drawnOf(t, "", columns, [][]any{
			{"a", "<5", 1.0},
			{"a", ">5", 2.0},
			{"b", "<5", 3.0},
			{"b", ">5", 4.0},
			{"c", "<5", 5.0},
			{"c", ">5", 6.0},
		})
		require.Equal(t, "‹5", d.Series[0].Name)
		require.Equal(t, [][2]string{{"‹5", "<5"}, {"›5", ">5"}}, d.Parley.Exact)
	})

	t.Run("ThatLookTheSameStayDifferent", func(t *testing.T) {
		t.Parallel()
		_, d := drawnOf(t, specialist.Column, byName, [][]any{{"<5", 3.0}, {"‹5", 2.0}, {"a  b", 1.0}, {"a b", 0.0}})
		require.Equal(t, []string{"‹5", "‹5 (2)", "a b", "a b (2)"}, d.XAxis.Categories)
		require.Equal(t, [][2]string{{"‹5", "<5"}, {"‹5 (2)", "‹5"}, {"a b", "a  b"}, {"a b (2)", "a b"}}, d.Parley.Exact)
	})
}

func TestDeriveChart_RowsWithoutAValue(t *testing.T) {
	t.Parallel()
	byName := []domain.Column{col("region", text), col("n", num)}

	t.Run("AreLastWhateverTheirNumber", func(t *testing.T) {
		t.Parallel()
		for _, kind := range []specialist.Kind{specialist.Column, specialist.Bar} {
			_, d := drawnOf(t, kind, byName, [][]any{{nil, 9.0}, {"b", 3.0}, {"a", 1.0}})
			require.Equal(t, []string{"b", "a", "(empty)"}, d.XAxis.Categories)
			require.Equal(t, "[3,1,9]", values(t, d.Series[0].Data))
			require.Equal(t, "(empty)", d.Parley.Empty)
		}
		_, d := drawnOf(t, specialist.Pie, byName, [][]any{{" ", 9.0}, {"b", 3.0}, {"a", 1.0}})
		require.JSONEq(t, `[{"name":"b","y":3},{"name":"a","y":1},{"name":"(empty)","y":9}]`, values(t, d.Series[0].Data))
	})

	t.Run("AreTheLastSeriesAndTheLastPeriod", func(t *testing.T) {
		t.Parallel()
		columns := []domain.Column{col("region", text), col("channel", text), col("n", num)}
		_, d := drawnOf(t, "", columns, rows(6, func(i int) []any { return []any{fmt.Sprint("r", i/2), []any{nil, "web"}[i%2], float64(i)} }))
		require.Equal(t, []string{"web", "(empty)"}, []string{d.Series[0].Name, d.Series[1].Name})
		_, d = drawnOf(t, "", []domain.Column{col("month", text), col("n", num)}, [][]any{{nil, 9.0}, {"2025-02", 1.0}, {"2025-01", 2.0}})
		require.Equal(t, []string{"2025-01", "2025-02", "(empty)"}, d.XAxis.Categories)
	})

	t.Run("HaveANameThatIsNotAValueOfTheData", func(t *testing.T) {
		t.Parallel()
		_, d := drawnOf(t, specialist.Column, byName, [][]any{{"(empty)", 9.0}, {nil, 3.0}, {"a", 1.0}})
		require.Equal(t, []string{"(empty)", "a", "(no value)"}, d.XAxis.Categories)
		require.Equal(t, "(no value)", d.Parley.Empty)
		_, d = drawnOf(t, specialist.Column, byName, [][]any{{"(empty)", 9.0}, {"a", 1.0}})
		require.Equal(t, []string{"(empty)", "a"}, d.XAxis.Categories)
		require.Empty(t, d.Parley.Empty)
	})
}

// TestDeriveChart_YearsCompared checks that up to four years are compared side by side. More years
// are drawn along a time axis.
func TestDeriveChart_YearsCompared(t *testing.T) {
	t.Parallel()
	columns := []domain.Column{col("region", text), col("year", whole), col("n", num)}
	for years, compared := range map[int]bool{2: true, 3: true, 4: true, 5: false} {
		// The rows are sorted by value, as a query may return them.
		_, d := drawnOf(t, "", columns, rows(3*years, func(i int) []any {
			return []any{fmt.Sprint("r", i/years), int64(2026 - i%years), float64(100 - i)}
		}))
		require.Equal(t, compared, d.Parley.Compared, years)
		if compared {
			require.Len(t, d.Series, years)
			require.Equal(t, []string{"r0", "r1", "r2"}, d.XAxis.Categories)
			for i, s := range d.Series {
				require.Equal(t, fmt.Sprint(2027-years+i), s.Name)
			}
		}
	}
}

// TestDeriveChart_YearsComparedWithoutAValue checks that the rows without a value are a group in a
// comparison of years, too.
func TestDeriveChart_YearsComparedWithoutAValue(t *testing.T) {
	t.Parallel()
	columns := []domain.Column{col("region", text), col("year", whole), col("n", num)}
	for _, empty := range []any{nil, ""} {
		_, d := drawnOf(t, "", columns, rows(9, func(i int) []any {
			return []any{[]any{empty, "a", "b"}[i/3], int64(2024 + i%3), float64(i)}
		}))
		require.True(t, d.Parley.Compared)
		require.Equal(t, []string{"a", "b", "(empty)"}, d.XAxis.Categories)
		require.Equal(t, "[3,6,0]", values(t, d.Series[0].Data))
	}
	chart, _ := drawnOf(t, "", []domain.Column{col("region", text), col("share_percent", num)}, [][]any{{nil, 40.0}, {"a", 35.0}, {"b", 25.0}})
	require.Equal(t, specialist.Pie, chart.Kind, "parts of a whole, one of them without a name")
}

// TestDeriveChart_ManyPointsInTime checks that a chart has all points up to the limit of a viewer,
// because only the drawing may use coarser steps; the table and the CSV have all points.
func TestDeriveChart_ManyPointsInTime(t *testing.T) {
	t.Parallel()
	at := func(i int) string {
		return fmt.Sprintf("2025-%02d-%02dT%02d:00:00", 1+i/(24*28)%12, 1+i/24%28, i%24)
	}
	t.Run("HasAllItsPoints", func(t *testing.T) {
		t.Parallel()
		_, d := drawnOf(t, "", []domain.Column{col("at", domain.ColumnTime), col("n", num)}, rows(8000, func(i int) []any {
			return []any{at(i), float64(i)}
		}))
		require.Len(t, d.Series[0].Data, 8000)
		require.Empty(t, d.Subtitle.Text)
	})
	t.Run("HasNoMorePointsThanAViewerAccepts", func(t *testing.T) {
		t.Parallel()
		columns := []domain.Column{col("at", domain.ColumnTime), col("who", text), col("n", num)}
		_, d := drawnOf(t, "", columns, rows(12_000, func(i int) []any { return []any{at(i / 4), fmt.Sprint("w", i%4), float64(i)} }))
		require.Len(t, d.Series, 4)
		require.Len(t, d.Series[0].Data, 2500)
		require.Equal(t, "The first 2,500 of 3,000 points.", d.Subtitle.Text)
	})
}

// TestDeriveChart_RowsNotDrawn checks that a chart says which rows it leaves out.
func TestDeriveChart_RowsNotDrawn(t *testing.T) {
	t.Parallel()
	byRegion := []domain.Column{col("region", text), col("n", num)}
	byChannel := []domain.Column{col("region", text), col("channel", text), col("n", num)}
	byDay := []domain.Column{col("day", domain.ColumnDate), col("n", num), col("m", num)}
	for name, c := range map[string]struct {
		kind    specialist.Kind
		columns []domain.Column
		rows    [][]any
		want    string
	}{
		"several rows of one category": {
			specialist.Column, byRegion,
			[][]any{{"a", 1.0}, {"b", 2.0}, {"a", 3.0}, {"a", 4.0}},
			"Only the first of several rows with the same region is drawn: 2 rows are left out.",
		},
		"several rows of one category and series": {
			specialist.Column, byChannel,
			[][]any{{"a", "x", 1.0}, {"b", "y", 2.0}, {"a", "x", 3.0}, {"a", "y", 4.0}},
			"Only the first of several rows with the same region is drawn: 1 row is left out.",
		},
		"a second row that has no value": {specialist.Column, byRegion, [][]any{{"a", 1.0}, {"b", 2.0}, {"a", nil}}, ""},
		"a row without a date, two measures": {
			"", byDay,
			[][]any{{"2025-01-01", 1.0, 2.0}, {nil, 5.0, 6.0}, {"2025-01-02", 3.0, 4.0}},
			"Rows without day are not drawn: 1 row is left out.",
		},
	} {
		_, d := drawnOf(t, c.kind, c.columns, c.rows)
		require.Equal(t, c.want, d.Subtitle.Text, name)
	}
}
