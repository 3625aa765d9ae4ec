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

// Spool keeps the cells of sheets in a file, in a form that is read fast and
// more than once: a workbook is unpacked only once, and never stands in memory.
type Spool struct {
	file *os.File
	w    *bufio.Writer
	at   int64
	max  int64
}

// NewSpool makes a spool of at most most bytes in an empty file.
func NewSpool(file *os.File, most int64) *Spool {
	return &Spool{file: file, w: bufio.NewWriterSize(file, readBuffer), max: most}
}

// Merge is a block of cells that shows the value of its first one. Rows and
// columns count from 0.
type Merge struct{ Top, Left, Bottom, Right int }

// Sheet is a grid of cells in a spool. One is written at a time.
type Sheet struct {
	Merges []Merge
	Rows   int64 // that hold something

	spool      *Spool
	start, end int64
	number     int // of the row that is written
	cells      int // of the row that is written
	row        []byte
}

// Sheet begins the next sheet of the spool.
func (s *Spool) Sheet() *Sheet { return &Sheet{spool: s, start: s.at, end: s.at} }

// Row begins a row.
func (s *Sheet) Row(number int) { s.number, s.cells, s.row = number, 0, s.row[:0] }

// Cell adds a cell to the row. Columns may come in any order; what is empty is left out.
func (s *Sheet) Cell(column int, text []byte) {
	if len(text) == 0 {
		return
	}
	s.cells++
	s.row = binary.AppendUvarint(s.row, uint64(column)) //nolint:gosec // not negative
	s.row = binary.AppendUvarint(s.row, uint64(len(text)))
	s.row = append(s.row, text...)
}

// EndRow keeps the row, if there is anything in it.
func (s *Sheet) EndRow() error {
	if s.cells == 0 {
		return nil
	}
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
	s.end = s.spool.at
	s.Rows++
	return nil
}

// gridRow is one row of a sheet as it was written.
type gridRow struct {
	number  int
	columns []int
	texts   [][]byte
}

// cell gives the text of a column.
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

// read begins at the sheet's first row.
func (s *Sheet) read() (*gridReader, error) {
	if err := s.spool.w.Flush(); err != nil {
		return nil, fmt.Errorf("spool a sheet: %w", err)
	}
	return &gridReader{in: bufio.NewReaderSize(io.NewSectionReader(s.spool.file, s.start, s.end-s.start), readBuffer)}, nil
}

// next gives io.EOF at the end; the row is valid until the following call.
func (g *gridReader) next() (*gridRow, error) {
	number, err := binary.ReadUvarint(g.in)
	if err != nil {
		return nil, err //nolint:wrapcheck // io.EOF is meant for the caller
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
		g.buffer = append(g.buffer, make([]byte, length)...)
		if _, err := io.ReadFull(g.in, g.buffer[from:]); err != nil {
			return nil, spoolError(err)
		}
		g.row.columns = append(g.row.columns, int(column)) //nolint:gosec // was an int
		ends = append(ends, len(g.buffer))
	}
	from := 0
	for _, end := range ends {
		g.row.texts = append(g.row.texts, g.buffer[from:end])
		from = end
	}
	return &g.row, nil
}

func spoolError(err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("read the spool: %w", err)
}
