package builtin

import (
	"fmt"
	"time"
)

// resolve sets the days of a span. A relative span counts back from today, or from the end of the data
// if they end before the span would begin: "last month" is then the last month that the data have whole.
func resolve(s span, now time.Time, d *column) (span, string) {
	first, last := d.reach()
	today := date(now.Year(), now.Month(), now.Day())
	anchor, note := today, ""
	if s.noYear {
		return s.withYear(today, last), ""
	}
	if s.relative {
		from, _ := s.window(today)
		if !last.IsZero() && last.Before(from) {
			anchor = last
			note = fmt.Sprintf("The data end on %s, so I counted back from there.", last.Format("2 January 2006"))
			if whole := s.lastWhole(d); !whole.IsZero() {
				anchor = whole
				note = fmt.Sprintf("The data end on %s, so I took the last complete %s.", last.Format("2 January 2006"), s.grain)
			}
			s.current = true
		}
		s.from, s.to = s.window(anchor)
		if s.grain != grainDay || s.back > 1 {
			s.label += fmt.Sprintf(" (%s to %s)", s.from.Format("2 Jan 2006"), s.to.AddDate(0, 0, -1).Format("2 Jan 2006"))
		}
	}
	switch s.open {
	case "since":
		s.to = time.Time{}
	case "after":
		s.from, s.to = s.to, time.Time{}
	case "before":
		s.from, s.to = time.Time{}, s.from
	case "until":
		s.from = time.Time{}
	}
	if note == "" && !s.from.IsZero() && !last.IsZero() && s.from.After(last) {
		note = fmt.Sprintf("The data end on %s, before that time begins.", last.Format("2 January 2006"))
	}
	if note == "" && d.endsWithin(s.from, s.to) && !s.to.After(today) {
		note = fmt.Sprintf("The data end on %s, before that time is over.", last.Format("2 January 2006"))
	}
	if note == "" && !s.to.IsZero() && !first.IsZero() && !s.to.After(first) {
		note = fmt.Sprintf("The data begin on %s, after that time ends.", first.Format("2 January 2006"))
	}
	return s, note
}

// lastWhole returns a day of the last unit of time for which the data have all days; zero if there is no such unit, or if the span
// is not a single unit. The first and the last unit of a file are often incomplete, and an incomplete unit looks like a fall.
func (s span) lastWhole(d *column) time.Time {
	if s.current || s.back > 1 || s.grain == grainDay || s.grain == grainHour {
		return time.Time{}
	}
	first, last := d.reach()
	start := floor(last, s.grain)
	if d.endsWithin(start, shift(start, s.grain, 1)) {
		start = shift(start, s.grain, -1)
	}
	if start.Before(first) && d.usualGap() < first.Sub(start) {
		return time.Time{}
	}
	return start
}

// endsWithin reports whether the data end before a stretch of time that they have begun is over.
func (c *column) endsWithin(from, to time.Time) bool {
	_, last := c.reach()
	return !last.IsZero() && !to.IsZero() && !last.Before(from) && last.Before(to) && to.Sub(last.AddDate(0, 0, 1)) > c.usualGap()
}

// usualGap is the usual time between two dates of the data, and three days more for a long weekend: in monthly data the last
// month is whole with its first day.
func (c *column) usualGap() time.Duration {
	gap := 3 * 24 * time.Hour
	if first, last := c.reach(); c != nil && c.Column != nil && c.Distinct > 1 {
		gap += last.Sub(first) / time.Duration(c.Distinct-1)
	}
	return gap
}

// withYear sets the year of a month or quarter without a year: the latest one of the data.
func (s span) withYear(today, last time.Time) span {
	end := today
	if !last.IsZero() && last.Before(today) {
		end = last
	}
	for year := end.Year(); ; year-- {
		r := s.inYear(year)
		if !r.from.After(end) {
			r.open, r.bare = "", &s
			if s.open != "" {
				r.open, r.label = s.open, s.open+" "+r.label
				r, _ = resolve(r, today, nil)
			}
			return r
		}
	}
}

// window returns the days of the span, counted back from an anchor.
func (s span) window(anchor time.Time) (from, to time.Time) {
	start := floor(anchor, s.grain)
	if s.grain == grainDay || s.grain == grainWeek || s.grain == grainHour {
		if s.back > 1 {
			days := s.back
			if s.grain == grainWeek {
				days *= 7
			}
			if s.grain == grainHour {
				days = max(1, days/24)
			}
			end := anchor.AddDate(0, 0, 1)
			return end.AddDate(0, 0, -days), end
		}
	}
	if !s.current {
		return shift(start, s.grain, -1), start
	}
	return shift(start, s.grain, 1-s.back), shift(start, s.grain, 1)
}

func floor(t time.Time, g grain) time.Time {
	switch g {
	case grainYear:
		return date(t.Year(), 1, 1)
	case grainQuarter:
		return date(t.Year(), time.Month((int(t.Month())-1)/3*3+1), 1)
	case grainMonth:
		return date(t.Year(), t.Month(), 1)
	case grainWeek:
		return t.AddDate(0, 0, -(int(t.Weekday())+6)%7)
	default:
		return t
	}
}

func shift(t time.Time, g grain, n int) time.Time {
	switch g {
	case grainYear:
		return t.AddDate(n, 0, 0)
	case grainQuarter:
		return t.AddDate(0, 3*n, 0)
	case grainMonth:
		return t.AddDate(0, n, 0)
	case grainWeek:
		return t.AddDate(0, 0, 7*n)
	default:
		return t.AddDate(0, 0, n)
	}
}
