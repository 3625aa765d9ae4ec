package scheduler

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/node"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
)

const (
	patience = time.Minute
	every    = time.Second
)

// book is a store of tasks that returns what a test has written into it, and records the
// calls.
type book struct {
	domain.TaskStore

	mu         sync.Mutex
	due        domain.DueTasks
	settleErr  error
	dueErr     error
	asked      []string
	node       string
	limit      int
	settleMost int
	// wait, when not nil, is called with the context of each query for due tasks.
	wait func(context.Context) error
}

func (b *book) write(change func(*book)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change(b)
}

// questions returns the recorded calls, in order.
func (b *book) questions() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.asked)
}

// SettleTaskRuns implements domain.TaskStore.
func (b *book) SettleTaskRuns(_ context.Context, limit int) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asked, b.settleMost = append(b.asked, "settle"), limit
	return 0, b.settleErr
}

// DueTasks implements domain.TaskStore.
func (b *book) DueTasks(ctx context.Context, node string, limit int) (domain.DueTasks, error) {
	b.mu.Lock()
	b.asked, b.node, b.limit = append(b.asked, "due"), node, limit
	due, err, wait := b.due, b.dueErr, b.wait
	b.mu.Unlock()
	if wait != nil {
		err = wait(ctx)
	}
	return due, err
}

// said records what is logged, as level and message.
type said struct {
	slog.Handler
	lines chan string
}

func (s said) Enabled(context.Context, slog.Level) bool { return true }

func (s said) Handle(_ context.Context, r slog.Record) error {
	s.lines <- r.Level.String() + " " + r.Message
	return nil
}

// bundle is a scheduler whose tasks all have the same owner, which reports when it is woken.
type bundle struct {
	t      *testing.T
	system *actor.ActorSystem
	clock  *clock.Fake
	store  *book
	lines  chan string
	woken  chan struct{}
	owner  *actor.PID
	pid    *actor.PID
}

func setup(t *testing.T, change ...func(*bundle, *Config)) *bundle {
	t.Helper()
	b := &bundle{
		t: t, system: fakes.NewActorSystem(), clock: clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)),
		store: &book{}, lines: make(chan string, 100), woken: make(chan struct{}, 2*dueAtOnce),
	}
	t.Cleanup(b.system.Shutdown)
	b.owner = b.system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
		if _, ok := ctx.Message().(*protocol.Wake); ok {
			b.woken <- struct{}{}
		}
	}))
	c := Config{
		Store: b.store, Node: "here", Clock: b.clock, Log: slog.New(said{slog.DiscardHandler, b.lines}), Every: every,
		Locate: func(context.Context, uuid.UUID) *actor.PID { return b.owner },
	}
	for _, f := range change {
		f(b, &c)
	}
	b.pid = b.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return New(c) }))
	return b
}

// has makes a number of tasks due, with the database's clock ahead of the node's by skew.
func (b *bundle) has(tasks int, skew time.Duration) {
	due := domain.DueTasks{Now: b.clock.Now().Add(skew)}
	for range tasks {
		due.IDs = append(due.IDs, domain.NewID())
	}
	b.store.write(func(s *book) { s.due = due })
}

// first asks for the first check and waits for its end.
func (b *bundle) first() {
	b.t.Helper()
	b.system.Root.Send(b.pid, &node.LookAgain{})
	b.rests()
}

// again lets the pause pass and waits for the end of the check that follows.
func (b *bundle) again() {
	b.t.Helper()
	before := len(b.store.questions())
	b.clock.Advance(every)
	require.Eventually(b.t, func() bool { return len(b.store.questions()) > before }, patience, time.Millisecond)
	b.rests()
}

// rests waits until the next check is arranged: there is one timer, which is due after the
// pause and not before.
func (b *bundle) rests() {
	b.t.Helper()
	require.Eventually(b.t, func() bool { return b.clock.Waiting() == 1 }, patience, time.Millisecond)
	require.Zero(b.t, b.clock.DueWithin(every-1))
	require.Equal(b.t, 1, b.clock.DueWithin(every))
}

// heard returns how often the owner was woken since the last call.
func (b *bundle) heard() (n int) {
	b.t.Helper()
	_, err := b.system.Root.RequestFuture(b.owner, &actor.Touch{}, patience).Result()
	require.NoError(b.t, err)
	for len(b.woken) > 0 {
		<-b.woken
		n++
	}
	return n
}

// log returns what was logged since the last call.
func (b *bundle) log() (lines []string) {
	for len(b.lines) > 0 {
		lines = append(lines, <-b.lines)
	}
	return lines
}

const (
	linePaused = "ERROR scheduled tasks are paused: the clocks of the database and of this node differ"
	lineGoesOn = "INFO scheduled tasks go on: the clocks agree again"
	lineFailed = "WARN due tasks could not be read"
)

func TestScheduler_Look(t *testing.T) { // G13
	t.Parallel()

	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.has(3, 0)
		require.Zero(t, b.clock.Waiting(), "the first check is requested from outside")
		require.Empty(t, b.store.questions())
		b.first()
		require.Equal(t, 3, b.heard())
		require.Equal(t, []string{"settle", "due"}, b.store.questions(), "how runs ended is stored first")
		require.Equal(t, "here", b.store.node)
		require.Equal(t, dueAtOnce, b.store.limit)
		require.Equal(t, settleAtOnce, b.store.settleMost)
		b.has(0, 0)
		b.again()
		require.Zero(t, b.heard())
		require.Empty(t, b.log())
	})

	t.Run("OKMany", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.has(dueAtOnce, 0)
		b.first()
		require.Equal(t, dueAtOnce, b.heard())
	})

	t.Run("OKNobodyOwnsOne", func(t *testing.T) {
		t.Parallel()
		var nobody uuid.UUID
		b := setup(t, func(b *bundle, c *Config) {
			c.Locate = func(_ context.Context, id uuid.UUID) *actor.PID {
				if id == nobody {
					return nil
				}
				return b.owner
			}
		})
		b.has(3, 0)
		nobody = b.store.due.IDs[1]
		b.first()
		require.Equal(t, 2, b.heard(), "it delays no other task")
		b.again()
		require.Equal(t, 2, b.heard(), "a task that is still due is found again")
		require.Empty(t, b.log())
	})

	t.Run("OKOneLookAtATime", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		begun, goOn := make(chan struct{}), make(chan struct{})
		b.store.write(func(s *book) {
			s.wait = func(context.Context) error { begun <- struct{}{}; <-goOn; return nil }
		})
		b.system.Root.Send(b.pid, &node.LookAgain{})
		<-begun
		b.clock.Advance(10 * every)
		require.Zero(t, b.clock.Waiting(), "the pause begins when the check has ended")
		require.Equal(t, []string{"settle", "due"}, b.store.questions())
		close(goOn)
		b.rests()
	})

	t.Run("ErrStore", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.has(1, 0)
		away := errors.New("away")
		b.store.write(func(s *book) { s.settleErr = away })
		b.first()
		require.Equal(t, []string{"settle"}, b.store.questions())
		require.Equal(t, []string{lineFailed}, b.log())
		b.store.write(func(s *book) { s.settleErr, s.dueErr = nil, away })
		b.again()
		require.Equal(t, []string{lineFailed}, b.log())
		require.Zero(t, b.heard())
		b.store.write(func(s *book) { s.dueErr = nil })
		b.again()
		require.Equal(t, 1, b.heard())
		require.Empty(t, b.log())
	})
}

func TestScheduler_BadClock(t *testing.T) { // G13
	t.Parallel()

	for name, c := range map[string]struct {
		skew  time.Duration
		fires bool
	}{
		"OKAgrees":  {0, true},
		"OKAhead":   {maxSkew, true},
		"OKBehind":  {-maxSkew, true},
		"ErrAhead":  {maxSkew + 1, false},
		"ErrBehind": {-maxSkew - 1, false},
		"ErrYears":  {10 * 365 * 24 * time.Hour, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.has(2, c.skew)
			b.first()
			if c.fires {
				require.Equal(t, 2, b.heard())
				require.Empty(t, b.log())
			} else {
				require.Zero(t, b.heard())
				require.Equal(t, []string{linePaused}, b.log())
			}
		})
	}

	t.Run("OKGoesOn", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.has(2, 2*maxSkew)
		b.first()
		require.Equal(t, []string{linePaused}, b.log())
		for range 3 {
			b.has(2, 2*maxSkew)
			b.again()
			require.Empty(t, b.log(), "the alarm is logged once")
		}
		require.Equal(t, "settle", b.store.questions()[len(b.store.questions())-2], "runs that have ended are settled meanwhile")
		// A check that fails says nothing about the clocks.
		b.has(2, 0)
		b.store.write(func(s *book) { s.dueErr = errors.New("away") })
		b.again()
		require.Equal(t, []string{lineFailed}, b.log())
		require.Zero(t, b.heard())
		b.store.write(func(s *book) { s.dueErr = nil })
		b.again()
		require.Equal(t, []string{lineGoesOn}, b.log())
		require.Equal(t, 2, b.heard())
		b.has(1, -2*maxSkew)
		b.again()
		require.Equal(t, []string{linePaused}, b.log(), "a second pause is logged again")
		require.Zero(t, b.heard())
	})
}

func TestScheduler_Stop(t *testing.T) { // G19
	t.Parallel()

	t.Run("OKResting", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.first()
		require.NoError(t, b.system.Root.PoisonFuture(b.pid).Wait())
		require.Zero(t, b.clock.Waiting())
	})

	t.Run("OKLooking", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.has(1, 0)
		begun, ended := make(chan struct{}), make(chan struct{})
		b.store.write(func(s *book) {
			s.wait = func(ctx context.Context) error {
				close(begun)
				<-ctx.Done()
				close(ended)
				return ctx.Err()
			}
		})
		b.system.Root.Send(b.pid, &node.LookAgain{})
		<-begun
		require.NoError(t, b.system.Root.PoisonFuture(b.pid).Wait())
		<-ended
		require.Zero(t, b.heard())
		require.Empty(t, b.log(), "that is not a failure")
		require.Zero(t, b.clock.Waiting())
	})

	// A task that one scheduler did not reach is still due, and the next one wakes it: on
	// another node, or on this one after its start.
	t.Run("OKLocating", func(t *testing.T) {
		t.Parallel()
		begun, goOn := make(chan uuid.UUID, 3), make(chan struct{})
		b := setup(t, func(b *bundle, c *Config) {
			c.Locate = func(_ context.Context, id uuid.UUID) *actor.PID {
				begun <- id
				<-goOn
				return b.owner
			}
		})
		b.has(3, 0)
		next := New(Config{
			Store: b.store, Node: "there", Clock: b.clock, Log: slog.New(slog.DiscardHandler), Every: every,
			Locate: func(context.Context, uuid.UUID) *actor.PID { return b.owner },
		})
		b.system.Root.Send(b.pid, &node.LookAgain{})
		require.Equal(t, b.store.due.IDs[0], <-begun)
		require.NoError(t, b.system.Root.PoisonFuture(b.pid).Wait())
		close(goOn)
		<-b.woken
		b.pid = b.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return next }))
		b.first()
		require.Equal(t, 3, b.heard())
		require.Empty(t, begun, "a scheduler that was stopped locates no more tasks")
	})
}
