package main

// Tables in other formats. The table is read from the CSV that the node has stored, its types are
// found again, and the result is written into the worker's folder. Numbers keep their values; only
// their appearance depends on the format.

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/xuri/excelize/v2"

	"parley.dev/parley/cmd/parley-worker/table"
	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/domain"
)

const (
	// The limits of Excel: rows of a sheet, and characters of a cell.
	excelRows = 1 << 20
	excelCell = 32_767
	// The minimum and the maximum width of a column, in characters.
	widthMin, widthMax = 9, 48
)

// export writes a table that Parley stored as CSV in another format. The CSV has a header. Text that a
// spreadsheet would run as a formula is escaped in it; reading the table removes the escape, because the other
// formats mark a text as text.
func export(q frame.Export) (*frame.Made, error) {
	upload, _, err := openUpload(q.Caps.Bytes)
	if err != nil {
		return nil, err
	}
	file, err := table.Open(upload, table.Options{
		Delimiter: ',', Line: q.Caps.Line, Columns: q.Caps.Columns, Rows: q.Caps.Rows, Headed: true, Exact: true,
	})
	if err != nil {
		return nil, fmt.Errorf("read the table: %w", err)
	}
	// CSV is not among them: the node writes it without a worker.
	switch q.Format {
	case "xlsx":
		err = exportWorkbook(file, q)
	case "json":
		// The format JSON is for programs; nothing in it is escaped.
		err = exportJSON(file, q.Out)
	default:
		err = domain.Errorf(domain.CodeInvalid, "The format %s is not known.", q.Format)
	}
	if err != nil {
		return nil, err
	}
	return &frame.Made{Rows: file.Rows}, nil
}

// exportWorkbook streams the rows into a workbook of one sheet. Text is always written as a text cell, whatever
// its first character is, so a spreadsheet never runs it as a formula. Shares of one and percentages keep
// their values, and are shown with a percent sign.
func exportWorkbook(file *table.File, q frame.Export) error {
	// One row is the header.
	if file.Rows >= excelRows {
		return domain.Errorf(domain.CodeTooLarge, "A sheet of Excel holds %d rows, and the table has %d. Take it as CSV.", excelRows-1, file.Rows)
	}
	// Temporary files go into the worker's own folder, because it may write nowhere else.
	book := excelize.NewFile(excelize.Options{TmpDir: "."})
	stream, err := book.NewStreamWriter("Sheet1")
	if err != nil {
		return fmt.Errorf("make the workbook: %w", err)
	}
	styles, err := columnStyles(book, file.Columns, q)
	if err != nil {
		return err
	}
	bold, err := book.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	if err != nil {
		return fmt.Errorf("make the workbook: %w", err)
	}
	// The same slice is written for each row; the writer keeps nothing of it.
	row := make([]any, len(file.Columns))
	for i := range file.Columns {
		// The width is that of the heading, within limits: the cells are not known yet.
		row[i] = excelize.Cell{StyleID: bold, Value: cellText(file.Columns[i].Heading())}
		if err := stream.SetColWidth(i+1, i+1, float64(min(max(domain.Length(file.Columns[i].Heading())+2, widthMin), widthMax))); err != nil {
			return fmt.Errorf("make the workbook: %w", err)
		}
	}
	number := 1
	write := func() error {
		cell := "A" + strconv.Itoa(number)
		number++
		if err := stream.SetRow(cell, row); err != nil {
			return fmt.Errorf("write a row: %w", err)
		}
		return nil
	}
	if err := write(); err != nil {
		return err
	}
	err = file.Each(func(cells func(int) []byte) error {
		for i := range file.Columns {
			row[i] = excelize.Cell{StyleID: styles[i], Value: typed(&file.Columns[i], cells(i))}
		}
		return write()
	})
	if err != nil {
		return fmt.Errorf("write the rows: %w", err)
	}
	if err := stream.Flush(); err != nil {
		return fmt.Errorf("finish the workbook: %w", err)
	}
	// excelize writes only to names that end with .xlsx, so the file gets its name afterwards.
	if err := book.SaveAs("made.xlsx"); err != nil {
		return fmt.Errorf("keep the workbook: %w", err)
	}
	if err := os.Rename("made.xlsx", q.Out); err != nil {
		return fmt.Errorf("keep the workbook: %w", err)
	}
	return nil
}

// columnStyles creates the number formats of the columns: for dates, times, percentages, decimals and text.
func columnStyles(book *excelize.File, columns []table.Column, q frame.Export) ([]int, error) {
	styles := make([]int, len(columns))
	made := map[string]int{}
	for i := range columns {
		format := numberFormat(columns[i].Kind, slices.Contains(q.Fractions, i), slices.Contains(q.Percents, i))
		if format == "" {
			continue
		}
		// Equal formats share a style.
		id, ok := made[format]
		if !ok {
			var err error
			if id, err = book.NewStyle(&excelize.Style{CustomNumFmt: &format}); err != nil {
				return nil, fmt.Errorf("make the workbook: %w", err)
			}
			made[format] = id
		}
		styles[i] = id
	}
	return styles, nil
}

// numberFormat returns the number format of a column; empty for the general one. A column of text or times is
// never a percentage, whatever was said of it.
func numberFormat(k table.Kind, fraction, percent bool) string {
	switch k.Type {
	case table.Date:
		return "yyyy-mm-dd"
	case table.Time:
		return "yyyy-mm-dd hh:mm:ss"
	case table.Varchar:
		return "@"
	case table.Integer, table.Decimal, table.Number:
		switch {
		case fraction:
			// The value is a share of one, and the format multiplies by a hundred.
			return "0.00%"
		case percent:
			return decimals(k, "0.00") + `"%"` // without quotes, the sign would multiply by a hundred
		}
		return decimals(k, "")
	default:
	}
	return ""
}

// decimals returns the number format with the decimals of a column; other for numbers of any scale.
func decimals(k table.Kind, other string) string {
	switch {
	case k.Type == table.Integer, k.Type == table.Decimal && k.Scale == 0:
		return "0"
	case k.Type == table.Decimal:
		return "0." + strings.Repeat("0", k.Scale)
	}
	return other
}

// typed returns the value of a cell. A word for a missing value in a typed column, such as N/A, is returned as text.
func typed(c *table.Column, cell []byte) any {
	if len(cell) == 0 {
		return nil
	}
	if c.Kind.Type == table.Varchar {
		return cellText(table.Text(cell))
	}
	v := c.Parse(cell)
	switch {
	case v.IsNull:
		return cellText(table.Text(cell))
	case c.Kind.Type == table.Boolean:
		return v.Bool
	case c.Kind.Type == table.Number:
		return v.Float
	case c.Kind.Type == table.Date:
		return excelTime(time.Unix(v.Int*86400, 0).UTC(), cell)
	case c.Kind.Type == table.Time:
		return excelTime(time.UnixMicro(v.Int).UTC(), cell)
	case c.Kind.Type == table.Decimal:
		// The number is the nearest float64, of which Excel keeps 15 digits.
		return float64(v.Int) / math.Pow10(c.Kind.Scale)
	}
	return v.Int
}

// excelTime returns a date, or the text of the cell for a year before 1900, because Excel has no such dates.
func excelTime(t time.Time, cell []byte) any {
	if t.Year() < 1900 {
		return table.Text(cell)
	}
	return t
}

// cellText shortens text to the limit of a cell of Excel, which counts UTF-16 code units.
func cellText(text string) string {
	units, end := 0, 0 // end is where the text and its ellipsis still fit
	// One unit is kept for the ellipsis.
	for at, r := range text {
		if units <= excelCell-1 {
			end = at
		}
		if units += utf16.RuneLen(r); units > excelCell {
			return text[:end] + "…"
		}
	}
	return text
}

// exportJSON writes the columns with their types, and each row as an array.
func exportJSON(file *table.File, out string) error {
	// O_EXCL: the name must be new.
	f, err := os.OpenFile(out, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("make the document: %w", err)
	}
	defer func() { _ = f.Close() }() // flushed and checked below
	w := bufio.NewWriterSize(f, 256<<10)
	type column struct {
		Name string            `json:"name"`
		Type domain.ColumnType `json:"type"`
	}
	columns := make([]column, len(file.Columns))
	for i := range file.Columns {
		columns[i] = column{file.Columns[i].Heading(), file.Columns[i].Kind.Meaning()}
	}
	head, err := json.Marshal(columns)
	if err != nil {
		return fmt.Errorf("encode the columns: %w", err)
	}
	// Rows follow the header at once, so a table of any length is never in memory.
	_, _ = fmt.Fprintf(w, `{"columns":%s,"rows":[`, head) // Flush below returns the error of any write
	separator := ""
	row := make([]any, len(columns))
	err = file.Each(func(cells func(int) []byte) error {
		for i := range file.Columns {
			row[i] = jsonCell(&file.Columns[i], cells(i))
		}
		line, err := json.Marshal(row)
		if err != nil {
			return fmt.Errorf("encode a row: %w", err)
		}
		_, _ = w.WriteString(separator)
		_, _ = w.Write(line)
		separator = ",\n"
		return nil
	})
	if err != nil {
		return fmt.Errorf("write the rows: %w", err)
	}
	_, _ = w.WriteString("]}\n")
	if err := w.Flush(); err != nil {
		return fmt.Errorf("keep the document: %w", err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("keep the document: %w", err)
	}
	return nil
}

// jsonCell is like typed, but returns dates and times as the text that is in the table.
func jsonCell(c *table.Column, cell []byte) any {
	if c.Kind.Type == table.Date || c.Kind.Type == table.Time {
		if len(cell) == 0 {
			return nil
		}
		return table.Text(cell)
	}
	return typed(c, cell)
}
