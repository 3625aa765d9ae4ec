package check

import "math"

// precision is the tolerated relative error of a sum of fractions. Adding ten million of them one by one has an error of at
// most 1e-9 of the sum of their absolute values, and two orders of adding differ by less than this.
const precision = 1e-8

// Total checks that a figure of all groups adds up to the figure over all rows.
type Total struct {
	Column  int `json:"column"`
	Control int `json:"control"`
	// Size is the index of the sum of the absolute values in the control; -1 for counts, which are exact.
	Size   int `json:"size"`
	Digits int `json:"digits,omitempty"`
}

func (t Total) judge(v *verdict) (Outcome, string) {
	whole, has, known := v.controlNumber(t.Control)
	values, ok := v.column(t.Column)
	if !known || !ok || v.cut {
		return Skipped, ""
	}
	sum := 0.0
	for _, n := range values {
		sum += n
	}
	if has != (len(values) > 0) && (whole != 0 || sum != 0) {
		return Failed, differ(sum, len(values) > 0, whole, has)
	}
	size, sized, _ := v.controlNumber(t.Size)
	if t.Size >= 0 && !sized && has {
		return Skipped, ""
	}
	if math.Abs(sum-whole) > precision*size+rounding(t.Digits)*float64(len(values)) {
		return Failed, differ(sum, true, whole, true)
	}
	return Passed, ""
}
