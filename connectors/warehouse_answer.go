package connectors

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"parley.dev/parley/domain"
)

// Answer gathers the rows of a result up to its limits.
type Answer struct {
	// Caps limit the rows and the bytes. Read has a function for each column, which makes a
	// value of a cell that is not null.
	Caps Caps
	Read []func([]byte) any

	Rows [][]any
	// Full is set once there are more rows than the limits allow. The caller then stops reading
	// and ends the statement in the database. It must not drain the rest, which may have no end.
	Full bool

	bytes int
	cut   bool // a cell was shortened
}

// CheckColumns refuses a result with too many columns, with CodeInvalid.
func CheckColumns(count int) error {
	if count > MaxColumns {
		return domain.Errorf(domain.CodeInvalid,
			"The result has %d columns, and %d are allowed. Name the ones that are needed.", count, MaxColumns)
	}
	return nil
}

// Add adds a row, unless a limit is reached; a nil cell is NULL.
func (a *Answer) Add(cells [][]byte) {
	size := 0
	row := make([]any, len(cells))
	for i, cell := range cells {
		if cell == nil {
			continue
		}
		if len(cell) > MaxCell {
			cell, a.cut = shortened(cell), true
		}
		size += len(cell)
		row[i] = a.Read[i](cell)
	}
	if a.Full = len(a.Rows) >= a.Caps.Rows || a.bytes+size > a.Caps.Bytes; a.Full {
		return
	}
	a.bytes += size
	a.Rows = append(a.Rows, row)
}

// Truncated reports whether the answer is not the whole result.
func (a *Answer) Truncated() bool { return a.Full || a.cut }

// shortened cuts a text at the end of a character.
func shortened(cell []byte) []byte {
	end := MaxCell
	for end > 0 && !utf8.RuneStart(cell[end]) {
		end--
	}
	return cell[:end]
}

// Proposed is what people read about a database if they write no description of their own.
// There is at least one table.
func Proposed(database string, tables []domain.DataResource) string {
	const named = 12
	names := make([]string, 0, named)
	for i := range tables[:min(named, len(tables))] {
		names = append(names, tables[i].Name)
	}
	text := fmt.Sprintf("%d tables of the database %s: %s", len(tables), database, strings.Join(names, ", "))
	if len(tables) == 1 {
		text = fmt.Sprintf("The table %s of the database %s", names[0], database)
	} else if more := len(tables) - named; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return domain.Shorten(domain.Clean(text+"."), domain.DataSourceDescriptionMax)
}
