package table

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"parley.dev/parley/domain"
)

// errUnbalanced says that a quotation mark is never closed. The file is then read again, with quotation marks as plain
// text.
var errUnbalanced = errors.New("a quotation mark is never closed")

const readBuffer = 256 << 10

// reader splits decoded text into records by the rules of RFC 4180, with exceptions for common errors in files: text after
// a closing quotation mark belongs to the cell, rows may have fewer or more cells than others, and LF, CRLF or CR ends a
// row.
type reader struct {
	in     *bufio.Reader
	comma  byte
	quotes bool
	line   int   // the maximum length of a row in bytes
	wide   int   // the maximum number of cells of a row
	number int64 // of the current row

	exact bool

	row  []byte // the cells of the current record, concatenated
	ends []int  // where each cell ends in row
}

func newReader(in io.Reader, comma byte, quotes bool, line, wide int) *reader {
	return &reader{in: bufio.NewReaderSize(in, readBuffer), comma: comma, quotes: quotes, line: line, wide: wide}
}

// next implements rows: it reads a record that is not blank. It returns io.EOF at the end, and otherwise errUnbalanced, a
// *domain.Error, or an error of the underlying reader.
func (r *reader) next() (record, error) {
	for {
		if err := r.read(); err != nil {
			return record{}, err
		}
		if len(r.ends) > 1 || len(r.row) > 0 {
			return record{row: r.row, ends: r.ends, exact: r.exact}, nil
		}
	}
}

// The states of the reader within a record.
const (
	atStart = iota // at the start of a cell
	inPlain
	inQuotes
	afterQuote // after a quotation mark inside quotes: it ends the quotes or is the first of a pair
)

// read reads one record, which may be blank.
func (r *reader) read() error {
	r.row, r.ends = r.row[:0], r.ends[:0]
	r.number++
	state, size := atStart, 0
	for {
		// The bytes in the middle of a cell are copied in one step.
		if state == inPlain || state == inQuotes {
			size += r.run(state == inQuotes)
		}
		c, err := r.in.ReadByte()
		if err != nil {
			switch {
			case !errors.Is(err, io.EOF):
				return err //nolint:wrapcheck // the error of the underlying reader says what happened
			// The file ends inside quotes: the mark was not one that opens quotes.
			case state == inQuotes:
				return errUnbalanced
			// Nothing follows the last line break.
			case state == atStart && len(r.ends) == 0 && size == 0:
				return io.EOF
			}
			return r.cell()
		}
		if size++; size > r.line {
			// Without this, one open quotation mark would take the whole file for one cell, up to
			// the limit.
			if state == inQuotes {
				return errUnbalanced
			}
			return domain.Errorf(domain.CodeInvalid, "Row %d is longer than %d kB.", r.number, r.line>>10)
		}
		switch {
		case state == inQuotes:
			if c == '"' {
				state = afterQuote
			} else {
				r.row = append(r.row, c)
			}
			continue
		// Two quotation marks inside quotes are one in the text.
		case state == afterQuote && c == '"':
			r.row = append(r.row, c)
			state = inQuotes
			continue
		// Only a quotation mark at the beginning of a cell opens quotes; any other one is a character.
		case state == atStart && c == '"' && r.quotes:
			state = inQuotes
			continue
		case c == r.comma:
			if err := r.cell(); err != nil {
				return err
			}
			state = atStart
			continue
		case c == '\n':
			return r.cell()
		case c == '\r':
			// CRLF is one line break, and so is CR alone.
			if next, err := r.in.Peek(1); err == nil && next[0] == '\n' {
				_, _ = r.in.Discard(1) // it was peeked
			}
			return r.cell()
		}
		r.row = append(r.row, c)
		state = inPlain
	}
}

// run appends the buffered bytes of a cell up to the next byte that may end it, in one step, and returns their number.
func (r *reader) run(quoted bool) int {
	buffered, err := r.in.Peek(r.in.Buffered())
	if err != nil {
		return 0 // ReadByte returns the error again
	}
	end := 0
	for end < len(buffered) {
		if c := buffered[end]; c == '"' && quoted || !quoted && (c == r.comma || c == '\n' || c == '\r') {
			break
		}
		end++
	}
	r.row = append(r.row, buffered[:end]...)
	_, _ = r.in.Discard(end) // it was peeked
	return end
}

// cell ends the current cell.
func (r *reader) cell() error {
	// The limit protects the memory: a row of delimiters has as many cells as bytes.
	if r.ends = append(r.ends, len(r.row)); len(r.ends) > r.wide {
		return domain.Errorf(domain.CodeInvalid, "Row %d has more than %d columns.", r.number, r.wide)
	}
	return nil
}

// record is one row of cells.
type record struct {
	row  []byte
	ends []int
	// exact says that cells are not trimmed, and that the apostrophe before a formula is removed.
	exact bool
}

// len is the number of cells, including empty ones at the end.
func (r record) len() int { return len(r.ends) }

// cell returns the bytes of a cell, trimmed unless the record is exact. After the last cell of the record it returns nil.
func (r record) cell(i int) []byte {
	if i >= len(r.ends) {
		return nil
	}
	from := 0
	if i > 0 {
		from = r.ends[i-1]
	}
	if r.exact {
		return unescaped(r.row[from:r.ends[i]])
	}
	return bytes.TrimSpace(r.row[from:r.ends[i]])
}

// unescaped removes the apostrophe that Parley puts before text that a spreadsheet would run as a formula. If there were
// apostrophes before such text already, Parley has added one more.
func unescaped(cell []byte) []byte {
	if len(cell) < 2 || cell[0] != '\'' {
		return cell
	}
	rest := bytes.TrimLeft(cell, "'")
	// These are the characters with which a spreadsheet begins a formula, also in their wide forms.
	if first, _ := utf8.DecodeRune(rest); len(rest) > 0 && strings.ContainsRune("=+-@\t\r\n＝＋－＠\uFFFD", first) {
		return cell[1:]
	}
	return cell
}

// clone returns a copy of the record that stays valid.
func (r record) clone() *record {
	return &record{row: bytes.Clone(r.row), ends: slices.Clone(r.ends), exact: r.exact}
}

// cells returns all cells; they are valid as long as the record.
func (r record) cells() [][]byte {
	out := make([][]byte, r.len())
	for i := range out {
		out[i] = r.cell(i)
	}
	return out
}

// texts returns the cells as valid UTF-8.
func (r record) texts() []string {
	out := make([]string, r.len())
	for i := range out {
		out[i] = Text(r.cell(i))
	}
	return out
}
