package domain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

func TestStepOfPeriods(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		different   int64
		first, last string
		recent      []string
		step        meaning.Step
		complete    bool
	}{
		{46, "2023-01-01", "2026-10-01", nil, meaning.Month, true},
		{12, "2025-01-31", "2025-12-31", nil, meaning.Month, true},
		// One month of twelve is left out, and three of five are too few.
		{11, "2025-01-01", "2025-12-01", nil, meaning.Month, false},
		{3, "2025-01-01", "2025-05-01", nil, "", false},
		{5, "2024-01-01", "2025-01-01", nil, meaning.Quarter, true},
		{3, "2024-12-31", "2026-12-31 00:00:00", nil, meaning.Year, true},
		{3, "2026-10-05", "2026-10-19", nil, meaning.Week, true},
		{15, "2026-10-05", "2026-10-19", nil, meaning.Day, true},
		// The ends look like months, and two of the periods lie in one.
		{5, "2026-01-01", "2026-05-01", []string{"2026-01-01", "2026-01-15", "2026-03-01"}, "", false},
		{5, "2026-01-01", "2026-05-01", []string{"2026-03-01", "2026-04-01", "2026-05-01"}, meaning.Month, true},
		{1, "2026-01-01", "2026-01-01", nil, "", false},
		{9, "first", "last", nil, "", false},
	} {
		var recent []domain.PeriodFacts
		for _, p := range c.recent {
			recent = append(recent, domain.PeriodFacts{Period: p, Rows: 1})
		}
		step, complete := domain.StepOfPeriods(c.different, c.first, c.last, recent)
		require.Equal(t, c.step, step, "%v", c)
		require.Equal(t, c.complete, complete, "%v", c)
	}
}
