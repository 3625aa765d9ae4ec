package check

import "math"

// Repeat says that a total over joined rows is the same if each row of its own table is counted once in each group. It is derived
// from the plan of a statement that nobody here has built (guard.Derive).
type Repeat struct {
	// Column is the place in the result, -1 if the result does not have the total as it was added up.
	Column int `json:"column"`
	// Joined is the total as it was joined, Once that of each row once, and Size the sum of the absolute values; -1 for counts,
	// which are exact. Where Once is -1, Joined is the largest difference of the figures of a group.
	Joined int `json:"joined"`
	Once   int `json:"once"`
	Size   int `json:"size"`
	Digits int `json:"digits,omitempty"`
	// Cut says that the result leaves groups out.
	Cut bool `json:"cut,omitempty"`
	// Total is the aggregate, and Table the table whose rows it adds up, as people read them.
	Total string `json:"total"`
	Table string `json:"table"`
}

// judge returns also how the one who wrote the statement can mend it.
func (r Repeat) judge(v *verdict) (o Outcome, said, mend string) {
	joined, has, known := v.controlled(r.Joined)
	size, sized, measured := v.controlled(r.Size)
	if !known || r.Size >= 0 && !measured || r.Size >= 0 && !sized && has {
		return Skipped, "", ""
	}
	if r.Once < 0 {
		if has && joined > precision*size {
			return Failed, oneSided(r.Total, r.Table), mendJoin(r.Table)
		}
		return Passed, "", ""
	}
	once, _, known := v.controlled(r.Once)
	switch {
	case !known:
		return Skipped, "", ""
	case math.Abs(joined-once) > precision*max(size, 0):
		return Failed, repeated(r.Total, r.Table, joined, once), mendJoin(r.Table)
	case !r.reads(v, joined, size):
		return Skipped, "", ""
	}
	return Passed, "", ""
}

// reads reports whether the control has read the statement as it is meant: its total is that of the result, where the result has
// one.
func (r Repeat) reads(v *verdict, joined, size float64) bool {
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
