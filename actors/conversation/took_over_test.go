package conversation

import (
	"sync/atomic"
	"testing"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/internal/fakes"
)

// An owner counts that it has taken over a running turn when its claim has succeeded, and only if the owner before was
// lost: a conversation without a running turn, and one of a node that lives and does not answer, are counted elsewhere.
func TestActor_TookOver(t *testing.T) { // F01, F13
	t.Parallel()
	for name, c := range map[string]struct {
		runs, lives bool
		counted     int32
	}{
		"ARunningTurnOfALostNode":    {runs: true, counted: 1},
		"ARunningTurnOfASilentNode":  {runs: true, lives: true},
		"AConversationWithoutATurn":  {},
		"AConversationOfASilentNode": {lives: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAlone(t)
			text := "renamed"
			change := &protocol.Change{Caller: protocol.FromCaller(a.owner), Name: &text}
			require.Nil(t, a.ask(change).(*protocol.Done).Failure)
			if c.runs {
				require.Nil(t, a.ask(a.prompt("why?")).(*protocol.SendAnswer).Failure)
				<-a.turns
			}
			a.store.SetAlive("node", c.lives)

			// Another node claims it.
			var took atomic.Int32
			other := a.config()
			other.Node, other.Silent = "other", func() []string { return []string{"node"} }
			other.TookOver = func() { took.Add(1) }
			system := fakes.NewActorSystem()
			t.Cleanup(system.Shutdown)
			pid, err := system.Root.SpawnNamed(actor.PropsFromProducer(Producer(other)), "conversation/"+a.id.String())
			require.NoError(t, err)
			answer, err := system.Root.RequestFuture(pid, change, patience).Result()
			require.NoError(t, err)
			require.Nil(t, answer.(*protocol.Done).Failure)
			require.Equal(t, c.counted, took.Load())
		})
	}
}
