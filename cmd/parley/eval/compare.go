package eval

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"parley.dev/parley/analyst/specialist"
)

// A result agrees with a truth if it has all of its columns with equal values, in the rows that the question
// asks for. Names and order of the columns and further columns do not matter, because a person reads them.

// relative is the relative difference up to which two numbers are equal: six significant digits.
const relative = 1e-6

// measure compares values.
type measure struct {
	// decimals are those to which the numbers of the truth are rounded; negative if they are not.
	decimals int
	// percent means that the answer shows a percent sign, so that a fraction is equal to its percentage.
	percent bool
}

// exactly compares numbers that are not rounded.
const exactly = -1

// equal reports whether a value of a result is that of the truth.
func (m measure) equal(got, want any) bool {
	w, wants := specialist.Number(want)
	g, gets := specialist.Number(got)
	if wants && gets {
		return m.near(g, w) || m.percent && (m.near(100*g, w) || m.near(g, 100*w))
	}
	// A date is written in one way, and no value in another.
	return wants == gets && strings.TrimSpace(specialist.Text(got)) == strings.TrimSpace(specialist.Text(want))
}

// near reports whether two numbers are equal as far as the truth is exact.
func (m measure) near(g, w float64) bool {
	room := relative * math.Abs(w)
	if m.decimals >= 0 {
		// Half of the last digit, and a little more, for both may be rounded.
		room = max(room, 0.51*math.Pow10(-m.decimals))
	}
	// A sum of fractions differs from zero by what they are rounded to.
	return math.Abs(g-w) <= max(room, 1e-9)
}

// verdict is how far a result agrees with a truth.
type verdict int

// The verdicts, from bad to good.
const (
	differs verdict = iota
	// part is right as far as it goes: some of the rows or of the columns.
	part
	agrees
)

// compare compares the rows of a result with those of a truth, and says how they differ.
func (m measure) compare(got, want [][]any, rows Rows) (verdict, string) {
	switch {
	case len(want) == 0:
		return differs, "the truth has no rows"
	case len(got) == 0:
		return differs, "no rows"
	case rows == RowsFirst:
		got, want = got[:1], want[:1]
	}
	columns := len(want[0])
	// A result with fewer columns than the truth can only be a part of it.
	if width(got) < columns {
		for leave := range columns {
			if m.fits(got, without(want, leave), rows) {
				return part, fmt.Sprintf("column %d is missing", leave+1)
			}
		}
		return differs, fmt.Sprintf("%d columns instead of %d", width(got), columns)
	}
	if m.fits(got, want, rows) {
		return agrees, ""
	}
	// Fewer rows, all of them true, answer a part; a single row may be true by chance.
	if rows == RowsSet && len(got) > 1 && len(got) < len(want) && m.within(got, want) {
		return part, fmt.Sprintf("%d of %d rows", len(got), len(want))
	}
	if len(got) != len(want) && rows != RowsSome {
		return differs, fmt.Sprintf("%d rows instead of %d", len(got), len(want))
	}
	return differs, "different values"
}

func width(rows [][]any) int {
	if len(rows) == 0 {
		return 0
	}
	return len(rows[0])
}

// without returns the rows without one column.
func without(rows [][]any, column int) [][]any {
	out := make([][]any, len(rows))
	for i, row := range rows {
		out[i] = slices.Delete(slices.Clone(row), column, column+1)
	}
	return out
}

// fits reports whether some columns of got have the rows of want. Every choice of columns is tried, because
// results have few columns.
func (m measure) fits(got, want [][]any, rows Rows) bool {
	if rows != RowsSome && len(got) != len(want) || len(got) < len(want) || width(want) == 0 {
		return false
	}
	return choose(width(got), width(want), nil, func(chosen []int) bool { return m.cover(want, got, chosen, rows) })
}

// within reports whether all rows of got, with some of its columns, are rows of want.
func (m measure) within(got, want [][]any) bool {
	return choose(width(got), width(want), nil, func(chosen []int) bool {
		left := make([][]any, len(got))
		for i, row := range got {
			for _, c := range chosen {
				left[i] = append(left[i], row[c])
			}
		}
		inOrder := make([]int, len(chosen))
		for i := range inOrder {
			inOrder[i] = i
		}
		return m.cover(left, want, inOrder, RowsSome)
	})
}

// choose looks for n different ones of some columns, in an order, that a function accepts. The function is
// also asked for the beginning of each choice, so that hopeless ones are left early.
func choose(columns, n int, chosen []int, accept func(chosen []int) bool) bool {
	if len(chosen) > 0 && !accept(chosen) {
		return false
	}
	if len(chosen) == n {
		return true
	}
	for i := range columns {
		if !slices.Contains(chosen, i) && choose(columns, n, append(slices.Clone(chosen), i), accept) {
			return true
		}
	}
	return false
}

// cover reports whether each of some rows is found in others, whose chosen columns are its first ones. No row
// is found twice.
func (m measure) cover(rows, among [][]any, chosen []int, how Rows) bool {
	same := func(row, other []any) bool {
		for k, c := range chosen {
			if c >= len(other) || k >= len(row) || !m.equal(other[c], row[k]) {
				return false
			}
		}
		return true
	}
	used := make([]bool, len(among))
	next := 0
	for at, row := range rows {
		if how == RowsOrdered {
			if !same(row, among[at]) {
				return false
			}
			continue
		}
		// Both are usually in the same order, so the search begins after the row that was found last.
		found := -1
		for k := range among {
			i := (next + k) % len(among)
			if !used[i] && same(row, among[i]) {
				found = i
				break
			}
		}
		if found < 0 {
			return false
		}
		used[found], next = true, found+1
	}
	return true
}

// numberMax is the longest text that is read as one number.
const numberMax = 40

// figures are the numbers of a text, as people write them, with the decimals that they show.
func figures(text string) []figure {
	var out []figure
	for i := 0; i < len(text); i++ {
		if !digit(text[i]) || i > 0 && (letter(text[i-1]) || text[i-1] == '.') {
			continue
		}
		end := i
		for end < len(text) && end-i < numberMax && (digit(text[end]) || (text[end] == ',' || text[end] == '.') && end+1 < len(text) &&
			digit(text[end+1])) {
			end++
		}
		plain := strings.ReplaceAll(text[i:end], ",", "")
		if n, err := strconv.ParseFloat(plain, 64); err == nil {
			if negative(text[:i]) {
				n = -n
			}
			_, decimals, _ := strings.Cut(plain, ".")
			out = append(out, figure{n, len(decimals), strings.HasPrefix(strings.TrimLeft(text[end:], "*"), "%")})
		}
		i = end
	}
	return out
}

// figure is a number in a text.
type figure struct {
	value    float64
	decimals int
	percent  bool
}

func digit(b byte) bool { return b >= '0' && b <= '9' }

func letter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' || b == '_' }

// negative reports whether a number after a text is negative: a sign after a blank, and not a hyphen.
func negative(before string) bool {
	before = strings.TrimRight(before, "*$€£")
	for _, sign := range []string{"-", "−"} {
		if rest, ok := strings.CutSuffix(before, sign); ok {
			return rest == "" || strings.HasSuffix(rest, " ") || strings.HasSuffix(rest, "*") || strings.HasSuffix(rest, "(")
		}
	}
	return false
}

// says reports whether a text has a value: a number rounded to the decimals that it shows, or a name.
func says(text string, all []figure, want any) bool {
	w, ok := specialist.Number(want)
	if !ok {
		return want == nil || strings.Contains(strings.ToLower(text), strings.ToLower(specialist.Text(want)))
	}
	return slices.ContainsFunc(all, func(f figure) bool {
		near := func(w float64) bool {
			return math.Abs(f.value-w) <= 0.5*math.Pow10(-f.decimals)+1e-9 && (f.value == w || significant(f) >= 3)
		}
		return near(w) || f.percent && near(100*w)
	})
}

// significant returns how many digits of a number are significant.
func significant(f figure) int {
	digits := strings.TrimLeft(strconv.FormatFloat(math.Abs(f.value)*math.Pow10(f.decimals), 'f', 0, 64), "0")
	return len(digits)
}
