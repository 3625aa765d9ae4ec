package actors

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/fakes"
)

// A stop on a node that cannot reach the owner's node ends the turn through the flag.
func TestSystem_StopApart(t *testing.T) { // G10
	t.Parallel()
	var hints fakes.Board
	n := newNodes(t, func(c *Config) { c.Hints = &hints })
	n.store.Grant(n.one.id, n.one.reader.UserID, domain.PermissionRead)
	speaks := make(chan struct{})
	n.two.runner.set(func(ctx context.Context, _ *analyst.Job, s analyst.Sink) error {
		id, err := s.Open(ctx, analyst.Draft{Role: domain.RoleAssistant})
		if err != nil {
			return err
		}
		if err := s.Delta(ctx, id, "before"); err != nil {
			return err
		}
		close(speaks)
		<-ctx.Done()
		return ctx.Err()
	})
	p := n.one.prompt("why?")
	sent, err := n.one.system.Send(context.Background(), n.one.owner, p)
	require.NoError(t, err)
	<-speaks
	n.apart.Store(true)
	n.network.Apart("node-1", "node-2")

	// Flags for another turn, incomplete flags, and flags of people who may not write stop
	// nothing.
	other := uuid.New()
	hints.Send(hintStop, "", append(n.one.id[:], other[:]...))
	hints.Send(hintStop, "", n.one.id[:])
	none, err := n.one.system.stopApart(context.Background(), n.one.reader, n.one.id)
	require.NoError(t, err)
	require.Nil(t, none)
	running, _, err := n.store.Underway(context.Background(), n.one.id)
	require.NoError(t, err)
	require.Equal(t, sent.TurnID, running)

	for range 2 { // as if the answer to the first one was lost
		result, err := n.one.system.Stop(context.Background(), n.one.owner, n.one.id)
		require.NoError(t, err)
		require.True(t, result.Stopped)
		require.Equal(t, domain.TurnStopped, result.End)
		require.Equal(t, p.Message, result.LastMessage.ID)
		n.one.turnStatus(sent.TurnID, domain.TurnStopped)
	}
	home, err := n.store.Home(context.Background(), n.one.id)
	require.NoError(t, err)
	require.Equal(t, "node-2", home, "no node had to take over")
	require.Empty(t, n.store.Violations())
}
