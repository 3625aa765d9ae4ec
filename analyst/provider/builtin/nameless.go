package builtin

import (
	"fmt"
	"math"
	"slices"

	"parley.dev/parley/analyst/specialist"
)

// A group without a name, of rows in which the column is empty, is no winner: those that have one
// are ranked, and the one without is told in a remark.

// nameless tells a row of the result one of whose groups is empty.
func (t *teller) nameless(row int) bool {
	return slices.ContainsFunc(t.grouping(), func(k int) bool { return specialist.IsEmpty(t.cell(row, k)) })
}

// grouping are the places of the groups that go by a value, and not by time or in steps.
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

// led are the values that groups are ranked by, without those of a group that has no name, and how
// many groups have one. Where no other has a value, it stays.
func (t *teller) led(values []float64) (ranked []float64, named int) {
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

// unnamed is the remark on such a group of one kind; empty where there is none, or it was told.
func (t *teller) unnamed() string {
	f := t.form
	if t.dims != 1 || f.mode != modeGroups || f.shareOf != nil || f.counted != nil || f.latestOf != nil || len(f.measures) == 0 || t.cut {
		return ""
	}
	values := t.values(1)
	if _, named := t.led(values); named == len(values) {
		return ""
	}
	row := slices.IndexFunc(t.rows, func(r []any) bool { return len(r) > 0 && specialist.IsEmpty(r[0]) })
	if row < 0 || math.IsNaN(values[row]) || !f.dims[0].byValue() {
		return ""
	}
	return fmt.Sprintf("In rows where %s is empty, the %s is %s.", quoteName(f.dims[0].col), f.measures[0].said(f), t.valued(row, 1, values))
}
