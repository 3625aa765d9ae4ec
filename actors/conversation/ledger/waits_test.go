package ledger

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// While the journal is stuck, the number of waiting requests is limited. A stop is still
// accepted.
func TestState_Waits(t *testing.T) { // G17
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	s := NewState(&domain.Claim{Conversation: domain.NewID(), OrganisationID: 1, OwnerID: 7, NextSeq: 2}, Limits{TurnText: 1000})
	sent := Send{To: "send", Caller: domain.Caller{UserID: 7}, Prompt: domain.Prompt{Message: domain.NewID(), Text: "why?"}}
	require.IsType(t, Submit{}, s.Apply(sent, now)[0])
	change := func() Change {
		name := "x"
		return Change{To: "change", Update: domain.ConversationUpdate{Name: &name}}
	}
	for range waitingMax - 1 {
		require.Empty(t, s.Apply(change(), now))
	}
	busy := []Output{Answer{To: "change", Err: Busy()}}
	require.Equal(t, busy, s.Apply(change(), now))
	repeated := sent
	repeated.To = "again"
	require.Equal(t, []Output{Answer{To: "again", Err: Busy()}}, s.Apply(repeated, now))
	for range waitingMax {
		for _, o := range s.Apply(Stop{To: "stop"}, now) {
			require.IsType(t, CancelTurn{}, o)
		}
	}
	require.Equal(t, []Output{Answer{To: "stop", Err: Busy()}}, s.Apply(Stop{To: "stop"}, now))

	answered := 0
	for s.Busy() {
		for _, o := range s.Apply(Committed{}, now) {
			if a, ok := o.(Answer); ok {
				require.NoError(t, a.Err)
				answered++
			}
		}
	}
	require.Equal(t, 2*waitingMax, answered)
	require.Zero(t, s.waiting)
	require.IsType(t, Submit{}, s.Apply(change(), now)[0], "there is room again")
	require.Contains(t, s.Abandon(), Answer{To: "change", Err: Fenced()})
}
