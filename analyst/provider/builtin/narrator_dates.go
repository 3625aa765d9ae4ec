package builtin

import (
	"fmt"
	"strings"
	"time"

	"parley.dev/parley/analyst/specialist"
)

// dateText writes a date in the usual form.
func dateText(s string) string {
	if d := parseDay(s); !d.IsZero() && (len(s) == 10 || strings.HasSuffix(s, "00:00:00")) {
		return d.Format("2 January 2006")
	}
	return momentText(s)
}

// momentText writes a timestamp such as 2025-01-01T14:30:00 in the usual form; any other text is
// returned as it is.
func momentText(s string) string {
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04"} {
		at, err := time.Parse(layout, s)
		switch {
		case err != nil:
		case at.Second() != 0:
			return at.Format("2 January 2006, 15:04:05")
		default:
			return at.Format("2 January 2006, 15:04")
		}
	}
	return s
}

// periodText names a unit of time by its first day.
func periodText(v any, g grain) string {
	s := fmt.Sprint(v)
	d := parseDay(s)
	if g == grainHour {
		return momentText(s)
	}
	if d.IsZero() {
		return safe(specialist.Text(v))
	}
	switch g {
	case grainMonth:
		return d.Format("January 2006")
	case grainQuarter:
		return fmt.Sprintf("Q%d %d", (int(d.Month())-1)/3+1, d.Year())
	case grainWeek:
		return "the week of " + d.Format("2 January 2006")
	default:
		return d.Format("2 January 2006")
	}
}

// today is the day of a moment, in UTC.
func today(t time.Time) time.Time { t = t.UTC(); return date(t.Year(), t.Month(), t.Day()) }
