package domain_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestScheduleInput_Schedule(t *testing.T) {
	t.Parallel()
	number := func(n int) *int { return &n }
	good := func(change func(*domain.ScheduleInput)) domain.ScheduleInput {
		in := domain.ScheduleInput{Type: "cron", TimeZone: "Europe/Paris", Time: "09:30"}
		change(&in)
		return in
	}
	for name, row := range map[string]struct {
		in        domain.ScheduleInput
		frequency domain.Frequency
		clock     string
	}{
		"daily":   {good(func(*domain.ScheduleInput) {}), domain.FrequencyDaily, "09:30"},
		"weekly":  {good(func(s *domain.ScheduleInput) { s.DayOfWeek = number(0) }), domain.FrequencyWeekly, "09:30"},
		"monthly": {good(func(s *domain.ScheduleInput) { s.DayOfMonth = number(31) }), domain.FrequencyMonthly, "09:30"},
		"annually": {good(func(s *domain.ScheduleInput) {
			s.DayOfMonth, s.Month = number(29), number(2)
		}), domain.FrequencyAnnually, "09:30"},
		"type left out": {good(func(s *domain.ScheduleInput) { s.Type = "" }), domain.FrequencyDaily, "09:30"},
		"morning":       {good(func(s *domain.ScheduleInput) { s.Time = "9:00 AM" }), domain.FrequencyDaily, "09:00"},
		"afternoon":     {good(func(s *domain.ScheduleInput) { s.Time = "1:30pm" }), domain.FrequencyDaily, "13:30"},
		"midnight":      {good(func(s *domain.ScheduleInput) { s.Time = "12:00 AM" }), domain.FrequencyDaily, "00:00"},
		"noon":          {good(func(s *domain.ScheduleInput) { s.Time = "12:30 PM" }), domain.FrequencyDaily, "12:30"},
		"with seconds":  {good(func(s *domain.ScheduleInput) { s.Time = "23:30:00" }), domain.FrequencyDaily, "23:30"},
		"an older name": {good(func(s *domain.ScheduleInput) { s.TimeZone = "US/Eastern" }), domain.FrequencyDaily, "09:30"},
		"a day that is not needed": {good(func(s *domain.ScheduleInput) {
			s.Frequency, s.DayOfWeek = "Daily", number(3)
		}), domain.FrequencyDaily, "09:30"},
		"frequency given in addition to the day": {good(func(s *domain.ScheduleInput) {
			s.Frequency, s.DayOfWeek = "weekly", number(3)
		}), domain.FrequencyWeekly, "09:30"},
	} {
		t.Run("OK "+name, func(t *testing.T) {
			t.Parallel()
			var c domain.Checks
			s := row.in.Schedule(&c, "schedule.")
			require.NoError(t, c.Err())
			require.Equal(t, row.frequency, s.Frequency)
			require.Equal(t, row.clock, s.Clock())
		})
	}
	const (
		zone, clock = "schedule.timeZone: Please select a time zone", "schedule.time: Please select a time"
		weekday     = "schedule.dayOfWeek: Please select a day of the week"
		monthday    = "schedule.dayOfMonth: Please select a day of the month"
		month       = "schedule.month: Please select a month"
	)
	for name, row := range map[string]struct { // D05
		in   domain.ScheduleInput
		want []string
	}{
		"ErrEverything": {
			domain.ScheduleInput{Type: "rate", Frequency: "annually"},
			[]string{"schedule.type: The type of a schedule is cron", zone, clock, monthday, month},
		},
		"ErrNothing":       {domain.ScheduleInput{}, []string{zone, clock}},
		"ErrPathAsZone":    {good(func(s *domain.ScheduleInput) { s.TimeZone = "../../etc/passwd" }), []string{zone}},
		"ErrUnknownZone":   {good(func(s *domain.ScheduleInput) { s.TimeZone = "Europe/Atlantis" }), []string{zone}},
		"ErrLocal":         {good(func(s *domain.ScheduleInput) { s.TimeZone = "Local" }), []string{zone}},
		"ErrNotHalfHour":   {good(func(s *domain.ScheduleInput) { s.Time = "09:17" }), []string{clock}},
		"ErrHour24":        {good(func(s *domain.ScheduleInput) { s.Time = "24:00" }), []string{clock}},
		"ErrHour13PM":      {good(func(s *domain.ScheduleInput) { s.Time = "13:00 PM" }), []string{clock}},
		"ErrHour0AM":       {good(func(s *domain.ScheduleInput) { s.Time = "0:30 AM" }), []string{clock}},
		"ErrClock":         {good(func(s *domain.ScheduleInput) { s.Time = "noon" }), []string{clock}},
		"ErrWeekday7":      {good(func(s *domain.ScheduleInput) { s.DayOfWeek = number(7) }), []string{weekday}},
		"ErrWeekdayNeeded": {good(func(s *domain.ScheduleInput) { s.Frequency = "weekly" }), []string{weekday}},
		"ErrDay0":          {good(func(s *domain.ScheduleInput) { s.DayOfMonth = number(0) }), []string{monthday}},
		"ErrDay32":         {good(func(s *domain.ScheduleInput) { s.DayOfMonth = number(32) }), []string{monthday}},
		"ErrDayNeeded":     {good(func(s *domain.ScheduleInput) { s.Month = number(5) }), []string{monthday}},
		"ErrMonth13":       {good(func(s *domain.ScheduleInput) { s.DayOfMonth, s.Month = number(1), number(13) }), []string{month}},
		"ErrMonthNeeded":   {good(func(s *domain.ScheduleInput) { s.Frequency, s.DayOfMonth = "annually", number(1) }), []string{month}},
		"ErrFrequency": {good(func(s *domain.ScheduleInput) {
			s.Frequency = "hourly"
		}), []string{"schedule.frequencyType: The frequency is daily, weekly, monthly or annually"}},
		"ErrDay32NotNeeded": {good(func(s *domain.ScheduleInput) { s.Frequency, s.DayOfMonth = "daily", number(32) }), []string{monthday}},
		"ErrBothDays": {
			good(func(s *domain.ScheduleInput) { s.DayOfWeek, s.DayOfMonth = number(1), number(1) }),
			[]string{"schedule.dayOfWeek: A schedule has a day of the week or a day of the month, not both"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var c domain.Checks
			row.in.Schedule(&c, "schedule.")
			require.Equal(t, row.want, brokenRules(t, c.Err()))
		})
	}
}

// brokenRules returns the broken rules of a validation error, each as "field: message".
func brokenRules(t *testing.T, err error) []string {
	t.Helper()
	require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
	var d *domain.Error
	require.ErrorAs(t, err, &d)
	out := make([]string, 0, len(d.Fields))
	for _, f := range d.Fields {
		out = append(out, f.Field+": "+f.Message)
	}
	return out
}

func TestTimeZones(t *testing.T) {
	t.Parallel()
	summer := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)

	t.Run("OK all zones, sorted by name", func(t *testing.T) {
		t.Parallel()
		list, err := domain.TimeZones("", domain.Page{Number: 1, Size: 1000}, summer)
		require.NoError(t, err)
		require.Greater(t, list.Count, 400)
		require.Len(t, list.Results, list.Count)
		for i := 1; i < len(list.Results); i++ {
			require.Less(t, list.Results[i-1].Name, list.Results[i].Name)
		}
	})
	t.Run("OK pages", func(t *testing.T) {
		t.Parallel()
		list, err := domain.TimeZones("", domain.Page{Number: 2, Size: 25}, summer)
		require.NoError(t, err)
		require.Len(t, list.Results, 25)
		far, err := domain.TimeZones("", domain.Page{Number: 1_000_000, Size: 1000}, summer)
		require.NoError(t, err)
		require.Empty(t, far.Results)
		require.Equal(t, list.Count, far.Count)
	})
	t.Run("OK search", func(t *testing.T) {
		t.Parallel()
		list, err := domain.TimeZones(" new york", domain.Page{Number: 1, Size: 25}, summer)
		require.NoError(t, err)
		require.Equal(t, []domain.TimeZone{{Name: "America/New_York", Offset: -4 * 3600}}, list.Results)
	})
	t.Run("OK older names are not listed", func(t *testing.T) {
		t.Parallel()
		list, err := domain.TimeZones("Katmandu", domain.Page{Number: 1, Size: 25}, summer)
		require.NoError(t, err)
		require.Empty(t, list.Results)
	})
}
