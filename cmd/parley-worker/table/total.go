package table

import (
	"bytes"
	"math"
	"strings"
)

// A row of totals at the end of a table adds up the rows above it. Taken as data it
// would be counted a second time, so it is left out and said.

// totalWords head a row of totals.
var totalWords = map[string]bool{
	"total": true, "totals": true, "grand total": true, "sum": true, "overall": true, "all": true,
	"summe": true, "gesamt": true, "gesamtsumme": true, "insgesamt": true, "gesamtergebnis": true,
}

// unnamedAfter is how many rows stand above totals that have no name, so that their sum is
// no accident.
const unnamedAfter = 3

// totalMax is the most bytes that a word of totals has, with a colon.
const totalMax = 16

// headsTotals reports whether the first filled cell of a row is such a word.
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

// namesTotals reports whether the first filled cell of a row names a total of some rows, as
// "North total", "Subtotal" and "Total 2024" do. Those are only said, for what they add up
// is not known.
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
			behind, before := cell[len(cell)-n:], cell[:n]
			if bytes.EqualFold(behind, []byte(word)) && (len(cell) == n || isBlank(cell[len(cell)-n-1])) ||
				bytes.EqualFold(before, []byte(word)) && (len(cell) == n || isBlank(cell[n])) {
				return true
			}
		}
		return false
	}
	return false
}

func isBlank(b byte) bool { return b == ' ' || b == '-' || b == '_' }

// onlyNumbers tells a row that begins with empty cells and holds nothing but numbers, as
// totals do that nobody has named.
func onlyNumbers(rec record) bool {
	if rec.len() < 2 || len(rec.cell(0)) > 0 {
		return false
	}
	filled := 0
	for i := range rec.len() {
		cell := unified(rec.cell(i))
		if len(cell) == 0 {
			continue
		}
		filled++
		point, comma := &numbers{decimal: '.', group: ','}, &numbers{decimal: ',', group: '.'}
		if !point.accept(cell) && !comma.accept(cell) {
			return false
		}
	}
	return filled > 0
}

// leaveOutTotals leaves out the last row, which is headed as totals are, where one of its
// numbers is the sum of its column. cells are those of that row.
func (f *File) leaveOutTotals(cells [][]byte) (bool, error) {
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
		if said, ok := n.value(unified(cells[i])); ok && said != 0 && math.Abs(said-sums[i]) <= 0.001*math.Abs(said) {
			return true, nil
		}
	}
	return false, nil
}

// isNumeric reports whether the cells of a column are numbers.
func (c *Column) isNumeric() bool {
	return c.Kind.Type == Integer || c.Kind.Type == Decimal || c.Kind.Type == Number
}

// number gives what a cell adds to a sum: 0 for a cell that is no number.
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
