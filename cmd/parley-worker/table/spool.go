package table

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"parley.dev/parley/domain"
)

// Spool stores the cells of sheets in a file, in a format that is fast to read. Sheets are read several times; with a spool
// a workbook is unpacked only once, and is never completely in memory.
type Spool struct {
	file *os.File
	w    *bufio.Writer
	at   int64
	max  int64
}

// NewSpool returns a spool of at most limit bytes in an empty file.
func NewSpool(file *os.File, limit int64) *Spool {
	return &Spool{file: file, w: bufio.NewWriterSize(file, readBuffer), max: limit}
}

// Merge is a block of merged cells, which shows the value of its first cell. Rows and columns are counted from 0.
type Merge struct{ Top, Left, Bottom, Right int }

// Sheet is a grid of cells in a spool. Only one sheet of a spool can be written at a time.
// Rows must be written in order; a sheet is read only after it was written.
type Sheet struct {
	Merges []Merge
	Rows   int64 // the number of rows that are not empty

	// start and end are the place of the sheet in the file, in bytes.
	spool      *Spool
	start, end int64
	number     int // of the current row
	cells      int // of the current row
	row        []byte
}

// Sheet starts the next sheet of the spool.
func (s *Spool) Sheet() *Sheet { return &Sheet{spool: s, start: s.at, end: s.at} }

// Row starts a row.
func (s *Sheet) Row(number int) { s.number, s.cells, s.row = number, 0, s.row[:0] }

// Cell adds a cell to the row. The columns may have any order. Empty cells are left out.
func (s *Sheet) Cell(column int, text []byte) {
	if len(text) == 0 {
		return
	}
	s.cells++
	s.row = binary.AppendUvarint(s.row, uint64(column)) //nolint:gosec // not negative
	s.row = binary.AppendUvarint(s.row, uint64(len(text)))
	s.row = append(s.row, text...)
}

// EndRow writes the row, unless it is empty. It returns CodeInvalid if the spool is larger than its limit.
func (s *Sheet) EndRow() error {
	if s.cells == 0 {
		return nil
	}
	// A row is its number, the number of its cells, and for each the column, the length and the
	// text. Numbers are varints.
	var head []byte
	head = binary.AppendUvarint(head, uint64(s.number)) //nolint:gosec // not negative
	head = binary.AppendUvarint(head, uint64(s.cells))  //nolint:gosec // not negative
	for _, part := range [][]byte{head, s.row} {
		n, err := s.spool.w.Write(part)
		if s.spool.at += int64(n); err != nil {
			return fmt.Errorf("spool a sheet: %w", err)
		}
	}
	if s.spool.at > s.spool.max {
		return domain.Errorf(domain.CodeInvalid, "The file holds more than %d MB of text.", s.spool.max>>20)
	}
	// A row that is not written completely is beyond the end and is never read.
	s.end = s.spool.at
	s.Rows++
	return nil
}

// gridRow is one row of a sheet, with its cells in the order in which they were written.
type gridRow struct {
	number  int
	columns []int
	texts   [][]byte
}

// cell returns the text of a column, or nil if it is empty.
func (r *gridRow) cell(column int) []byte {
	for i, c := range r.columns {
		if c == column {
			return r.texts[i]
		}
	}
	return nil
}

// gridReader reads the rows of a sheet from the spool.
type gridReader struct {
	in     *bufio.Reader
	row    gridRow
	buffer []byte
}

// read returns a reader that starts at the first row of the sheet.
func (s *Sheet) read() (*gridReader, error) {
	if err := s.spool.w.Flush(); err != nil {
		return nil, fmt.Errorf("spool a sheet: %w", err)
	}
	// Each reader has its own position in the file, so a sheet can be read several times.
	return &gridReader{in: bufio.NewReaderSize(io.NewSectionReader(s.spool.file, s.start, s.end-s.start), readBuffer)}, nil
}

// next returns io.EOF at the end. The row is valid until the next call.
func (g *gridReader) next() (*gridRow, error) {
	number, err := binary.ReadUvarint(g.in)
	if err != nil {
		return nil, err //nolint:wrapcheck // the caller expects io.EOF
	}
	count, err := binary.ReadUvarint(g.in)
	if err != nil {
		return nil, spoolError(err)
	}
	//nolint:gosec // was an int
	g.row.number, g.row.columns, g.row.texts, g.buffer = int(number), g.row.columns[:0], g.row.texts[:0], g.buffer[:0]
	ends := make([]int, 0, 64)
	for range count {
		column, err := binary.ReadUvarint(g.in)
		if err != nil {
			return nil, spoolError(err)
		}
		length, err := binary.ReadUvarint(g.in)
		if err != nil {
			return nil, spoolError(err)
		}
		from := len(g.buffer)
		// The lengths were written by this program, so they need no limit here.
		g.buffer = append(g.buffer, make([]byte, length)...)
		if _, err := io.ReadFull(g.in, g.buffer[from:]); err != nil {
			return nil, spoolError(err)
		}
		g.row.columns = append(g.row.columns, int(column)) //nolint:gosec // was an int
		ends = append(ends, len(g.buffer))
	}
	// The texts are cut out of the buffer only now, because it may have moved.
	from := 0
	for _, end := range ends {
		g.row.texts = append(g.row.texts, g.buffer[from:end])
		from = end
	}
	return &g.row, nil
}

// spoolError tells the end of the file inside a row from the end of a sheet.
func spoolError(err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("read the spool: %w", err)
}
