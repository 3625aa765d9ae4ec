package specialist

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns a cell as a label.
func Text(v any) string {
	switch x := v.(type) {
	case nil:
		return "(empty)"
	case string:
		if strings.TrimSpace(x) == "" {
			return "(empty)"
		}
		if len(x) > 10 && strings.HasSuffix(x, "00:00:00") {
			return strings.TrimRight(x[:10], "T ")
		}
		return x
	case bool:
		if x {
			return "yes"
		}
		return "no"
	case int64:
		return strconv.FormatInt(x, 10)
	case float64:
		return Format(x)
	default:
		return fmt.Sprint(x)
	}
}

// Format formats a number for people: with commas between thousands, and with as many decimals
// as are useful.
func Format(v float64) string {
	a := math.Abs(v)
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "(no number)"
	case v == math.Trunc(v) && a < 1e15:
		return group3(strconv.FormatFloat(v, 'f', 0, 64))
	case a >= 1e15:
		return strconv.FormatFloat(v, 'g', 4, 64)
	case a >= 1000:
		return group3(strconv.FormatFloat(v, 'f', 0, 64))
	case a >= 1:
		return trimZeros(strconv.FormatFloat(v, 'f', 2, 64))
	case a >= 0.01:
		return trimZeros(strconv.FormatFloat(v, 'f', 3, 64))
	default:
		return strconv.FormatFloat(v, 'g', 2, 64)
	}
}

// Percent formats a percentage with at most two decimals.
func Percent(v float64) string {
	if math.Abs(v) >= 10 {
		return trimZeros(strconv.FormatFloat(v, 'f', 1, 64)) + "%"
	}
	return trimZeros(strconv.FormatFloat(v, 'f', 2, 64)) + "%"
}

func trimZeros(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	if s == "-0" {
		return "0"
	}
	return s
}

// group3 puts commas between thousands.
func group3(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	if s == "0" {
		return s
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// Sentence makes the first letter of a text a capital.
func Sentence(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// List joins words as in a sentence, with a word such as "and" before the last one.
func List(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " " + last + " " + words[len(words)-1]
}
