package office

// Cells of a sheet (ECMA-376, part 1, 18.3). They are copied to the spool as text, because the
// types of columns are found later in all of their cells. A sheet is read once, from its first row
// to its last.

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strconv"

	"parley.dev/parley/cmd/parley-worker/table"
	"parley.dev/parley/domain"
)

const (
	// The maximum size of a sheet in Excel.
	rowsMax    = 1 << 20
	columnsMax = 1 << 14
	// declaredMax is the maximum number of cells that a sheet may declare. It is high because whole columns may have a
	// format, and a thousand of them have a billion cells.
	declaredMax = 1 << 31
	mergesMax   = 100_000
	// exactDigits is the number of significant digits that Excel stores of a number.
	exactDigits = 15
)

// sheetReader copies the cells of one sheet to the spool.
type sheetReader struct {
	s       *scanner
	book    *Workbook
	into    *table.Sheet
	columns int

	row, column int
	kind, value []byte // of the current cell
	scratch     []byte
}

// read copies the cells of all rows. The document must be complete.
func (r *sheetReader) read() error {
	inRow := false
	for {
		kind, err := r.s.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		name := r.s.name
		switch {
		case kind == endTag && string(name) == "row" && inRow:
			inRow = false
			if err := r.into.EndRow(); err != nil {
				return err
			}
		// Other ends of elements are of no interest.
		case kind != startTag:
		// The dimension comes before the rows, so a sheet that is too large is refused before it is
		// read.
		case string(name) == "dimension":
			if err := r.checkDimension(); err != nil {
				return err
			}
		case string(name) == "row":
			if err := r.beginRow(); err != nil {
				return err
			}
			inRow = true
		case string(name) == "c" && inRow:
			if err := r.cell(); err != nil {
				return err
			}
		case string(name) == "mergeCell":
			r.merge()
		}
	}
}

// checkDimension refuses a sheet that declares more than declaredMax cells.
func (r *sheetReader) checkDimension() error {
	ref, _ := r.s.raw("ref", false)
	m, ok := block(ref)
	if rows, columns := m.Bottom-m.Top+1, m.Right-m.Left+1; ok && rows*columns > declaredMax {
		return domain.Errorf(domain.CodeInvalid, "A sheet says that it has %d rows and %d columns. Delete the unused ones, save it, and "+
			"upload that file.", rows, columns)
	}
	return nil
}

// beginRow starts a row. Its number may be missing; then it is the one after the last.
func (r *sheetReader) beginRow() error {
	r.row, r.column = r.s.number("r", r.row+2)-1, -1
	if r.row < 0 || r.row >= rowsMax {
		return errMalformed
	}
	r.into.Row(r.row)
	return nil
}

// cell reads one cell and writes its text to the spool.
func (r *sheetReader) cell() error {
	// A cell without a reference is to the right of the last one.
	r.column++
	if ref, ok := r.s.raw("r", false); ok {
		_, column, ok := reference(ref)
		if !ok {
			return errMalformed
		}
		r.column = column
	}
	// Without a type the cell is a number.
	kind, _ := r.s.raw("t", false)
	r.kind = append(r.kind[:0], kind...) // a copy, because the tag is overwritten before kind is used
	style := r.s.number("s", 0)
	r.value = r.value[:0]
	var err error
	// A cell has its value in v, or a text in is.
	for at := r.s.depth() - 1; r.s.depth() > at; {
		var t token
		if t, err = r.s.next(); err != nil {
			return unexpectedEnd(err)
		}
		if t != startTag {
			continue
		}
		switch string(r.s.name) {
		case "v":
			r.value, err = r.s.inner(r.value)
		case "is":
			r.value, err = richText(r.s, r.value)
		default: // a formula: its result is in v
			err = r.s.skip()
		}
		if err != nil {
			return err
		}
	}
	text := r.text(style)
	// A blank cell is left out: the spool has only cells with a value.
	if len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	if r.column >= r.columns {
		return domain.Errorf(domain.CodeInvalid, "A sheet has cells beyond column %d.", r.columns)
	}
	r.into.Cell(r.column, text)
	return nil
}

// text returns the cell as text: numbers with a decimal point, dates in ISO 8601.
func (r *sheetReader) text(style int) []byte {
	switch string(r.kind) {
	case "s":
		// The value is the number of a shared text.
		n, ok := whole(bytes.TrimSpace(r.value))
		if !ok {
			return nil
		}
		return r.book.texts.get(n)
	case "str", "inlineStr":
		return unescapeX(r.value)
	case "b":
		if string(bytes.TrimSpace(r.value)) == "1" || string(r.value) == "true" {
			return []byte("true")
		}
		if len(r.value) == 0 {
			return nil
		}
		return []byte("false")
	case "e":
		return nil // an error such as #DIV/0! is read as an empty cell
	// An ISO date; midnight is left out, so that a column of dates has no times.
	case "d":
		return bytes.TrimSuffix(bytes.TrimSuffix(r.value, []byte("Z")), []byte("T00:00:00"))
	}
	raw := bytes.TrimSpace(r.value)
	v, err := strconv.ParseFloat(string(raw), 64)
	// What is not a number is kept as text, which the type of the column will show.
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return raw
	}
	if style >= 0 && style < len(r.book.styles) {
		// Dates are numbers with a format of dates.
		if s := r.book.styles[style]; s != plainNumber {
			if text, ok := r.book.epoch.moment(v, s); ok {
				return []byte(text)
			}
		}
	}
	return r.numeral(raw, v)
}

// numeral formats a number with at most exactDigits digits, as Excel shows it: 0.1+0.2 is 0.3.
func (r *sheetReader) numeral(raw []byte, v float64) []byte {
	// A short number without an exponent is exact as it is written.
	if len(raw) <= exactDigits && !bytes.ContainsAny(raw, "eE+") {
		return raw
	}
	// Below 1e15 every integer is exact in a float64.
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.AppendInt(r.scratch[:0], int64(v), 10)
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', exactDigits-1, 64), 64)
	if err != nil {
		return raw
	}
	// Very small and very large numbers keep an exponent, or they would be rows of zeros.
	if m := math.Abs(v); m >= 1e-7 && m < 1e18 {
		return strconv.AppendFloat(r.scratch[:0], rounded, 'f', -1, 64)
	}
	return strconv.AppendFloat(r.scratch[:0], rounded, 'e', -1, 64)
}

// merge adds a block of merged cells. Blocks after the first mergesMax are ignored, because no real sheet has more.
func (r *sheetReader) merge() {
	ref, _ := r.s.raw("ref", false)
	if m, ok := block(ref); ok && len(r.into.Merges) < mergesMax {
		r.into.Merges = append(r.into.Merges, m)
	}
}

// block parses a reference such as A1:C3. Rows and columns are counted from 0.
// A single cell, without a colon, is a block of one.
func block(ref []byte) (table.Merge, bool) {
	from, to, ok := bytes.Cut(ref, []byte(":"))
	if !ok {
		to = from
	}
	top, left, ok1 := reference(from)
	bottom, right, ok2 := reference(to)
	return table.Merge{Top: top, Left: left, Bottom: bottom, Right: right}, ok1 && ok2 && top <= bottom && left <= right
}

// reference returns the row and the column of a reference such as BC23, counted from 0.
func reference(ref []byte) (row, column int, ok bool) {
	// At most three letters; a fourth one cannot belong to a column.
	i := 0
	for ; i < len(ref) && i < 4; i++ {
		// This turns a lower case letter into the upper case one.
		c := ref[i] &^ 0x20
		if c < 'A' || c > 'Z' {
			break
		}
		column = column*26 + int(c-'A') + 1
	}
	row, ok = whole(ref[i:])
	if !ok || i == 0 || row < 1 || row > rowsMax || column > columnsMax {
		return 0, 0, false
	}
	return row - 1, column - 1, true
}
