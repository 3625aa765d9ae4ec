package conversation

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// TestState_RecoverNotBegun: a turn that was stored with its conversation is
// begun by its first owner, and then has both of its attempts.
func TestState_RecoverNotBegun(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	plan := &domain.Plan{BlueprintID: 3, Steps: []domain.PlanStep{{Number: 1, Code: "SELECT 1"}}}
	running := domain.RunningTurn{
		Turn:   domain.Turn{ID: domain.NewID(), UserID: 7, Status: domain.TurnRunning, Plan: plan},
		Prompt: domain.Message{ID: domain.NewID(), Seq: 2, Role: domain.RoleUser, Text: "Go"},
	}
	// begin is an activation that finds the turn with so many attempts.
	begin := func(attempt int) *domain.Write {
		s := NewState(&domain.Claim{Conversation: domain.NewID(), OrganisationID: 1, OwnerID: 7, NextSeq: 3}, Limits{TurnText: 1000})
		s.Rebuild([]domain.Message{running.Prompt})
		found := running
		found.Turn.Attempt = attempt
		out := s.Step(Recover{Running: &found}, now)
		require.Len(t, out, 1, "nothing begins before it is committed")
		write := out[0].(Submit).Write
		for _, o := range s.Step(Committed{}, now) {
			if start, ok := o.(StartTurn); ok {
				require.Equal(t, attempt+1, start.Start.Turn.Attempt)
				require.Equal(t, plan, start.Start.Turn.Plan)
			}
		}
		return write
	}
	for attempt := range attempts {
		write := begin(attempt)
		require.Equal(t, attempt+1, write.TurnStart.Attempt)
		require.Nil(t, write.TurnEnd)
	}
	write := begin(attempts)
	require.Nil(t, write.TurnStart)
	require.Equal(t, domain.TurnInterrupted, write.TurnEnd.Status)
}
