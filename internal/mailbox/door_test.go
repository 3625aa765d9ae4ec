package mailbox

import (
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/fakes"
)

func TestDoor(t *testing.T) {
	t.Parallel()
	system := fakes.NewActorSystem()
	t.Cleanup(system.Shutdown)
	got, lost := make(chan any, 10), make(chan any, 10)
	system.EventStream.Subscribe(func(e any) {
		if d, ok := e.(*actor.DeadLetterEvent); ok {
			lost <- d.Message
		}
	})
	pid := system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
		if s, ok := ctx.Message().(string); ok {
			got <- s
		}
	}, actor.WithMailbox(Bounded(10, nil))))
	next := func(c chan any) any {
		select {
		case m := <-c:
			return m
		case <-time.After(time.Minute):
			require.Fail(t, "no message was received")
			return nil
		}
	}
	door := DoorTo(system, pid)
	door.Send("one")
	door.Send(&actor.MessageEnvelope{Message: "two"})
	require.Equal(t, "one", next(got))
	require.Equal(t, "two", next(got))

	DoorTo(system, actor.NewPID(system.Address(), "nobody")).Send("three")
	require.Equal(t, "three", next(lost))

	require.NoError(t, system.Root.StopFuture(pid).Wait())
	door.Send("four") // lost without any other effect
	require.Empty(t, got)
}
