package actors

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
)

// slowLook is a store in which a look for orphans takes a while.
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

// A look that found nothing is followed by a rest as it was long; with something found
// there may be more.
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
			pid := system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor {
				return &sweeper{
					lookout: lookout{clock: now, every: every}, store: store, log: quiet(),
					locate: func(context.Context, string, string) *actor.PID { return nil }, took: func(string) {},
				}
			}))
			looked := func() {
				require.Eventually(t, func() bool { return now.Waiting() == 1 }, time.Minute, time.Millisecond)
			}
			system.Root.Send(pid, &lookAgain{})
			looked()
			require.Equal(t, int32(1), store.looks.Load())
			for i, want := range c.looks {
				now.Advance(every)
				looked()
				require.Equal(t, want, store.looks.Load(), i)
			}
		})
	}
}

// orphans is a store with turns that lost their owners, and one change of a team.
type orphans struct {
	domain.ConversationStore
	ids   []uuid.UUID // oldest first
	asked chan int
	team  domain.TeamChange
}

func (s *orphans) Orphans(_ context.Context, limit int) ([]uuid.UUID, error) {
	s.asked <- limit
	return s.ids[:min(limit, len(s.ids))], nil
}

func (s *orphans) TeamChanges(context.Context, string, string) (*domain.TeamChanges, error) {
	return &domain.TeamChanges{Next: "1", Changes: []domain.TeamChange{s.team}}, nil
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
	// The first ones would live on a node that says nothing: each is waited for.
	silent := make(map[string]bool)
	for _, id := range store.ids[:10] {
		silent[id.String()] = true
	}
	waits, goOn := make(chan struct{}, len(silent)), make(chan struct{})
	pid := system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor {
		return &sweeper{lookout: lookout{clock: now, every: every}, store: store, log: quiet(), took: func(string) {}, locate: func(_ context.Context, _, id string) *actor.PID {
			if silent[id] {
				waits <- struct{}{}
				<-goOn
				return nil
			}
			return owner
		}}
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
	system.Root.Send(pid, &lookAgain{})
	look(sweepAtOnce)
	for range silent {
		<-waits
	}
	heard(90) // beside the ten that are waited for
	// Those that were woken, and those that are waited for, take no place of others.
	now.Advance(every)
	look(2 * sweepAtOnce)
	heard(100)
	now.Advance(every)
	look(3 * sweepAtOnce)
	heard(50)
	require.Empty(t, woken)
	close(goOn)
	require.Empty(t, waits, "what is waited for is not asked for twice")
	// What is still an orphan after a while is woken again, in portions.
	require.Eventually(t, func() bool {
		now.Advance(every)
		for len(store.asked) > 0 {
			<-store.asked
		}
		return len(woken) >= len(store.ids)-len(silent)
	}, patience, time.Millisecond)
}

// Changes of teams wait for no orphan.
func TestTeams(t *testing.T) { // G15
	t.Parallel()
	system := fakes.NewActorSystem()
	t.Cleanup(system.Shutdown)
	now := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	conversation := domain.NewID()
	store := &orphans{team: domain.TeamChange{ID: "1", Conversation: conversation}}
	told := make(chan struct{}, 10)
	_, err := system.Root.SpawnNamed(actor.PropsFromFunc(func(ctx actor.Context) {
		if _, ok := ctx.Message().(*protocol.AccessChanged); ok {
			told <- struct{}{}
		}
	}), kindConversation+"/"+conversation.String())
	require.NoError(t, err)
	pid := system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor {
		return &teams{lookout: lookout{clock: now, every: time.Second}, node: "here", store: store, log: quiet()}
	}))
	system.Root.Send(pid, &lookAgain{})
	<-told
	for range 3 {
		require.Eventually(t, func() bool { return now.Waiting() == 1 }, patience, time.Millisecond)
		now.Advance(time.Second)
	}
	require.Eventually(t, func() bool { return now.Waiting() == 1 }, patience, time.Millisecond)
	require.Empty(t, told, "each change is told once")
}
