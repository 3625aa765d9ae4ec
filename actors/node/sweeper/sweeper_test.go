package sweeper

import (
	"context"
	"log/slog"
	"sync/atomic"
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

const patience = time.Minute

// slowLook is a store in which a query for orphans takes a while.
type slowLook struct {
	domain.ConversationStore
	clock *clock.Fake
	found []uuid.UUID
	looks atomic.Int32
}

func (s *slowLook) Orphans(context.Context, int) ([]uuid.UUID, error) {
	s.looks.Add(1)
	s.clock.Advance(30 * time.Millisecond)
	return s.found, nil
}

// A check that found nothing is followed by a pause that grows with the cost of the check; if
// it found something, there may be more.
func TestSweeper_Rests(t *testing.T) {
	t.Parallel()
	const every = 500 * time.Millisecond
	for name, c := range map[string]struct {
		found []uuid.UUID
		looks []int32 // after each pause
	}{
		"NothingFound": {looks: []int32{1, 1, 2, 2, 2, 3}},
		"Found":        {found: []uuid.UUID{domain.NewID()}, looks: []int32{2, 3, 4, 5, 6, 7}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			system := fakes.NewActorSystem()
			t.Cleanup(system.Shutdown)
			now := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
			store := &slowLook{clock: now, found: c.found}
			var count, known atomic.Int64
			pid := system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor {
				return New(Config{
					Clock: now, Every: every, Store: store, Log: slog.New(slog.DiscardHandler),
					Locate: func(context.Context, uuid.UUID) *actor.PID { return nil },
					Found:  func(n int, d time.Duration) { count.Store(int64(n)); known.Store(int64(d)) },
				})
			}))
			looked := func() {
				require.Eventually(t, func() bool { return now.Waiting() == 1 }, time.Minute, time.Millisecond)
			}
			system.Root.Send(pid, &node.LookAgain{})
			looked()
			require.Equal(t, int32(1), store.looks.Load())
			for i, want := range c.looks {
				now.Advance(every)
				looked()
				require.Equal(t, want, store.looks.Load(), i)
			}
			require.Len(t, c.found, int(count.Load()))
			// An orphan is known from the check that found it first.
			require.Equal(t, len(c.found) > 0, time.Duration(known.Load()) >= time.Duration(len(c.looks))*every)
		})
	}
}

// orphans is a store with turns that lost their owners.
type orphans struct {
	domain.ConversationStore
	ids   []uuid.UUID // oldest first
	asked chan int
}

func (s *orphans) Orphans(_ context.Context, limit int) ([]uuid.UUID, error) {
	s.asked <- limit
	return s.ids[:min(limit, len(s.ids))], nil
}

// Orphans whose node is silent are located a few at a time and do not hide the others.
func TestSweeper_Locates(t *testing.T) { // G7
	t.Parallel()
	const every = 500 * time.Millisecond
	system := fakes.NewActorSystem()
	t.Cleanup(system.Shutdown)
	now := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	store := &orphans{asked: make(chan int, 100), ids: make([]uuid.UUID, 250)}
	for i := range store.ids {
		store.ids[i] = domain.NewID()
	}
	woken := make(chan struct{}, 1000)
	owner := system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
		if _, ok := ctx.Message().(*protocol.Wake); ok {
			woken <- struct{}{}
		}
	}))
	// The first ones would live on a node that does not answer: locating each of them blocks.
	silent := make(map[uuid.UUID]bool)
	for _, id := range store.ids[:10] {
		silent[id] = true
	}
	waits, goOn := make(chan struct{}, len(silent)), make(chan struct{})
	pid := system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor {
		return New(Config{
			Clock: now, Every: every, Store: store, Log: slog.New(slog.DiscardHandler), Found: func(int, time.Duration) {},
			Locate: func(_ context.Context, id uuid.UUID) *actor.PID {
				if silent[id] {
					waits <- struct{}{}
					<-goOn
					return nil
				}
				return owner
			},
		})
	}))
	heard := func(n int) {
		t.Helper()
		for range n {
			select {
			case <-woken:
			case <-time.After(patience):
				require.Fail(t, "an orphan was not woken")
			}
		}
	}
	look := func(limit int) {
		t.Helper()
		require.Equal(t, limit, <-store.asked)
		require.Eventually(t, func() bool { return now.Waiting() == 1 }, patience, time.Millisecond)
	}
	system.Root.Send(pid, &node.LookAgain{})
	look(atOnce)
	for range silent {
		<-waits
	}
	heard(90) // in addition to the ten whose locating blocks
	// The orphans that were woken, and those whose locating blocks, do not reduce the number
	// of others.
	now.Advance(every)
	look(2 * atOnce)
	heard(100)
	now.Advance(every)
	look(3 * atOnce)
	heard(50)
	require.Empty(t, woken)
	close(goOn)
	require.Empty(t, waits, "an orphan that is being located is not located twice")
	// A conversation that is still an orphan after a while is woken again, in portions.
	require.Eventually(t, func() bool {
		now.Advance(every)
		for len(store.asked) > 0 {
			<-store.asked
		}
		return len(woken) >= len(store.ids)-len(silent)
	}, patience, time.Millisecond)
}
