package conversation

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/internal/budget"
)

// An owner releases the memory that it held, however it ends.
func TestActor_ReleasesItsMemory(t *testing.T) { // G17
	t.Parallel()
	for name, end := range map[string]func(*alone){
		"Deleted": func(a *alone) { a.ask(&protocol.Delete{Caller: protocol.FromCaller(a.owner)}) },
		"Handed":  func(a *alone) { a.system.Root.Send(a.pid, &protocol.HandOver{}) },
		"Fenced":  func(a *alone) { a.system.Root.Send(a.pid, &protocol.Superseded{Epoch: 9}) },
		"Stopped": func(a *alone) { a.system.Root.Stop(a.pid) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			room := budget.New(1 << 20)
			a := newAlone(t, func(c *Config) { c.Limits.Recent = room })
			text := "renamed"
			require.Nil(t, a.ask(&protocol.Change{Caller: protocol.FromCaller(a.owner), Name: &text}).(*protocol.Done).Failure)
			require.Positive(t, room.Used())
			end(a)
			a.wait(a.left)
			require.Zero(t, room.Used())
		})
	}
}
