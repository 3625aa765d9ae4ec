package conversation

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/internal/clock"
)

// An owner yields if it has rested, and not while its turn runs or somebody has just asked it something.
func TestActor_Yield(t *testing.T) { // G8, G19
	t.Parallel()
	now := clock.NewFake(time.Unix(1_700_000_000, 0))
	yielded := make(chan uuid.UUID, 1)
	a := newAlone(t, func(c *Config) {
		c.Clock, c.Rest, c.Yielded = now, 10*time.Second, func(id uuid.UUID) { yielded <- id }
	})
	a.store.SetAlive("node", true)
	stays := func(why string) {
		t.Helper()
		a.system.Root.Send(a.pid, &protocol.Yield{})
		a.in(func() { require.Equal(t, active, a.actor.phase, why) })
		require.Empty(t, yielded)
	}
	require.NoError(t, a.ask(a.prompt("why?")).(*protocol.SendAnswer).Failure.Err())
	<-a.turns
	now.Advance(time.Minute / 2)
	stays("its turn runs")
	home, err := a.store.Home(t.Context(), a.id)
	require.NoError(t, err)
	require.Equal(t, "node", home)

	require.NoError(t, a.ask(&protocol.StopTurn{Caller: protocol.FromCaller(a.owner)}).(*protocol.StopAnswer).Failure.Err())
	now.Advance(10*time.Second - 1)
	stays("it was asked something a moment ago")
	now.Advance(1)
	// What it does outside of itself after the stop may not have ended yet; the node asks again, too.
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for left := false; !left; {
		a.system.Root.Send(a.pid, &protocol.Yield{})
		select {
		case <-a.left:
			left = true
		case <-again.C:
		case <-t.Context().Done():
			require.Fail(t, "it does not yield")
		}
	}
	require.Equal(t, a.id, <-yielded)
	home, err = a.store.Home(t.Context(), a.id)
	require.NoError(t, err)
	require.Empty(t, home, "anybody may claim it")
	require.Empty(t, a.store.Violations())
}
