package domain

import "time"

// TimePeriod is the time span of a report.
type TimePeriod string

// The periods. Weeks begin on Monday; days are those of UTC.
const (
	PeriodThisWeek       TimePeriod = "this_week"
	PeriodThisMonth      TimePeriod = "this_month"
	PeriodLastMonth      TimePeriod = "last_month"
	PeriodLastThreeMonth TimePeriod = "last_3_months"
	PeriodLastSixMonths  TimePeriod = "last_6_months"
	PeriodCustom         TimePeriod = "custom_time"
)

// TimePeriods lists the periods in the order of the dropdown, with their displayed names.
func TimePeriods() []NamedPeriod {
	return []NamedPeriod{
		{PeriodThisWeek, "This week"},
		{PeriodThisMonth, "This month"},
		{PeriodLastMonth, "Last month"},
		{PeriodLastThreeMonth, "Last 3 months"},
		{PeriodLastSixMonths, "Last 6 months"},
		{PeriodCustom, "Custom"},
	}
}

// NamedPeriod is a period and its name.
type NamedPeriod struct {
	Period TimePeriod
	Name   string
}

// customMax is the maximum length of a custom period in days.
const customMax = 366 * 3

// Days returns the first and the last day of a period, both included, as of now. The last
// months are counted back from today: three months up to 20 November begin on 21 August.
// from and to are used only for PeriodCustom. CodeInvalid.
func (p TimePeriod) Days(now, from, to time.Time) (first, last time.Time, err error) {
	today := dayOf(now)
	month := time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, time.UTC)
	switch p {
	case PeriodThisWeek:
		return today.AddDate(0, 0, -(int(today.Weekday())+6)%7), today, nil
	case PeriodThisMonth:
		return month, today, nil
	case PeriodLastMonth:
		return month.AddDate(0, -1, 0), month.AddDate(0, 0, -1), nil
	case PeriodLastThreeMonth:
		return monthsBack(today, 3), today, nil
	case PeriodLastSixMonths:
		return monthsBack(today, 6), today, nil
	case PeriodCustom:
		first, last = dayOf(from), dayOf(to)
		var c Checks
		c.Require(!from.IsZero(), "startDate", "Please select a start date")
		c.Require(!to.IsZero(), "endDate", "Please select an end date")
		c.Require(!last.Before(first), "endDate", "The end date must not be before the start date")
		c.Require(last.Sub(first) <= customMax*24*time.Hour, "endDate", "A report covers at most three years")
		return first, last, c.Err()
	}
	return first, last, Invalid("timePeriod", "There is no such time period")
}

func dayOf(t time.Time) time.Time {
	t = t.UTC()
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// monthsBack returns the day after the same day a number of months ago. If that month is
// shorter, its last day is used.
func monthsBack(day time.Time, months int) time.Time {
	first := time.Date(day.Year(), day.Month()-time.Month(months), 1, 0, 0, 0, 0, time.UTC)
	length := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(day.Day(), length))
}
