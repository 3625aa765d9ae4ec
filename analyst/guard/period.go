package guard

// Conditions that leave one period: from the first to the last day of a month there is one month, and from the last period of a
// table on there is only that.

import (
	"encoding/json"
	"regexp"
	"slices"
	"time"

	"parley.dev/parley/domain"
)

// days are the first and the last day that conditions leave; zero for no limit.
type days struct{ low, high time.Time }

// fixedPeriods finds periods that conditions fix.
func (w *walk) fixedPeriods(r *relation, conditions []*expr) {
	found := map[symbol]days{}
	columns := map[symbol]column{}
	for _, e := range conjuncts(conditions) {
		side, limits := w.limits(r, e)
		if side == nil {
			continue
		}
		c := w.eval(r, uncast(side))
		have := found[c.sym]
		if limits.low.After(have.low) {
			have.low = limits.low
		}
		if have.high.IsZero() || !limits.high.IsZero() && limits.high.Before(have.high) {
			have.high = limits.high
		}
		found[c.sym], columns[c.sym] = have, c
	}
	for sym, d := range found {
		c := columns[sym]
		if w.onePeriod(&c, d) {
			w.add(nil, sym)
		}
	}
}

// onePeriod reports whether a column has one period from a first to a last day.
func (w *walk) onePeriod(c *column, d days) bool {
	if d.low.IsZero() {
		return false
	}
	if o := c.origin; o != nil && o.leaf.table != nil {
		if before, err := domain.DayOfFact(o.leaf.table.before[fold(o.column)]); err == nil && d.low.After(before) {
			return true
		}
		last, err := domain.DayOfFact(o.leaf.table.last[fold(o.column)])
		if err == nil && (d.high.IsZero() || last.Before(d.high)) {
			d.high = last
		}
	}
	if d.high.IsZero() || d.high.Before(d.low) {
		return false
	}
	return samePeriod(w.steps[c.sym], d.low.Year(), int(d.low.Month()), d.low.Day(), d.high.Year(), int(d.high.Month()), d.high.Day())
}

// limits returns the value that a condition limits and the days that are left; nil if it limits none.
func (w *walk) limits(r *relation, e *expr) (side *expr, left days) {
	switch {
	case e.Class == "BOUND_COMPARISON" && e.Left != nil && e.Right != nil:
		day, midnight, ok := w.dayOf(r, e.Right)
		if !ok {
			return nil, days{}
		}
		switch e.Type {
		case "COMPARE_GREATERTHANOREQUALTO":
			left.low = day
		case "COMPARE_GREATERTHAN":
			left.low = day
			if uncast(e.Left).Returns.ID == "DATE" {
				// No date lies between a day and the next one.
				left.low = day.AddDate(0, 0, 1)
			}
		case "COMPARE_LESSTHANOREQUALTO":
			left.high = day
		case "COMPARE_LESSTHAN":
			left.high = day
			if midnight {
				left.high = day.AddDate(0, 0, -1)
			}
		}
		return e.Left, left
	case e.Class == "BOUND_BETWEEN" && e.Input != nil:
		low, _, lower := w.dayOf(r, e.Lower)
		high, _, upper := w.dayOf(r, e.Upper)
		if lower && upper {
			return e.Input, days{low, high}
		}
	case e.Class == "BOUND_FUNCTION" && e.Name == "~~" && len(e.Children) == 2:
		if written := uncast(e.Children[0]).Returns.ID; written == "DATE" || written == "TIMESTAMP" {
			left, ok := daysLike(textOf(e.Children[1]))
			if ok {
				return e.Children[0], left
			}
		}
	}
	return nil, days{}
}

// beginning is a pattern of LIKE that gives the beginning of a date: a year, a month or a day.
var beginning = regexp.MustCompile(`^(\d{4})(?:-%|-(\d{2})(?:-?%|-(\d{2})%?)|%)$`)

// daysLike returns the days whose text a pattern of LIKE matches.
func daysLike(pattern string) (days, bool) {
	m := beginning.FindStringSubmatch(pattern)
	switch {
	case m == nil:
		return days{}, false
	case m[3] != "":
		day, err := time.Parse(time.DateOnly, m[1]+"-"+m[2]+"-"+m[3])
		return days{day, day}, err == nil
	case m[2] != "":
		day, err := time.Parse(time.DateOnly, m[1]+"-"+m[2]+"-01")
		return days{day, day.AddDate(0, 1, -1)}, err == nil
	}
	day, err := time.Parse(time.DateOnly, m[1]+"-01-01")
	return days{day, day.AddDate(1, 0, -1)}, err == nil
}

// dayOf returns the day of a constant, of the last value of a column, or of one of them and an interval. midnight says that it is
// the beginning of that day.
func (w *walk) dayOf(r *relation, e *expr) (day time.Time, midnight, ok bool) {
	w.enter()
	defer w.leave()
	if e = uncast(e); e == nil || w.failed != "" {
		return time.Time{}, false, false
	}
	text := textOf(e)
	if text == "" && e.Class == "BOUND_REF" {
		if o := w.eval(r, e).maximum; o != nil && o.leaf.table != nil {
			text = o.leaf.table.last[fold(o.column)]
		}
	}
	if text != "" {
		day, err := domain.DayOfFact(text)
		return day, day.Format(time.DateOnly) == dayText(text), err == nil
	}
	if e.Class != "BOUND_FUNCTION" || len(e.Children) != 2 || e.Name != "-" && e.Name != "+" {
		return time.Time{}, false, false
	}
	day, midnight, ok = w.dayOf(r, e.Children[0])
	months, by, whole := interval(e.Children[1])
	if !ok || !whole {
		return time.Time{}, false, false
	}
	if e.Name == "-" {
		months, by = -months, -by
	}
	moved := time.Date(day.Year(), day.Month()+time.Month(months), 1, 0, 0, 0, 0, time.UTC)
	// The engine takes the last day of a month that is shorter.
	length := moved.AddDate(0, 1, -1).Day()
	return moved.AddDate(0, 0, min(day.Day(), length)-1+by), midnight, true
}

// dayText returns the text of a date without a time that is midnight.
func dayText(text string) string {
	if len(text) >= len("2006-01-02 00:00:00") && text[11:19] == "00:00:00" {
		return text[:10]
	}
	return text
}

// interval reads a constant interval of whole months and days, or a number of days. The engine makes an interval by a function of a
// number: to_months(trunc(1)).
func interval(e *expr) (months, days int, ok bool) {
	e = uncast(e)
	if e == nil {
		return 0, 0, false
	}
	if e.Class == "BOUND_FUNCTION" && len(e.Children) == 1 {
		number, ok := wholeNumber(e.Children[0])
		// The months and days of each unit.
		unit, known := map[string][2]int{
			"to_months": {1, 0}, "to_quarters": {3, 0}, "to_years": {12, 0}, "to_days": {0, 1}, "to_weeks": {0, 7},
		}[e.Name]
		return number * unit[0], number * unit[1], ok && known
	}
	days, ok = wholeNumber(e)
	return 0, days, ok
}

// wholeNumber reads a constant number, also below casts and trunc.
func wholeNumber(e *expr) (number int, ok bool) {
	for e = uncast(e); e != nil && e.Class == "BOUND_FUNCTION" && e.Name == "trunc" && len(e.Children) == 1; {
		e = uncast(e.Children[0])
	}
	if e == nil || e.Class != "BOUND_CONSTANT" || e.Value == nil || e.Value.Null || !isWhole(e.Value.Type.ID) {
		return 0, false
	}
	err := json.Unmarshal(e.Value.Value, &number)
	return number, err == nil && max(number, -number) < 10_000
}

// isWhole reports whether a type has whole numbers.
func isWhole(typeID string) bool {
	return slices.Contains([]string{"TINYINT", "SMALLINT", "INTEGER", "BIGINT"}, typeID)
}

// uncast returns an expression without the casts around it.
func uncast(e *expr) *expr {
	for e != nil && e.Class == "BOUND_CAST" && e.Child != nil {
		e = e.Child
	}
	return e
}
