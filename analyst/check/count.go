package check

import "math"

// Count says that a figure is a number of rows, of things, or of different values.
type Count struct {
	Column int `json:"column"`
	// Control is the number over all rows; -1 if it is not known.
	Control int `json:"control"`
	// Distinct says that different values are counted: all groups together have as many as the whole at least.
	Distinct bool `json:"distinct,omitempty"`
	// Parts says that the groups have no row in common, so that all of them have no more than the whole.
	Parts bool `json:"parts,omitempty"`
	// Whole says that no group is left out.
	Whole bool `json:"whole,omitempty"`
}

func (c Count) judge(v *verdict) (Outcome, string) {
	values, ok := v.column(c.Column)
	if !ok {
		return Skipped, ""
	}
	sum, highest := 0.0, 0.0
	for _, n := range values {
		if n < 0 || n != math.Trunc(n) {
			return Failed, noCount(n)
		}
		sum += n
		highest = max(highest, n)
	}
	if c.Control < 0 {
		return Passed, ""
	}
	whole, has, known := v.controlled(c.Control)
	switch {
	case !known || !has:
		return Skipped, ""
	case highest > whole:
		return Failed, moreThanAll(highest, whole)
	case c.Parts && sum > whole:
		return Failed, differ(sum, true, whole, true)
	case c.Distinct && c.Whole && !v.cut && sum < whole:
		return Failed, fewerThanAll(sum, whole)
	}
	return Passed, ""
}
