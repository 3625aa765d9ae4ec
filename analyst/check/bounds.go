package check

import (
	"math"

	"parley.dev/parley/analyst/query"
	"parley.dev/parley/domain"
)

// Bounds checks that a statistic of a column lies between the column's lowest and highest value.
type Bounds struct {
	// Low and High are -1 if the result has no such column.
	Low    int `json:"low"`
	High   int `json:"high"`
	Middle int `json:"middle"`
	Digits int `json:"digits,omitempty"`
}

// newBounds pairs the statistics of one column.
func newBounds(figures []query.OutlineFigure, p *columnPlaces) []Bounds {
	find := func(statistic, of string) int {
		for i := range figures {
			if figures[i].Statistic == statistic && figures[i].Of == of {
				at, _ := p.of(figures[i].Column)
				return at
			}
		}
		return -1
	}
	var out []Bounds
	for i := range figures {
		f := &figures[i]
		if f.Statistic == "" || f.Statistic == "min" {
			continue
		}
		b := Bounds{Low: find("min", f.Of), High: find("max", f.Of)}
		b.Middle, b.Digits = p.of(f.Column)
		if f.Statistic == "max" {
			b.High = -1
		}
		if b.Middle >= 0 && (b.Low >= 0 || b.High >= 0) {
			out = append(out, b)
		}
	}
	return out
}

func (b Bounds) judge(v *verdict) (Outcome, string) {
	for _, row := range v.rows {
		middle, has := numberAt(row, b.Middle)
		if !has {
			continue
		}
		allowed := func(end float64) float64 {
			return precision*max(math.Abs(end), math.Abs(middle)) + 2*rounding(b.Digits)
		}
		if low, has := numberAt(row, b.Low); has && middle < low-allowed(low) {
			return Failed, outside(middle, low)
		}
		if high, has := numberAt(row, b.High); has && middle > high+allowed(high) {
			return Failed, outside(middle, high)
		}
	}
	return Passed, ""
}

// numberAt returns the number at an index of a row.
func numberAt(row []any, place int) (float64, bool) {
	if place < 0 || place >= len(row) {
		return 0, false
	}
	return domain.CellNumber(row[place])
}
