package ledger

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

func TestState_annotate(t *testing.T) {
	t.Parallel()
	known := domain.Annotation{
		Part: domain.PartAnswer, FollowUps: []string{"And by month?"},
		Figures: []domain.Figure{{End: 2, Object: uuid.New(), Row: 1}},
	}

	t.Run("IsShownOnceItIsDurable", func(t *testing.T) {
		t.Parallel()
		c := newAnswering(t, "secret")
		out := c.step(Piece{Turn: c.turn.ID, Attempt: c.turn.Attempt, Piece: &protocol.TurnPiece{
			Kind:    protocol.PieceAnnotate,
			Message: c.message, Annotation: known,
		}})
		var written []domain.MessageAnnotation
		for _, o := range out {
			_, shown := o.(Publish)
			require.False(t, shown)
			if w, ok := o.(Submit); ok {
				written = append(written, w.Write.Annotations...)
			}
		}
		require.Equal(t, []domain.MessageAnnotation{{Message: c.message, Annotation: known}}, written)
		var told protocol.MessageAnnotated
		for _, o := range c.step(Committed{}) {
			if p, ok := o.(Publish); ok {
				event := p.Publication.Entries[0].Event
				require.Equal(t, domain.EventMessageUpdated, event.Type)
				require.NoError(t, json.Unmarshal(event.Data, &told))
			}
		}
		require.Equal(t, protocol.MessageAnnotated{ID: c.message, Annotation: protocol.AnnotationData(&known)}, told)
	})
	t.Run("OfAClosedMessageToo", func(t *testing.T) {
		t.Parallel()
		c := newAnswering(t, "secret")
		c.say(protocol.TurnPiece{Kind: protocol.PieceClose, Message: c.message})
		require.NotEmpty(t, c.say(protocol.TurnPiece{Kind: protocol.PieceAnnotate, Message: c.message, Annotation: known}))
	})
	t.Run("NothingOfAMessageThatIsNone", func(t *testing.T) {
		t.Parallel()
		c := newAnswering(t, "secret")
		require.Empty(t, c.say(protocol.TurnPiece{Kind: protocol.PieceAnnotate, Message: uuid.New(), Annotation: known}))
	})
	t.Run("AnOpenedMessageHasItsOwn", func(t *testing.T) {
		t.Parallel()
		c := newAnswering(t, "secret")
		shown := c.say(protocol.TurnPiece{
			Kind: protocol.PieceOpen, Message: uuid.New(), Role: domain.RoleAssistant,
			Annotation: domain.Annotation{PlanStep: 2},
		})
		var told protocol.Message
		require.NoError(t, json.Unmarshal(shown[0].Entries[0].Event.Data, &told))
		require.Equal(t, 2, told.Annotation.PlanStep)
	})
	t.Run("InternalOneIsNotReported", func(t *testing.T) {
		t.Parallel()
		c := newAnswering(t, "secret")
		shown := c.say(protocol.TurnPiece{
			Kind: protocol.PieceOpen, Message: uuid.New(), Role: domain.RoleInternal, Whole: true, Text: "x",
			Annotation: domain.Annotation{FollowUps: []string{"y"}},
		})
		require.NotContains(t, string(shown[0].Entries[0].Event.Data), "followUps")
	})
}
