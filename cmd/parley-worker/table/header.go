package table

import (
	"strconv"
	"strings"
	"unicode"

	"parley.dev/parley/domain"
)

const (
	// identifierMax is in runes; longer names help nobody in a query.
	identifierMax = 60
	// titleMax is in characters: a header of 10,000 is shown by its start.
	titleMax = 200
)

// Identifier makes any text a name that SQL takes without quotes: lower case
// letters of any script, digits and underscores. It is empty when nothing is left.
func Identifier(text string) string {
	var b strings.Builder
	runes, gap := 0, false
	for _, r := range strings.ToLower(text) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			gap = runes > 0
			continue
		}
		if runes == 0 && unicode.IsDigit(r) {
			b.WriteString("n_")
		}
		if gap {
			b.WriteByte('_')
			gap = false
		}
		b.WriteRune(r)
		if runes++; runes == identifierMax {
			break
		}
	}
	return b.String()
}

// name gives each header a unique identifier. Words of SQL get an underscore, so
// that no query ever needs quotes.
func name(headers []string, reserved map[string]bool) []Column {
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

// isHeader judges whether the first row names the columns, by the sample below it.
func isHeader(first []string, below [][]string) bool {
	repeated, ok := namesOnly(first, below)
	switch {
	case !ok:
		return false
	case len(below) == 0:
		return true
	}
	for i, cell := range first {
		if cell != "" && (!looksTyped(cell) || hasUnit(cell)) && columnLooks(below, i, looksTyped) {
			return true // a word above numbers or dates
		}
	}
	// All text: a value that comes again below is data.
	for i, cell := range first {
		for _, row := range below {
			if cell != "" && i < len(row) && row[i] == cell {
				return false
			}
		}
	}
	return !repeated || len(below) > 1
}

// namesOnly reports whether the cells of a row can be names, and whether one comes twice.
func namesOnly(first []string, below [][]string) (repeated, ok bool) {
	typed, words, years := 0, 0, false
	seen := map[string]bool{}
	for i, cell := range first {
		switch {
		case cell == "":
		case hasUnit(cell):
			if columnLooks(below, i, hasUnit) {
				return false, false // 5 kg above 6 kg is data
			}
			words++ // 3 months above numbers is a name
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
	// Years, months and dates may head the columns of a spread table, but not stand above their like.
	return repeated, typed == 0 && words > 0 && !(years && aboveTheirLike(first, below))
}

// aboveTheirLike reports whether a year, a month or a day of the row stands above others.
func aboveTheirLike(first []string, below [][]string) bool {
	for i, cell := range first {
		for _, looks := range []func(string) bool{looksLikeYear, looksLikeDay, looksLikeMonth} {
			if looks(cell) && columnLooks(below, i, looks) {
				return true
			}
		}
	}
	return false
}

// columnLooks reports whether the filled cells of a column of the sample pass the test.
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

func looksLikeYear(cell string) bool {
	n, err := strconv.Atoi(cell)
	return err == nil && len(cell) == 4 && n >= 1900 && n <= 2100
}

// looksLikeDay tells an ISO date, which is how sheets give theirs.
func looksLikeDay(cell string) bool {
	m := &moments{order: yearFirst}
	return len(cell) == len("2006-01-02") && m.accept([]byte(cell)) && !m.timed
}

// looksLikeMonth tells a month of a year, such as Jan 2024.
func looksLikeMonth(cell string) bool { return months{}.accept([]byte(cell)) }

// isWord reports whether a cell could be a name: yes, n and true head columns too.
func isWord(cell string) bool {
	return strings.IndexFunc(cell, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
}

// looksTyped reports whether a cell is something other than words.
func looksTyped(cell string) bool {
	c := newCandidates("", ',')
	c.see([]byte(cell))
	return c.cells > 0 && len(c.formats) > 0
}
