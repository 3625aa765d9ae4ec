package ledger

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestState_SendRepeated(t *testing.T) { // G4, D11
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	ada := domain.Caller{UserID: 7, OrganisationID: 1}
	first := domain.Prompt{Message: domain.NewID(), Text: "why?", AnalystID: 2, DataSources: []int64{1}, BlueprintID: 9}
	setup := func(t *testing.T, answered bool) (*State, Send) {
		t.Helper()
		s := NewState(&domain.Claim{Conversation: domain.NewID(), OrganisationID: 1, OwnerID: 7, NextSeq: 2}, Limits{TurnText: 1000})
		out := s.Apply(Send{To: "first", Caller: ada, Prompt: first, Analyst: domain.Analyst{ID: 2}}, now)
		stored := out[0].(Submit).Write.Messages[0]
		s.Apply(Committed{}, now)
		if !answered {
			return s, Send{To: "again", Caller: ada, Prompt: first}
		}
		// Another activation knows the first prompt only from the store.
		next := NewState(&domain.Claim{Conversation: s.id, OrganisationID: 1, OwnerID: 7, NextSeq: 3}, Limits{TurnText: 1000})
		return next, Send{To: "again", Caller: ada, Prompt: first, Existing: &stored, Asked: 2}
	}
	for _, where := range []struct {
		name   string
		stored bool
	}{{"Remembered", false}, {"Stored", true}} {
		t.Run(where.name, func(t *testing.T) {
			t.Parallel()
			for _, tt := range []struct {
				name   string
				change func(*domain.Prompt)
				same   bool
			}{
				{"OK", func(*domain.Prompt) {}, true},
				{"OKAgentLeftOut", func(p *domain.Prompt) { p.AnalystID = 0 }, true},
				{"OKSourcesLeftOut", func(p *domain.Prompt) { p.DataSources = nil }, true},
				{"OKBlueprintLeftOut", func(p *domain.Prompt) { p.BlueprintID = 0 }, true},
				{"ErrOtherBlueprint", func(p *domain.Prompt) { p.BlueprintID = 8 }, false},
				{"ErrOtherAgent", func(p *domain.Prompt) { p.AnalystID = 3 }, false},
				{"ErrOtherText", func(p *domain.Prompt) { p.Text = "how?" }, false},
				{"ErrOtherSources", func(p *domain.Prompt) { p.DataSources = []int64{4} }, false},
			} {
				t.Run(tt.name, func(t *testing.T) {
					t.Parallel()
					s, again := setup(t, where.stored)
					tt.change(&again.Prompt)
					out := s.Apply(again, now)
					require.Len(t, out, 1)
					answer, ok := out[0].(Answer)
					require.True(t, ok)
					if !tt.same {
						require.Equal(t, domain.CodeInvalid, domain.CodeOf(answer.Err))
						return
					}
					require.NoError(t, answer.Err)
					require.True(t, answer.Value.(domain.SendResult).Repeated)
				})
			}
		})
	}
}

func TestState_SendBlueprint(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	plan := &domain.PromptPlan{Plan: &domain.Plan{BlueprintID: 9, Steps: []domain.PlanStep{{Number: 1, Name: "One"}}}, DataSources: []int64{4}}
	sent := func(t *testing.T, claim domain.Claim, given []int64) domain.Write {
		t.Helper()
		claim.Conversation, claim.OrganisationID, claim.OwnerID, claim.NextSeq = domain.NewID(), 1, 7, 2
		s := NewState(&claim, Limits{TurnText: 1000})
		out := s.Apply(Send{
			Caller: domain.Caller{UserID: 7, OrganisationID: 1}, Plan: plan,
			Prompt: domain.Prompt{Message: domain.NewID(), Text: "go", BlueprintID: 9, DataSources: given},
		}, now)
		write := out[0].(Submit).Write
		started := s.Apply(Committed{}, now)
		var run StartTurn
		for _, o := range started {
			if v, ok := o.(StartTurn); ok {
				run = v
			}
		}
		require.Equal(t, plan.Plan, run.Start.Turn.Plan, "the turn's actor gets the steps")
		return *write
	}
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		w := sent(t, domain.Claim{}, nil)
		require.Equal(t, plan.Plan, w.TurnStart.Plan)
		require.Equal(t, int64(9), w.Messages[0].BlueprintID)
		require.Equal(t, []int64{4}, w.Messages[0].DataSources, "a conversation without sources gets the blueprint's")
	})
	t.Run("OKOwnSources", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, []int64{2}, sent(t, domain.Claim{DataSources: []int64{2}}, nil).Messages[0].DataSources)
		require.Equal(t, []int64{3}, sent(t, domain.Claim{DataSources: []int64{2}}, []int64{3}).Messages[0].DataSources)
	})
}
