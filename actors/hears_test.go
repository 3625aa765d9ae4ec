package actors

import (
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"
)

// hears is an actor that hands some of what it gets to a test.
func hears(system *actor.ActorSystem, wanted func(any) bool) (*actor.PID, <-chan any) {
	messages := make(chan any, 100)
	pid := system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
		if m := ctx.Message(); wanted(m) {
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
