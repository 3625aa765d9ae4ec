package fakes

import (
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"
)

// hearing is how long Next waits for what a test expects.
const hearing = time.Minute

// Hears spawns an actor that hands what is wanted of what it gets to a test.
func Hears(system *actor.ActorSystem, wanted func(any) bool) (*actor.PID, <-chan any) {
	messages := make(chan any, 100)
	pid := system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
		if m := ctx.Message(); wanted(m) {
			messages <- m
		}
	}))
	return pid, messages
}

// Next is the next message that an actor of Hears got. It fails the test where it is of
// another type, or none comes.
func Next[T any](t *testing.T, from <-chan any) T {
	t.Helper()
	select {
	case m := <-from:
		got, ok := m.(T)
		require.True(t, ok, "%T", m)
		return got
	case <-time.After(hearing):
		var none T
		require.Fail(t, "nothing came", "%T", none)
		return none
	}
}
