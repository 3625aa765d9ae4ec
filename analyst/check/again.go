package check

import "math"

// Again checks figures that do not add up, such as a median or a ratio, by computing them a second time without a join: the
// values of all groups must have the same sum.
type Again struct {
	Column int `json:"column"`
	// Control is the index of the sum in the control, and Size that of the sum of the absolute values.
	Control int `json:"control"`
	Size    int `json:"size"`
	Digits  int `json:"digits,omitempty"`
	// Percent means that the result contains percentages and the control does not.
	Percent bool `json:"percent,omitempty"`
}

func (a Again) judge(v *verdict) (Outcome, string) {
	whole, has, known := v.controlNumber(a.Control)
	size, sized, _ := v.controlNumber(a.Size)
	values, ok := v.column(a.Column)
	if !known || has && !sized || !ok || v.cut {
		return Skipped, ""
	}
	if a.Percent {
		whole, size = 100*whole, 100*size
	}
	sum := 0.0
	for _, n := range values {
		sum += n
	}
	if has != (len(values) > 0) || math.Abs(sum-whole) > precision*size+rounding(a.Digits)*float64(len(values)) {
		return Failed, secondWayDiffers(sum, len(values), whole, has)
	}
	return Passed, ""
}
