package builtin

import (
	"fmt"
	"math"
	"strings"
	"time"

	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/domain"
)

// course narrates a development over time.
func (t *teller) course() narration {
	f := t.form
	values := t.values(1)
	best, worst := extremes(values)
	what := f.measures[0].said(f)
	g := f.dims[0].grain
	if best < 0 {
		text := fmt.Sprintf("No %s has a value of %s.", g, what)
		return narration{answer: text, summary: text}
	}
	first, last := ends(values, t.rows)
	var b strings.Builder
	if first == last {
		fmt.Fprintf(&b, "There is one %s with data%s, %s, and its %s is **%s**.", g, t.scoped(false), t.label(first), what,
			t.valued(first, 1, values))
		return narration{answer: b.String(), summary: strings.ReplaceAll(b.String(), "**", "")}
	}
	fmt.Fprintf(&b, "From %s to %s%s, the %s went from %s to **%s**", t.label(first), t.label(last), t.scoped(false), what,
		t.valued(first, 1, values), t.valued(last, 1, values))
	if by := t.changed(last, first, values); by != "" {
		fmt.Fprintf(&b, " (%s)", by)
	}
	b.WriteString(".")
	summary := strings.ReplaceAll(b.String(), "**", "")
	peak := fmt.Sprintf(" The highest %s was %s with %s, the lowest %s with %s.", g, t.label(best), t.valued(best, 1, values),
		t.label(worst), t.valued(worst, 1, values))
	if len(values) > 2 {
		b.WriteString(peak)
	}
	if c := f.measures[0].col; t.whole() && len(values) > 2 && (c == nil || !c.level()) {
		sum := 0.0
		for _, v := range values {
			if !math.IsNaN(v) {
				sum += v
			}
		}
		fmt.Fprintf(&b, " Over all %s %ss it adds up to %s.", rowCount(len(values)), g, derived(domain.Figure{Column: 1, Of: domain.FigureSum},
			t.figure(sum, 0)))
	}
	b.WriteString(t.partial(last))
	return narration{answer: b.String(), summary: summary + t.partial(last)}
}

// changed says how much a row's value differs from the value of an earlier row: in percent or, for
// values without a true zero, as the difference itself. It returns "" if a percentage is not possible.
func (t *teller) changed(row, before int, values []float64) string {
	switch by := values[row] - values[before]; {
	case t.form.interval():
		of := domain.Figure{Row: row, Column: t.dims, Of: domain.FigureDifference, Other: before}
		return derived(of, t.distance(math.Abs(by))) + map[bool]string{true: " more", false: " less"}[by >= 0]
	case values[before] > 0:
		return t.relative(row, before, values)
	default:
		return ""
	}
}

// partial warns if the data do not cover the whole last unit of time.
func (t *teller) partial(last int) string { return t.partialOf(0, last) }

// partialOf gives this warning for one of several dimensions; last is the row with the last unit.
func (t *teller) partialOf(k, last int) string {
	d := t.form.dims[k]
	_, end := d.col.reach()
	start := t.beginning(k, last)
	if first, _ := d.col.reach(); first.Day() == 1 && end.Day() == 1 {
		if unit, _, ok := d.col.steps(); ok && unit != grainNone && !finer(unit, grainMonth) {
			end = shift(end, unit, 1).AddDate(0, 0, -1) // a date on the first of the month represents its whole unit
		}
	}
	if end.IsZero() || start.IsZero() || d.grain == grainDay || d.grain == grainHour {
		return ""
	}
	if next := shift(start, d.grain, 1); end.Before(next.AddDate(0, 0, -2)) && !end.Before(start) {
		return fmt.Sprintf(" Note that the data end on %s, so the last %s is not complete.", end.Format("2 January 2006"), d.grain)
	}
	return ""
}

// beginning returns the first day of the unit of time in a row.
func (t *teller) beginning(k, row int) time.Time {
	if year, ok := t.cell(row, k).(int64); ok && t.form.dims[k].grain == grainYear {
		return date(int(year), 1, 1)
	}
	return parseDay(fmt.Sprint(t.cell(row, k)))
}

// partialLast warns about the last unit of time if there are groups of several dimensions.
func (t *teller) partialLast() string {
	for k, d := range t.form.dims {
		if d.grain == grainNone || !isCourse(d.grain) {
			continue
		}
		last := 0
		for i := range t.rows {
			if t.beginning(k, i).After(t.beginning(k, last)) {
				last = i
			}
		}
		return t.partialOf(k, last)
	}
	return ""
}

// narrateGrowth narrates changes from one unit of time to the next.
func (t *teller) narrateGrowth() narration {
	f := t.form
	at := t.dims + 1 // the change is the column after the value, and the column after it is the change in percent
	by, write := at+1, signed
	if t.form.interval() {
		by, write = at, func(v float64) string { return map[bool]string{true: "+", false: ""}[v > 0] + t.distance(v) }
	}
	percent := t.values(by)
	what := f.measures[0].said(f)
	best, worst := extremes(percent)
	if best < 0 {
		text := fmt.Sprintf("There is only one %s with data%s, so there is no change of %s to tell.", f.dims[0].grain, t.scope(), what)
		return narration{answer: text, summary: text}
	}
	g := f.timed().grain
	var b strings.Builder
	if t.dims == 1 {
		last := len(t.rows) - 1
		v, _ := specialist.Number(t.cell(last, 1))
		if change, ok := specialist.Number(t.cell(last, at)); ok {
			fmt.Fprintf(&b, "In %s the %s%s was **%s**, %s%s than the %s before.", t.label(last), what, t.scoped(false),
				marked(last, 1, t.figure(v, 0)), marked(last, at, t.distance(math.Abs(change))), t.moreOrLess(change, last, at+1, percent), g)
		}
		b.WriteString(t.partial(last))
	}
	if len(t.rows) > 2 || t.dims > 1 {
		rise, fall := "biggest rise", "biggest fall"
		if percent[best] <= 0 {
			rise = "smallest fall"
		}
		if percent[worst] >= 0 {
			fall = "smallest rise"
		}
		if best != worst {
			fmt.Fprintf(&b, " The %s was in %s (%s), the %s in %s (%s).", rise, t.label(best), marked(best, by, write(percent[best])), fall,
				t.label(worst), marked(worst, by, write(percent[worst])))
		}
	}
	if t.dims > 1 {
		b.WriteString(t.partialLast())
	}
	text := strings.TrimSpace(b.String())
	return narration{answer: text, summary: strings.ReplaceAll(text, "**", "")}
}

// moreOrLess says whether a change is more or less and, if there is one, its percentage, which is in a
// column of the row.
func (t *teller) moreOrLess(change float64, row, column int, percent []float64) string {
	word := " more"
	if change < 0 {
		word = " less"
	}
	if t.form.interval() || math.IsNaN(percent[row]) {
		return word
	}
	return word + " (" + marked(row, column, signed(percent[row])) + ")"
}

func signed(p float64) string {
	if p > 0 {
		return "+" + percentText(p)
	}
	return percentText(p)
}
