package ledger

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// The stored credits of a conversation and the credits that its end reports are the same
// number.
func TestState_Credits(t *testing.T) {
	t.Parallel()
	c := newAnswering(t, "secret")
	stored := 0.0
	for number, credits := range []float64{0.1, 0.2000004, 0.0000003} {
		out := c.step(Piece{Turn: c.turn.ID, Attempt: c.turn.Attempt, Piece: &protocol.TurnPiece{
			Kind: protocol.PieceStep, Step: &domain.Step{Number: number + 1, Kind: domain.StepModel, Status: domain.StepFinished},
			Usage: &domain.Usage{Credits: credits},
		}})
		submit, ok := out[0].(Submit)
		require.True(t, ok)
		stored = domain.SumCredits(stored, submit.Write.Usage[0].Credits)
		c.step(Committed{})
	}
	shown := c.say(protocol.TurnPiece{Kind: protocol.PieceEnd, Status: domain.TurnComplete})
	var told protocol.StreamingComplete
	for _, p := range shown {
		for i := range p.Entries {
			if e := p.Entries[i].Event; e != nil && e.Type == domain.EventStreamingComplete {
				require.NoError(t, json.Unmarshal(e.Data, &told))
			}
		}
	}
	//nolint:testifylint // exactly this number is required
	require.Equal(t, 0.3, told.Credits)
	//nolint:testifylint // as above
	require.Equal(t, stored, told.Credits)
}
