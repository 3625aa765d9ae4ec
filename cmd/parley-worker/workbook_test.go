package main

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"parley.dev/parley/domain"
)

// book makes a workbook with excelize.
func book(t *testing.T, fill func(f *excelize.File)) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer func() { require.NoError(t, f.Close()) }()
	fill(f)
	var b bytes.Buffer
	require.NoError(t, f.Write(&b))
	return b.Bytes()
}

// fillSheet writes rows, beginning at a cell.
func fillSheet(t *testing.T, f *excelize.File, sheet, at string, rows ...[]any) {
	t.Helper()
	if index, err := f.GetSheetIndex(sheet); err != nil || index < 0 {
		_, err := f.NewSheet(sheet)
		require.NoError(t, err)
	}
	column, row, err := excelize.CellNameToCoordinates(at)
	require.NoError(t, err)
	for i, cells := range rows {
		name, err := excelize.CoordinatesToCellName(column, row+i)
		require.NoError(t, err)
		require.NoError(t, f.SetSheetRow(sheet, name, &cells))
	}
}

func types(r domain.DataResource) map[string]string {
	out := map[string]string{}
	for _, c := range r.Columns {
		out[c.Name] = c.DatabaseType
	}
	return out
}

func day(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

func TestWorkbook_Types(t *testing.T) {
	t.Parallel()
	b := setup(t)
	moment := time.Date(2024, 2, 29, 13, 45, 30, 0, time.UTC)
	content := book(t, func(f *excelize.File) {
		fillSheet(t, f, "Sheet1", "A1",
			[]any{"Region", "Ordered", "Shipped At", "Units", "Price", "Paid", "Zip", "Share", "Note"},
			[]any{"North", day(2024, 1, 31), moment, 3, 19.99, true, "01067", 0.25, "=not a formula"},
			[]any{"South", day(1999, 12, 31), moment.Add(time.Hour), -5, 0.1 + 0.2, false, "10115", 1, "two\nlines, \"quoted\""},
			[]any{"Øst & Süd", day(2025, 7, 1), moment, 12, 1e3, true, "99999", 0.5, nil},
		)
		// Cells may have a number format, and dates may have any format.
		style, err := f.NewStyle(&excelize.Style{NumFmt: 14})
		require.NoError(t, err)
		require.NoError(t, f.SetCellStyle("Sheet1", "B2", "B4", style))
		percent, err := f.NewStyle(&excelize.Style{NumFmt: 10})
		require.NoError(t, err)
		require.NoError(t, f.SetCellStyle("Sheet1", "H2", "H4", percent))
		custom := `[$-407]dd/mm/yyyy\ hh:mm;@`
		long, err := f.NewStyle(&excelize.Style{CustomNumFmt: &custom})
		require.NoError(t, err)
		require.NoError(t, f.SetCellStyle("Sheet1", "C2", "C4", long))
	})
	s, info, err := b.upload(t, "order_list.xlsx", content)
	require.NoError(t, err)
	require.Equal(t, "order_list", info.Name)
	require.Len(t, info.Resources, 1)
	r := info.Resources[0]
	require.Equal(t, "order list", r.Name, "a single sheet with a default name gets the name of the file")
	require.Equal(t, map[string]string{
		"region": "VARCHAR", "ordered": "DATE", "shipped_at": "TIMESTAMP", "units": "BIGINT", "price": "DECIMAL(18,2)", "paid": "BOOLEAN",
		"zip": "VARCHAR", "share": "DECIMAL(18,2)", "note": "VARCHAR",
	}, types(r))
	require.Equal(t, int64(3), r.Rows)
	require.Equal(t, [][]any{
		{"North", "2024-01-31", "2024-02-29T13:45:30", int64(3), 19.99, true, "01067", 0.25, "=not a formula"},
		{"South", "1999-12-31", "2024-02-29T14:45:30", int64(-5), 0.3, false, "10115", 1.0, "two\nlines, \"quoted\""},
		{"Øst & Süd", "2025-07-01", "2024-02-29T13:45:30", int64(12), 1000.0, true, "99999", 0.5, nil},
	}, b.query(t, "FROM order_list", s).Rows)
	require.Contains(t, r.Preview, "North,2024-01-31,")
	require.Contains(t, info.Description, "3 rows of order list")
}

func TestWorkbook_Layout(t *testing.T) {
	t.Parallel()
	b := setup(t)
	content := book(t, func(f *excelize.File) {
		// Titles and blank rows are above the table, blank columns are to the left and between, and one cell has a formula.
		fillSheet(t, f, "Sheet1", "B2", []any{"Sales report 2024"}, []any{"made by", "Anna"}, nil)
		fillSheet(t, f, "Sheet1", "C6",
			[]any{"Region", "Month", nil, "Sales", "Cost"},
			[]any{"North", "Jan", nil, 10, 4},
			[]any{nil, "Feb", nil, 20, 5},
			[]any{"South", "Jan", nil, 30, 6},
			[]any{"South", "Feb", nil, 40, 7},
		)
		require.NoError(t, f.MergeCell("Sheet1", "B2", "G2"))
		require.NoError(t, f.MergeCell("Sheet1", "C7", "C8"))
		require.NoError(t, f.SetCellFormula("Sheet1", "G10", "SUM(G7:G9)"))
		require.NoError(t, f.SetSheetName("Sheet1", "Net Sales"))
		// A header of two rows.
		fillSheet(t, f, "By Quarter", "A1",
			[]any{"Region", 2023, nil, 2024, nil},
			[]any{nil, "Q1", "Q2", "Q1", "Q2"},
			[]any{"North", 1, 2, 3, 4},
			[]any{"South", 5, 6, 7, 8},
		)
		require.NoError(t, f.MergeCell("By Quarter", "A1", "A2"))
		require.NoError(t, f.MergeCell("By Quarter", "B1", "C1"))
		require.NoError(t, f.MergeCell("By Quarter", "D1", "E1"))
		// Dates are headers, and the name of the sheet is a reserved word.
		fillSheet(t, f, "order", "A1", []any{"Product", day(2024, 1, 1), day(2024, 2, 1)}, []any{"A", 1.5, 2.5}, []any{"B", 3, 4})
		_, err := f.NewSheet("Empty")
		require.NoError(t, err)
		fillSheet(t, f, "Blanks", "C9", []any{"  "})
	})
	s, info, err := b.upload(t, "report.xlsx", content)
	require.NoError(t, err)
	var names []string
	for _, r := range info.Resources {
		names = append(names, r.Name+"/"+r.Table)
	}
	require.Equal(t, []string{"Net Sales/net_sales", "By Quarter/by_quarter", "order/data"}, names)
	require.Equal(t, [][]any{
		{"North", "Jan", int64(10), int64(4)},
		{"North", "Feb", int64(20), int64(5)},
		{"South", "Jan", int64(30), int64(6)},
		{"South", "Feb", int64(40), int64(7)},
	}, b.query(t, "SELECT region, month, sales, cost FROM net_sales", s).Rows, "each row of merged cells has their value")
	require.Len(t, info.Resources[0].Columns, 4, "blank columns are left out")
	require.Equal(t, [][]any{{"North", int64(1), int64(4)}, {"South", int64(5), int64(8)}},
		b.query(t, `SELECT region, n_2023_q1, n_2024_q2 FROM by_quarter`, s).Rows)
	require.Equal(t, [][]any{{"A", 1.5, 2.5}, {"B", 3.0, 4.0}}, b.query(t, "SELECT product, n_2024_01_01, n_2024_02_01 FROM data", s).Rows)
	require.Contains(t, info.Description, "3 tables of report: Net Sales (4 rows, 4 columns)")
	joined := b.query(t, "SELECT sum(sales) FROM net_sales JOIN by_quarter USING (region)", s)
	require.Equal(t, int64(100), joined.Rows[0][0])
}

func TestWorkbook_Values(t *testing.T) {
	t.Parallel()
	b := setup(t)
	content := book(t, func(f *excelize.File) {
		fillSheet(t, f, "Data", "A1", []any{"a", "b", "clock", "span", "rich"}, []any{1, "x", 0.5, 1.25, nil},
			[]any{2, "y", 0.75, 0.5, "_x0041_ and _x005F_x0041_"})
		require.NoError(t, f.SetCellFormula("Data", "A4", "A2+A3"))
		clock, span := "h:mm AM/PM", "[h]:mm:ss"
		for column, code := range map[string]*string{"C": &clock, "D": &span} {
			style, err := f.NewStyle(&excelize.Style{CustomNumFmt: code})
			require.NoError(t, err)
			require.NoError(t, f.SetCellStyle("Data", column+"2", column+"3", style))
		}
		require.NoError(t, f.SetCellRichText("Data", "E2", []excelize.RichTextRun{
			{Text: "bold", Font: &excelize.Font{Bold: true}},
			{Text: " and plain"},
		}))
		require.NoError(t, f.DeleteSheet("Sheet1"))
	})
	s, _, err := b.upload(t, "x.xlsx", content)
	require.NoError(t, err)
	require.Equal(t, [][]any{
		{int64(1), "x", "12:00:00", "30:00:00", "bold and plain"},
		{int64(2), "y", "18:00:00", "12:00:00", "A and _x0041_"},
	}, b.query(t, "FROM data", s).Rows)
}

// TestWorkbook_1904: workbooks of old Macs count days from 1904.
func TestWorkbook_1904(t *testing.T) {
	t.Parallel()
	b := setup(t)
	content := book(t, func(f *excelize.File) {
		yes := true
		require.NoError(t, f.SetWorkbookProps(&excelize.WorkbookPropsOptions{Date1904: &yes}))
		fillSheet(t, f, "Sheet1", "A1", []any{"when", "n"}, []any{day(2024, 5, 6), 1})
	})
	s, _, err := b.upload(t, "old.xlsx", content)
	require.NoError(t, err)
	require.Equal(t, "2024-05-06", b.query(t, "FROM old", s).Rows[0][0])
}

// TestWorkbook_Large: a long sheet is read completely, and its last row is correct.
func TestWorkbook_Large(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := excelize.NewFile()
	w, err := f.NewStreamWriter("Sheet1")
	require.NoError(t, err)
	require.NoError(t, w.SetRow("A1", []any{"id", "name", "amount"}))
	const rows = 50_000
	for i := range rows {
		require.NoError(t, w.SetRow(fmt.Sprintf("A%d", i+2), []any{i, fmt.Sprintf("name %d", i%100), float64(i) / 4}))
	}
	require.NoError(t, w.Flush())
	var content bytes.Buffer
	require.NoError(t, f.Write(&content))
	s, info, err := b.upload(t, "large.xlsx", content.Bytes())
	require.NoError(t, err)
	require.Equal(t, int64(rows), info.Resources[0].Rows)
	require.Equal(t, []any{int64(rows), int64(rows - 1), int64(100), float64(rows-1) / 4},
		b.query(t, "SELECT count(*), max(id), count(DISTINCT name), max(amount)::DOUBLE FROM large", s).Rows[0])
}
