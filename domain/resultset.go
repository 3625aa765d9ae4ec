package domain

import (
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// CSV writes a result as comma-separated text, at most rows of it (negative
// means all). Text that a spreadsheet would run as a formula gets a leading
// apostrophe; numbers stay numbers.
func (t *ResultSet) CSV(rows int) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	header := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		header[i] = harmless(c.Name)
	}
	// A strings.Builder does not fail, and neither does a writer above it.
	_ = w.Write(header)
	if rows < 0 || rows > len(t.Rows) {
		rows = len(t.Rows)
	}
	record := make([]string, len(t.Columns))
	for _, row := range t.Rows[:rows] {
		for i := range record {
			record[i] = ""
			if i < len(row) {
				record[i] = cellText(row[i])
			}
		}
		_ = w.Write(record)
	}
	w.Flush()
	return b.String()
}

// cellText writes a cell without exponent and without a locale.
func cellText(v any) string {
	switch x := v.(type) {
	case nil:
		return ""
	case string:
		return harmless(x)
	case bool:
		return strconv.FormatBool(x)
	case int64:
		return strconv.FormatInt(x, 10)
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return ""
		}
		return strconv.FormatFloat(x, 'f', -1, 64)
	default:
		return harmless(fmt.Sprint(x))
	}
}

// harmless takes the power of a formula from a text cell: a spreadsheet would run
// what begins with one of these characters. What begins so behind apostrophes gets
// one more, so that to take one away always gives the text back. A negative number
// is no formula.
func harmless(s string) string {
	s = Clean(s)
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, "'"))
	if strings.ContainsRune("=+-@\t\r\n＝＋－＠\uFFFD", first) && strings.TrimLeft(s, "'") != "" && !isNumber(s) {
		return "'" + s
	}
	return s
}

// isNumber tells -5 and -1.25 from text that only begins like one.
func isNumber(s string) bool {
	whole, part, point := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	digits := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	return digits(whole) && (!point || digits(part))
}
