package builtin

import (
	"fmt"
	"math"
	"strings"
)

// pair is one group in two years: its two rows.
type pair struct{ before, after int }

// pairs matches the same groups of two years, in the order of the rows. It returns nothing unless the
// dimensions are a year, with two values, and one other dimension.
func (t *teller) pairs(values []float64) (out []pair, years, groups int) {
	if t.dims != 2 || t.form.growth {
		return nil, 0, 0
	}
	switch {
	case t.form.dims[0].grain == grainYear:
		years, groups = 0, 1
	case t.form.dims[1].grain == grainYear:
		years, groups = 1, 0
	default:
		return nil, 0, 0
	}
	if t.form.dims[groups].grain != grainNone {
		return nil, 0, 0
	}
	first, last := t.beginning(years, 0), t.beginning(years, 0)
	for i := range t.rows {
		if at := t.beginning(years, i); at.Before(first) {
			first = at
		} else if at.After(last) {
			last = at
		}
	}
	before := make(map[string]int)
	for i := range t.rows {
		switch at := t.beginning(years, i); {
		case at.IsZero(), !at.Equal(first) && !at.Equal(last):
			return nil, 0, 0
		case at.Equal(first):
			before[t.groupLabel(i, groups)] = i
		}
	}
	for i := range t.rows {
		from, ok := before[t.groupLabel(i, groups)]
		if ok && from != i && t.beginning(years, i).Equal(last) && !math.IsNaN(values[i]) && !math.IsNaN(values[from]) {
			out = append(out, pair{before: from, after: i})
		}
	}
	return out, years, groups
}

// compared narrates two years by groups: where the number rose and fell most from one year to the other. It says that the amount
// decides, because another group may have a larger percentage.
func (t *teller) compared(values []float64) (narration, bool) {
	all, years, groups := t.pairs(values)
	if len(all) < 2 {
		return narration{}, false
	}
	change := func(p pair) float64 { return values[p.after] - values[p.before] }
	most, least := all[0], all[0]
	for _, p := range all[1:] {
		if change(p) > change(most) {
			most = p
		}
		if change(p) < change(least) {
			least = p
		}
	}
	describe := func(p pair, mark string) string {
		text := fmt.Sprintf("%s%s%s, from %s to %s%s%s", mark, t.groupLabel(p.after, groups), mark, t.valued(p.before, t.dims, values),
			mark, t.valued(p.after, t.dims, values), mark)
		if by := t.changed(p.after, p.before, values); by != "" {
			text += " (" + by + ")"
		}
		return text
	}
	what := t.form.measures[0].said(t.form)
	lead, rest := "rose by the largest amount for ", ""
	shown := most
	switch {
	case change(most) <= 0 && change(least) >= 0:
		lead = "stayed as it was, also for "
	case change(most) <= 0:
		lead, shown = "rose nowhere and fell by the largest amount for ", least
	case change(least) < 0:
		rest = " It fell by the largest amount for " + describe(least, "") + "."
	default:
		rest = " It rose by the smallest amount for " + describe(least, "") + "."
	}
	text := fmt.Sprintf("From %s to %s%s, the %s %s%s.", t.groupLabel(shown.before, years), t.groupLabel(shown.after, years),
		t.scoped(false), what, lead, describe(shown, "**"))
	summary := strings.ReplaceAll(text, "**", "")
	return narration{answer: text + rest + t.partialLast(), summary: summary + t.partialLast()}, true
}
