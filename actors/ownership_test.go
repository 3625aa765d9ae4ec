package actors

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/fakes"
)

// Two nodes that see different members for a moment may both activate a conversation. The one that has
// claimed it stays the owner, and its turn continues. Requests to the other one are sent to the owner.
func TestNodes_SecondActivation(t *testing.T) { // G7, G8
	t.Parallel()
	var kept atomic.Int32
	n := newNodes(t, func(c *Config) { c.Meter.Kept = func() { kept.Add(1) } })
	gate := n.one.runner.gate()
	n.one.runner.set(func(ctx context.Context, _ *analyst.Job, s analyst.Sink) error {
		id, err := s.Open(ctx, analyst.Draft{Role: domain.RoleAssistant})
		if err == nil {
			err = s.Delta(ctx, id, "one ")
		}
		if err == nil {
			err = pass(ctx, gate)
		}
		if err == nil {
			err = s.Delta(ctx, id, "answer")
		}
		if err == nil {
			err = s.Close(ctx, id)
		}
		return err
	})
	n.owns(t, n.one)
	sent, err := n.one.system.Send(t.Context(), n.one.owner, n.one.prompt("which one?"))
	require.NoError(t, err)

	require.NotNil(t, n.two.system.spawn(kindConversation, n.one.id.String()))
	require.Eventually(t, func() bool { return kept.Load() == 1 }, patience, time.Millisecond)
	name := "asked of the second"
	require.NoError(t, n.two.system.Change(t.Context(), n.one.owner, n.one.id, domain.ConversationUpdate{Name: &name}))
	close(gate)
	n.one.turnStatus(sent.TurnID, domain.TurnComplete)
	require.Equal(t, "one answer", n.one.answer().Text)
	n.store.Look(n.one.id, func(c *fakes.Conversation) {
		require.Equal(t, int64(1), c.Epoch)
		require.Equal(t, name, c.Name)
	})
	require.Empty(t, n.store.Violations())
}

// Two nodes that do not reach each other may both claim a conversation. The
// readers of the node that lost it follow the other one, although nothing is written.
func TestNodes_TwoOwners(t *testing.T) { // G8, G9
	t.Parallel()
	n := newNodes(t)
	n.owns(t, n.one)
	s, c := n.one.connect(n.one.owner, hello)
	c.Receive(n.one.subscribeFrame(""))
	s.waitType(t, protocol.FrameSubscribed)

	n.deaf.Store(true)
	n.owns(t, n.two)
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
	_, err := n.one.store.Claim(t.Context(), n.one.id, uuid.New(), n.one.system.node, nil)
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
	n.deaf.Store(true)
	require.NotNil(t, n.two.system.spawn(kindConversation, n.one.id.String()))
	got := <-answers
	require.NoError(t, got.err)
	n.one.turnStatus(got.sent.TurnID, domain.TurnComplete)
	n.one.journal.Go()
	require.Empty(t, n.store.Violations())
}
