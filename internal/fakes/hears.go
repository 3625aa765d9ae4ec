package fakes

import (
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"
)

// patience is how long Next waits for a message.
const patience = time.Minute

// Hears spawns an actor that sends the messages it receives to a channel, if wanted returns
// true for them.
func Hears(system *actor.ActorSystem, wanted func(any) bool) (*actor.PID, <-chan any) {
	messages := make(chan any, 100)
	pid := system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
		if m := ctx.Message(); wanted(m) {
			messages <- m
		}
	}))
	return pid, messages
}

// Next returns the next message from the channel of Hears. It fails the test if the message
// has another type, or if no message is received.
func Next[T any](t *testing.T, from <-chan any) T {
	t.Helper()
	select {
	case m := <-from:
		got, ok := m.(T)
		require.True(t, ok, "%T", m)
		return got
	case <-time.After(patience):
		var none T
		require.Fail(t, "no message was received", "%T", none)
		return none
	}
}
