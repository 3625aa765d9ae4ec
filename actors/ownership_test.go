package actors

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
)

// Two nodes that see different members for a moment may both claim a conversation. The
// readers of the one that lost it follow the other one, although nothing is written.
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
