package persistence_test

import (
	"encoding/json"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// due makes a task due at a past time, which need not be one of its own times.
func (s *tasks) due(t *testing.T, task *domain.ScheduledTask, since time.Duration) time.Time {
	t.Helper()
	at := time.Now().Add(-since).UTC().Truncate(time.Second) //nolint:forbidigo // compared with the database's clock
	s.exec(t, "UPDATE scheduled_task SET next_due_at = $2 WHERE id = $1", task.ID, at)
	return at
}

// holdTask becomes the owner of a task.
func holdTask(t *testing.T, s *persistence.Store, task *domain.ScheduledTask, node string) *domain.TaskClaim {
	t.Helper()
	claim, err := s.TaskStore.ClaimTask(t.Context(), task.ID, uuid.New(), node)
	require.NoError(t, err)
	return claim
}

func (s *tasks) fire(t *testing.T, task *domain.ScheduledTask) *domain.TaskFired {
	t.Helper()
	fired, err := s.store.TaskStore.FireTask(t.Context(), holdTask(t, s.store, task, "node"))
	require.NoError(t, err)
	return fired
}

func (s *tasks) runs(t *testing.T, task *domain.ScheduledTask) []domain.TaskRun {
	t.Helper()
	caller := s.ben
	caller.Flags.ScheduledTaskView = true
	list, err := s.store.Tasks.TaskRuns(t.Context(), caller, task.ID, domain.Page{Size: 1000})
	require.NoError(t, err)
	require.Len(t, list.Results, list.Count)
	return list.Results
}

// userLog returns the whole log of a person.
func (s *tasks) userLog(t *testing.T, who domain.Caller) []domain.UserEvent {
	t.Helper()
	events, _, err := s.store.Sessions.UserEvents(t.Context(), who.UserID, 0, 1000)
	require.NoError(t, err)
	return events
}

// news returns the log of a person without the events of changes that people made.
func (s *tasks) news(t *testing.T, who domain.Caller) []domain.UserEvent {
	t.Helper()
	return slices.DeleteFunc(s.userLog(t, who), func(e domain.UserEvent) bool {
		return e.Type == domain.EventTaskCreated || e.Type == domain.EventTaskUpdated || e.Type == domain.EventTaskDeleted
	})
}

func typesOf(events []domain.UserEvent) []domain.EventType {
	out := make([]domain.EventType, len(events))
	for i := range events {
		out[i] = events[i].Type
	}
	return out
}

// note reads an event of a run.
func note(t *testing.T, e *domain.UserEvent) (task uuid.UUID, conversation *uuid.UUID, reason string) {
	t.Helper()
	var n struct {
		TaskID         uuid.UUID  `json:"taskId"`
		ConversationID *uuid.UUID `json:"conversationId"`
		Reason         string     `json:"reason"`
	}
	require.NoError(t, json.Unmarshal(e.Data, &n))
	return n.TaskID, n.ConversationID, n.Reason
}

func TestStore_FireTask(t *testing.T) {
	t.Parallel()

	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		s := openTasks(t)
		sales := s.label(t, "Sales")
		task := s.create(t, s.ben, func(in *domain.TaskInput) { in.ProjectLabels = []int64{sales} })
		at := s.due(t, task, time.Minute)
		due, err := s.store.TaskStore.DueTasks(t.Context(), "node", 10)
		require.NoError(t, err)
		require.Equal(t, []uuid.UUID{task.ID}, due.IDs)

		fired := s.fire(t, task)
		require.NotZero(t, fired.Conversation)
		require.False(t, fired.Again)
		c, err := s.store.Conversations.Conversation(t.Context(), s.ben, fired.Conversation)
		require.NoError(t, err)
		require.Equal(t, "Morning", c.Name)
		require.Equal(t, []int64{sales}, c.ProjectLabels)
		require.Equal(t, s.ben.UserID, c.Owner.ID)
		require.Len(t, c.Messages, 1)
		require.True(t, c.IsStreaming)
		claim, err := s.store.ConversationStore.Claim(t.Context(), fired.Conversation, uuid.New(), "node", nil)
		require.NoError(t, err)
		require.True(t, claim.Running.Scheduled)
		require.Len(t, claim.Running.Turn.Plan.Steps, 2)
		require.Equal(t, "Report", claim.Running.Turn.Plan.Blueprint, "the work is named in the title, the blueprint in the plan")
		require.Zero(t, claim.Running.Turn.Attempt)

		runs := s.runs(t, task)
		require.Len(t, runs, 1)
		require.Equal(t, domain.TaskRun{
			DueAt: at, Status: domain.TaskRunRunning, ConversationID: fired.Conversation, TurnID: claim.Running.Turn.ID,
			StartedAt: runs[0].StartedAt,
		}, runs[0])
		next, err := s.store.Tasks.Task(t.Context(), s.ben, task.ID)
		require.NoError(t, err)
		require.Equal(t, task.NextRunAt, next.NextRunAt)
		require.Equal(t, task.Version, next.Version, "a run is no change")
		require.Equal(t, []domain.EventType{domain.EventConversationCreated, domain.EventMessageCreated, domain.EventTaskRunStarted},
			typesOf(s.news(t, s.ben)))
		id, conversation, _ := note(t, &s.news(t, s.ben)[2])
		require.Equal(t, task.ID, id)
		require.Equal(t, fired.Conversation, *conversation)
		due, err = s.store.TaskStore.DueTasks(t.Context(), "node", 10)
		require.NoError(t, err)
		require.Empty(t, due.IDs)
	})
	t.Run("OK not due does nothing", func(t *testing.T) {
		t.Parallel()
		s := openTasks(t)
		task := s.create(t, s.ben)
		require.Equal(t, &domain.TaskFired{}, s.fire(t, task))
		s.due(t, task, time.Minute)
		_, err := s.store.Tasks.SetTaskEnabled(t.Context(), s.ben, task.ID, false, 0)
		require.NoError(t, err)
		require.Equal(t, &domain.TaskFired{}, s.fire(t, task))
		require.Empty(t, s.runs(t, task))
	})
	t.Run("OK the latest of several missed times", func(t *testing.T) {
		t.Parallel()
		s := openTasks(t)
		now := time.Now().UTC() //nolint:forbidigo // compared with the database's clock
		// A time of day that has just passed, so that the latest one is less than 12 h ago.
		clock := now.Add(-time.Hour).Truncate(30 * time.Minute)
		task := s.create(t, s.ben, func(in *domain.TaskInput) {
			in.Schedule = domain.ScheduleInput{TimeZone: "UTC", Time: clock.Format("15:04")}
		})
		s.exec(t, "UPDATE scheduled_task SET next_due_at = $2 WHERE id = $1", task.ID, clock.AddDate(0, 0, -3))
		require.NotZero(t, s.fire(t, task).Conversation)
		runs := s.runs(t, task)
		require.Len(t, runs, 4)
		require.Equal(t, domain.TaskRunRunning, runs[0].Status)
		require.True(t, clock.Equal(runs[0].DueAt))
		for i, r := range runs[1:] {
			require.Equal(t, domain.TaskRunSkipped, r.Status)
			require.Equal(t, domain.ReasonMissed, r.Reason)
			require.True(t, clock.AddDate(0, 0, -1-i).Equal(r.DueAt))
		}
	})
	t.Run("OK too late is written down", func(t *testing.T) {
		t.Parallel()
		s := openTasks(t)
		clock := time.Now().UTC().Add(-13 * time.Hour).Truncate(30 * time.Minute) //nolint:forbidigo // compared with the database's clock
		task := s.create(t, s.ben, func(in *domain.TaskInput) {
			in.Schedule = domain.ScheduleInput{TimeZone: "UTC", Time: clock.Format("15:04")}
		})
		s.exec(t, "UPDATE scheduled_task SET next_due_at = $2 WHERE id = $1", task.ID, clock.AddDate(0, 0, -250))
		// More than are written at once.
		looks := 1
		for ; s.fire(t, task).Again; looks++ {
			require.Less(t, looks, 5)
		}
		require.Equal(t, 3, looks)
		runs := s.runs(t, task)
		require.Len(t, runs, 251)
		for _, r := range runs {
			require.Equal(t, domain.TaskRunSkipped, r.Status)
		}
		require.Empty(t, s.news(t, s.ben))
		require.Equal(t, []domain.EventType{
			domain.EventTaskCreated, domain.EventTaskUpdated, domain.EventTaskUpdated, domain.EventTaskUpdated,
		}, typesOf(s.userLog(t, s.ben)), "each call advanced the next due time")
	})
	t.Run("OK a run that is still running is not overtaken", func(t *testing.T) {
		t.Parallel()
		s := openTasks(t)
		task := s.create(t, s.ben)
		s.due(t, task, time.Hour)
		first := s.fire(t, task)
		s.due(t, task, time.Minute)
		require.Zero(t, s.fire(t, task).Conversation)
		runs := s.runs(t, task)
		require.Len(t, runs, 2)
		require.Equal(t, domain.TaskRunSkipped, runs[0].Status)
		require.Equal(t, domain.ReasonOverlap, runs[0].Reason)
		require.Equal(t, domain.EventTaskUpdated, typesOf(s.userLog(t, s.ben))[4], "after the first run's three and the creation")

		// After its end the next run can start, also before the end is recorded.
		s.end(t, first.Conversation, domain.TurnComplete, "")
		s.due(t, task, 0)
		require.NotZero(t, s.fire(t, task).Conversation)
	})
	t.Run("OK the same due time never again", func(t *testing.T) {
		t.Parallel()
		s := openTasks(t)
		task := s.create(t, s.ben)
		at := s.due(t, task, time.Minute)
		first := s.fire(t, task)
		s.end(t, first.Conversation, domain.TurnComplete, "")
		// This is the state after a wrong repair of the row, or after a clock was set back.
		s.exec(t, "UPDATE scheduled_task SET next_due_at = $2 WHERE id = $1", task.ID, at)
		require.Zero(t, s.fire(t, task).Conversation)
		require.Len(t, s.runs(t, task), 1)
		require.Equal(t, 1, count(t, s.raw, "SELECT count(*) FROM conversation"))
	})

	// The owner's rights count as they are when it is due. A run that cannot start is
	// recorded as failed, the owner gets an event, and the next time is due as usual.
	for name, spoil := range map[string]func(*testing.T, *tasks){
		"ErrOwnerDisabled": func(t *testing.T, s *tasks) {
			t.Helper()
			s.exec(t, "UPDATE app_user SET is_disabled = true WHERE id = $1", s.ben.UserID)
		},
		"ErrFlagOff": func(t *testing.T, s *tasks) {
			t.Helper()
			s.setFlag(t, s.ben, false)
		},
		"ErrBlueprintArchived": func(t *testing.T, s *tasks) {
			t.Helper()
			require.NoError(t, s.ArchiveBlueprint(t.Context(), s.ben, s.blueprint.ID, true))
		},
		"ErrBlueprintDeleted": func(t *testing.T, s *tasks) {
			t.Helper()
			// The product itself never leaves this state: it would switch the task off.
			s.exec(t, "DELETE FROM blueprint WHERE id = $1", s.blueprint.ID)
		},
		"ErrBlueprintNeedsInputs": func(t *testing.T, s *tasks) {
			t.Helper()
			_, err := s.UpdateBlueprint(t.Context(), s.ben, s.blueprint.ID, domain.BlueprintDraft{Name: "Report", InputParameters: ptr("Region")})
			require.NoError(t, err)
		},
		"ErrConnectorNotShared": func(t *testing.T, s *tasks) {
			t.Helper()
			s.exec(t, "UPDATE blueprint SET data_sources = ARRAY[$2::bigint] WHERE id = $1", s.blueprint.ID, s.own(t, s.anna))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openTasks(t)
			task := s.create(t, s.ben)
			at := s.due(t, task, time.Minute)
			spoil(t, s)
			require.Equal(t, &domain.TaskFired{}, s.fire(t, task))
			runs := s.runs(t, task)
			require.Len(t, runs, 1)
			require.Equal(t, domain.TaskRunFailed, runs[0].Status)
			require.Equal(t, at, runs[0].DueAt)
			require.NotEmpty(t, runs[0].Reason)
			require.NotZero(t, runs[0].EndedAt)
			require.Zero(t, count(t, s.raw, "SELECT count(*) FROM conversation"))
			news := s.news(t, s.ben)
			require.Equal(t, []domain.EventType{domain.EventTaskRunFailed}, typesOf(news))
			id, conversation, reason := note(t, &news[0])
			require.Equal(t, task.ID, id)
			require.Nil(t, conversation)
			require.Equal(t, runs[0].Reason, reason)
			require.Equal(t, 1, count(t, s.raw, "SELECT count(*) FROM scheduled_task WHERE next_due_at > clock_timestamp()"))
		})
	}

	t.Run("ErrFenced", func(t *testing.T) {
		t.Parallel()
		s := openTasks(t)
		task := s.create(t, s.ben)
		s.due(t, task, time.Minute)
		old := holdTask(t, s.store, task, "one")
		holdTask(t, s.store, task, "two")
		_, err := s.store.TaskStore.FireTask(t.Context(), old)
		requireCode(t, domain.CodeFenced, err)
		require.Empty(t, s.runs(t, task))
	})
	t.Run("ErrDeleted", func(t *testing.T) {
		t.Parallel()
		s := openTasks(t)
		task := s.create(t, s.ben)
		claim := holdTask(t, s.store, task, "one")
		require.NoError(t, s.store.Tasks.DeleteTask(t.Context(), s.ben, task.ID))
		_, err := s.store.TaskStore.FireTask(t.Context(), claim)
		requireCode(t, domain.CodeNotFound, err)
		_, err = s.store.TaskStore.ClaimTask(t.Context(), task.ID, uuid.New(), "one")
		requireCode(t, domain.CodeNotFound, err)
	})
}

// end ends the turn of a conversation as its owner does.
func (s *tasks) end(t *testing.T, conversation uuid.UUID, status domain.TurnStatus, reason string) {
	t.Helper()
	o := &owned{t: t, store: s.store, journal: startJournal(t, s.store, persistence.JournalConfig{}), caller: s.ben}
	o.claim(conversation)
	o.must(domain.Write{
		Events:  []domain.Event{event(domain.EventStreamingComplete)},
		TurnEnd: &domain.TurnEnd{Turn: o.Running.Turn.ID, Status: status, Reason: reason},
	})
}

// G13: however many nodes, activations and calls there are, a due time makes one
// run, one conversation and one first message.
func TestStore_FireTask_race(t *testing.T) {
	t.Parallel()
	s := openTasks(t)
	second := persistencetest.OpenURL(t, s.url)
	const rounds = 10
	task := s.create(t, s.ben)
	began := make(map[uuid.UUID]bool)
	for round := range rounds {
		// The rounds before must not count as an overlap.
		s.exec(t, "UPDATE task_run SET status = 'complete', ended_at = now() WHERE status = 'running'")
		s.due(t, task, time.Duration(rounds-round)*time.Minute)
		shared := holdTask(t, s.store, task, "one")
		var (
			mu      sync.Mutex
			all     sync.WaitGroup
			made    []uuid.UUID
			trouble []error
		)
		for i := range 8 {
			all.Go(func() {
				store, claim := s.store, shared
				if i%2 == 1 {
					store = second
				}
				if i >= 4 { // another activation
					var err error
					if claim, err = store.TaskStore.ClaimTask(t.Context(), task.ID, uuid.New(), "two"); err != nil {
						return
					}
				}
				fired, err := store.TaskStore.FireTask(t.Context(), claim)
				mu.Lock()
				defer mu.Unlock()
				switch code := domain.CodeOf(err); {
				case err == nil && fired.Conversation != uuid.Nil:
					made = append(made, fired.Conversation)
				case err != nil && code != domain.CodeFenced && code != domain.CodeConflict:
					trouble = append(trouble, err)
				}
			})
		}
		all.Wait()
		require.Empty(t, trouble)
		if len(made) == 0 { // all of them were overtaken by a claim: the next check fires
			made = append(made, s.fire(t, task).Conversation)
		}
		require.Len(t, made, 1)
		began[made[0]] = true
	}
	require.Len(t, began, rounds)
	require.Equal(t, rounds, count(t, s.raw, "SELECT count(*) FROM task_run"))
	require.Equal(t, rounds, count(t, s.raw, "SELECT count(*) FROM conversation"))
	require.Equal(t, rounds, count(t, s.raw, "SELECT count(*) FROM message"))
	require.Equal(t, rounds, count(t, s.raw, "SELECT count(*) FROM turn"))
}

// A node that dies at any point of a firing leaves either nothing or the complete firing.
func TestStore_FireTask_broken(t *testing.T) {
	t.Parallel()
	for _, table := range []string{"task_run", "conversation", "conversation_event", "message", "turn", "user_event"} {
		t.Run(table, func(t *testing.T) {
			t.Parallel()
			s := openTasks(t)
			owner := persistencetest.Connect(t, s.url, "")
			task := s.create(t, s.ben)
			at := s.due(t, task, time.Minute)
			_, err := owner.Exec(t.Context(), "ALTER TABLE "+table+" ADD CONSTRAINT broken CHECK (false) NOT VALID")
			require.NoError(t, err)
			_, err = s.store.TaskStore.FireTask(t.Context(), holdTask(t, s.store, task, "one"))
			require.Error(t, err)
			for _, left := range []string{"task_run", "conversation", "message", "turn"} {
				require.Zero(t, count(t, s.raw, "SELECT count(*) FROM "+left), left)
			}
			require.Empty(t, s.news(t, s.ben))
			_, err = owner.Exec(t.Context(), "ALTER TABLE "+table+" DROP CONSTRAINT broken")
			require.NoError(t, err)

			// For the next owner the task is still due.
			require.NotZero(t, s.fire(t, task).Conversation)
			runs := s.runs(t, task)
			require.Len(t, runs, 1)
			require.Equal(t, at, runs[0].DueAt)
		})
	}
}

func TestStore_SettleTaskRuns(t *testing.T) {
	t.Parallel()
	for status, told := range map[domain.TurnStatus]bool{
		domain.TurnComplete: false, domain.TurnStopped: false, domain.TurnInterrupted: true, domain.TurnFailed: true,
	} {
		t.Run(string(status), func(t *testing.T) {
			t.Parallel()
			s := openTasks(t)
			task := s.create(t, s.ben)
			s.due(t, task, time.Minute)
			n, err := s.store.TaskStore.SettleTaskRuns(t.Context(), 10)
			require.NoError(t, err)
			require.Zero(t, n)
			fired := s.fire(t, task)
			n, err = s.store.TaskStore.SettleTaskRuns(t.Context(), 10)
			require.NoError(t, err)
			require.Zero(t, n, "it still runs")

			s.end(t, fired.Conversation, status, "Why")
			require.Equal(t, domain.TaskRunStatus(status), s.runs(t, task)[0].Status, "the history shows it before it is recorded")
			before := len(s.news(t, s.ben))
			// Two nodes check at the same time.
			second := persistencetest.OpenURL(t, s.url)
			var all sync.WaitGroup
			settled := make([]int, 2)
			for i, store := range []*persistence.Store{s.store, second} {
				all.Go(func() {
					n, err := store.TaskStore.SettleTaskRuns(t.Context(), 10)
					if err == nil {
						settled[i] = n
					}
				})
			}
			all.Wait()
			require.Equal(t, 1, settled[0]+settled[1])
			run := s.runs(t, task)[0]
			require.Equal(t, domain.TaskRunStatus(status), run.Status)
			require.Equal(t, "Why", run.Reason)
			require.NotZero(t, run.EndedAt)
			news := s.news(t, s.ben)[before:]
			if !told {
				require.Empty(t, news)
				return
			}
			require.Equal(t, []domain.EventType{domain.EventTaskRunFailed}, typesOf(news))
			_, conversation, reason := note(t, &news[0])
			require.Equal(t, fired.Conversation, *conversation)
			require.Equal(t, "Why", reason)
		})
	}
}

func TestStore_DueTasks(t *testing.T) {
	t.Parallel()
	s := openTasks(t)
	for _, m := range []struct {
		node  string
		lease time.Duration
	}{{"one", time.Minute}, {"two", time.Minute}, {"dead", -time.Second}} {
		require.NoError(t, s.store.Members.Join(t.Context(), domain.Member{
			Node: m.node, Name: m.node, Incarnation: uuid.New(),
			Address: m.node,
		}, m.lease))
	}
	task := s.create(t, s.ben)
	s.due(t, task, time.Minute)
	for _, row := range []struct {
		owner, home string
		seen        map[string]bool
	}{
		{"one", "one", map[string]bool{"one": true, "two": false}},
		// The nodes, and not this query, decide whether a member whose lease has ended is alive.
		{"dead", "dead", map[string]bool{"one": true, "two": true}},
		{"nobody", "", map[string]bool{"one": true, "two": true}},
	} {
		claim := holdTask(t, s.store, task, row.owner)
		home, err := s.store.TaskStore.TaskHome(t.Context(), task.ID)
		require.NoError(t, err)
		require.Equal(t, row.home, home)
		for node, seen := range row.seen {
			due, err := s.store.TaskStore.DueTasks(t.Context(), node, 10)
			require.NoError(t, err)
			require.Equal(t, seen, len(due.IDs) == 1, "%s, owned by %s", node, row.owner)
		}
		require.NoError(t, s.store.TaskStore.ReleaseTask(t.Context(), claim))
		due, err := s.store.TaskStore.DueTasks(t.Context(), "two", 10)
		require.NoError(t, err)
		require.Len(t, due.IDs, 1, "it has no owner any more")
	}
}
