package actors

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/fakes"
)

// If the answer to a commit gets lost, the user events in it are lost as well. The sessions
// are still notified at once, and do not find the events only a minute later.
func TestSystem_LostAnswerIsReported(t *testing.T) { // G9
	t.Parallel()
	for name, c := range map[string]struct {
		lost func(*domain.Write) bool
		do   func(b *bundle) error
		want domain.EventType
	}{
		"Change": {
			func(w *domain.Write) bool { return w.Update != nil },
			func(b *bundle) error {
				return b.system.Change(b.t.Context(), b.owner, b.id, domain.ConversationUpdate{Name: ptr("New")})
			},
			domain.EventConversationUpdated,
		},
		"Delete": {
			func(w *domain.Write) bool { return w.Delete },
			func(b *bundle) error { return b.system.Delete(b.t.Context(), b.owner, b.id) },
			domain.EventConversationDeleted,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s, _ := b.connect(b.owner, hello)
			s.waitType(t, protocol.FrameSessionReady)
			lost := false
			b.journal.OnFault(func(w *domain.Write) fakes.Fault {
				if lost || !c.lost(w) {
					return fakes.Fault{}
				}
				lost = true
				return fakes.Fault{After: errors.New("the answer got lost")}
			})
			require.NoError(t, c.do(b))
			s.waitFor(t, "the events of the lists", func(f protocol.Frame) bool {
				return f.Stream == protocol.UserStream && f.Type == string(c.want)
			})
		})
	}
}

// A claim of this node that seemed to fail is committed later and fences the owner on the
// same node. The row then names an owner that does not exist, on a node that is alive. The
// node takes up the turn again without a request.
func TestRecovery_FencedByOwnClaim(t *testing.T) { // G6, G7
	t.Parallel()
	b := setup(t, func(c *Config) { c.Limits.Sweep = 5 * time.Millisecond })
	gate := b.runner.gate()
	begun := make(chan struct{}, 2)
	b.runner.set(func(ctx context.Context, _ *analyst.Job, s analyst.Sink) error {
		begun <- struct{}{}
		if err := pass(ctx, gate); err != nil {
			return err
		}
		return s.StepFinished(ctx, domain.Step{Number: 1, Kind: domain.StepTool, Name: "late"}, nil)
	})
	sent := b.send("why?")
	<-begun
	_, err := b.store.Claim(t.Context(), b.id, uuid.New(), "node-1", nil)
	require.NoError(t, err)
	b.runner.set(nil)
	close(gate)
	b.turnStatus(sent.TurnID, domain.TurnComplete)
}
