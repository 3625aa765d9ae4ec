package domain

import (
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// CSV returns a result as comma-separated text with at most the given number of rows
// (negative means all). Text that a spreadsheet would run as a formula gets a leading
// apostrophe; numbers stay numbers.
func (t *ResultSet) CSV(rows int) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	header := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		header[i] = harmless(c.Name)
	}
	// Writing to a strings.Builder never fails.
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

// cellText returns the text of a cell, without exponents and independent of any locale.
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

// harmless prevents a spreadsheet from running a text cell as a formula: text that begins
// with one of these characters gets a leading apostrophe. Text with one of them behind
// apostrophes gets one more, so that removing one apostrophe always restores the text. A
// negative number is not a formula.
func harmless(s string) string {
	s = Clean(s)
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, "'"))
	if strings.ContainsRune("=+-@\t\r\n＝＋－＠\uFFFD", first) && strings.TrimLeft(s, "'") != "" && !isNumber(s) {
		return "'" + s
	}
	return s
}

// isNumber reports whether a text is a plain decimal number such as -5 or -1.25.
func isNumber(s string) bool {
	whole, part, point := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	digits := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	return digits(whole) && (!point || digits(part))
}
