package office

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
	// The edges of a sheet of Excel.
	rowsMax    = 1 << 20
	columnsMax = 1 << 14
	// declaredMax is how many cells a sheet may say that it has: whole columns may
	// be coloured, and a thousand of them hold a billion cells.
	declaredMax = 1 << 31
	mergesMax   = 100_000
	// exactDigits is how many digits of a number Excel keeps.
	exactDigits = 15
)

// sheetReader spools one sheet.
type sheetReader struct {
	s       *scanner
	book    *Workbook
	into    *table.Sheet
	columns int

	row, column int
	kind, value []byte // of the cell that is read
	scratch     []byte
}

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
		case kind != startTag:
		case string(name) == "dimension":
			if err := r.declared(); err != nil {
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

// declared refuses a sheet that says it fills the whole grid.
func (r *sheetReader) declared() error {
	ref, _ := r.s.raw("ref", false)
	m, ok := block(ref)
	if rows, columns := m.Bottom-m.Top+1, m.Right-m.Left+1; ok && rows*columns > declaredMax {
		return domain.Errorf(domain.CodeInvalid, "A sheet says that it has %d rows and %d columns. Delete the unused ones, save it, and "+
			"upload that file.", rows, columns)
	}
	return nil
}

func (r *sheetReader) beginRow() error {
	r.row, r.column = r.s.number("r", r.row+2)-1, -1
	if r.row < 0 || r.row >= rowsMax {
		return errMalformed
	}
	r.into.Row(r.row)
	return nil
}

// cell reads one cell and spools its text.
func (r *sheetReader) cell() error {
	r.column++
	if ref, ok := r.s.raw("r", false); ok {
		_, column, ok := reference(ref)
		if !ok {
			return errMalformed
		}
		r.column = column
	}
	kind, _ := r.s.raw("t", false)
	r.kind = append(r.kind[:0], kind...) // the tag is gone when it is asked for
	style := r.s.number("s", 0)
	r.value = r.value[:0]
	var err error
	for at := r.s.depth() - 1; r.s.depth() > at; {
		var t token
		if t, err = r.s.next(); err != nil {
			return ended(err)
		}
		if t != startTag {
			continue
		}
		switch string(r.s.name) {
		case "v":
			r.value, err = r.s.inner(r.value)
		case "is":
			r.value, err = richText(r.s, r.value)
		default: // a formula; its result is the value
			err = r.s.skip()
		}
		if err != nil {
			return err
		}
	}
	text := r.text(style)
	if len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	if r.column >= r.columns {
		return domain.Errorf(domain.CodeInvalid, "A sheet has cells beyond column %d.", r.columns)
	}
	r.into.Cell(r.column, text)
	return nil
}

// text gives the cell as text: numbers with a point, dates as ISO 8601.
func (r *sheetReader) text(style int) []byte {
	switch string(r.kind) {
	case "s":
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
		return nil // #DIV/0! and its like stand for nothing
	case "d":
		return bytes.TrimSuffix(bytes.TrimSuffix(r.value, []byte("Z")), []byte("T00:00:00"))
	}
	raw := bytes.TrimSpace(r.value)
	v, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return raw
	}
	if style >= 0 && style < len(r.book.styles) {
		if s := r.book.styles[style]; s != plainNumber {
			if text, ok := r.book.epoch.moment(v, s); ok {
				return []byte(text)
			}
		}
	}
	return r.numeral(raw, v)
}

// numeral writes a number with the digits that Excel shows: 0.1+0.2 is 0.3.
func (r *sheetReader) numeral(raw []byte, v float64) []byte {
	if len(raw) <= exactDigits && !bytes.ContainsAny(raw, "eE+") {
		return raw
	}
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.AppendInt(r.scratch[:0], int64(v), 10)
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', exactDigits-1, 64), 64)
	if err != nil {
		return raw
	}
	if m := math.Abs(v); m >= 1e-7 && m < 1e18 {
		return strconv.AppendFloat(r.scratch[:0], rounded, 'f', -1, 64)
	}
	return strconv.AppendFloat(r.scratch[:0], rounded, 'e', -1, 64)
}

// merge notes merged cells; those beyond what anybody merges are left alone.
func (r *sheetReader) merge() {
	ref, _ := r.s.raw("ref", false)
	if m, ok := block(ref); ok && len(r.into.Merges) < mergesMax {
		r.into.Merges = append(r.into.Merges, m)
	}
}

// block reads A1:C3, counted from 0.
func block(ref []byte) (table.Merge, bool) {
	from, to, ok := bytes.Cut(ref, []byte(":"))
	if !ok {
		to = from
	}
	top, left, ok1 := reference(from)
	bottom, right, ok2 := reference(to)
	return table.Merge{Top: top, Left: left, Bottom: bottom, Right: right}, ok1 && ok2 && top <= bottom && left <= right
}

// reference reads the row and the column of BC23, counted from 0.
func reference(ref []byte) (row, column int, ok bool) {
	i := 0
	for ; i < len(ref) && i < 4; i++ {
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
