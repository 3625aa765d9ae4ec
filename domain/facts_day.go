package domain

import (
	"time"

	"parley.dev/parley/domain/meaning"
)

// DayOfFact reads a date, or the day of a time stamp, of a fact such as ColumnFacts.Min.
func DayOfFact(text string) (time.Time, error) {
	if len(text) > len(time.DateOnly) {
		text = text[:len(time.DateOnly)]
	}
	return time.Parse(time.DateOnly, text) //nolint:wrapcheck // the caller only asks whether it is one
}

// IsLastOfMonth reports whether a month ends with a day.
func IsLastOfMonth(t time.Time) bool { return t.AddDate(0, 0, 1).Day() == 1 }

// StepOfPeriods finds the distance of two periods from the number of different ones and their ends: forty-six different days
// from the first of a month to the first of another one that is forty-five months later are months. At least four of five
// must be there; complete says that none is left out. recent are periods that are known one by one: where two of them lie in
// one month, the periods are no months. The step is empty if it is not known.
func StepOfPeriods(different int64, first, last string, recent []PeriodFacts) (step meaning.Step, complete bool) {
	from, errFrom := DayOfFact(first)
	to, errTo := DayOfFact(last)
	steps := different - 1
	if errFrom != nil || errTo != nil || steps < 1 {
		return "", false
	}
	months := int64(to.Year()-from.Year())*12 + int64(to.Month()-from.Month())
	days := int64(to.Sub(from).Hours() / 24)
	if from.Day() != to.Day() && !(IsLastOfMonth(from) && IsLastOfMonth(to)) {
		months = -1
	}
	for _, s := range []struct {
		step       meaning.Step
		span, size int64
	}{{meaning.Year, months, 12}, {meaning.Quarter, months, 3}, {meaning.Month, months, 1}, {meaning.Week, days, 7}, {meaning.Day, days, 1}} {
		number := s.span / s.size
		if number > 0 && steps <= number && steps*5 >= number*4 && !crowded(recent, s.step, int(s.size)) {
			return s.step, steps*s.size == s.span
		}
	}
	return "", false
}

// crowded reports whether two of the periods lie in one month, quarter or year.
func crowded(recent []PeriodFacts, step meaning.Step, months int) bool {
	if step == meaning.Week || step == meaning.Day {
		return false
	}
	seen := map[int]bool{}
	for _, p := range recent {
		day, err := DayOfFact(p.Period)
		if err != nil {
			continue
		}
		unit := (day.Year()*12 + int(day.Month()) - 1) / months
		if seen[unit] {
			return true
		}
		seen[unit] = true
	}
	return false
}
