package table

import (
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"

	"parley.dev/parley/domain"
)

const (
	// previewRows and previewBytes bound the preview, previewCell each of its cells.
	previewRows  = 50
	previewBytes = 64 << 10
	previewCell  = 200
)

// Options of reading a file. All are required.
type Options struct {
	// Delimiter is a character, or 0 to find it.
	Delimiter byte
	// Line is the most bytes of a row, Columns the most columns, Rows the most rows.
	Line    int
	Columns int
	Rows    int64
	// Reserved are words that may not be a column's name as they are.
	Reserved map[string]bool
	// Headed says that the first row names the columns; else the rows are judged.
	Headed bool
	// Exact is for tables that we wrote: cells are taken as they stand, only what we
	// write for numbers and dates is read as such, and text that was made harmless
	// for spreadsheets is taken back.
	Exact bool
}

// rows gives the rows of a table from the first to the last.
type rows interface {
	// next gives io.EOF at the end. The record is valid until the following call.
	next() (record, error)
}

// File is a CSV file, or a sheet, after its first pass.
type File struct {
	Delimiter byte
	Encoding  string
	Columns   []Column
	Rows      int64
	Preview   string
	// Total tells that a last row, which adds up the others, is left out.
	Total bool
	// Totals is how many other rows are called totals. They are kept, and count as rows.
	Totals int64

	options Options
	skip    int // rows before the data
	// begin reads the rows once more. It says how they are encoded.
	begin func() (rows, string, error)
}

// Open reads the file once and decides what its columns are. Errors: *domain.Error
// with CodeInvalid.
func Open(source io.ReadSeeker, o Options) (*File, error) {
	f, err := open(source, o, true)
	if errors.Is(err, errUnbalanced) {
		// An inch mark or a lone quotation mark; there are no quoted cells then.
		f, err = open(source, o, false)
	}
	return f, err
}

func open(source io.ReadSeeker, o Options, quotes bool) (*File, error) {
	in, _, err := decoded(source)
	if err != nil {
		return nil, err
	}
	start, err := head(in)
	if err != nil {
		return nil, err
	}
	s := sniff(start, o.Delimiter, quotes, o)
	f := &File{Delimiter: s.comma, options: o, begin: func() (rows, string, error) {
		in, began, err := decoded(source)
		if err != nil {
			return nil, "", err
		}
		r := newReader(in, s.comma, quotes, o.Line, o.Columns)
		r.exact = o.Exact
		return r, began, nil
	}}
	var headers []string
	if o.Headed {
		s.skip = 0
	}
	if len(s.rows) > s.skip {
		if below := s.rows[s.skip+1:]; o.Headed || isHeader(s.rows[s.skip], below) {
			headers = s.rows[s.skip]
			for len(headers) > 0 && headers[len(headers)-1] == "" {
				headers = headers[:len(headers)-1] // a delimiter at the end of each row
			}
			f.skip = s.skip + 1
		}
	}
	if err := f.scan(headers, s.width); err != nil {
		return nil, err
	}
	return f, nil
}

// scan is the first pass.
func (f *File) scan(headers []string, width int) error {
	r, began, err := f.begin()
	if err != nil {
		return err
	}
	width = max(width, len(headers))
	columns := make([]*candidates, 0, width)
	grow := func(n int) {
		for len(columns) < n {
			header := ""
			if len(columns) < len(headers) {
				header = headers[len(columns)]
			}
			c := newCandidates(header, f.Delimiter)
			if f.options.Exact {
				c = exactCandidates()
			}
			c.empty, c.nulls = f.Rows, f.Rows // the rows before had no such cell
			columns = append(columns, c)
		}
	}
	grow(len(headers))
	var seen encodings
	var preview [][]string
	add := func(rec record) error {
		if f.Rows == f.options.Rows {
			return domain.Errorf(domain.CodeInvalid, "The file has more than %d rows.", f.options.Rows)
		}
		// Empty cells behind the last column are only untidy.
		used := rec.len()
		for used > len(columns) && len(rec.cell(used-1)) == 0 {
			used--
		}
		grow(used)
		for i, c := range columns {
			cell := rec.cell(i)
			c.see(cell)
			seen.see(cell)
		}
		if f.Rows < previewRows {
			preview = append(preview, rec.texts())
		}
		f.Rows++
		if !f.options.Exact && namesTotals(rec) {
			f.Totals++
		}
		return nil
	}
	var held *record // a row that is headed as totals are, and may be the last one
	for n := 0; ; n++ {
		rec, err := r.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if n < f.skip {
			continue
		}
		if held != nil {
			if err := add(*held); err != nil {
				return err
			}
			held = nil
		}
		if !f.options.Exact && f.Rows > 0 && (headsTotals(rec) || f.Rows >= unnamedAfter && onlyNumbers(rec)) {
			held = rec.clone()
			continue
		}
		if err := add(rec); err != nil {
			return err
		}
	}
	if len(columns) == 0 {
		return domain.Errorf(domain.CodeInvalid, "The file holds no table.")
	}
	for len(headers) < len(columns) {
		headers = append(headers, "")
	}
	decide := func() {
		f.Columns = name(headers, f.options.Reserved)
		for i, c := range columns {
			c.decide(&f.Columns[i])
		}
	}
	decide()
	if held != nil {
		f.Total = true // for as long as it is looked at
		if f.Total, err = f.leaveOutTotals(held.cells()); err != nil {
			return err
		}
		if !f.Total {
			if err := add(*held); err != nil {
				return err
			}
			for len(headers) < len(columns) {
				headers = append(headers, "")
			}
			decide()
		}
	}
	for _, header := range headers {
		seen.see([]byte(header))
	}
	f.Encoding = seen.name(began)
	f.Preview = previewOf(f.Columns, headers, preview)
	return nil
}

// Each is the second pass. cells gives the trimmed bytes of a column; they are
// valid only during the call.
func (f *File) Each(row func(cells func(column int) []byte) error) error {
	r, _, err := f.begin()
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		rec, err := r.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if f.Total && int64(n-f.skip) >= f.Rows {
			return nil // only the totals are left
		}
		if n >= f.skip {
			if err := row(rec.cell); err != nil {
				return err
			}
		}
	}
}

// previewOf writes the first rows as CSV, as they stood in the file.
func previewOf(columns []Column, headers []string, rows [][]string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	line := make([]string, len(columns))
	for i := range columns {
		if line[i] = domain.Shorten(headers[i], previewCell); line[i] == "" {
			line[i] = "Column " + strconv.Itoa(i+1)
		}
	}
	whole := 0
	for r := -1; r < len(rows); r++ {
		if r >= 0 {
			for i := range columns {
				line[i] = ""
				if i < len(rows[r]) {
					line[i] = domain.Shorten(rows[r][i], previewCell)
				}
			}
		}
		if err := w.Write(line); err != nil {
			break // the builder takes everything; only a wrong delimiter could fail
		}
		w.Flush()
		if b.Len() > previewBytes && r >= 0 {
			break
		}
		whole = b.Len()
	}
	return b.String()[:whole]
}
