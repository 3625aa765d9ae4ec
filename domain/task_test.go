package domain_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestTaskInput_Validate(t *testing.T) {
	t.Parallel()
	const (
		name       = "name: Please enter a valid name"
		icebreaker = "icebreaker: Please select at least one icebreaker"
	)
	good := func(change func(*domain.TaskInput)) domain.TaskInput {
		in := domain.TaskInput{
			Name: "Report", BlueprintID: new(int64(7)), ProjectLabels: []int64{3}, Schedule: domain.ScheduleInput{
				TimeZone: "Europe/Paris",
				Time:     "09:30",
			},
		}
		change(&in)
		return in
	}
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		var c domain.Checks
		in := good(func(in *domain.TaskInput) { in.Name = strings.Repeat("é", domain.TaskNameMax) })
		schedule := in.Validate(&c)
		require.NoError(t, c.Err())
		require.Equal(t, domain.FrequencyDaily, schedule.Frequency)
	})
	for outcome, row := range map[string]struct {
		in   domain.TaskInput
		want []string
	}{
		"ErrEverything": {domain.TaskInput{}, []string{
			name, icebreaker, "schedule.timeZone: Please select a time zone",
			"schedule.time: Please select a time",
		}},
		"ErrBlank":   {good(func(in *domain.TaskInput) { in.Name = " \t" }), []string{name}},
		"ErrTooLong": {good(func(in *domain.TaskInput) { in.Name = strings.Repeat("x", domain.TaskNameMax+1) }), []string{name}},
		"ErrNUL":     {good(func(in *domain.TaskInput) { in.Name = "a\x00" }), []string{name}},
		"ErrNoID":    {good(func(in *domain.TaskInput) { in.BlueprintID = new(int64(0)) }), []string{icebreaker}},
		"ErrLabels": {
			good(func(in *domain.TaskInput) { in.ProjectLabels = make([]int64, domain.TaskLabelsMax+1) }),
			[]string{"projectLabels: Too many projects."},
		},
	} {
		t.Run(outcome, func(t *testing.T) {
			t.Parallel()
			var c domain.Checks
			row.in.Validate(&c)
			require.Equal(t, row.want, brokenRules(t, c.Err()))
		})
	}
}
