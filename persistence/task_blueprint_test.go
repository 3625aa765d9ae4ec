package persistence_test

import (
	"encoding/json"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// A blueprint cannot be restored after its deletion, so the tasks that run it are switched
// off, with a reason.
func TestStore_DeleteBlueprint_SwitchesTasksOff(t *testing.T) {
	t.Parallel()
	s := openTasks(t)
	s.setFlag(t, s.anna, true)
	anna := s.anna
	anna.Flags.ScheduledTaskView = true
	require.NoError(t, s.SetBlueprintGrants(t.Context(), s.ben, s.blueprint.ID, []domain.Grant{
		{Grantee: domain.Grantee{ID: s.anna.UserID, Type: domain.GranteeUser}, Permission: domain.PermissionRead},
	}))
	mine, theirs := s.create(t, s.ben), s.create(t, anna)
	off := s.create(t, s.ben)
	_, err := s.store.Tasks.SetTaskEnabled(t.Context(), s.ben, off.ID, false, 0)
	require.NoError(t, err)
	other := s.make(t, s.ben, "Other", "Look")
	untouched := s.create(t, s.ben, func(in *domain.TaskInput) { in.BlueprintID = &other.ID })
	seen := len(s.news(t, s.ben))

	require.NoError(t, s.DeleteBlueprint(t.Context(), s.ben, s.blueprint.ID))

	for _, c := range []struct {
		owner domain.Caller
		task  *domain.ScheduledTask
	}{{s.ben, mine}, {anna, theirs}, {s.ben, off}} {
		task, err := s.store.Tasks.Task(t.Context(), c.owner, c.task.ID)
		require.NoError(t, err)
		require.False(t, task.IsEnabled)
		require.Zero(t, task.NextRunAt)
		require.Equal(t, "The blueprint was deleted.", task.DisabledReason)
		list, err := s.store.Tasks.Tasks(t.Context(), c.owner, domain.TaskFilter{})
		require.NoError(t, err)
		for _, listed := range list.Results {
			require.Equal(t, listed.ID != untouched.ID && listed.BlueprintID == s.blueprint.ID, listed.DisabledReason != "", listed.Name)
		}
	}
	news := s.news(t, s.ben)[seen:]
	require.Equal(t, []domain.EventType{domain.EventTaskSwitchedOff}, typesOf(news), "one of Ben's was on")
	var note protocol.TaskNote
	require.NoError(t, json.Unmarshal(news[0].Data, &note))
	require.Equal(t, protocol.TaskNote{TaskID: mine.ID, Name: "Morning", Reason: "The blueprint was deleted."}, note)
	require.Equal(t, []domain.EventType{domain.EventTaskSwitchedOff}, typesOf(s.news(t, s.anna)))

	t.Run("ErrEnable", func(t *testing.T) {
		_, err := s.store.Tasks.SetTaskEnabled(t.Context(), s.ben, mine.ID, true, 0)
		requireCode(t, domain.CodeInvalid, err)
		require.ErrorContains(t, err, "The blueprint is not available.")
	})
	t.Run("AnotherBlueprint", func(t *testing.T) {
		on := true
		task, err := s.store.Tasks.UpdateTask(t.Context(), s.ben, mine.ID, s.input(func(in *domain.TaskInput) {
			in.BlueprintID, in.IsEnabled = &other.ID, &on
		}))
		require.NoError(t, err)
		require.True(t, task.IsEnabled)
		require.NotZero(t, task.NextRunAt)
		require.Empty(t, task.DisabledReason)
	})
	t.Run("OtherTasksStay", func(t *testing.T) {
		task, err := s.store.Tasks.Task(t.Context(), s.ben, untouched.ID)
		require.NoError(t, err)
		require.True(t, task.IsEnabled)
		require.Empty(t, task.DisabledReason)
	})
}

// In whatever order a task's creation, change and firing coincide with the deletion of its
// blueprint, no task stays enabled and there is no deadlock.
func TestStore_DeleteBlueprint_MeetsTasks(t *testing.T) {
	t.Parallel()
	s := openTasks(t)
	for range 12 {
		b := s.make(t, s.ben, "Report", "Look")
		from := func(in *domain.TaskInput) { in.BlueprintID = &b.ID }
		due, changed := s.create(t, s.ben, from), s.create(t, s.ben, from)
		s.due(t, due, time.Second)
		claim := holdTask(t, s.store, due, "node")
		var wait sync.WaitGroup
		var deleted, fired, created, updated error
		wait.Go(func() { deleted = s.DeleteBlueprint(t.Context(), s.ben, b.ID) })
		wait.Go(func() { _, fired = s.store.TaskStore.FireTask(t.Context(), claim) })
		wait.Go(func() { _, created = s.store.Tasks.CreateTask(t.Context(), s.ben, s.input(from)) })
		wait.Go(func() { _, updated = s.store.Tasks.UpdateTask(t.Context(), s.ben, changed.ID, s.input(from)) })
		wait.Wait()
		require.NoError(t, deleted)
		for _, err := range []error{fired, created, updated} {
			if err != nil {
				require.Contains(t, []domain.Code{domain.CodeInvalid, domain.CodeConflict}, domain.CodeOf(err), "%v", err)
			}
		}
		require.Zero(t, count(t, s.raw, "SELECT count(*) FROM scheduled_task WHERE is_enabled"))
	}
}

// A task that could not be scheduled now cannot be switched on either.
func TestStore_SetTaskEnabled_NeedsWhatRuns(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil  func(t *testing.T, s *tasks)
		reason string
	}{
		"ErrArchived": {func(t *testing.T, s *tasks) {
			t.Helper()
			require.NoError(t, s.ArchiveBlueprint(t.Context(), s.ben, s.blueprint.ID, true))
		}, "The blueprint is archived."},
		"ErrNeedsInputs": {func(t *testing.T, s *tasks) {
			t.Helper()
			_, err := s.UpdateBlueprint(t.Context(), s.ben, s.blueprint.ID, domain.BlueprintDraft{Name: "Report", InputParameters: ptr("Region")})
			require.NoError(t, err)
		}, "Only blueprints needing no user inputs can be scheduled."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openTasks(t)
			task := s.create(t, s.ben)
			c.spoil(t, s)
			_, err := s.store.Tasks.SetTaskEnabled(t.Context(), s.ben, task.ID, false, 0)
			require.NoError(t, err, "it may be switched off")
			_, err = s.store.Tasks.SetTaskEnabled(t.Context(), s.ben, task.ID, true, 0)
			requireCode(t, domain.CodeInvalid, err)
			require.ErrorContains(t, err, c.reason)
		})
	}
}
