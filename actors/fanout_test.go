package actors

import (
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
)

// told is an actor that hands what it gets to a test.
func told(system *actor.ActorSystem) (*actor.PID, <-chan any) {
	messages := make(chan any, 100)
	pid := system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
		switch m := ctx.Message().(type) {
		case *protocol.Check, *protocol.Standing, *protocol.Subscription:
			messages <- m
		}
	}))
	return pid, messages
}

func next[T any](t *testing.T, from <-chan any) T {
	t.Helper()
	select {
	case m := <-from:
		got, ok := m.(T)
		require.True(t, ok, "%T", m)
		return got
	case <-time.After(patience):
		var none T
		require.Fail(t, "nothing came", "%T", none)
		return none
	}
}

// Frames between nodes may get lost. Every two seconds the owners are asked where
// they stand, so that a reader notices, and one that says nothing is looked for.
func TestFanout(t *testing.T) { // G8, G9
	t.Parallel()
	system := fakes.NewActorSystem()
	t.Cleanup(system.Shutdown)
	owner, asked := told(system)
	reader, heard := told(system)
	time0 := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	ticks := clock.NewFake(time0)
	pid := system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &fanout{node: "here", clock: ticks} }))
	id := domain.NewID()
	system.Root.Send(pid, &protocol.Forward{Id: reader.Id, Subscription: &protocol.Subscription{
		Conversation: id[:], Outcome: protocol.Subscription_LIVE, OwnerAddress: owner.Address, OwnerId: owner.Id,
	}})
	next[*protocol.Subscription](t, heard)

	ticks.Advance(checkEvery)
	require.Equal(t, "here", next[*protocol.Check](t, asked).Target.Node)
	// The answer goes to the readers, which compare it with their own place.
	system.Root.Send(pid, &protocol.Standing{Conversation: id[:], Epoch: 3, Head: 7})
	require.Equal(t, int64(7), next[*protocol.Standing](t, heard).Head)

	// What is to come behind all that goes through here does.
	system.Root.Send(pid, &protocol.Standing{Conversation: id[:], Epoch: 3, Head: 8})
	system.Root.Send(pid, &protocol.Behind{To: reader, Message: &protocol.Check{}})
	require.Equal(t, int64(8), next[*protocol.Standing](t, heard).Head)
	next[*protocol.Check](t, heard)

	for {
		ticks.Advance(checkEvery)
		if ticks.Now().Sub(time0) > 2*silentFor {
			break
		}
		// Each look has ended when it has armed the next one.
		require.Eventually(t, func() bool { return ticks.Waiting() == 1 }, patience, time.Millisecond)
	}
	require.Zero(t, next[*protocol.Standing](t, heard).Epoch, "the readers look for the owner anew")
}
