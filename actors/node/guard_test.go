package node_test

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/node"
	"parley.dev/parley/actors/node/fanout"
	"parley.dev/parley/actors/node/roster"
	"parley.dev/parley/actors/node/wheel"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
)

const patience = time.Minute

// errorCount counts the errors that are logged.
type errorCount struct {
	slog.Handler
	n atomic.Int32
}

func (*errorCount) Enabled(context.Context, slog.Level) bool { return true }

func (c *errorCount) Handle(_ context.Context, r slog.Record) error {
	if r.Level >= slog.LevelError {
		c.n.Add(1)
	}
	return nil
}

// hears starts an actor that passes messages of one type to a test.
func hears[T any](system *actor.ActorSystem) (*actor.PID, <-chan T) {
	messages := make(chan T, 100)
	return system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
		if m, ok := ctx.Message().(T); ok {
			messages <- m
		}
	})), messages
}

// An actor of the node keeps its state when a handler panics: the actors that depend on it do
// not notice the panic.
func TestGuarded(t *testing.T) { // G18
	t.Parallel()
	type bundle struct {
		system *actor.ActorSystem
		clock  *clock.Fake
		log    *errorCount
		pid    *actor.PID
	}
	setup := func(t *testing.T, produce func(clock.Clock) actor.Actor) *bundle {
		t.Helper()
		b := &bundle{
			system: fakes.NewActorSystem(), clock: clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)),
			log: &errorCount{Handler: slog.DiscardHandler},
		}
		t.Cleanup(b.system.Shutdown)
		b.pid = b.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor {
			return &node.Guarded{Actor: produce(b.clock), Name: "tried", Log: slog.New(b.log)}
		}))
		return b
	}
	panicked := func(t *testing.T, b *bundle) {
		t.Helper()
		require.Eventually(t, func() bool { return b.log.n.Load() == 1 }, patience, time.Millisecond)
	}

	t.Run("Wheel", func(t *testing.T) {
		t.Parallel()
		b := setup(t, func(c clock.Clock) actor.Actor { return wheel.New(c) })
		ticks := make(chan struct{}, 10)
		armed := b.system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
			if _, ok := ctx.Message().(*protocol.Tick); ok {
				ticks <- struct{}{}
			}
		}))
		b.system.Root.Send(b.pid, &wheel.Arm{PID: nil, After: time.Second})
		b.system.Root.Send(b.pid, &wheel.Arm{PID: armed, After: time.Second})
		b.system.Root.Send(b.pid, &wheel.Arm{PID: armed, After: 3 * time.Second})
		_, err := b.system.Root.RequestFuture(b.pid, &actor.Touch{}, patience).Result()
		require.NoError(t, err)
		b.clock.Advance(time.Second)
		panicked(t, b)
		require.Eventually(t, func() bool { b.clock.Advance(time.Millisecond); return len(ticks) == 1 }, patience, time.Millisecond)
		require.Eventually(t, func() bool { b.clock.Advance(time.Second); return len(ticks) == 2 }, patience, time.Millisecond)
	})
	t.Run("Roster", func(t *testing.T) {
		t.Parallel()
		b := setup(t, func(c clock.Clock) actor.Actor { return roster.New(c, func(string, int) {}) })
		asked := make(chan struct{}, 1)
		owner := b.system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
			if _, ok := ctx.Message().(*protocol.HandOver); ok {
				asked <- struct{}{}
			}
		}))
		b.system.Root.Send(b.pid, &roster.Lives{Kind: roster.Conversation, PID: owner})
		b.system.Root.Send(b.pid, &roster.Lives{Kind: roster.Conversation, PID: nil})
		b.system.Root.Send(b.pid, &roster.HandOverAll{Kind: roster.Conversation, Empty: async.NewPromise()})
		<-asked
		panicked(t, b)
	})
	t.Run("Fanout", func(t *testing.T) {
		t.Parallel()
		b := setup(t, func(c clock.Clock) actor.Actor { return fanout.New("here", c, func(int, time.Duration) {}) })
		owner, asked := hears[*protocol.Check](b.system)
		reader, heard := hears[*protocol.Position](b.system)
		id := domain.NewID()
		b.system.Root.Send(b.pid, &protocol.Forward{Id: reader.Id, Subscription: &protocol.Subscription{
			Conversation: id[:], OwnerAddress: owner.Address, OwnerId: owner.Id,
		}})
		b.system.Root.Send(b.pid, &protocol.Forward{Id: reader.Id}) // from a node with another version of the messages
		b.system.Root.Send(b.pid, &node.Behind{})
		panicked(t, b)
		b.clock.Advance(fanout.CheckEvery)
		<-asked
		b.system.Root.Send(b.pid, &protocol.Position{Conversation: id[:], Epoch: 3, Head: 7})
		require.Equal(t, int64(7), (<-heard).Head)
	})
	t.Run("Poller", func(t *testing.T) {
		t.Parallel()
		looks := make(chan struct{}, 10)
		b := setup(t, func(c clock.Clock) actor.Actor {
			return &panics{Poller: node.Poller{Clock: c, Every: time.Second}, looks: looks}
		})
		b.system.Root.Send(b.pid, &node.LookAgain{})
		for range 3 {
			<-looks
			require.Eventually(t, func() bool { return b.clock.Waiting() == 1 }, patience, time.Millisecond)
			b.clock.Advance(time.Second)
		}
	})
}

// panics is a poller that panics at each check.
type panics struct {
	node.Poller
	looks chan struct{}
}

func (p *panics) Receive(ctx actor.Context) {
	p.Poller.Receive(ctx, func(actor.Context) {
		p.looks <- struct{}{}
		panic("as always")
	})
}
