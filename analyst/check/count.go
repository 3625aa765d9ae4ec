package check

import "math"

// Count checks a figure that is a number of rows, entities or distinct values.
type Count struct {
	Column int `json:"column"`
	// Control is the index of the number over all rows; -1 if it is unknown.
	Control int `json:"control"`
	// Distinct means that distinct values are counted: the sum over all groups is at least the number over all rows.
	Distinct bool `json:"distinct,omitempty"`
	// Parts means that no row is in several groups, so the sum over all groups is at most the number over all rows.
	Parts bool `json:"parts,omitempty"`
	// Whole means that no group is left out.
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
			return Failed, notACount(n)
		}
		sum += n
		highest = max(highest, n)
	}
	if c.Control < 0 {
		return Passed, ""
	}
	whole, has, known := v.controlNumber(c.Control)
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
