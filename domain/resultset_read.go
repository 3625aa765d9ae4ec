package domain

// The inverse of ResultSet.CSV, for results that are used again in a later turn.

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// ReadResultSet reads what ResultSet.CSV wrote. A column has the most specific type that
// all of its non-empty cells fit. An empty cell is nil, because the text does not
// distinguish it from an empty string. It returns the errors of r, and an error if the text
// is not a table.
func ReadResultSet(r io.Reader) (*ResultSet, error) {
	in := csv.NewReader(r)
	header, err := in.Read()
	if err != nil {
		return nil, fmt.Errorf("read the header: %w", err)
	}
	t := &ResultSet{Columns: make([]Column, len(header))}
	var texts [][]string
	for {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read a row: %w", err)
		}
		for i := range record {
			record[i] = unharmed(record[i])
		}
		texts = append(texts, record)
	}
	t.Rows = make([][]any, len(texts))
	for i := range t.Rows {
		t.Rows[i] = make([]any, len(header))
	}
	for c := range t.Columns {
		kind := columnTypeOf(texts, c)
		t.Columns[c] = Column{Name: unharmed(header[c]), Type: kind}
		for i, record := range texts {
			t.Rows[i][c] = cellOf(record[c], kind)
		}
	}
	return t, nil
}

// unharmed removes the apostrophe that harmless has added.
func unharmed(s string) string {
	if rest, ok := strings.CutPrefix(s, "'"); ok && harmless(rest) == s {
		return rest
	}
	return s
}

// columnTypeOf returns the first type of the list that all filled cells have. Without a filled cell
// it is text.
func columnTypeOf(rows [][]string, column int) ColumnType {
	possible := []ColumnType{ColumnInteger, ColumnNumber, ColumnBoolean, ColumnDate, ColumnTime}
	filled := false
	for _, row := range rows {
		if row[column] == "" {
			continue
		}
		filled = true
		// The list is filtered in place.
		fits := possible[:0]
		for _, kind := range possible {
			if cellFits(row[column], kind) {
				fits = append(fits, kind)
			}
		}
		if possible = fits; len(possible) == 0 {
			return ColumnText
		}
	}
	if !filled {
		return ColumnText
	}
	return possible[0]
}

// cellFits reports whether a text is what CSV writes for a value of the type.
func cellFits(s string, kind ColumnType) bool {
	switch kind {
	case ColumnInteger:
		// 007 and +7 are not numbers but texts: a number would be written differently.
		n, err := strconv.ParseInt(s, 10, 64)
		return err == nil && cellText(n) == s
	case ColumnNumber:
		f, err := strconv.ParseFloat(s, 64)
		return err == nil && cellText(f) == s
	case ColumnBoolean:
		return s == "true" || s == "false"
	case ColumnDate:
		_, err := time.Parse(time.DateOnly, s)
		return err == nil
	case ColumnTime:
		for _, layout := range []string{time.DateTime, time.RFC3339Nano, "2006-01-02T15:04:05.999999999"} {
			if _, err := time.Parse(layout, s); err == nil {
				return true
			}
		}
		return false
	case ColumnText:
		return true
	default:
		return false
	}
}

// cellOf returns the value of a cell. Dates and times stay texts, as in the result of a query.
func cellOf(s string, kind ColumnType) any {
	if s == "" {
		return nil
	}
	switch kind {
	case ColumnInteger:
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return n
		}
	case ColumnNumber:
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			return f
		}
	case ColumnBoolean:
		return s == "true"
	case ColumnText, ColumnDate, ColumnTime:
	}
	return s
}
