package builtin

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Times of any length may be compared: the halves of a year, the last 30 days and the 30 days before.
// Each becomes a group of its own.

// borrowYears gives months, quarters, halves and days without a year the year of the span next to them:
// Q1 against Q2 of 2024.
func (p *parser) borrowYears() {
	year := func(i int) int {
		if i < 0 || i >= len(p.spans) || p.spans[i].noYear || p.spans[i].relative || p.spans[i].from.IsZero() {
			return 0
		}
		return p.spans[i].from.Year()
	}
	for _, i := range downAndUp(len(p.spans)) {
		s := &p.spans[i]
		if !s.noYear || s.open != "" {
			continue
		}
		y := year(i + 1)
		if y == 0 {
			y = year(i - 1)
		}
		if y > 0 {
			*s = s.inYear(y)
		}
	}
}

// downAndUp counts down and then up, so that a year reaches all spans next to it.
func downAndUp(n int) []int {
	var out []int
	for i := range n {
		out = append(out, n-1-i)
	}
	for i := range n {
		out = append(out, i)
	}
	return out
}

// inYear sets the year of a span without a year. A stretch ends in the next year if it would otherwise
// end before it begins: November to February.
func (s span) inYear(year int) span {
	if s.upto != nil {
		last := *s.upto
		s.upto, s.noYear = nil, true
		return join(s.inYear(year), last)
	}
	switch {
	case s.day > 0:
		return daySpan(date(year, s.month, s.day))
	case s.month > 0:
		return monthSpan(year, s.month)
	case s.half > 0:
		return halfSpan(year, s.half)
	default:
		return quarterSpan(year, s.quarter)
	}
}

func halfSpan(year, half int) span {
	first := time.Month(6*half - 5)
	return span{from: date(year, first, 1), to: date(year, first+6, 1), label: fmt.Sprintf("H%d %d", half, year)}
}

// priorStretch moves "the previous 30 days" before "the last 30 days" if the question names both,
// because they are different days.
func priorStretch(spans []span) {
	for i := 1; i < len(spans); i++ {
		a, b := spans[i-1], &spans[i]
		if b.prior && !a.prior && b.from.Equal(a.from) && b.to.Equal(a.to) && !a.from.IsZero() {
			length := b.to.Sub(b.from)
			b.from, b.to = a.from.Add(-length), a.from
			if b.grain == grainMonth || b.grain == grainQuarter || b.grain == grainYear {
				b.from = shift(a.from, b.grain, -b.back)
			}
			b.label = strings.Replace(strings.Split(b.label, " (")[0], "last", "previous", 1) +
				fmt.Sprintf(" (%s to %s)", b.from.Format("2 Jan 2006"), b.to.AddDate(0, 0, -1).Format("2 Jan 2006"))
		}
	}
}

// placePeriods groups by the times that are compared if no unit of the calendar separates them. It
// reports whether it handled the times: it grouped by them, or blocked the question.
func (p *parser) placePeriods(d *column, spans []span) bool {
	f := p.form
	if !f.compare && !f.growth || len(spans) < 2 || f.timed() != nil || slices.ContainsFunc(spans, func(s span) bool {
		return s.from.IsZero() || s.to.IsZero()
	}) {
		return false
	}
	for i, a := range spans {
		for _, b := range spans[i+1:] {
			if a.from.Before(b.to) && b.from.Before(a.to) {
				f.block(fmt.Sprintf("%s and %s overlap, so a row would belong to both.", strings.Split(a.label, " (")[0],
					strings.Split(b.label, " (")[0]))
				return true
			}
		}
	}
	f.dims = append([]dimension{{col: d, periods: spans}}, f.dims...)
	f.growth = false // the two times next to each other show the change
	return true
}

// addYear filters a column of years; several single years are alternatives, or groups if they are compared.
func (p *parser) addYear(c *column, s span) {
	f := p.form
	now := yearCondition(c, s)
	if now.op != opEq {
		f.where = append(f.where, now)
		return
	}
	for i := range f.where {
		w := &f.where[i]
		switch {
		case w.col == c && w.op == opEq && len(w.nums) == 1:
			*w = condition{col: c, op: opIn, values: []string{trimFloat(w.nums[0]), trimFloat(now.nums[0])}}
		case w.col == c && w.op == opIn:
			w.values = append(w.values, trimFloat(now.nums[0]))
		default:
			continue
		}
		p.or = p.or || !f.compare
		return
	}
	f.where = append(f.where, now)
}

// partSpan filters by a quarter or a month if a text column contains their names and another column the
// years.
func (p *parser) partSpan(s span) bool {
	names := []string{}
	switch {
	case s.grain == grainQuarter && s.noYear:
		names = append(names, fmt.Sprintf("q%d", s.quarter))
	case s.grain == grainQuarter && !s.relative && !s.from.IsZero():
		names = append(names, fmt.Sprintf("q%d", (int(s.from.Month())+2)/3))
	case s.grain == grainMonth && s.noYear && s.upto == nil:
		names = append(names, strings.ToLower(s.month.String()), strings.ToLower(s.month.String()[:3]))
	case s.grain == grainMonth && !s.relative && !s.from.IsZero() && s.to.Equal(s.from.AddDate(0, 1, 0)):
		names = append(names, strings.ToLower(s.from.Month().String()), strings.ToLower(s.from.Month().String()[:3]))
	}
	if s.open != "" {
		return false
	}
	var part, year *column
	value := ""
	for _, c := range p.form.view.base.columns {
		for _, v := range c.Values {
			if c.isText() && part == nil && isOne(strings.ToLower(v), names...) {
				part, value = c, v
			}
		}
		if c.isYear() && year == nil {
			year = c
		}
	}
	if part == nil || !s.noYear && year == nil {
		return false
	}
	p.addCondition(condition{col: part, op: opIn, values: []string{value}})
	if !s.noYear {
		p.form.where = append(p.form.where, condition{col: year, op: opEq, nums: []float64{float64(s.from.Year())}})
	}
	return true
}
