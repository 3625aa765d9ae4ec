package connection

import (
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/node"
)

// What an owner on another node published before its end arrives through the fan-out, and the
// news of its end overtakes it. If the connection handled the end at once, the last frames
// would be dropped.
func TestActor_EndOfAnOwnerOnAnotherNode(t *testing.T) { // G8
	t.Parallel()
	sent := make(chan any, 1)
	system, pid := spawn(t, &Shared{Fanout: func(m any) { sent <- m }}, nil)
	owner := actor.NewPID("elsewhere:1", "conversation/x")
	system.Root.Send(pid, &actor.Terminated{Who: owner})
	select {
	case m := <-sent:
		behind, ok := m.(*node.Behind)
		require.True(t, ok, "%T", m)
		require.True(t, pid.Equal(behind.To))
		require.Equal(t, &ownerGone{pid: owner}, behind.Message)
	case <-time.After(time.Minute):
		require.Fail(t, "the fan-out is not asked")
	}
}
