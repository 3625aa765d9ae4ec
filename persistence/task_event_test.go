package persistence_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// Changes are in the log of the owner and of the person who made them, so that all tabs in
// which they are signed in can follow.
func TestStore_TaskEvents(t *testing.T) {
	t.Parallel()
	s := openTasks(t)
	task := s.create(t, s.ben, func(in *domain.TaskInput) { in.Key = domain.IdempotencyKey{Key: "k", Body: [32]byte{1}} })
	s.create(t, s.ben, func(in *domain.TaskInput) { in.Key = domain.IdempotencyKey{Key: "k", Body: [32]byte{1}} })
	require.Equal(t, []domain.EventType{domain.EventTaskCreated}, typesOf(s.userLog(t, s.ben)), "once for a key")
	require.Empty(t, s.userLog(t, s.anna), "a superuser who changed nothing gets no event")

	_, err := s.store.Tasks.UpdateTask(t.Context(), s.ben, task.ID, s.input(func(in *domain.TaskInput) { in.Name = "Evening" }))
	require.NoError(t, err)
	_, err = s.store.Tasks.SetTaskEnabled(t.Context(), s.ben, task.ID, false, 0)
	require.NoError(t, err)
	_, err = s.store.Tasks.SetTaskArchived(t.Context(), s.anna, task.ID, true)
	require.NoError(t, err)
	require.Equal(t, []domain.EventType{domain.EventTaskUpdated}, typesOf(s.userLog(t, s.anna)))

	t.Run("ErrForbidden adds no event", func(t *testing.T) {
		requireCode(t, domain.CodeForbidden, s.store.Tasks.DeleteTask(t.Context(), s.anna, task.ID))
		require.Len(t, s.userLog(t, s.ben), 4)
	})

	require.NoError(t, s.store.Tasks.DeleteTask(t.Context(), s.ben, task.ID))
	events := s.userLog(t, s.ben)
	require.Equal(t, []domain.EventType{
		domain.EventTaskCreated, domain.EventTaskUpdated, domain.EventTaskUpdated, domain.EventTaskUpdated, domain.EventTaskDeleted,
	}, typesOf(events))
	for i := range events {
		var change protocol.TaskChanged
		require.NoError(t, json.Unmarshal(events[i].Data, &change))
		require.Equal(t, protocol.TaskChanged{TaskID: task.ID}, change)
	}
}

func TestStore_ComingRuns(t *testing.T) {
	t.Parallel()
	s := openTasks(t)
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		in := domain.ScheduleInput{TimeZone: "Europe/Paris", Time: "9:30 AM", DayOfMonth: ptr(31)}
		due, err := s.store.Tasks.ComingRuns(t.Context(), s.ben, in)
		require.NoError(t, err)
		require.Len(t, due, domain.TaskComing)
		var c domain.Checks
		schedule := in.Schedule(&c, "")
		calendar, err := schedule.Calendar()
		require.NoError(t, err)
		for i, at := range due[1:] {
			require.Equal(t, calendar.Next(due[i]), at)
		}
	})
	t.Run("ErrInvalid", func(t *testing.T) {
		t.Parallel()
		_, err := s.store.Tasks.ComingRuns(t.Context(), s.ben, domain.ScheduleInput{Frequency: "weekly", TimeZone: "Mars/Olympus"})
		requireFields(t, err, "timeZone", "time", "dayOfWeek")
	})
	t.Run("ErrFlag", func(t *testing.T) {
		t.Parallel()
		_, err := s.store.Tasks.ComingRuns(t.Context(), s.cleo, domain.ScheduleInput{TimeZone: "UTC", Time: "09:00"})
		requireCode(t, domain.CodeForbidden, err)
	})
}
