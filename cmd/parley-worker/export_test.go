package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"
	"pgregory.net/rapid"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

// exported writes a result as CSV, as Parley stores it, exports this table in another format, and returns the path.
func (b *bundle) exported(t require.TestingT, dir string, r *domain.ResultSet, format string) string {
	csv, err := os.CreateTemp(dir, "table-")
	require.NoError(t, err)
	_, err = csv.WriteString(analyst.CSV(r, -1))
	require.NoError(t, err)
	require.NoError(t, csv.Close())
	out := csv.Name() + "." + format
	require.NoError(t, b.bench.Export(contextOf(t), csv.Name(), format, r.Shown, out))
	return out
}

func text(columns ...string) []domain.Column {
	out := make([]domain.Column, len(columns))
	for i, c := range columns {
		out[i] = domain.Column{Name: c, Type: domain.ColumnText}
	}
	return out
}

// TestUpload_E12_Formulas: text that a spreadsheet would run as a formula is text in every format, and in a workbook it is
// unchanged.
func TestUpload_E12_Formulas(t *testing.T) {
	t.Parallel()
	b := setup(t)
	values := []string{
		`=cmd|' /C calc'!A0`, "+49 170 123", "-2+3", "@SUM(A1)", "\t=1+1", "\r=1", "'=already", "''=twice", "'quoted'", "＝1+1", "plain",
		"=1,\"2\"\n3", "007", "$5", "(5)", "N/A", "true story", "1,234", " blanks ",
	}
	r := &domain.ResultSet{Columns: append(text("=name", "value"), domain.Column{Name: "n", Type: domain.ColumnInteger},
		domain.Column{Name: "d", Type: domain.ColumnNumber},
		domain.Column{Name: "day", Type: domain.ColumnDate}, domain.Column{Name: "at", Type: domain.ColumnTime},
		domain.Column{Name: "ok", Type: domain.ColumnBoolean})}
	for i, v := range values {
		r.Rows = append(r.Rows, []any{fmt.Sprintf("row %d", i), v, int64(-5 - i), -1.25, "2024-02-29", "2024-02-29T13:45:00", i%2 == 0})
	}
	r.Rows = append(r.Rows, []any{"nothing", nil, nil, nil, nil, nil, nil})

	csv := analyst.CSV(r, -1)
	require.Contains(t, csv, "'=name")
	for _, line := range strings.Split(csv, "\n") {
		require.NotRegexp(t, `^[=+@\t]|,[=+@\t]|,-[^0-9]|,"[=+@\t-]`, line)
	}
	require.Contains(t, csv, ",-5,-1.25,", "numbers stay numbers")

	f, err := excelize.OpenFile(b.exported(t, t.TempDir(), r, "xlsx"))
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	head, err := f.GetCellValue("Sheet1", "A1")
	require.NoError(t, err)
	require.Equal(t, "=name", head)
	for i, want := range values {
		cell := fmt.Sprintf("B%d", i+2)
		got, err := f.GetCellValue("Sheet1", cell)
		require.NoError(t, err)
		require.Equal(t, strings.ReplaceAll(want, "\r", "\n"), strings.ReplaceAll(strings.ReplaceAll(got, "\r\n", "\n"), "\r", "\n"), "%q", want)
		kind, err := f.GetCellType("Sheet1", cell)
		require.NoError(t, err)
		require.Equal(t, excelize.CellTypeInlineString, kind, "%q", want)
		formula, err := f.GetCellFormula("Sheet1", cell)
		require.NoError(t, err)
		require.Empty(t, formula)
	}
	raw := func(cell string) string {
		v, err := f.GetCellValue("Sheet1", cell, excelize.Options{RawCellValue: true})
		require.NoError(t, err)
		return v
	}
	require.Equal(t, []string{"-5", "-1.25", "45351", "1"}, []string{raw("C2"), raw("D2"), raw("E2"), raw("G2")})
	shown, err := f.GetCellValue("Sheet1", "F2")
	require.NoError(t, err)
	require.Equal(t, "2024-02-29 13:45:00", shown)

	// An upload of the workbook has the same values.
	content, err := os.ReadFile(b.exported(t, t.TempDir(), r, "xlsx"))
	require.NoError(t, err)
	s, info, err := b.upload(t, "again.xlsx", content)
	require.NoError(t, err)
	require.Equal(t, map[string]string{
		"name": "VARCHAR", "value": "VARCHAR", "n": "BIGINT", "d": "DECIMAL(18,2)", "day": "DATE",
		"at_": "TIMESTAMP", "ok": "BOOLEAN",
	}, types(info.Resources[0]))
	require.Equal(t, []any{"row 0", values[0], int64(-5), -1.25, "2024-02-29", "2024-02-29T13:45:00", true},
		b.query(t, "FROM again", s).Rows[0])
}

// TestExport_Percentages: shares of one and percentages have a percent sign in a workbook, and their values stay what they are.
func TestExport_Percentages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := &domain.ResultSet{
		Columns: append(text("region"), domain.Column{Name: "share", Type: domain.ColumnNumber},
			domain.Column{Name: "whole", Type: domain.ColumnInteger}, domain.Column{Name: "price", Type: domain.ColumnNumber},
			domain.Column{Name: "growth", Type: domain.ColumnNumber}, domain.Column{Name: "rate", Type: domain.ColumnInteger}),
		Rows: [][]any{{"Nord", 0.1394, int64(1), 2.5, 13.9, int64(7)}, {"Süd", 1.0, int64(0), 12.25, -0.25, int64(100)}},
		Shown: []domain.ShownColumn{
			{Name: "region", Format: domain.FormatFraction},
			{Name: "share", Format: domain.FormatFraction},
			{Name: "whole", Format: domain.FormatFraction},
			{Name: "price", Format: domain.FormatMoney},
			{Name: "growth", Format: domain.FormatPercent},
			{Name: "rate", Format: domain.FormatPercent},
		},
	}
	f, err := excelize.OpenFile(b.exported(t, t.TempDir(), r, "xlsx"))
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	read := func(cell string, options ...excelize.Options) string {
		v, err := f.GetCellValue("Sheet1", cell, options...)
		require.NoError(t, err)
		return v
	}
	require.Equal(t, []string{"Nord", "13.94%", "100.00%", "2.50"}, []string{read("A2"), read("B2"), read("C2"), read("D2")})
	require.Equal(t, []string{"13.90%", "-0.25%", "7%", "100%"}, []string{read("E2"), read("E3"), read("F2"), read("F3")})
	raw := excelize.Options{RawCellValue: true}
	require.Equal(t, []string{"0.1394", "1", "2.5", "13.9", "7"},
		[]string{read("B2", raw), read("C2", raw), read("D2", raw), read("E2", raw), read("F2", raw)})
}

// TestExport_LongNumbers: a number with more digits than Excel keeps is a text in a workbook.
func TestExport_LongNumbers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := &domain.ResultSet{
		Columns: []domain.Column{{Name: "id", Type: domain.ColumnInteger}},
		Rows:    [][]any{{int64(999_999_999_999_999)}, {int64(1_234_567_890_123_456_789)}, {int64(-1_000_000_000_000_000)}},
	}
	f, err := excelize.OpenFile(b.exported(t, t.TempDir(), r, "xlsx"))
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	for cell, want := range map[string]string{"A2": "999999999999999", "A3": "1234567890123456789", "A4": "-1000000000000000"} {
		got, err := f.GetCellValue("Sheet1", cell)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	kind, err := f.GetCellType("Sheet1", "A3")
	require.NoError(t, err)
	require.Equal(t, excelize.CellTypeInlineString, kind)
}

// TestExport_JSON: any text is unchanged in the JSON.
func TestExport_JSON(t *testing.T) {
	t.Parallel()
	b := setup(t)
	dir := t.TempDir()
	deadline := time.Now().Add(20 * time.Second) // each check starts a process
	rapid.Check(t, func(t *rapid.T) {
		if time.Now().After(deadline) {
			return
		}
		r := &domain.ResultSet{Columns: text("key", "a", "b")}
		cell := rapid.StringMatching(`['=+@\t ＝-]{0,3}[a-z,"'\n;%$0-9.-]{0,8}`)
		for i := range rapid.IntRange(1, 300).Draw(t, "rows") {
			r.Rows = append(r.Rows, []any{fmt.Sprintf("k%d", i), cell.Draw(t, "a"), cell.Draw(t, "b")})
		}
		raw, err := os.ReadFile(b.exported(t, dir, r, "json"))
		require.NoError(t, err)
		var got struct {
			Columns []struct{ Name, Type string }
			Rows    [][]any
		}
		require.NoError(t, json.Unmarshal(raw, &got))
		require.Len(t, got.Columns, 3)
		require.Len(t, got.Rows, len(r.Rows))
		for i, row := range got.Rows {
			for c, v := range row {
				want := r.Rows[i][c]
				if want == "" {
					want = nil // the stored CSV does not distinguish an empty text from NULL
				}
				if _, isText := v.(string); !isText && v != nil {
					continue // a column of only numbers or booleans
				}
				require.Equal(t, want, v)
			}
		}
	})
}

func TestBench_Export(t *testing.T) {
	t.Parallel()
	b := setup(t)
	path := filepath.Join(t.TempDir(), "table.csv")
	require.NoError(t, os.WriteFile(path, []byte("a,b\n1,2\n"), 0o600))
	out := filepath.Join(t.TempDir(), "out")
	t.Run("ErrFormat", func(t *testing.T) {
		err := b.bench.Export(t.Context(), path, "hyper", nil, out)
		require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
		require.NoFileExists(t, out)
	})
	t.Run("ErrTooManyRows", func(t *testing.T) {
		long := filepath.Join(t.TempDir(), "long.csv")
		require.NoError(t, os.WriteFile(long, []byte("a\n"+strings.Repeat("1\n", 1<<20)), 0o600))
		err := b.bench.Export(t.Context(), long, "xlsx", nil, out)
		require.Equal(t, domain.CodeTooLarge, domain.CodeOf(err))
		require.ErrorContains(t, err, "1048575 rows")
	})
	t.Run("OKOnlyAHeader", func(t *testing.T) {
		empty := filepath.Join(t.TempDir(), "empty.csv")
		require.NoError(t, os.WriteFile(empty, []byte("a,b\n"), 0o600))
		require.NoError(t, b.bench.Export(t.Context(), empty, "json", nil, out))
		raw, err := os.ReadFile(out)
		require.NoError(t, err)
		require.JSONEq(t, `{"columns":[{"name":"a","type":"text"},{"name":"b","type":"text"}],"rows":[]}`, string(raw))
	})
}

// TestCellText checks that a cell of Excel holds as many UTF-16 code units as Excel allows, in any script.
func TestCellText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text, want string
	}{
		{"ASCII", strings.Repeat("x", excelCell), strings.Repeat("x", excelCell)},
		{"ASCII, one too many", strings.Repeat("x", excelCell+1), strings.Repeat("x", excelCell-1) + "…"},
		{"two bytes each", strings.Repeat("é", excelCell), strings.Repeat("é", excelCell)},
		{"two bytes each, one too many", strings.Repeat("é", excelCell+1), strings.Repeat("é", excelCell-1) + "…"},
		{"two units each", strings.Repeat("😀", excelCell/2+1), strings.Repeat("😀", excelCell/2) + "…"},
	} {
		require.Equal(t, c.want, cellText(c.text), c.name)
	}
}
