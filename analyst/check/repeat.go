package check

import "math"

// Repeat checks that a total over joined rows stays the same if each row of its own table is counted once in each group. It is
// derived from the plan of a statement that the planner did not generate (guard.Derive).
type Repeat struct {
	// Column is the index in the result; -1 if the result does not contain the total unchanged.
	Column int `json:"column"`
	// Joined is the index of the total over the joined rows, Once of the total with each row once, and Size of the sum of the
	// absolute values, -1 for counts, which are exact. If Once is -1, Joined is the largest difference between the figures of a
	// group.
	Joined int `json:"joined"`
	Once   int `json:"once"`
	Size   int `json:"size"`
	Digits int `json:"digits,omitempty"`
	// Cut means that the result leaves out groups.
	Cut bool `json:"cut,omitempty"`
	// Total is the aggregate, and Table the table whose rows it adds up, as people read them.
	Total string `json:"total"`
	Table string `json:"table"`
}

// judge also returns how the author of the statement can correct it.
func (r Repeat) judge(v *verdict) (o Outcome, said, fix string) {
	joined, has, known := v.controlNumber(r.Joined)
	size, sized, measured := v.controlNumber(r.Size)
	if !known || r.Size >= 0 && !measured || r.Size >= 0 && !sized && has {
		return Skipped, "", ""
	}
	if r.Once < 0 {
		if has && joined > precision*size {
			return Failed, unevenRepeats(r.Total, r.Table), fixJoin(r.Table)
		}
		return Passed, "", ""
	}
	once, _, known := v.controlNumber(r.Once)
	switch {
	case !known:
		return Skipped, "", ""
	case math.Abs(joined-once) > precision*max(size, 0):
		return Failed, repeated(r.Total, r.Table, joined, once), fixJoin(r.Table)
	case !r.matchesResult(v, joined, size):
		return Skipped, "", ""
	}
	return Passed, "", ""
}

// matchesResult reports whether the control reads the statement correctly: its total must be that of the result, if the result
// contains it.
func (r Repeat) matchesResult(v *verdict, joined, size float64) bool {
	values, ok := v.column(r.Column)
	if r.Column < 0 || r.Cut || v.cut || !ok {
		return true
	}
	sum := 0.0
	for _, n := range values {
		sum += n
	}
	return r.Size < 0 && sum == joined || math.Abs(sum-joined) <= precision*max(size, 0)+rounding(r.Digits)*float64(len(values)) ||
		r.Digits == 0 && math.Abs(sum-joined) <= precision*max(size, 0)+0.5*float64(len(values))
}
