package check

import (
	"fmt"
	"math"

	"parley.dev/parley/domain"
)

// Share checks that the parts of a whole add up to it, within each value of some columns.
type Share struct {
	Column int `json:"column"`
	// Whole is 100 for percentages and 1 otherwise.
	Whole  float64 `json:"whole"`
	Within []int   `json:"within,omitempty"`
	Digits int     `json:"digits,omitempty"`
	// Cut means that groups are left out. Then parts of counts are at most the whole, and other parts cannot be checked.
	Cut    bool `json:"cut,omitempty"`
	Counts bool `json:"counts,omitempty"`
}

// sharePrecision is the tolerated error of a whole of rounded parts: 0.05 of 100 %.
const sharePrecision = 0.0005

func (s Share) judge(v *verdict) (Outcome, string) {
	cut := s.Cut || v.cut
	if _, ok := v.column(s.Column); !ok || cut && !s.Counts {
		return Skipped, ""
	}
	type whole struct {
		sum, size float64
		parts     int
	}
	wholes := map[string]*whole{}
	for _, row := range v.rows {
		n, has := domain.CellNumber(row[s.Column])
		if !has {
			continue // the group has no value, or its whole is 0
		}
		if s.Counts && (n < 0 || n > s.Whole*(1+sharePrecision)) {
			return Failed, notPart(100 * n / s.Whole)
		}
		key := ""
		for _, w := range s.Within {
			if w < 0 || w >= len(row) {
				return Skipped, ""
			}
			key += fmt.Sprintf("%T %v\x00", row[w], row[w])
		}
		if wholes[key] == nil {
			wholes[key] = &whole{}
		}
		wholes[key].sum += n
		wholes[key].size += math.Abs(n)
		wholes[key].parts++
	}
	for _, w := range wholes {
		allowed := sharePrecision*s.Whole + precision*w.size + rounding(s.Digits)*float64(w.parts)
		if w.sum > s.Whole+allowed || !cut && w.sum < s.Whole-allowed {
			return Failed, notWhole(100 * w.sum / s.Whole)
		}
	}
	return Passed, ""
}
