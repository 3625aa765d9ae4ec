package actors

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
)

// scheduled is an engine that fires tasks, with a clock that the test moves.
type scheduled struct {
	*bundle
	tasks *fakes.Tasks
	clock *clock.Fake
	log   *levels
}

// levels records what is logged.
type levels struct {
	slog.Handler
	mu   sync.Mutex
	said []string
}

func (l *levels) Enabled(context.Context, slog.Level) bool { return true }

func (l *levels) Handle(_ context.Context, r slog.Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.said = append(l.said, r.Level.String()+" "+r.Message)
	return nil
}

func (l *levels) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, s := range l.said {
		if s == text {
			n++
		}
	}
	return n
}

const (
	saidPaused  = "ERROR scheduled tasks are paused: the clocks of the database and of this node differ"
	saidGoesOn  = "INFO scheduled tasks go on: the clocks agree again"
	saidTrouble = "ERROR a scheduled task could not be fired"
)

func setupTasks(t *testing.T) *scheduled {
	t.Helper()
	now := time.Unix(1_800_000_000, 0)
	s := &scheduled{tasks: fakes.NewTasks(now), clock: clock.NewFake(now), log: &levels{Handler: slog.DiscardHandler}}
	s.bundle = setup(t, func(c *Config) { c.Tasks, c.Clock, c.Logger = s.tasks, s.clock, slog.New(s.log) })
	return s
}

// looking is how many parts of a node make a check each second: the wheel of the sockets, the
// sweeper, and the scheduler.
const looking = 3

// second moves this node's clock by one second, once all parts have made the checks of the
// last one: no time passes while the machine does something else.
func (s *scheduled) second() bool {
	if s.clock.DueWithin(time.Second) < looking {
		return false
	}
	s.clock.Advance(time.Second)
	return true
}

// until moves both clocks second by second until a condition is true.
func (s *scheduled) until(so func() bool, msg ...any) {
	s.t.Helper()
	require.Eventually(s.t, func() bool {
		if so() {
			return true
		}
		if s.second() {
			s.tasks.SetNow(s.clock.Now())
		}
		return so()
	}, patience, time.Millisecond, msg...)
}

func TestScheduler(t *testing.T) {
	t.Parallel()

	t.Run("OK fires once what is due, and again when it is due again", func(t *testing.T) {
		t.Parallel()
		s := setupTasks(t)
		id := uuid.New()
		s.tasks.SetDue(id, s.clock.Now().Add(30*time.Second))
		s.until(func() bool { return len(s.tasks.Task(id).Fired) == 1 })
		require.False(t, s.clock.Now().Before(time.Unix(1_800_000_030, 0)), "too early")
		s.tasks.SetDue(id, s.clock.Now())
		s.until(func() bool { return len(s.tasks.Task(id).Fired) == 2 })
		require.EqualValues(t, 1, s.tasks.Task(id).Epoch, "by the same owner")
		require.Equal(t, "node-1", s.tasks.Task(id).Node)
	})
	t.Run("OK many at once", func(t *testing.T) { // F49
		t.Parallel()
		s := setupTasks(t)
		ids := make([]uuid.UUID, 1500)
		for i := range ids {
			ids[i] = uuid.New()
			s.tasks.SetDue(ids[i], s.clock.Now())
		}
		for _, id := range ids {
			s.until(func() bool { return len(s.tasks.Task(id).Fired) > 0 })
		}
		for _, id := range ids {
			require.Len(t, s.tasks.Task(id).Fired, 1)
		}
	})
	t.Run("OK releases it after a while", func(t *testing.T) {
		t.Parallel()
		s := setupTasks(t)
		id := uuid.New()
		s.tasks.SetDue(id, s.clock.Now())
		s.until(func() bool { return len(s.tasks.Task(id).Fired) == 1 })
		s.until(func() bool { return s.tasks.Task(id).Node == "" })
		s.tasks.SetDue(id, s.clock.Now())
		s.until(func() bool { return len(s.tasks.Task(id).Fired) == 2 })
		require.EqualValues(t, 2, s.tasks.Task(id).Epoch)
	})
	t.Run("OK the conversation is woken", func(t *testing.T) {
		t.Parallel()
		s := setupTasks(t)
		woken := make(chan uuid.UUID, 100)
		s.store.SetErr(func(op string, id uuid.UUID) error {
			if op == "claim" {
				woken <- id
			}
			return nil
		})
		id := uuid.New()
		s.tasks.SetDue(id, s.clock.Now())
		s.until(func() bool { return len(s.tasks.Task(id).Fired) == 1 })
		select {
		case got := <-woken:
			require.Equal(t, s.tasks.Task(id).Fired[0], got)
		case <-time.After(patience):
			require.Fail(t, "no node has claimed the conversation")
		}
	})
	t.Run("OK a hand-over gives it back", func(t *testing.T) {
		t.Parallel()
		s := setupTasks(t)
		id := uuid.New()
		s.tasks.SetDue(id, s.clock.Now())
		s.until(func() bool { return len(s.tasks.Task(id).Fired) == 1 })
		require.NoError(t, s.system.Shutdown(context.Background()))
		require.Empty(t, s.tasks.Task(id).Node)
		s.tasks.SetDue(id, s.clock.Now())
		s.clock.Advance(5 * time.Second)
		require.Len(t, s.tasks.Task(id).Fired, 1, "a node that drains fires nothing")
	})
	t.Run("ErrFenced the next owner fires", func(t *testing.T) {
		t.Parallel()
		s := setupTasks(t)
		id := uuid.New()
		s.tasks.SetDue(id, s.clock.Now())
		s.until(func() bool { return len(s.tasks.Task(id).Fired) == 1 })
		_, err := s.tasks.ClaimTask(context.Background(), id, uuid.New(), "node-2")
		require.NoError(t, err)
		s.tasks.SetDue(id, s.clock.Now())
		s.until(func() bool { return len(s.tasks.Task(id).Fired) == 2 })
		require.Equal(t, 1, s.tasks.Task(id).Refused)
	})
	t.Run("ErrStore is tried again", func(t *testing.T) {
		t.Parallel()
		s := setupTasks(t)
		id := uuid.New()
		s.tasks.Fail(func(op string) error {
			if op == "fire" {
				return errors.New("no answer") //nolint:err113 // any error
			}
			return nil
		})
		// The task becomes due only now: otherwise the first check of the node would fire it.
		s.tasks.SetDue(id, s.clock.Now())
		s.until(func() bool { return s.log.count(saidTrouble) >= 3 })
		s.tasks.Fail(nil)
		s.until(func() bool { return len(s.tasks.Task(id).Fired) == 1 })
	})
	// F43: if the clock of the database and the clock of the node disagree, nothing is fired,
	// neither early nor twice, and the difference is logged.
	t.Run("ErrClocksDiffer pauses", func(t *testing.T) {
		t.Parallel()
		for name, leap := range map[string]time.Duration{"a day on": 24 * time.Hour, "an hour back": -time.Hour} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				s := setupTasks(t)
				id := uuid.New()
				// The clock is changed first: a check between the two calls would see a task that has
				// been due for a long time.
				s.tasks.SetNow(s.clock.Now().Add(leap))
				s.tasks.SetDue(id, s.clock.Now().Add(leap))
				seconds := 0
				require.Eventually(t, func() bool {
					if s.second() {
						seconds++
					}
					return seconds >= 20 && s.log.count(saidPaused) > 0
				}, patience, time.Millisecond)
				require.Empty(t, s.tasks.Task(id).Fired)
				require.Equal(t, 1, s.log.count(saidPaused), "one alarm")
				s.tasks.SetDue(id, s.clock.Now())
				s.until(func() bool { return len(s.tasks.Task(id).Fired) == 1 })
				require.Equal(t, 1, s.log.count(saidGoesOn))
			})
		}
	})
}
