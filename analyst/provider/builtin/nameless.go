package builtin

import (
	"fmt"
	"math"
	"slices"

	"parley.dev/parley/analyst/specialist"
)

// A group of rows whose column is empty has no name, and cannot be the leader: the groups with a name
// are ranked, and a remark reports the one without.

// nameless reports whether one of the groups of a result row is empty.
func (t *teller) nameless(row int) bool {
	return slices.ContainsFunc(t.grouping(), func(k int) bool { return specialist.IsEmpty(t.cell(row, k)) })
}

// grouping returns the positions of the dimensions that group by value, and not by time or in steps.
func (t *teller) grouping() []int {
	var out []int
	for k, d := range t.form.dims {
		if d.byValue() && !t.form.growth {
			out = append(out, k)
		}
	}
	return out
}

func (d dimension) byValue() bool {
	return d.grain == grainNone && d.width == 0 && len(d.periods) == 0 && d.col != nil
}

// rankedValues returns the values that groups are ranked by, without the value of a group that has no name, and
// how many groups have a name. If no named group has a value, all values are returned.
func (t *teller) rankedValues(values []float64) (ranked []float64, named int) {
	ranked = slices.Clone(values)
	filled := false
	for i := range ranked {
		switch {
		case t.nameless(i):
			ranked[i] = math.NaN()
		default:
			named++
			filled = filled || !math.IsNaN(values[i])
		}
	}
	if !filled {
		return values, len(values)
	}
	return ranked, named
}

// unnamed returns the remark on such a group of one dimension; "" if there is no such group, or if it
// is part of the ranking.
func (t *teller) unnamed() string {
	f := t.form
	if t.dims != 1 || f.mode != modeGroups || f.shareOf != nil || f.counted != nil || f.latestOf != nil || len(f.measures) == 0 || t.cut {
		return ""
	}
	values := t.values(1)
	if _, named := t.rankedValues(values); named == len(values) {
		return ""
	}
	row := slices.IndexFunc(t.rows, func(r []any) bool { return len(r) > 0 && specialist.IsEmpty(r[0]) })
	if row < 0 || math.IsNaN(values[row]) || !f.dims[0].byValue() {
		return ""
	}
	return fmt.Sprintf("In rows where %s is empty, the %s is %s.", quoteName(f.dims[0].col), f.measures[0].said(f), t.valued(row, 1, values))
}
