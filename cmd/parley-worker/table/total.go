package table

import (
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

// totalMax is the most bytes that a word of totals has, with a colon.
const totalMax = 16

// headsTotals tells whether the first filled cell of a row is such a word.
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

// isNumeric tells whether the cells of a column are numbers.
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
