package table

// Headers: whether the first row names the columns, and names for SQL. The decision is made by a
// sample; a wrong one would make data of a header, or a header of the first row of data.

import (
	"strconv"
	"strings"
	"unicode"

	"parley.dev/parley/domain"
)

const (
	// identifierMax is the maximum number of letters and digits of a name, because long names make queries unreadable.
	identifierMax = 60
	// titleMax is the maximum length of a title in characters. Longer headers are cut.
	titleMax = 200
)

// Identifier converts any text to a name that SQL accepts without quotes: lower case letters of any script, digits and
// underscores. It is empty if the text has no letters and no digits.
func Identifier(text string) string {
	var b strings.Builder
	runes, gap := 0, false
	for _, r := range strings.ToLower(text) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			gap = runes > 0
			continue
		}
		// A name must not begin with a digit.
		if runes == 0 && unicode.IsDigit(r) {
			b.WriteString("n_")
		}
		if gap {
			b.WriteByte('_')
			gap = false
		}
		b.WriteRune(r)
		// The limit is in characters, which may have several bytes.
		if runes++; runes == identifierMax {
			break
		}
	}
	return b.String()
}

// nameColumns returns a column with a unique identifier for each header. Reserved words of SQL get an underscore, so that no query
// needs quotes.
func nameColumns(headers []string, reserved map[string]bool) []Column {
	columns := make([]Column, len(headers))
	taken := map[string]bool{}
	for i, header := range headers {
		base := Identifier(header)
		switch {
		case base == "":
			base = "column_" + strconv.Itoa(i+1)
		case reserved[base]:
			base += "_"
		}
		unique := base
		// Equal headers get a number, in their order.
		for n := 2; taken[unique]; n++ {
			unique = base + "_" + strconv.Itoa(n)
		}
		taken[unique] = true
		columns[i] = Column{Name: unique}
		if title := domain.Shorten(strings.Join(strings.Fields(header), " "), titleMax); title != unique {
			columns[i].Title = title
		}
	}
	return columns
}

// isHeader reports whether the first row has the names of the columns, as far as the sample of rows below it shows.
func isHeader(first []string, below [][]string) bool {
	repeated, ok := namesOnly(first, below)
	switch {
	case !ok:
		return false
	// A row alone, in a file without data, is a header if it has names.
	case len(below) == 0:
		return true
	}
	for i, cell := range first {
		if cell != "" && (!looksTyped(cell) || hasUnit(cell)) && columnLooks(below, i, looksTyped) {
			return true // a word is above numbers or dates
		}
	}
	// All cells are text. If a value of the first row occurs again below, the first row is data.
	for i, cell := range first {
		for _, row := range below {
			if cell != "" && i < len(row) && row[i] == cell {
				return false
			}
		}
	}
	// Names that occur twice are accepted only if there are several rows to compare with.
	return !repeated || len(below) > 1
}

// namesOnly reports whether the cells of a row can be names of columns, and whether a name occurs twice.
func namesOnly(first []string, below [][]string) (repeated, ok bool) {
	typed, words, years := 0, 0, false
	seen := map[string]bool{}
	for i, cell := range first {
		switch {
		case cell == "":
		case hasUnit(cell):
			if columnLooks(below, i, hasUnit) {
				return false, false // "5 kg" above "6 kg" is data
			}
			words++ // "3 months" above plain numbers is a name
		case looksLikeYear(cell), looksLikeDay(cell), looksLikeMonth(cell):
			years = true
		case looksTyped(cell) && !isWord(cell):
			typed++
		default:
			words++
			repeated = repeated || seen[cell]
			seen[cell] = true
		}
	}
	// Years, months and dates can be the names of the columns of a pivot table, unless other years, months or dates are
	// below them.
	return repeated, typed == 0 && words > 0 && !(years && abovePeriods(first, below))
}

// abovePeriods reports whether a year, a month or a day of the row is above a column of only years, months or days.
func abovePeriods(first []string, below [][]string) bool {
	for i, cell := range first {
		for _, looks := range []func(string) bool{looksLikeYear, looksLikeDay, looksLikeMonth} {
			if looks(cell) && columnLooks(below, i, looks) {
				return true
			}
		}
	}
	return false
}

// columnLooks reports whether a column of the sample has filled cells, and all of them pass the test.
func columnLooks(rows [][]string, column int, test func(string) bool) bool {
	found := false
	for _, row := range rows {
		if column < len(row) && row[column] != "" {
			if !test(row[column]) {
				return false
			}
			found = true
		}
	}
	return found
}

// looksLikeYear accepts the years that tables are about.
func looksLikeYear(cell string) bool {
	n, err := strconv.Atoi(cell)
	return err == nil && len(cell) == 4 && n >= 1900 && n <= 2100
}

// looksLikeDay reports whether a cell is an ISO date, which is the format of dates in sheets.
func looksLikeDay(cell string) bool {
	m := &moments{order: yearFirst}
	return len(cell) == len("2006-01-02") && m.accept([]byte(cell)) && !m.timed
}

// looksLikeMonth reports whether a cell is a month of a year, such as Jan 2024.
func looksLikeMonth(cell string) bool { return months{}.accept([]byte(cell)) }

// isWord reports whether a cell has only letters. Such a cell can be a name even if it is a boolean, such as yes, n or true.
func isWord(cell string) bool {
	return strings.IndexFunc(cell, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
}

// looksTyped reports whether a cell is a value of a type other than text.
// The delimiter does not matter for a single cell.
func looksTyped(cell string) bool {
	c := newCandidates("", ',')
	c.see([]byte(cell))
	return c.cells > 0 && len(c.formats) > 0
}
