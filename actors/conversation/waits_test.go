package conversation

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// While the journal is stuck, so many requests wait and no more. A stop still gets in.
func TestState_Waits(t *testing.T) { // G17
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	s := NewState(&domain.Claim{Conversation: domain.NewID(), OrganisationID: 1, OwnerID: 7, NextSeq: 2}, Limits{TurnText: 1000})
	sent := Send{To: "send", Caller: domain.Caller{UserID: 7}, Prompt: domain.Prompt{Message: domain.NewID(), Text: "why?"}}
	require.IsType(t, Submit{}, s.Step(sent, now)[0])
	change := func() Change {
		name := "x"
		return Change{To: "change", Update: domain.ConversationUpdate{Name: &name}}
	}
	for range waitsMax - 1 {
		require.Empty(t, s.Step(change(), now))
	}
	busy := []Output{Answer{To: "change", Err: errBusy()}}
	require.Equal(t, busy, s.Step(change(), now))
	repeated := sent
	repeated.To = "again"
	require.Equal(t, []Output{Answer{To: "again", Err: errBusy()}}, s.Step(repeated, now))
	for range waitsMax {
		for _, o := range s.Step(Stop{To: "stop"}, now) {
			require.IsType(t, CancelTurn{}, o)
		}
	}
	require.Equal(t, []Output{Answer{To: "stop", Err: errBusy()}}, s.Step(Stop{To: "stop"}, now))

	answered := 0
	for s.Busy() {
		for _, o := range s.Step(Committed{}, now) {
			if a, ok := o.(Answer); ok {
				require.NoError(t, a.Err)
				answered++
			}
		}
	}
	require.Equal(t, 2*waitsMax, answered)
	require.Zero(t, s.waits)
	require.IsType(t, Submit{}, s.Step(change(), now)[0], "there is room again")
	require.Contains(t, s.Abandon(), Answer{To: "change", Err: errFenced()})
}
