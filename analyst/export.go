package analyst

import (
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"

	"parley.dev/parley/domain"
)

// CSV writes a result as comma-separated text, at most rows of it (negative
// means all). Text that a spreadsheet would run as a formula gets a leading
// apostrophe; numbers stay numbers.
func CSV(t *domain.ResultSet, rows int) string {
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

// harmless takes the power of a formula from a text cell.
func harmless(s string) string {
	if s == "" {
		return s
	}
	switch s[0] {
	case '=', '+', '-', '@', '\t', '\r', '\n', 0:
		return "'" + domain.Clean(s)
	default:
		return domain.Clean(s)
	}
}
