package actors

import (
	"log/slog"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
)

// What an actor of the node knows outlives the panic of a handler: nothing that stands
// on it notices.
func TestGuarded(t *testing.T) { // G18
	t.Parallel()
	type bundle struct {
		system *actor.ActorSystem
		clock  *clock.Fake
		log    *levels
		pid    *actor.PID
	}
	setup := func(t *testing.T, produce func(clock.Clock) actor.Actor) *bundle {
		t.Helper()
		b := &bundle{system: fakes.NewActorSystem(), clock: clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)), log: &levels{}}
		t.Cleanup(b.system.Shutdown)
		b.pid = b.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor {
			return &guarded{Actor: produce(b.clock), name: "tried", log: slog.New(b.log)}
		}))
		return b
	}
	panicked := func(t *testing.T, b *bundle) {
		t.Helper()
		require.Eventually(t, func() bool { return b.log.count("ERROR a handler of the node panicked") == 1 }, patience, time.Millisecond)
	}

	t.Run("Wheel", func(t *testing.T) {
		t.Parallel()
		b := setup(t, func(c clock.Clock) actor.Actor { return &wheel{clock: c} })
		ticks := make(chan struct{}, 10)
		armed := b.system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
			if _, ok := ctx.Message().(*protocol.Tick); ok {
				ticks <- struct{}{}
			}
		}))
		b.system.Root.Send(b.pid, &arm{pid: nil, after: time.Second})
		b.system.Root.Send(b.pid, &arm{pid: armed, after: time.Second})
		b.system.Root.Send(b.pid, &arm{pid: armed, after: 3 * time.Second})
		_, err := b.system.Root.RequestFuture(b.pid, &actor.Touch{}, patience).Result()
		require.NoError(t, err)
		b.clock.Advance(time.Second)
		panicked(t, b)
		require.Eventually(t, func() bool { b.clock.Advance(time.Millisecond); return len(ticks) == 1 }, patience, time.Millisecond)
		require.Eventually(t, func() bool { b.clock.Advance(time.Second); return len(ticks) == 2 }, patience, time.Millisecond)
	})
	t.Run("Roster", func(t *testing.T) {
		t.Parallel()
		b := setup(t, func(c clock.Clock) actor.Actor { return &roster{clock: c, count: func(string, int) {}} })
		asked := make(chan struct{}, 1)
		owner := b.system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
			if _, ok := ctx.Message().(*protocol.HandOver); ok {
				asked <- struct{}{}
			}
		}))
		b.system.Root.Send(b.pid, &lives{kind: residentConversation, pid: owner})
		b.system.Root.Send(b.pid, &lives{kind: residentConversation, pid: nil})
		b.system.Root.Send(b.pid, &handOverAll{kind: residentConversation, empty: async.NewPromise()})
		<-asked
		panicked(t, b)
	})
	t.Run("Fanout", func(t *testing.T) {
		t.Parallel()
		b := setup(t, func(c clock.Clock) actor.Actor { return &fanout{node: "here", clock: c} })
		owner, asked := told(b.system)
		reader, heard := told(b.system)
		id := domain.NewID()
		b.system.Root.Send(b.pid, &protocol.Forward{Id: reader.Id, Subscription: &protocol.Subscription{
			Conversation: id[:], OwnerAddress: owner.Address, OwnerId: owner.Id,
		}})
		next[*protocol.Subscription](t, heard)
		b.system.Root.Send(b.pid, &protocol.Forward{Id: reader.Id}) // from a node with other words
		b.system.Root.Send(b.pid, &protocol.Behind{})
		panicked(t, b)
		b.clock.Advance(checkEvery)
		next[*protocol.Check](t, asked)
		b.system.Root.Send(b.pid, &protocol.Standing{Conversation: id[:], Epoch: 3, Head: 7})
		require.Equal(t, int64(7), next[*protocol.Standing](t, heard).Head)
	})
	t.Run("Lookout", func(t *testing.T) {
		t.Parallel()
		looks := make(chan struct{}, 10)
		b := setup(t, func(c clock.Clock) actor.Actor {
			return &panics{lookout: lookout{clock: c, every: time.Second}, looks: looks}
		})
		b.system.Root.Send(b.pid, &lookAgain{})
		for range 3 {
			<-looks
			require.Eventually(t, func() bool { return b.clock.Waiting() == 1 }, patience, time.Millisecond)
			b.clock.Advance(time.Second)
		}
	})
}

// panics looks, and panics each time.
type panics struct {
	lookout
	looks chan struct{}
}

func (p *panics) Receive(ctx actor.Context) {
	p.receive(ctx, func(actor.Context) {
		p.looks <- struct{}{}
		panic("as always")
	})
}
