package domain_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestTimePeriod_Days(t *testing.T) {
	t.Parallel()
	const layout = time.DateOnly
	for _, row := range []struct {
		period           domain.TimePeriod
		now, first, last string
	}{
		{domain.PeriodThisWeek, "2026-11-20", "2026-11-16", "2026-11-20"},
		{domain.PeriodThisWeek, "2026-11-16", "2026-11-16", "2026-11-16"},
		{domain.PeriodThisWeek, "2026-11-22", "2026-11-16", "2026-11-22"},
		{domain.PeriodThisMonth, "2026-11-01", "2026-11-01", "2026-11-01"},
		{domain.PeriodThisMonth, "2024-02-29", "2024-02-01", "2024-02-29"},
		{domain.PeriodLastMonth, "2026-01-31", "2025-12-01", "2025-12-31"},
		{domain.PeriodLastMonth, "2024-03-31", "2024-02-01", "2024-02-29"},
		{domain.PeriodLastThreeMonth, "2026-11-20", "2026-08-21", "2026-11-20"},
		{domain.PeriodLastThreeMonth, "2026-05-31", "2026-03-01", "2026-05-31"},
		{domain.PeriodLastSixMonths, "2026-03-15", "2025-09-16", "2026-03-15"},
	} {
		t.Run(string(row.period)+" at "+row.now, func(t *testing.T) {
			t.Parallel()
			now, err := time.Parse(layout, row.now)
			require.NoError(t, err)
			first, last, err := row.period.Days(now.Add(23*time.Hour+59*time.Minute), time.Time{}, time.Time{})
			require.NoError(t, err)
			require.Equal(t, []string{row.first, row.last}, []string{first.Format(layout), last.Format(layout)})
		})
	}
	day := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	t.Run("Custom", func(t *testing.T) {
		t.Parallel()
		first, last, err := domain.PeriodCustom.Days(day, day, day.AddDate(0, 0, 3))
		require.NoError(t, err)
		require.Equal(t, []string{"2026-05-01", "2026-05-04"}, []string{first.Format(layout), last.Format(layout)})
	})
	t.Run("ErrInvalid", func(t *testing.T) {
		t.Parallel()
		for _, err := range []error{
			daysError(domain.PeriodCustom, day, time.Time{}, day), daysError(domain.PeriodCustom, day, day, time.Time{}),
			daysError(domain.PeriodCustom, day, day, day.AddDate(0, 0, -1)), daysError(domain.PeriodCustom, day, day, day.AddDate(4, 0, 0)),
			daysError("next_week", day, time.Time{}, time.Time{}),
		} {
			require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
		}
	})
}

func daysError(p domain.TimePeriod, now, from, to time.Time) error {
	_, _, err := p.Days(now, from, to)
	return err
}
