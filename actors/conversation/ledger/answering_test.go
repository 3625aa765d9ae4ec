package ledger

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// answering is a conversation with a running turn, one message of which is open.
type answering struct {
	state   *State
	turn    domain.Turn
	message uuid.UUID
	// secret is part of everything that it writes.
	secret string
	now    time.Time
}

func newAnswering(t *testing.T, secret string) *answering {
	t.Helper()
	c := &answering{
		state: NewState(&domain.Claim{Conversation: domain.NewID(), OrganisationID: 1, OwnerID: 7, NextSeq: 2}, Limits{TurnText: 1 << 20}),
		now:   time.Unix(1_700_000_000, 0), message: domain.NewID(), secret: secret,
	}
	c.step(Send{
		Caller: domain.Caller{UserID: 7, OrganisationID: 1}, Prompt: domain.Prompt{Message: domain.NewID(), Text: secret},
		Analyst: domain.Analyst{ID: 2},
	})
	for _, o := range c.step(Committed{}) {
		if start, ok := o.(StartTurn); ok {
			c.turn = start.Start.Turn
		}
	}
	require.NotZero(t, c.turn.ID)
	c.say(protocol.TurnPiece{Kind: protocol.PieceOpen, Message: c.message, Role: domain.RoleAssistant})
	return c
}

func (c *answering) step(in Input) []Output {
	out := c.state.Apply(in, c.now)
	kept := append([]Output(nil), out...)
	c.state.Reuse(out)
	return kept
}

// say applies a piece of the turn, commits it, and returns what readers are shown.
func (c *answering) say(p protocol.TurnPiece) (shown []*protocol.Publication) {
	outputs := c.step(Piece{Turn: c.turn.ID, Attempt: c.turn.Attempt, Piece: &p})
	if c.state.Busy() {
		outputs = append(outputs, c.step(Committed{})...)
	}
	for _, o := range outputs {
		if p, ok := o.(Publish); ok {
			shown = append(shown, p.Publication)
		}
	}
	return shown
}
