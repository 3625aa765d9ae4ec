package table

import (
	"bytes"
	"math"
	"strings"
)

// A row of totals at the end of a table has the sums of the rows above it. If it were read as data, every query would count
// these rows twice. It is therefore left out, and the description of the file mentions it.

// totalWords are the words with which a row of totals begins.
var totalWords = map[string]bool{
	"total": true, "totals": true, "grand total": true, "sum": true, "overall": true, "all": true,
	"summe": true, "gesamt": true, "gesamtsumme": true, "insgesamt": true, "gesamtergebnis": true,
}

// unnamedAfter is the minimum number of rows above a row of totals that has no name. With fewer rows, a matching sum could
// be a coincidence.
const unnamedAfter = 3

// totalMax is the maximum length of a cell with a word for totals and a colon, in bytes.
const totalMax = 16

// headsTotals reports whether the first filled cell of a row is a word of totalWords.
func headsTotals(rec record) bool {
	for i := range rec.len() {
		cell := rec.cell(i)
		if len(cell) == 0 {
			continue
		}
		return len(cell) <= totalMax && totalWords[strings.TrimSpace(strings.TrimRight(strings.ToLower(string(cell)), ": "))]
	}
	return false
}

// namesTotals reports whether the first filled cell of a row names a total of some rows, such as "North total", "Subtotal"
// or "Total 2024". Such rows are kept and only mentioned in the description, because it is not known which rows they add up.
func namesTotals(rec record) bool {
	for i := range rec.len() {
		cell := bytes.TrimRight(rec.cell(i), ": ")
		if len(cell) == 0 {
			continue
		}
		for _, word := range [...]string{"total", "subtotal", "totals", "summe", "zwischensumme", "gesamt", "ergebnis"} {
			n := len(word)
			if len(cell) < n || len(cell) > 4*totalMax {
				continue
			}
			suffix, prefix := cell[len(cell)-n:], cell[:n]
			if bytes.EqualFold(suffix, []byte(word)) && (len(cell) == n || isBlank(cell[len(cell)-n-1])) ||
				bytes.EqualFold(prefix, []byte(word)) && (len(cell) == n || isBlank(cell[n])) {
				return true
			}
		}
		return false
	}
	return false
}

func isBlank(b byte) bool { return b == ' ' || b == '-' || b == '_' }

// onlyNumbers reports whether the first cell of a row is empty and all filled cells are numbers, as in a row of totals
// without a name.
func onlyNumbers(rec record) bool {
	if rec.len() < 2 || len(rec.cell(0)) > 0 {
		return false
	}
	filled := 0
	for i := range rec.len() {
		cell := toUTF8(rec.cell(i))
		if len(cell) == 0 {
			continue
		}
		filled++
		point, comma := &numbers{decimal: '.', group: ','}, &numbers{decimal: ',', group: '.'}
		// The row has numbers if it has them in one of both notations, because the notation is not
		// decided yet.
		if !point.accept(cell) && !comma.accept(cell) {
			return false
		}
	}
	return filled > 0
}

// leaveOutTotals reports whether the last row is to be left out: whether one of its numbers is the sum of its column. cells
// are the cells of the last row, which looks like totals.
func (f *File) leaveOutTotals(cells [][]byte) (bool, error) {
	// The rows are read once more for this. It happens only if the last row looks like totals.
	sums := make([]float64, len(f.Columns))
	err := f.Each(func(cell func(int) []byte) error {
		for i := range f.Columns {
			sums[i] += f.Columns[i].number(cell(i))
		}
		return nil
	})
	if err != nil {
		return false, err
	}
	for i := range f.Columns {
		c := &f.Columns[i]
		n, ok := c.format.(*numbers)
		if !ok || i >= len(cells) || len(cells[i]) == 0 {
			continue
		}
		// The total may be rounded, and so may the numbers that it adds up.
		if total, ok := n.value(toUTF8(cells[i])); ok && total != 0 && math.Abs(total-sums[i]) <= 0.001*math.Abs(total) {
			return true, nil
		}
	}
	return false, nil
}

// isNumeric reports whether the cells of a column are numbers.
func (c *Column) isNumeric() bool {
	return c.Kind.Type == Integer || c.Kind.Type == Decimal || c.Kind.Type == Number
}

// number returns what a cell adds to a sum, which is 0 for a cell that is not a number.
func (c *Column) number(cell []byte) float64 {
	if !c.isNumeric() {
		return 0
	}
	v := c.Parse(cell)
	switch {
	case v.IsNull:
		return 0
	case c.Kind.Type == Number:
		return v.Float
	case c.Kind.Type == Decimal:
		return float64(v.Int) / math.Pow10(c.Kind.Scale)
	}
	return float64(v.Int)
}
