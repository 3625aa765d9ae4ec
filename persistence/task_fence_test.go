package persistence_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// After a due task was read and before it is fired, another transaction may change, claim
// or fire it. Then the task that was read is not used.
func TestStore_FireTask_ChangedMeanwhile(t *testing.T) { // G13
	t.Parallel()
	for name, change := range map[string]string{
		"Changed":                "UPDATE scheduled_task SET version = version + 1 WHERE id = $1",
		"Claimed":                "UPDATE scheduled_task SET epoch = epoch + 1 WHERE id = $1",
		"ClaimedByTheSameNumber": "UPDATE scheduled_task SET activation = gen_random_uuid() WHERE id = $1",
		"Fired":                  "UPDATE scheduled_task SET next_due_at = next_due_at + interval '1 day' WHERE id = $1",
		"Disabled":               "UPDATE scheduled_task SET is_enabled = false, next_due_at = NULL WHERE id = $1",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openTasks(t)
			task := s.create(t, s.ben)
			s.due(t, task, time.Minute)
			var done atomic.Bool
			store := persistencetest.OpenURL(t, s.url)
			require.NoError(t, store.BeforeRequests(t.Context(), func(sql string) {
				if strings.Contains(sql, "-- name: TaskAdvance") && done.CompareAndSwap(false, true) {
					s.exec(t, change, task.ID)
				}
			}))
			_, err := store.TaskStore.FireTask(t.Context(), holdTask(t, store, task, "node"))
			require.True(t, done.Load(), "nothing happened in between: the test proves nothing")
			requireCode(t, domain.CodeConflict, err)
			require.Empty(t, s.runs(t, task))
			require.Zero(t, count(t, s.raw, "SELECT count(*) FROM conversation"))
		})
	}
}

// Tasks are due by the database's clock: a node whose own clock is wrong
// fires nothing early and nothing late.
func TestStore_FireTask_Clock(t *testing.T) { // G13, F42
	t.Parallel()
	for name, off := range map[string]time.Duration{"Fast": 24 * time.Hour, "Slow": -24 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openTasks(t)
			wrong := clock.NewFake(time.Now().Add(off)) //nolint:forbidigo // compared with the database's clock
			store, err := persistence.Open(t.Context(), persistence.Config{URL: s.url, Clock: wrong})
			require.NoError(t, err)
			t.Cleanup(store.Close)
			task := s.create(t, s.ben)
			s.due(t, task, -time.Hour)
			claim := holdTask(t, store, task, "node")
			fired, err := store.TaskStore.FireTask(t.Context(), claim)
			require.NoError(t, err)
			require.Zero(t, fired.Conversation, "it is due in an hour")
			s.due(t, task, time.Minute)
			fired, err = store.TaskStore.FireTask(t.Context(), claim)
			require.NoError(t, err)
			require.NotEqual(t, uuid.Nil, fired.Conversation)
		})
	}
}
