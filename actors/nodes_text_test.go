package actors

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

// What is sent to another node is encoded when its sender already does other work, so its
// memory must not be reused. Many conversations send small pieces at the same time to readers
// on the other node, and every frame must contain only text of its own conversation.
func TestNodes_TextStaysInItsConversation(t *testing.T) { // G16
	t.Parallel()
	const many, pieces = 12, 60
	n := newNodes(t)
	stamp := func(id uuid.UUID) string { return "«" + id.String()[24:] + "»" }
	// After every fourth piece an answer waits until the reader has all of its text so far,
	// so that publications stay small.
	ids := make([]uuid.UUID, many)
	sockets := make(map[uuid.UUID]*socket, many)
	for i := range ids {
		ids[i] = domain.NewID()
		n.store.AddConversation(ids[i], 1, 7)
		s, c := n.one.connect(n.one.owner, hello)
		sockets[ids[i]] = s
		c.Receive(fmt.Appendf(nil, `{"type":"subscribe","conversation":"%s"}`, ids[i]))
		s.waitType(t, protocol.FrameSubscribed)
	}
	n.two.runner.set(func(ctx context.Context, j *analyst.Job, s analyst.Sink) error {
		conversation := j.Turn.ConversationID
		id, err := s.Open(ctx, analyst.Draft{Role: domain.RoleAssistant})
		if err != nil {
			return err
		}
		said := 0
		for i := range pieces {
			if err := s.Progress(ctx, stamp(conversation)); err != nil {
				return err
			}
			text := fmt.Sprintf("%s%d ", stamp(conversation), i)
			said += len(text)
			if err := s.Delta(ctx, id, text); err != nil {
				return err
			}
			if i%4 == 0 {
				if err := sockets[conversation].waitText(ctx, id, said); err != nil {
					return err
				}
			}
		}
		return s.Close(ctx, id)
	})
	for _, id := range ids {
		_, err := n.one.system.Send(context.Background(), n.one.owner, domain.Prompt{Conversation: id, Message: domain.NewID(), Text: "go"})
		require.NoError(t, err)
	}
	for _, id := range ids {
		s := sockets[id]
		s.waitFor(t, "the end", func(f protocol.Frame) bool {
			return f.Type == "conversation.streaming-complete" && f.Stream == id.String()
		})
		s.mu.Lock()
		raw := s.raw
		s.mu.Unlock()
		for _, frame := range raw {
			require.True(t, json.Valid(frame), "%s", frame)
			for _, other := range ids {
				require.False(t, other != id && bytes.Contains(frame, []byte(stamp(other))), "a reader of %s got %s", id, frame)
			}
		}
		messages, err := n.store.Messages(context.Background(), id, 0)
		require.NoError(t, err)
		answer := messages[len(messages)-1]
		require.Equal(t, domain.RoleAssistant, answer.Role)
		text, ok := s.text(answer.ID)
		require.True(t, ok)
		require.Equal(t, answer.Text, text)
	}
}
