package specialist_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/analyst/specialist/columns"
	"parley.dev/parley/domain"
)

func col(name string, t domain.ColumnType) domain.Column { return domain.Column{Name: name, Type: t} }

func rows(n int, f func(i int) []any) [][]any {
	out := make([][]any, n)
	for i := range out {
		out[i] = f(i)
	}
	return out
}

var text, whole, num, day = domain.ColumnText, domain.ColumnInteger, domain.ColumnNumber, domain.ColumnDate

func TestDeriveChart_Kind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		columns []domain.Column
		rows    [][]any
		wish    specialist.Kind
		want    specialist.Kind
		series  int
	}{
		{"FewCategories", []domain.Column{col("region", text), col("total", num)}, rows(4, func(i int) []any {
			return []any{fmt.Sprint("r", i), float64(i)}
		}), "", specialist.Column, 1},
		{"ManyCategories", []domain.Column{col("region", text), col("total", num)}, rows(12, func(i int) []any {
			return []any{fmt.Sprint("r", i), float64(i)}
		}), "", specialist.Bar, 1},
		{"LongLabels", []domain.Column{col("region", text), col("total", num)}, rows(3, func(i int) []any {
			return []any{fmt.Sprint("a rather long region ", i), float64(i)}
		}), "", specialist.Bar, 1},
		{"Time", []domain.Column{col("month", day), col("total", num)}, rows(12, func(i int) []any {
			return []any{fmt.Sprintf("2025-%02d-01", i+1), float64(i)}
		}), "", specialist.Line, 1},
		{"TwoPointsInTime", []domain.Column{col("year", whole), col("total", num)}, rows(2, func(i int) []any {
			return []any{int64(2024 + i), float64(i)}
		}), "", specialist.Column, 1},
		{"TimeAndCategory", []domain.Column{col("month", day), col("region", text), col("total", num)}, rows(24, func(i int) []any {
			return []any{fmt.Sprintf("2025-%02d-01", i/2+1), fmt.Sprint("r", i%2), float64(i)}
		}), "", specialist.Line, 2},
		{"TwoCategories", []domain.Column{col("region", text), col("channel", text), col("total", num)}, rows(6, func(i int) []any {
			return []any{fmt.Sprint("r", i/2), fmt.Sprint("c", i%2), float64(i)}
		}), "", specialist.Column, 2},
		{"Share", []domain.Column{col("region", text), col("total", num), col("share_percent", num)}, rows(4, func(i int) []any {
			return []any{fmt.Sprint("r", i), float64(i), 25.0}
		}), "", specialist.Pie, 1},
		{"TwoNumbers", []domain.Column{col("a", num), col("b", num)}, rows(20, func(i int) []any {
			return []any{float64(i * i), float64(i)}
		}), "", specialist.Scatter, 1},
		{"EvenlySpacedNumbers", []domain.Column{col("from", num), col("count", whole)}, rows(8, func(i int) []any {
			return []any{float64(i * 50), int64(i)}
		}), "", specialist.Column, 1},
		{"WishThatSuits", []domain.Column{col("region", text), col("total", num)}, rows(4, func(i int) []any {
			return []any{fmt.Sprint("r", i), float64(i)}
		}), specialist.Pie, specialist.Pie, 1},
		{"WishThatDoesNotSuit", []domain.Column{col("region", text), col("total", num)}, rows(4, func(i int) []any {
			return []any{fmt.Sprint("r", i), float64(i - 2)}
		}), specialist.Pie, specialist.Column, 1},
		{"WishForAnUnknownKind", []domain.Column{col("region", text), col("total", num)}, rows(4, func(i int) []any {
			return []any{fmt.Sprint("r", i), float64(i)}
		}), "script", specialist.Column, 1},
		{"TooManySeries", []domain.Column{col("month", day), col("product", text), col("total", num)}, rows(300, func(i int) []any {
			return []any{fmt.Sprintf("2025-%02d-01", i%10+1), fmt.Sprint("p", i/10), float64(i)}
		}), "", specialist.Line, 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			chart, err := specialist.DeriveChart(&domain.ResultSet{Columns: c.columns, Rows: c.rows}, specialist.ChartWish{Kind: c.wish})
			require.NoError(t, err)
			require.Equal(t, c.want, chart.Kind)
			require.Equal(t, c.series, chart.Series)
			require.True(t, json.Valid(chart.Options))
		})
	}
}

func TestDeriveChart_Refuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		table *domain.ResultSet
		want  error
	}{
		{"NoTable", nil, specialist.ErrEmpty},
		{"OneRow", &domain.ResultSet{Columns: []domain.Column{col("a", num)}, Rows: [][]any{{1.0}}}, specialist.ErrEmpty},
		{"NoNumber", &domain.ResultSet{Columns: []domain.Column{col("a", text)}, Rows: [][]any{{"x"}, {"y"}}}, specialist.ErrNoMeasure},
		{"OnlyKeys", &domain.ResultSet{
			Columns: []domain.Column{col("a", text), col("order_id", whole)},
			Rows:    [][]any{{"x", int64(1)}, {"y", int64(2)}},
		}, specialist.ErrNoMeasure},
		{"OneColumn", &domain.ResultSet{Columns: []domain.Column{col("a", num)}, Rows: [][]any{{1.0}, {2.0}}}, specialist.ErrNoAxis},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := specialist.DeriveChart(c.table, specialist.ChartWish{})
			require.ErrorIs(t, err, c.want)
		})
	}
}

func TestDeriveChart_Options(t *testing.T) {
	t.Parallel()
	decodeAs := func(t *testing.T, kind specialist.Kind, columns []domain.Column, rows [][]any) map[string]any {
		t.Helper()
		chart, err := specialist.DeriveChart(&domain.ResultSet{Columns: columns, Rows: rows}, specialist.ChartWish{Kind: kind})
		require.NoError(t, err)
		var o map[string]any
		require.NoError(t, json.Unmarshal(chart.Options, &o))
		return o
	}
	decode := func(t *testing.T, columns []domain.Column, rows [][]any) map[string]any {
		t.Helper()
		return decodeAs(t, "", columns, rows)
	}
	object := func(t *testing.T, v any) map[string]any {
		t.Helper()
		m, ok := v.(map[string]any)
		require.True(t, ok)
		return m
	}

	t.Run("RotatesMoreThanFifteenLabels", func(t *testing.T) {
		t.Parallel()
		label := func(kind specialist.Kind, n int) any {
			o := decodeAs(t, kind, []domain.Column{col("r", text), col("n", num)}, rows(n, func(i int) []any {
				return []any{fmt.Sprint("r", i), float64(i)}
			}))
			return object(t, o["xAxis"])["labels"]
		}
		require.Nil(t, label(specialist.Column, 15))
		require.NotNil(t, label(specialist.Column, 16))
		require.Nil(t, label(specialist.Bar, 16), "labels next to horizontal bars are not rotated")
	})

	t.Run("TimeAxisInMilliseconds", func(t *testing.T) {
		t.Parallel()
		o := decode(t, []domain.Column{col("at", domain.ColumnTime), col("n", num)}, rows(5, func(i int) []any {
			return []any{fmt.Sprintf("2025-01-0%dT00:00:00", 5-i), float64(i)}
		}))
		require.Equal(t, "datetime", object(t, o["xAxis"])["type"])
		series, ok := o["series"].([]any)
		require.True(t, ok)
		data, ok := object(t, series[0])["data"].([]any)
		require.True(t, ok)
		require.Equal(t, []any{1735689600000.0, 4.0}, data[0], "in order of time")
	})

	t.Run("Percentages", func(t *testing.T) {
		t.Parallel()
		o := decode(t, []domain.Column{col("r", text), col("change_percent", num)}, rows(3, func(i int) []any {
			return []any{fmt.Sprint("r", i), float64(i) + 1.0/3}
		}))
		require.Equal(t, "%", object(t, o["tooltip"])["valueSuffix"])
		series, ok := o["series"].([]any)
		require.True(t, ok)
		data, ok := object(t, series[0])["data"].([]any)
		require.True(t, ok)
		require.InDelta(t, 0.33, data[0], 0)
	})

	// I03 keeps markup out. Apart from that, a name is the same as in the data, because a chart's
	// CSV contains it.
	t.Run("NamesAreComplete", func(t *testing.T) {
		t.Parallel()
		long := strings.Repeat("Donaudampfschifffahrt ", 5)
		names := []any{long + "north", long + "south", long + "west"}
		for _, kind := range []specialist.Kind{specialist.Bar, specialist.Pie} {
			chart, err := specialist.DeriveChart(&domain.ResultSet{
				Columns: []domain.Column{col("product", text), col("revenue", num)},
				Rows:    rows(3, func(i int) []any { return []any{names[i], float64(3 - i)} }),
			}, specialist.ChartWish{Kind: kind})
			require.NoError(t, err)
			for _, name := range names {
				require.Contains(t, string(chart.Options), name)
			}
		}
	})

	t.Run("DifferentMagnitudesDoNotShareAnAxis", func(t *testing.T) {
		t.Parallel()
		o := decode(t, []domain.Column{col("r", text), col("revenue", num), col("orders", num)}, rows(3, func(i int) []any {
			return []any{fmt.Sprint("r", i), 1e6, 3.0}
		}))
		require.Len(t, o["series"], 1)
	})
}

// TestDeriveChart_AnyResult checks that the options are plain JSON with known keys and without
// markup, whatever a result contains (I03, I04).
func TestDeriveChart_AnyResult(t *testing.T) {
	t.Parallel()
	known := map[string]bool{
		"chart": true, "title": true, "subtitle": true, "credits": true, "legend": true, "tooltip": true,
		"series": true, "xAxis": true, "yAxis": true, "parley": true,
	}
	rapid.Check(t, func(t *rapid.T) {
		strs := rapid.SampledFrom([]string{
			"", "a", "<script>x</script>", "__proto__", "2025-01-01", "2025-Q3", "999999-01-01", "{point.y}",
			"share_percent", "change_percent", "order_id", "year", "\u202ex", "\x00", "https://evil/", "3",
		})
		cell := rapid.Custom(func(t *rapid.T) any {
			switch rapid.IntRange(0, 5).Draw(t, "kind") {
			case 0:
				return nil
			case 1:
				return rapid.Int64().Draw(t, "int")
			case 2:
				return rapid.SampledFrom([]float64{0, 1, -1, math.NaN(), math.Inf(1), 1e308, -1e308, 0.1}).Draw(t, "float")
			case 3:
				return rapid.Bool().Draw(t, "bool")
			default:
				return strs.Draw(t, "text")
			}
		})
		n := rapid.IntRange(0, 4).Draw(t, "columns")
		r := &domain.ResultSet{}
		for range n {
			r.Columns = append(r.Columns, domain.Column{
				Name: strs.Draw(t, "name"), Description: strs.Draw(t, "description"),
				Max:  strs.Draw(t, "last"),
				Type: rapid.SampledFrom([]domain.ColumnType{text, whole, num, day, domain.ColumnTime, domain.ColumnBoolean}).Draw(t, "type"),
			})
		}
		spaced := rapid.IntRange(0, n).Draw(t, "evenly spaced columns")
		for i := range rapid.IntRange(0, 40).Draw(t, "rows") {
			row := make([]any, n)
			for k := range row {
				row[k] = cell.Draw(t, "cell")
				if k < spaced {
					row[k] = float64(i)
				}
			}
			r.Rows = append(r.Rows, row)
		}
		if rapid.Bool().Draw(t, "shown") {
			r.Shown = columns.Shown(strs.Draw(t, "sql"), []columns.Table{{Columns: r.Columns}}, r)
		}
		chart, err := specialist.DeriveChart(r, specialist.ChartWish{Title: strs.Draw(t, "title"), Kind: specialist.Kind(strs.Draw(t, "wish"))})
		if err != nil {
			return
		}
		var o map[string]any
		require.NoError(t, json.Unmarshal(chart.Options, &o))
		for key := range o {
			require.True(t, known[key], key)
		}
		// The original names of the data are stored separately and used only for files. Nothing that
		// is drawn contains them.
		if own, ok := o["parley"].(map[string]any); ok {
			delete(own, "exact")
		}
		drawn, err := json.Marshal(o)
		require.NoError(t, err)
		require.NotContains(t, string(drawn), "<")
		require.NotContains(t, string(drawn), `\u003c`)
	})
}

func TestFormat(t *testing.T) {
	t.Parallel()
	for v, want := range map[float64]string{
		0: "0", 12: "12", 1234: "1,234", -1234567: "-1,234,567", 1234.56: "1,235", 12.345: "12.35", 0.5: "0.5", 0.1234: "0.123",
		0.00012: "0.00012",
		999.999: "1000", -0.5: "-0.5", 100: "100", 1e18: "1e+18",
	} {
		require.Equal(t, want, specialist.Format(v), v)
	}
	require.Equal(t, "12.3%", specialist.Percent(12.34))
	require.Equal(t, "1.23%", specialist.Percent(1.234))
	require.Equal(t, "Order date", specialist.Sentence("order date"))
}

func TestDigest(t *testing.T) {
	t.Parallel()
	require.Equal(t, "One thing. Two 2.5 things.", specialist.Digest("# One thing.\n\n| a | b |\n\n- Two 2.5 things.\nThree."))
	require.Equal(t, "No end", specialist.Digest("No end"))
	require.Empty(t, specialist.Digest(""))
}
