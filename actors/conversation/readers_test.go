package conversation

import (
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
)

// With few readers the conversation handles a publication for them in its own goroutine, and
// each of them encodes the frame of a delta; with many it is sent to their mailboxes.
func TestReaders_Few(t *testing.T) {
	t.Parallel()
	system := fakes.NewActorSystem()
	t.Cleanup(system.Shutdown)
	for readers, want := range map[int]bool{1: true, inlineMax: true, inlineMax + 1: false} {
		got := make(chan bool, readers)
		pids := make([]*actor.PID, readers)
		for i := range pids {
			pids[i] = system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
				if p, ok := ctx.Message().(*protocol.Publication); ok {
					got <- p.Inline() && p.Entries[0].JSON == nil
				}
			}))
		}
		owner := system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
			if _, ok := ctx.Message().(string); !ok {
				return
			}
			r := newReaders(system, "fanout", ctx.Self())
			for _, pid := range pids {
				subscribed(ctx, &r, protocol.NewTarget("node", pid.Address, pid.Id))
			}
			p := protocol.NewPublication(uuid.New(), 1, 1)
			p.Entries = append(p.Entries, protocol.Entry{Kind: protocol.EntryDelta, Epoch: 1, Message: uuid.New(), Text: "text"})
			r.publish(ctx, p)
		}))
		system.Root.Send(owner, "publish")
		for range readers {
			require.Equal(t, want, <-got, readers)
		}
	}
}

// subscribed asks for a subscription of a reader and admits it.
func subscribed(ctx actor.Context, r *readers, t *protocol.Target) {
	r.ask(ctx, t, 1)
	r.admit(t, 1, nil, false)
}

// An owner that only has readers does not hold events for ever: a reader who comes back later
// reads the store, and a reader who has everything continues.
func TestActor_IdleWithReaders(t *testing.T) { // G8
	t.Parallel()
	now := clock.NewFake(time.Unix(1_700_000_000, 0))
	a := newAlone(t, func(c *Config) { c.Clock = now })
	for _, name := range []string{"first", "second"} {
		require.Nil(t, a.ask(&protocol.Change{Caller: protocol.FromCaller(a.owner), Name: &name}).(*protocol.Done).Failure)
	}
	at := func(seq int64) *protocol.Subscription { return a.reads(a.owner, &protocol.Cursor{Seq: seq}) }
	recent := at(2)
	require.Equal(t, protocol.Subscription_LIVE, recent.Outcome)
	require.Len(t, recent.Frames, 1)

	now.Advance(a.actor.c.Idle)
	require.Equal(t, protocol.Subscription_BEHIND, at(2).Outcome)
	require.Equal(t, protocol.Subscription_LIVE, at(3).Outcome)

	third := "third"
	require.Nil(t, a.ask(&protocol.Change{Caller: protocol.FromCaller(a.owner), Name: &third}).(*protocol.Done).Failure)
	later := at(3)
	require.Equal(t, protocol.Subscription_LIVE, later.Outcome)
	require.Len(t, later.Frames, 1)
}

// Readers of the owner's node do not watch it. When it ends, it notifies all of them, also those
// whose right is still being read.
func TestReaders_Dismiss(t *testing.T) { // G8
	t.Parallel()
	system := fakes.NewActorSystem()
	t.Cleanup(system.Shutdown)
	got := make(chan uint64, 10)
	reader := func() *protocol.Target {
		pid := system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
			if s, ok := ctx.Message().(*protocol.Subscription); ok && s.Outcome == protocol.Subscription_MOVED {
				got <- s.Ticket
			}
		}))
		return protocol.NewTarget("node", pid.Address, pid.Id)
	}
	admitted, asking, both := reader(), reader(), reader()
	system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
		if _, ok := ctx.Message().(*actor.Started); !ok {
			return
		}
		r := newReaders(system, "fanout", ctx.Self())
		subscribed(ctx, &r, admitted)
		r.ask(ctx, asking, 2)
		subscribed(ctx, &r, both)
		r.ask(ctx, both, 3)
		r.dismiss(ctx, uuid.New())
		if !r.empty() {
			got <- 0
		}
	}))
	require.ElementsMatch(t, []uint64{1, 2, 3}, []uint64{<-got, <-got, <-got})
}
