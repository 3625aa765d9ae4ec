package domain_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"parley.dev/parley/domain"
)

// daily, weekly, monthly and annually return schedules as people enter them.
func daily(at string) domain.ScheduleInput { return domain.ScheduleInput{Time: at} }

func weekly(day int, at string) domain.ScheduleInput {
	return domain.ScheduleInput{Time: at, DayOfWeek: &day}
}

func monthly(day int, at string) domain.ScheduleInput {
	return domain.ScheduleInput{Time: at, DayOfMonth: &day}
}

func annually(month, day int, at string) domain.ScheduleInput {
	return domain.ScheduleInput{Time: at, DayOfMonth: &day, Month: &month}
}

func calendar(t require.TestingT, zone string, in domain.ScheduleInput) *domain.Calendar {
	in.TimeZone = zone
	var c domain.Checks
	s := in.Schedule(&c, "schedule.")
	require.NoError(t, c.Err())
	out, err := s.Calendar()
	require.NoError(t, err)
	return out
}

func TestCalendar_Coming(t *testing.T) {
	t.Parallel()
	c := calendar(t, "Europe/Paris", weekly(1, "09:30"))
	due := c.Coming(time.Date(2026, 10, 19, 7, 30, 0, 0, time.UTC), 3)
	require.Equal(t, []time.Time{
		time.Date(2026, 10, 26, 8, 30, 0, 0, time.UTC), time.Date(2026, 11, 2, 8, 30, 0, 0, time.UTC),
		time.Date(2026, 11, 9, 8, 30, 0, 0, time.UTC),
	}, due, "strictly after, and at the same time of day after the clocks have changed")
}

// TestCalendar_Next has a table of times at which clocks change. The expected times were computed
// by another implementation with other data (Python's zoneinfo, with fold 0). All times are fixed, so no
// result depends on the day of the test.
func TestCalendar_Next(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, zone string
		schedule   domain.ScheduleInput
		after      string
		want       string // the next due times, in the zone's local time
	}{
		{"no daylight saving", "UTC", daily("09:00"), "2026-03-27T23:59:59Z", "2026-03-28T09:00:00Z 2026-03-29T09:00:00Z 2026-03-30T09:00:00Z"},
		{"spring gap", "Europe/Paris", daily("02:30"), "2026-03-27T22:59:59Z", "2026-03-28T02:30:00+01:00 2026-03-29T03:30:00+02:00 " +
			"2026-03-30T02:30:00+02:00"},
		{
			"start of the gap", "Europe/Paris", daily("02:00"), "2026-03-27T22:59:59Z",
			"2026-03-28T02:00:00+01:00 2026-03-29T03:00:00+02:00 2026-03-30T02:00:00+02:00",
		},
		{"end of the gap", "Europe/Paris", daily("03:00"), "2026-03-27T22:59:59Z", "2026-03-28T03:00:00+01:00 2026-03-29T03:00:00+02:00 " +
			"2026-03-30T03:00:00+02:00"},
		{"autumn overlap", "Europe/Paris", daily("02:30"), "2026-10-23T21:59:59Z", "2026-10-24T02:30:00+02:00 2026-10-25T02:30:00+02:00 " +
			"2026-10-26T02:30:00+01:00"},
		{"end of the overlap", "Europe/Paris", daily("03:00"), "2026-10-23T21:59:59Z", "2026-10-24T03:00:00+02:00 2026-10-25T03:00:00+01:00 " +
			"2026-10-26T03:00:00+01:00"},
		{
			"weekly on the day of the gap", "Europe/Paris", weekly(0, "02:30"), "2026-03-19T22:59:59Z",
			"2026-03-22T02:30:00+01:00 2026-03-29T03:30:00+02:00 2026-04-05T02:30:00+02:00",
		},
		{
			"weekly on the day of the overlap", "Europe/Paris", weekly(0, "02:00"), "2026-10-17T21:59:59Z",
			"2026-10-18T02:00:00+02:00 2026-10-25T02:00:00+02:00 2026-11-01T02:00:00+01:00",
		},
		{
			"monthly on a day of the gap", "Europe/Paris", monthly(29, "02:30"), "2026-02-26T22:59:59Z",
			"2026-02-28T02:30:00+01:00 2026-03-29T03:30:00+02:00 2026-04-29T02:30:00+02:00",
		},
		{
			"annually on a day with a gap in some years", "Europe/Paris", annually(3, 29, "02:30"), "2025-05-31T21:59:59Z",
			"2026-03-29T03:30:00+02:00 2027-03-29T02:30:00+02:00 2028-03-29T02:30:00+02:00 2029-03-29T02:30:00+02:00",
		},
		{
			"gap at one in the morning", "Europe/London", daily("01:30"), "2026-03-27T23:59:59Z",
			"2026-03-28T01:30:00Z 2026-03-29T02:30:00+01:00 2026-03-30T01:30:00+01:00",
		},
		{
			"overlap at one in the morning", "Europe/London", daily("01:00"), "2026-10-23T22:59:59Z",
			"2026-10-24T01:00:00+01:00 2026-10-25T01:00:00+01:00 2026-10-26T01:00:00Z",
		},
		{
			"winter time with a negative saving", "Europe/Dublin", daily("01:30"), "2026-10-23T22:59:59Z",
			"2026-10-24T01:30:00+01:00 2026-10-25T01:30:00+01:00 2026-10-26T01:30:00Z",
		},
		{"spring gap", "America/New_York", daily("02:30"), "2026-03-07T04:59:59Z", "2026-03-07T02:30:00-05:00 2026-03-08T03:30:00-04:00 " +
			"2026-03-09T02:30:00-04:00"},
		{"autumn overlap", "America/New_York", daily("01:30"), "2026-10-31T03:59:59Z", "2026-10-31T01:30:00-04:00 2026-11-01T01:30:00-04:00 " +
			"2026-11-02T01:30:00-05:00"},
		{
			"end of the overlap", "America/New_York", daily("02:00"), "2026-10-31T03:59:59Z",
			"2026-10-31T02:00:00-04:00 2026-11-01T02:00:00-05:00 2026-11-02T02:00:00-05:00",
		},
		{
			"weekly across the gap", "America/New_York", weekly(0, "02:00"), "2026-03-01T04:59:59Z",
			"2026-03-01T02:00:00-05:00 2026-03-08T03:00:00-04:00 2026-03-15T02:00:00-04:00",
		},
		{
			"monthly across the gap", "America/New_York", monthly(8, "02:30"), "2026-02-09T04:59:59Z",
			"2026-03-08T03:30:00-04:00 2026-04-08T02:30:00-04:00 2026-05-08T02:30:00-04:00",
		},
		{
			"annually across the gap", "America/New_York", annually(3, 8, "02:30"), "2026-01-01T04:59:59Z",
			"2026-03-08T03:30:00-04:00 2027-03-08T02:30:00-05:00",
		},
		{
			"end of the month", "America/New_York", monthly(31, "18:00"), "2026-01-15T04:59:59Z",
			"2026-01-31T18:00:00-05:00 2026-02-28T18:00:00-05:00 2026-03-31T18:00:00-04:00 2026-04-30T18:00:00-04:00",
		},
		{
			"saving of half an hour, gap", "Australia/Lord_Howe", daily("02:00"), "2026-10-02T13:29:59Z",
			"2026-10-03T02:00:00+10:30 2026-10-04T02:30:00+11:00 2026-10-05T02:00:00+11:00",
		},
		{
			"saving of half an hour, end of the gap", "Australia/Lord_Howe", daily("02:30"), "2026-10-02T13:29:59Z",
			"2026-10-03T02:30:00+10:30 2026-10-04T02:30:00+11:00 2026-10-05T02:30:00+11:00",
		},
		{
			"saving of half an hour, overlap", "Australia/Lord_Howe", daily("01:30"), "2026-04-03T12:59:59Z",
			"2026-04-04T01:30:00+11:00 2026-04-05T01:30:00+11:00 2026-04-06T01:30:00+10:30",
		},
		{
			"saving of half an hour, weekly", "Australia/Lord_Howe", weekly(0, "02:00"), "2026-09-26T13:29:59Z",
			"2026-09-27T02:00:00+10:30 2026-10-04T02:30:00+11:00 2026-10-11T02:00:00+11:00",
		},
		{"southern gap", "Australia/Sydney", daily("02:30"), "2026-10-02T13:59:59Z", "2026-10-03T02:30:00+10:00 2026-10-04T03:30:00+11:00 " +
			"2026-10-05T02:30:00+11:00"},
		{"southern overlap", "Australia/Sydney", daily("02:30"), "2026-04-03T12:59:59Z", "2026-04-04T02:30:00+11:00 2026-04-05T02:30:00+11:00 " +
			"2026-04-06T02:30:00+10:00"},
		{
			"offset with half an hour, gap", "Australia/Adelaide", daily("02:30"), "2026-10-02T14:29:59Z",
			"2026-10-03T02:30:00+09:30 2026-10-04T03:30:00+10:30 2026-10-05T02:30:00+10:30",
		},
		{
			"no daylight saving in the north of Australia", "Australia/Darwin", daily("02:30"), "2026-10-02T14:29:59Z",
			"2026-10-03T02:30:00+09:30 2026-10-04T02:30:00+09:30 2026-10-05T02:30:00+09:30",
		},
		{"southern gap", "Pacific/Auckland", daily("02:30"), "2026-09-25T11:59:59Z", "2026-09-26T02:30:00+12:00 2026-09-27T03:30:00+13:00 " +
			"2026-09-28T02:30:00+13:00"},
		{"southern overlap", "Pacific/Auckland", daily("02:30"), "2026-04-03T10:59:59Z", "2026-04-04T02:30:00+13:00 2026-04-05T02:30:00+13:00 " +
			"2026-04-06T02:30:00+12:00"},
		{
			"offset with 45 minutes, gap", "Pacific/Chatham", daily("03:00"), "2026-09-25T11:14:59Z",
			"2026-09-26T03:00:00+12:45 2026-09-27T04:00:00+13:45 2026-09-28T03:00:00+13:45",
		},
		{
			"offset with 45 minutes, overlap", "Pacific/Chatham", daily("03:00"), "2026-04-03T10:14:59Z",
			"2026-04-04T03:00:00+13:45 2026-04-05T03:00:00+13:45 2026-04-06T03:00:00+12:45",
		},
		{"midnight gap", "America/Santiago", daily("00:00"), "2026-09-05T03:59:59Z", "2026-09-05T00:00:00-04:00 2026-09-06T01:00:00-03:00 " +
			"2026-09-07T00:00:00-03:00"},
		{
			"midnight gap, half past", "America/Santiago", daily("00:30"), "2026-09-05T03:59:59Z",
			"2026-09-05T00:30:00-04:00 2026-09-06T01:30:00-03:00 2026-09-07T00:30:00-03:00",
		},
		{
			"overlap before midnight", "America/Santiago", daily("23:30"), "2026-04-03T02:59:59Z",
			"2026-04-03T23:30:00-03:00 2026-04-04T23:30:00-03:00 2026-04-05T23:30:00-04:00",
		},
		{
			"midnight gap, weekly", "America/Santiago", weekly(0, "00:00"), "2026-08-30T03:59:59Z",
			"2026-08-30T00:00:00-04:00 2026-09-06T01:00:00-03:00 2026-09-13T00:00:00-03:00",
		},
		{
			"midnight gap, monthly", "America/Santiago", monthly(6, "00:30"), "2026-08-07T03:59:59Z",
			"2026-09-06T01:30:00-03:00 2026-10-06T00:30:00-03:00 2026-11-06T00:30:00-03:00",
		},
		{
			"gap before midnight", "Pacific/Easter", daily("22:30"), "2026-09-04T05:59:59Z",
			"2026-09-04T22:30:00-06:00 2026-09-05T23:30:00-05:00 2026-09-06T22:30:00-05:00",
		},
		{"midnight gap", "Africa/Cairo", daily("00:30"), "2026-04-22T21:59:59Z", "2026-04-23T00:30:00+02:00 2026-04-24T01:30:00+03:00 " +
			"2026-04-25T00:30:00+03:00"},
		{
			"overlap up to midnight", "Africa/Cairo", daily("23:30"), "2026-10-27T20:59:59Z",
			"2026-10-28T23:30:00+03:00 2026-10-29T23:30:00+03:00 2026-10-30T23:30:00+02:00",
		},
		{
			"midnight gap, weekly", "Africa/Cairo", weekly(5, "00:00"), "2026-04-16T21:59:59Z",
			"2026-04-17T00:00:00+02:00 2026-04-24T01:00:00+03:00 2026-05-01T00:00:00+03:00",
		},
		{"midnight gap of 2022", "Asia/Tehran", daily("00:30"), "2022-03-20T20:29:59Z", "2022-03-21T00:30:00+03:30 2022-03-22T01:30:00+04:30 " +
			"2022-03-23T00:30:00+04:30"},
		{"no daylight saving now", "Asia/Tehran", daily("00:30"), "2023-03-19T20:29:59Z", "2023-03-20T00:30:00+03:30 2023-03-21T00:30:00+03:30 " +
			"2023-03-22T00:30:00+03:30"},
		{"last overlap", "Asia/Tehran", daily("23:30"), "2022-09-19T19:29:59Z", "2022-09-20T23:30:00+04:30 2022-09-21T23:30:00+04:30 " +
			"2022-09-22T23:30:00+03:30"},
		{"midnight gap", "America/Havana", daily("00:30"), "2026-03-07T04:59:59Z", "2026-03-07T00:30:00-05:00 2026-03-08T01:30:00-04:00 " +
			"2026-03-09T00:30:00-04:00"},
		{"midnight overlap", "America/Havana", daily("00:30"), "2026-10-31T03:59:59Z", "2026-10-31T00:30:00-04:00 2026-11-01T00:30:00-04:00 " +
			"2026-11-02T00:30:00-05:00"},
		{"midnight gap", "Asia/Beirut", daily("00:00"), "2026-03-27T21:59:59Z", "2026-03-28T00:00:00+02:00 2026-03-29T01:00:00+03:00 " +
			"2026-03-30T00:00:00+03:00"},
		{
			"midnight gap of 2017", "America/Asuncion", daily("00:00"), "2017-09-30T03:59:59Z",
			"2017-09-30T00:00:00-04:00 2017-10-01T01:00:00-03:00 2017-10-02T00:00:00-03:00",
		},
		{
			"summer time all year since 2024", "America/Asuncion", daily("00:00"), "2025-10-04T02:59:59Z",
			"2025-10-04T00:00:00-03:00 2025-10-05T00:00:00-03:00 2025-10-06T00:00:00-03:00",
		},
		{"a skipped day", "Pacific/Apia", daily("09:00"), "2011-12-28T09:59:59Z", "2011-12-28T09:00:00-10:00 2011-12-29T09:00:00-10:00 " +
			"2011-12-31T09:00:00+14:00"},
		{
			"a skipped day, weekly", "Pacific/Apia", weekly(5, "09:00"), "2011-12-20T09:59:59Z",
			"2011-12-23T09:00:00-10:00 2011-12-31T09:00:00+14:00 2012-01-06T09:00:00+14:00",
		},
		{
			"a skipped day, monthly", "Pacific/Apia", monthly(30, "09:00"), "2011-11-15T09:59:59Z",
			"2011-11-30T09:00:00-10:00 2011-12-31T09:00:00+14:00 2012-01-30T09:00:00+14:00",
		},
		{
			"a skipped day, annually", "Pacific/Apia", annually(12, 30, "23:30"), "2011-01-15T09:59:59Z",
			"2011-12-31T23:30:00+14:00 2012-12-30T23:30:00+14:00",
		},
		{"a skipped day", "Pacific/Fakaofo", daily("12:00"), "2011-12-28T10:59:59Z", "2011-12-28T12:00:00-11:00 2011-12-29T12:00:00-11:00 " +
			"2011-12-31T12:00:00+13:00"},
		{
			"a skipped day at new year", "Pacific/Kiritimati", daily("08:00"), "1994-12-29T09:59:59Z",
			"1994-12-29T08:00:00-10:00 1994-12-30T08:00:00-10:00 1995-01-01T08:00:00+14:00",
		},
		{
			"offset with 45 minutes", "Asia/Kathmandu", daily("06:30"), "2025-12-31T18:14:59Z",
			"2026-01-01T06:30:00+05:45 2026-01-02T06:30:00+05:45 2026-01-03T06:30:00+05:45",
		},
		{
			"offset with 45 minutes, weekly", "Asia/Kathmandu", weekly(1, "00:00"), "2025-12-31T18:14:59Z",
			"2026-01-05T00:00:00+05:45 2026-01-12T00:00:00+05:45 2026-01-19T00:00:00+05:45",
		},
		{
			"offset with half an hour", "Asia/Kolkata", monthly(31, "10:00"), "2026-03-14T18:29:59Z",
			"2026-03-31T10:00:00+05:30 2026-04-30T10:00:00+05:30 2026-05-31T10:00:00+05:30",
		},
		{
			"saving of two hours, gap", "Antarctica/Troll", daily("01:30"), "2026-03-27T23:59:59Z",
			"2026-03-28T01:30:00Z 2026-03-29T03:30:00+02:00 2026-03-30T01:30:00+02:00",
		},
		{
			"saving of two hours, last half hour of the gap", "Antarctica/Troll", daily("02:30"), "2026-03-27T23:59:59Z",
			"2026-03-28T02:30:00Z 2026-03-29T04:30:00+02:00 2026-03-30T02:30:00+02:00",
		},
		{
			"saving of two hours, overlap", "Antarctica/Troll", daily("02:00"), "2026-10-23T21:59:59Z",
			"2026-10-24T02:00:00+02:00 2026-10-25T02:00:00+02:00 2026-10-26T02:00:00Z",
		},
		{"Ramadan begins", "Africa/Casablanca", daily("02:30"), "2026-02-13T22:59:59Z", "2026-02-14T02:30:00+01:00 2026-02-15T02:30:00+01:00 " +
			"2026-02-16T02:30:00Z"},
		{"Ramadan ends", "Africa/Casablanca", daily("02:30"), "2026-03-20T23:59:59Z", "2026-03-21T02:30:00Z 2026-03-22T03:30:00+01:00 " +
			"2026-03-23T02:30:00+01:00"},
		{
			"Ramadan ends, weekly", "Africa/Casablanca", weekly(0, "02:00"), "2026-03-14T23:59:59Z",
			"2026-03-15T02:00:00Z 2026-03-22T03:00:00+01:00 2026-03-29T02:00:00+01:00",
		},
		{"Ramadan ends", "Africa/El_Aaiun", daily("02:00"), "2026-03-20T23:59:59Z", "2026-03-21T02:00:00Z 2026-03-22T03:00:00+01:00 " +
			"2026-03-23T02:00:00+01:00"},
		{
			"daylight saving begins on a Friday", "Asia/Jerusalem", daily("02:30"), "2026-03-25T21:59:59Z",
			"2026-03-26T02:30:00+02:00 2026-03-27T03:30:00+03:00 2026-03-28T02:30:00+03:00",
		},
		{"no daylight saving now", "Asia/Amman", daily("00:30"), "2022-10-26T20:59:59Z", "2022-10-27T00:30:00+03:00 2022-10-28T00:30:00+03:00 " +
			"2022-10-29T00:30:00+03:00"},
		{
			"the last gap before permanent summer time", "Europe/Istanbul", daily("03:30"), "2016-03-25T21:59:59Z",
			"2016-03-26T03:30:00+02:00 2016-03-27T04:30:00+03:00 2016-03-28T03:30:00+03:00",
		},
		{"overlap of 2014", "Europe/Moscow", daily("01:30"), "2014-10-24T19:59:59Z", "2014-10-25T01:30:00+04:00 2014-10-26T01:30:00+04:00 " +
			"2014-10-27T01:30:00+03:00"},
		{
			"offset changes by half an hour before midnight", "Asia/Pyongyang", daily("23:30"), "2018-05-02T15:29:59Z",
			"2018-05-03T23:30:00+08:30 2018-05-05T00:00:00+09:00 2018-05-05T23:30:00+09:00",
		},
		{
			"offset changes by half an hour", "America/Caracas", daily("02:30"), "2016-04-30T04:29:59Z",
			"2016-04-30T02:30:00-04:30 2016-05-01T03:00:00-04:00 2016-05-02T02:30:00-04:00",
		},
		{
			"daylight saving that begins late in the evening", "America/Nuuk", daily("22:30"), "2024-03-29T01:59:59Z",
			"2024-03-29T22:30:00-02:00 2024-03-30T22:30:00-02:00 2024-03-31T22:30:00-01:00",
		},
		{
			"a change of the zone's offset that cancels the gap", "America/Scoresbysund", daily("00:30"), "2024-03-30T00:59:59Z",
			"2024-03-30T00:30:00-01:00 2024-03-31T00:30:00-01:00 2024-04-01T00:30:00-01:00",
		},
		{
			"the last gap, at midnight", "America/Sao_Paulo", daily("00:00"), "2018-11-03T02:59:59Z",
			"2018-11-03T00:00:00-03:00 2018-11-04T01:00:00-02:00 2018-11-05T00:00:00-02:00",
		},
		{
			"the last gap", "America/Mexico_City", daily("02:30"), "2022-04-02T05:59:59Z",
			"2022-04-02T02:30:00-06:00 2022-04-03T03:30:00-05:00 2022-04-04T02:30:00-05:00",
		},
		{"29 February daily", "Europe/Berlin", daily("08:00"), "2028-02-27T22:59:59Z", "2028-02-28T08:00:00+01:00 2028-02-29T08:00:00+01:00 " +
			"2028-03-01T08:00:00+01:00"},
		{
			"29 February annually", "Europe/Berlin", annually(2, 29, "08:00"), "2025-12-31T22:59:59Z",
			"2026-02-28T08:00:00+01:00 2027-02-28T08:00:00+01:00 2028-02-29T08:00:00+01:00 2029-02-28T08:00:00+01:00",
		},
		{
			"29 February annually, far in the future", "UTC", annually(2, 29, "00:00"), "2095-02-28T23:59:59Z",
			"2096-02-29T00:00:00Z 2097-02-28T00:00:00Z 2098-02-28T00:00:00Z 2099-02-28T00:00:00Z",
		},
		{
			"29 February annually, over 2100, which is no leap year", "UTC", annually(2, 29, "00:00"), "2099-02-28T00:00:00Z",
			"2100-02-28T00:00:00Z 2101-02-28T00:00:00Z 2102-02-28T00:00:00Z 2103-02-28T00:00:00Z 2104-02-29T00:00:00Z",
		},
		{"28 February annually", "UTC", annually(2, 28, "00:00"), "2027-02-28T23:59:59Z", "2028-02-28T00:00:00Z 2029-02-28T00:00:00Z"},
		{"31 April", "UTC", annually(4, 31, "12:00"), "2025-12-31T23:59:59Z", "2026-04-30T12:00:00Z 2027-04-30T12:00:00Z"},
		{"day 29", "Asia/Tokyo", monthly(29, "00:00"), "2027-01-29T14:59:59Z", "2027-02-28T00:00:00+09:00 2027-03-29T00:00:00+09:00 " +
			"2027-04-29T00:00:00+09:00"},
		{"day 30", "Asia/Tokyo", monthly(30, "00:00"), "2027-01-30T14:59:59Z", "2027-02-28T00:00:00+09:00 2027-03-30T00:00:00+09:00 " +
			"2027-04-30T00:00:00+09:00"},
		{"day 31", "Asia/Tokyo", monthly(31, "23:30"), "2027-12-30T14:59:59Z", "2027-12-31T23:30:00+09:00 2028-01-31T23:30:00+09:00 " +
			"2028-02-29T23:30:00+09:00 2028-03-31T23:30:00+09:00"},
		{
			"day 31 of a leap year", "America/Los_Angeles", monthly(31, "07:00"), "2028-01-31T07:59:59Z",
			"2028-01-31T07:00:00-08:00 2028-02-29T07:00:00-08:00 2028-03-31T07:00:00-07:00",
		},
		{
			"across the end of the year", "America/St_Johns", weekly(4, "23:30"), "2026-12-30T03:29:59Z",
			"2026-12-31T23:30:00-03:30 2027-01-07T23:30:00-03:30 2027-01-14T23:30:00-03:30",
		},
		{
			"the local date is ahead of UTC", "Pacific/Kiritimati", daily("00:00"), "2025-12-31T09:59:59Z",
			"2026-01-01T00:00:00+14:00 2026-01-02T00:00:00+14:00",
		},
		{
			"the local date is behind UTC", "Pacific/Pago_Pago", daily("23:30"), "2026-01-01T10:59:59Z",
			"2026-01-01T23:30:00-11:00 2026-01-02T23:30:00-11:00",
		},
	}
	for _, row := range rows {
		t.Run(row.zone+" "+row.name, func(t *testing.T) {
			t.Parallel()
			c := calendar(t, row.zone, row.schedule)
			zone, err := domain.Zone(row.zone)
			require.NoError(t, err)
			at, err := time.Parse(time.RFC3339, row.after)
			require.NoError(t, err)
			var got []string
			for range strings.Fields(row.want) {
				at = c.Next(at)
				require.Equal(t, time.UTC, at.Location())
				got = append(got, at.In(zone).Format(time.RFC3339))
			}
			require.Equal(t, row.want, strings.Join(got, " "))
		})
	}
}

// anyZone draws a time zone that a person can select.
func anyZone(t *rapid.T) string {
	list, err := domain.TimeZones("", domain.Page{Number: 1, Size: 1000}, time.Time{})
	require.NoError(t, err)
	return list.Results[rapid.IntRange(0, list.Count-1).Draw(t, "zone")].Name
}

// anySchedule draws a schedule that a person can enter.
func anySchedule(t *rapid.T) domain.ScheduleInput {
	at := time.Date(2000, 1, 1, 0, 30*rapid.IntRange(0, 47).Draw(t, "half hour"), 0, 0, time.UTC).Format("15:04")
	switch rapid.IntRange(0, 3).Draw(t, "frequency") {
	case 0:
		return daily(at)
	case 1:
		return weekly(rapid.IntRange(0, 6).Draw(t, "weekday"), at)
	case 2:
		return monthly(rapid.IntRange(1, 31).Draw(t, "day"), at)
	default:
		return annually(rapid.IntRange(1, 12).Draw(t, "month"), rapid.IntRange(1, 31).Draw(t, "day"), at)
	}
}

// matches reports whether a schedule names a day. It is written independently of the code under
// test.
func matches(in domain.ScheduleInput, day time.Time) bool {
	lastOfMonth := day.AddDate(0, 0, 1).Month() != day.Month()
	onDay := in.DayOfMonth == nil || *in.DayOfMonth == day.Day() || lastOfMonth && *in.DayOfMonth > day.Day()
	return onDay && (in.DayOfWeek == nil || time.Weekday(*in.DayOfWeek) == day.Weekday()) &&
		(in.Month == nil || time.Month(*in.Month) == day.Month())
}

// wall returns the local date and time as if it were in UTC, so that local times can be compared.
func wall(at time.Time) time.Time {
	return time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), 0, time.UTC)
}

// search finds the due time of a day by reading the local clock every quarter of an hour: the
// first moment at which it shows the time. If the clock skips the time, the result is computed
// with the offset from before the gap.
func search(zone *time.Location, shown time.Time) time.Time {
	last := shown.Add(-30 * time.Hour)
	for at := last; at.Before(shown.Add(30 * time.Hour)); at = at.Add(15 * time.Minute) {
		switch w := wall(at.In(zone)); {
		case w.Equal(shown):
			return at
		case w.Before(shown):
			last = at
		}
	}
	return last.Add(shown.Sub(wall(last.In(zone))))
}

// TestCalendar_leapYearEnd checks the last days of leap years in every zone, because there
// time.ZoneBounds returns an end of the period that is before the given time.
func TestCalendar_leapYearEnd(t *testing.T) {
	t.Parallel()
	zones, err := domain.TimeZones("", domain.Page{Number: 1, Size: domain.MaxPageSize}, time.Unix(0, 0))
	require.NoError(t, err)
	for _, zone := range zones.Results {
		c := calendar(t, zone.Name, daily("09:00"))
		for _, year := range []int{2024, 2028, 2064} {
			at := time.Date(year, 12, 28, 0, 0, 0, 0, time.UTC)
			for range 6 {
				next := c.Next(at)
				gap := next.Sub(at)
				require.True(t, gap > 0 && gap <= 24*time.Hour, "%s: %v after %v", zone.Name, next, at)
				at = next
			}
		}
	}
}

func TestCalendar_properties(t *testing.T) {
	t.Parallel()
	t.Run("strictly increasing, one for each matching day, at the time that a search finds", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			name, in := anyZone(t), anySchedule(t)
			c := calendar(t, name, in)
			zone, err := domain.Zone(name)
			require.NoError(t, err)
			// 1995 to 2065: past rules, and the rules that continue without an end.
			begin := time.Unix(rapid.Int64Range(788918400, 2997648000).Draw(t, "after"), 0).UTC()
			span := 40
			if in.DayOfMonth != nil {
				span = 800
			}
			end := begin.AddDate(0, 0, span)

			var got []time.Time
			for at := c.Next(begin); at.Before(end); at = c.Next(at) {
				if len(got) > 0 {
					require.True(t, at.After(got[len(got)-1]), "not increasing: %v", at)
				}
				require.True(t, at.After(begin))
				got = append(got, at)
			}
			clock, err := time.Parse("15:04", in.Time)
			require.NoError(t, err)
			var want []time.Time
			for day := wall(begin.In(zone)).Truncate(24*time.Hour).AddDate(0, 0, -3); day.Before(end.AddDate(0, 0, 3)); day = day.AddDate(0, 0, 1) {
				if !matches(in, day) {
					continue
				}
				shown := day.Add(time.Duration(clock.Hour()*60+clock.Minute()) * time.Minute)
				at := search(zone, shown)
				repeated := len(want) > 0 && at.Equal(want[len(want)-1]) // the zone skipped the day
				if at.After(begin) && at.Before(end) && !repeated {
					want = append(want, at.UTC())
				}
			}
			require.Len(t, got, len(want), "%s %+v\nwant %v\ngot  %v", name, in, want, got)
			for i := range want {
				require.True(t, want[i].Equal(got[i]), "%s: want %v, got %v", name, want[i], got[i])
			}
		})
	})

	t.Run("any start between two due times leads to the same due time", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			c := calendar(t, anyZone(t), anySchedule(t))
			at := time.Unix(rapid.Int64Range(788918400, 2997648000).Draw(t, "after"), 0)
			due := c.Next(at)
			between := at.Add(time.Duration(rapid.Int64Range(0, int64(due.Sub(at))-1).Draw(t, "between")))
			require.Equal(t, due, c.Next(between))
		})
	})
}
