package check

import "math"

// Again says that a figure that does not add up, such as a median or a ratio, is the same in each group if it is computed a second
// time, without a join: the values of all groups have the same sum.
type Again struct {
	Column int `json:"column"`
	// Control is the place of the sum in the control, and Size that of the size of what was added up.
	Control int `json:"control"`
	Size    int `json:"size"`
	Digits  int `json:"digits,omitempty"`
	// Percent says that the result has the figure in percent, and the control does not.
	Percent bool `json:"percent,omitempty"`
}

func (a Again) judge(v *verdict) (Outcome, string) {
	whole, has, known := v.controlled(a.Control)
	size, sized, _ := v.controlled(a.Size)
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
		return Failed, otherwise(sum, len(values), whole, has)
	}
	return Passed, ""
}
