package english

import (
	"math"
	"strconv"
	"strings"
)

// Figure writes a number with separators of thousands and at most two decimals.
func Figure(n float64) string {
	text := strconv.FormatFloat(math.Abs(n), 'f', 2, 64)
	whole, rest, _ := strings.Cut(text, ".")
	rest = strings.TrimRight(rest, "0")
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	if rest != "" {
		whole += "." + rest
	}
	if n < 0 && strings.Trim(whole, "0.,") != "" {
		whole = "-" + whole
	}
	return whole
}
