package domain

import "time"

// DayOfFact reads a date, or the day of a time stamp, of a fact such as ColumnFacts.Min.
func DayOfFact(text string) (time.Time, error) {
	if len(text) > len(time.DateOnly) {
		text = text[:len(time.DateOnly)]
	}
	return time.Parse(time.DateOnly, text) //nolint:wrapcheck // the caller only asks whether it is one
}

// IsLastOfMonth reports whether a month ends with a day.
func IsLastOfMonth(t time.Time) bool { return t.AddDate(0, 0, 1).Day() == 1 }
