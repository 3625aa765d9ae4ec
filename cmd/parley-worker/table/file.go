package table

// Files as tables. A file is read twice: the first pass decides the types of the columns from all
// cells, the second one delivers the rows. Nothing is kept in memory between them but the columns
// and a preview.

import (
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"

	"parley.dev/parley/domain"
)

const (
	// previewRows and previewBytes limit the preview. previewCell limits each of its cells, in characters.
	previewRows  = 50
	previewBytes = 64 << 10
	previewCell  = 200
)

// Options of reading a file. Line, Columns and Rows are required.
type Options struct {
	// Delimiter is a character, or 0 to detect it.
	Delimiter byte
	// Line is the maximum size of a row in bytes, Columns the maximum number of columns, Rows the maximum number of rows.
	Line    int
	Columns int
	Rows    int64
	// Reserved are words that cannot be the name of a column without a change.
	Reserved map[string]bool
	// Headed says that the first row has the names of the columns. Otherwise Open finds out whether there is a header.
	Headed bool
	// Exact is for tables that Parley wrote. Cells are not trimmed, only numbers, dates and booleans in the formats that
	// Parley writes are read as such, and the apostrophe that was put before a formula is removed.
	Exact bool
}

// rows iterates over the rows of a table.
type rows interface {
	// next returns io.EOF at the end. The record is valid until the next call.
	next() (record, error)
}

// File is a CSV file, or a sheet, after its first pass.
type File struct {
	Delimiter byte
	Encoding  string
	Columns   []Column
	Rows      int64
	Preview   string
	// Total reports that the last row is left out because it has the totals of the other rows.
	Total bool
	// Totals is the number of other rows that are called totals. They are kept and count as rows.
	Totals int64

	options Options
	skip    int // rows before the data
	// begin returns the rows from the start, and the encoding that was detected at the start of the file.
	begin func() (rows, string, error)
}

// Open makes the first pass over the file and decides the types of its columns. Errors: *domain.Error with CodeInvalid.
func Open(source io.ReadSeeker, o Options) (*File, error) {
	f, err := open(source, o, true)
	if errors.Is(err, errUnbalanced) {
		// The file has an inch mark or a single quotation mark. It is read again, with quotation marks as plain text.
		f, err = open(source, o, false)
	}
	return f, err
}

// open makes the first pass, with quotation marks or without.
func open(source io.ReadSeeker, o Options, quotes bool) (*File, error) {
	in, _, err := decoded(source)
	if err != nil {
		return nil, err
	}
	// The start of the file is enough to find the delimiter and the header.
	start, err := head(in)
	if err != nil {
		return nil, err
	}
	s := sniff(start, o.Delimiter, quotes, o)
	// The function starts a pass from the beginning of the file.
	f := &File{Delimiter: s.comma, options: o, begin: func() (rows, string, error) {
		in, detected, err := decoded(source)
		if err != nil {
			return nil, "", err
		}
		r := newReader(in, s.comma, quotes, o.Line, o.Columns)
		r.exact = o.Exact
		return r, detected, nil
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

// scan is the first pass. It sets the columns, the number of rows, the encoding and the preview.
func (f *File) scan(headers []string, width int) error {
	r, detected, err := f.begin()
	if err != nil {
		return err
	}
	// Rows may have more cells than the header has names, so the columns grow.
	p := &pass{File: f, headers: headers, columns: make([]*candidates, 0, max(width, len(headers)))}
	p.grow(len(headers))
	held, err := p.read(r)
	if err != nil {
		return err
	}
	if len(p.columns) == 0 {
		return domain.Errorf(domain.CodeInvalid, "The file holds no table.")
	}
	p.decide()
	// The last row is held back until the columns are known, which decide whether it adds up the
	// others.
	if held != nil {
		f.Total = true // until the check below decides
		if f.Total, err = f.leaveOutTotals(held.cells()); err != nil {
			return err
		}
		// The row is data after all, and may change the type of a column.
		if !f.Total {
			if err := p.add(*held); err != nil {
				return err
			}
			p.decide()
		}
	}
	// Headers count for the encoding as well.
	for _, header := range p.headers {
		p.seen.see([]byte(header))
	}
	f.Encoding = p.seen.name(detected)
	// The preview has the texts of the file and not the values, so that people recognize their
	// file.
	f.Preview = previewOf(f.Columns, p.headers, p.preview)
	return nil
}

// pass is the state of the first pass over a file.
type pass struct {
	*File
	headers []string
	columns []*candidates
	seen    encodings
	preview [][]string
}

// grow adds columns until there are n.
func (p *pass) grow(n int) {
	for len(p.columns) < n {
		header := ""
		if len(p.columns) < len(p.headers) {
			header = p.headers[len(p.columns)]
		}
		c := newCandidates(header, p.Delimiter)
		if p.options.Exact {
			c = exactCandidates()
		}
		c.empty, c.nulls = p.Rows, p.Rows // the rows before this one had no cell in this column
		p.columns = append(p.columns, c)
	}
}

// read adds all rows. If the last row looks like totals, it does not add it but returns it.
func (p *pass) read(r rows) (held *record, err error) {
	// n counts records, including those before the data.
	for n := 0; ; n++ {
		rec, err := r.next()
		if errors.Is(err, io.EOF) {
			return held, nil
		}
		if err != nil {
			return nil, err
		}
		if n < p.skip {
			continue
		}
		if held != nil {
			if err := p.add(*held); err != nil {
				return nil, err
			}
			held = nil
		}
		// Only a row that could be totals is held back; the next row shows that it was not the
		// last.
		if !p.options.Exact && p.Rows > 0 && (headsTotals(rec) || p.Rows >= unnamedAfter && onlyNumbers(rec)) {
			held = rec.clone()
			continue
		}
		if err := p.add(rec); err != nil {
			return nil, err
		}
	}
}

// add evaluates the cells of one row. It returns CodeInvalid if the file has more than the maximum number of rows.
func (p *pass) add(rec record) error {
	if p.Rows == p.options.Rows {
		return domain.Errorf(domain.CodeInvalid, "The file has more than %d rows.", p.options.Rows)
	}
	// Empty cells after the last column are ignored.
	// A delimiter at the end of a row makes no column.
	used := rec.len()
	for used > len(p.columns) && len(rec.cell(used-1)) == 0 {
		used--
	}
	p.grow(used)
	for i, c := range p.columns {
		cell := rec.cell(i)
		c.see(cell)
		p.seen.see(cell)
	}
	if p.Rows < previewRows {
		p.preview = append(p.preview, rec.texts())
	}
	p.Rows++
	if !p.options.Exact && namesTotals(rec) {
		p.Totals++
	}
	return nil
}

// decide sets the names and the kinds of the columns from the rows that were added so far.
func (p *pass) decide() {
	// Every column has a header, though it may be empty.
	for len(p.headers) < len(p.columns) {
		p.headers = append(p.headers, "")
	}
	p.Columns = nameColumns(p.headers, p.options.Reserved)
	for i, c := range p.columns {
		c.decide(&p.Columns[i])
	}
}

// Each is the second pass. It calls row for each row of data. cells returns the bytes of a column, trimmed unless
// Options.Exact is set; they are valid only during the call.
func (f *File) Each(row func(cells func(column int) []byte) error) error {
	r, _, err := f.begin()
	if err != nil {
		return err
	}
	// n counts as in the first pass, so both skip the same rows.
	for n := 0; ; n++ {
		rec, err := r.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if f.Total && int64(n-f.skip) >= f.Rows {
			return nil // only the row of totals remains
		}
		if n >= f.skip {
			if err := row(rec.cell); err != nil {
				return err
			}
		}
	}
}

// previewOf formats the first rows as CSV, with the texts of the file.
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
	// The header is row -1, and is written in any case.
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
			break // impossible: a strings.Builder never fails, and the delimiter is valid
		}
		w.Flush()
		// A row that exceeds the limit is left out as a whole.
		if b.Len() > previewBytes && r >= 0 {
			break
		}
		whole = b.Len()
	}
	return b.String()[:whole]
}
