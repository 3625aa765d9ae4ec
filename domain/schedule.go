package domain

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// ScheduleCron is the only type of schedule.
const ScheduleCron = "cron"

// Frequency is how often a schedule repeats.
type Frequency string

// The frequencies.
const (
	FrequencyDaily    Frequency = "daily"
	FrequencyWeekly   Frequency = "weekly"   // on DayOfWeek
	FrequencyMonthly  Frequency = "monthly"  // on DayOfMonth
	FrequencyAnnually Frequency = "annually" // on DayOfMonth of Month
)

// Schedule says when a task is due: at a time of day in a time zone, on each
// day that the frequency names. The fields that a frequency does not need are 0.
type Schedule struct {
	Frequency Frequency
	TimeZone  string // an IANA name
	// Minute of the day, on the hour or the half hour.
	Minute     int
	DayOfWeek  time.Weekday
	DayOfMonth int // 1 to 31; in a shorter month its last day
	Month      time.Month
}

// Clock returns the time of day as HH:MM.
func (s *Schedule) Clock() string { return fmt.Sprintf("%02d:%02d", s.Minute/60, s.Minute%60) }

// ScheduleInput is a schedule as a person enters it. Nil fields were not given.
type ScheduleInput struct {
	Type      string // cron, or empty
	Frequency string // empty: derived from the days that are given
	TimeZone  string
	Time      string // "14:30" or "2:30 PM"
	// DayOfWeek is 0 (Sunday) to 6. A value that is not a number is given as -1.
	DayOfWeek  *int
	DayOfMonth *int
	Month      *int
}

// Schedule returns the schedule, and adds every broken rule to c with the specification's
// texts. The prefix is put before the names of fields.
func (in *ScheduleInput) Schedule(c *Checks, prefix string) Schedule {
	out := Schedule{TimeZone: in.TimeZone}
	c.Require(in.Type == "" || in.Type == ScheduleCron, prefix+"type", "The type of a schedule is cron")
	_, err := Zone(in.TimeZone)
	c.Require(err == nil, prefix+"timeZone", "Please select a time zone")
	minute, ok := parseClock(in.Time)
	c.Require(ok, prefix+"time", "Please select a time")
	out.Minute = minute

	needs := map[Frequency][3]bool{ // day of the week, day of the month, month
		FrequencyDaily: {}, FrequencyWeekly: {true, false, false}, FrequencyMonthly: {false, true, false}, FrequencyAnnually: {false, true, true},
	}
	out.Frequency = Frequency(strings.ToLower(in.Frequency))
	if out.Frequency == "" {
		out.Frequency = in.frequency()
		c.Require(in.DayOfWeek == nil || in.DayOfMonth == nil && in.Month == nil, prefix+"dayOfWeek",
			"A schedule has a day of the week or a day of the month, not both")
	}
	need, ok := needs[out.Frequency]
	c.Require(ok, prefix+"frequencyType", "The frequency is daily, weekly, monthly or annually")
	// A day that the frequency does not need is left out, but it must be valid, too.
	day := func(v *int, needed bool, from, to int, field, message string) int {
		c.Require(v != nil || !needed, prefix+field, message)
		if v == nil {
			return 0
		}
		c.Require(*v >= from && *v <= to, prefix+field, message)
		if !needed {
			return 0
		}
		return *v
	}
	out.DayOfWeek = time.Weekday(day(in.DayOfWeek, need[0], 0, 6, "dayOfWeek", "Please select a day of the week"))
	out.DayOfMonth = day(in.DayOfMonth, need[1], 1, 31, "dayOfMonth", "Please select a day of the month")
	out.Month = time.Month(day(in.Month, need[2], 1, 12, "month", "Please select a month"))
	return out
}

// frequency derives the frequency from the days that are given.
func (in *ScheduleInput) frequency() Frequency {
	switch {
	case in.Month != nil:
		return FrequencyAnnually
	case in.DayOfMonth != nil:
		return FrequencyMonthly
	case in.DayOfWeek != nil:
		return FrequencyWeekly
	default:
		return FrequencyDaily
	}
}

// clockForm matches HH:MM, with AM or PM or in 24 hours; seconds, if given, must be zero.
var clockForm = regexp.MustCompile(`^(\d{1,2}):(\d{2})(?::00)? ?([AaPp][Mm])?$`)

// parseClock reads a time of day, which is on the hour or the half hour.
func parseClock(s string) (minute int, ok bool) {
	part := clockForm.FindStringSubmatch(strings.TrimSpace(s))
	if part == nil {
		return 0, false
	}
	hour, _ := strconv.Atoi(part[1]) // the pattern allows only digits
	minute, _ = strconv.Atoi(part[2])
	if minute != 0 && minute != 30 {
		return 0, false
	}
	switch half := strings.ToUpper(part[3]); {
	case half == "":
		return hour*60 + minute, hour <= 23
	case hour < 1 || hour > 12:
		return 0, false
	default:
		hour %= 12
		if half == "PM" {
			hour += 12
		}
		return hour*60 + minute, true
	}
}

// Calendar finds the due times of one schedule. No other code decides when a task is due.
type Calendar struct {
	s    Schedule
	zone *time.Location
}

// Calendar returns the calendar of a schedule. CodeInvalid for an unknown zone.
func (s *Schedule) Calendar() (*Calendar, error) {
	zone, err := Zone(s.TimeZone)
	if err != nil {
		return nil, err
	}
	return &Calendar{s: *s, zone: zone}, nil
}

// Coming returns the next n due times after a point in time.
func (c *Calendar) Coming(after time.Time, n int) []time.Time {
	due := make([]time.Time, n)
	for i := range due {
		after = c.Next(after)
		due[i] = after
	}
	return due
}

// Next returns the first due time after a point in time, in UTC. Due times are strictly
// increasing, and there is one for each calendar day that the schedule names. Only if a
// zone has skipped a whole day do two of them coincide.
func (c *Calendar) Next(after time.Time) time.Time {
	// A gap may move a time into the next day, but by no more than a day.
	y, m, d := after.In(c.zone).Date()
	y, m, d = time.Date(y, m, d-2, 0, 0, 0, 0, time.UTC).Date()
	for i := 0; ; i++ {
		day, ok := c.day(y, m, d, i)
		if !ok {
			continue
		}
		if due := c.instant(day); due.After(after) {
			return due.UTC()
		}
	}
}

// day returns the i-th candidate from a date on, counted in days, months or years.
func (c *Calendar) day(y int, m time.Month, d, i int) (time.Time, bool) {
	switch c.s.Frequency {
	case FrequencyMonthly:
		return inMonth(y, m+time.Month(i), c.s.DayOfMonth), true
	case FrequencyAnnually:
		return inMonth(y+i, c.s.Month, c.s.DayOfMonth), true
	case FrequencyWeekly:
		day := time.Date(y, m, d+i, 0, 0, 0, 0, time.UTC)
		return day, day.Weekday() == c.s.DayOfWeek
	default:
		return time.Date(y, m, d+i, 0, 0, 0, 0, time.UTC), true
	}
}

// inMonth returns a day of a month, or the last day if the month is shorter.
func inMonth(y int, m time.Month, d int) time.Time {
	last := time.Date(y, m+1, 0, 0, 0, 0, 0, time.UTC).Day()
	return time.Date(y, m, min(d, last), 0, 0, 0, 0, time.UTC)
}

// instant returns when the clocks of the zone show the schedule's time on a day. If they
// show it twice, it is the first time. If they skip it, it moves forward by the length of
// the gap. time.Date cannot be used for this, because inside a gap its result depends on the
// zone.
func (c *Calendar) instant(day time.Time) time.Time {
	const around = 36 * 60 * 60 // more than any offset
	// The time that the clocks must show, in seconds as if the zone had no offset.
	shown := day.Unix() + int64(c.s.Minute)*60
	before := 0
	for at := time.Unix(shown-around, 0).In(c.zone); ; {
		_, offset := at.Zone()
		begin, end := at.ZoneBounds()
		due := shown - int64(offset)
		if !begin.IsZero() && due < begin.Unix() {
			// The clocks skipped the time: use the offset from before the change.
			return time.Unix(shown-int64(before), 0)
		}
		if end.IsZero() || due < end.Unix() {
			return time.Unix(due, 0)
		}
		// On the last day of a leap year, the library returns an end of the period that is
		// before the given time. Then the search continues in steps of an hour.
		if !end.After(at) {
			end = at.Add(time.Hour)
		}
		before, at = offset, end
	}
}
