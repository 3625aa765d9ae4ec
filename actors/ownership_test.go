package actors

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// Two nodes that see different members for a moment may both claim a conversation. The
// readers of the node that lost it follow the other one, although nothing is written.
func TestNodes_TwoOwners(t *testing.T) { // G8, G9
	t.Parallel()
	n := newNodes(t)
	owns := func(node *bundle) {
		t.Helper()
		require.NotNil(t, node.system.spawn(kindConversation, n.one.id.String()))
		require.Eventually(t, func() bool {
			home, err := n.store.Home(context.Background(), n.one.id)
			return err == nil && home == node.system.node
		}, patience, time.Millisecond)
	}
	owns(n.one)
	s, c := n.one.connect(n.one.owner, hello)
	c.Receive(n.one.subscribeFrame(""))
	s.waitType(t, protocol.FrameSubscribed)

	owns(n.two)
	_, err := n.two.system.Send(context.Background(), n.one.owner, n.one.prompt("who is it?"))
	require.NoError(t, err)
	s.waitFor(t, "the end", func(f protocol.Frame) bool {
		return f.Type == "conversation.streaming-complete" && f.Stream == n.one.id.String()
	})
	require.Empty(t, n.store.Violations())
}

// A request that waits for an owner that was superseded is refused at once, and the next
// owner is asked; a request that waits for its journal would otherwise wait until its deadline.
func TestNodes_SupersededAnswersWaitingRequests(t *testing.T) { // G4, G10
	t.Parallel()
	n := newNodes(t)
	n.one.system.step = time.Hour
	_, err := n.one.store.Claim(t.Context(), n.one.id, uuid.New(), n.one.system.node)
	require.NoError(t, err)
	n.one.journal.Hold()
	type answer struct {
		sent *domain.SendResult
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		sent, err := n.one.system.Send(context.Background(), n.one.owner, n.one.prompt("why?"))
		answers <- answer{sent, err}
	}()
	require.Eventually(t, func() bool { return n.one.journal.Waiting() > 0 }, patience, time.Millisecond)
	require.NotNil(t, n.two.system.spawn(kindConversation, n.one.id.String()))
	got := <-answers
	require.NoError(t, got.err)
	n.one.turnStatus(got.sent.TurnID, domain.TurnComplete)
	n.one.journal.Go()
	require.Empty(t, n.store.Violations())
}
