package ledger

import (
	"encoding/json"
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
	// begin starts an activation that finds the turn at this attempt.
	begin := func(attempt int) *domain.Write {
		s := NewState(&domain.Claim{Conversation: domain.NewID(), OrganisationID: 1, OwnerID: 7, NextSeq: 3}, Limits{TurnText: 1000})
		s.Rebuild([]domain.Message{running.Prompt})
		found := running
		found.Turn.Attempt = attempt
		out := s.Apply(Recover{Running: &found}, now)
		require.Len(t, out, 1, "nothing begins before it is committed")
		write := out[0].(Submit).Write
		starts := 0
		for _, o := range s.Apply(Committed{}, now) {
			if start, ok := o.(StartTurn); ok {
				starts++
				require.Equal(t, attempt+1, start.Start.Turn.Attempt)
				require.Equal(t, plan, start.Start.Turn.Plan)
			}
		}
		if attempt < attempts {
			require.Equal(t, 1, starts)
		} else {
			require.Zero(t, starts)
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

// TestState_RecoverSuperseded: an attempt whose owner was superseded, and not lost, is not used up:
// the next owner starts it again, also if it is the last one.
func TestState_RecoverSuperseded(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	// found starts an activation that finds the turn at this attempt, and returns the attempt that
	// it starts, 0 for none, and its writes.
	found := func(t *testing.T, attempt int, lives, scheduled bool) (started int, writes []*domain.Write) {
		t.Helper()
		prompt := domain.Message{ID: domain.NewID(), Seq: 2, Role: domain.RoleUser, Text: "Go"}
		s := NewState(&domain.Claim{Conversation: domain.NewID(), OrganisationID: 1, OwnerID: 7, NextSeq: 3}, Limits{TurnText: 1000})
		s.Rebuild([]domain.Message{prompt})
		outputs := s.Apply(Recover{OwnerLives: lives, Running: &domain.RunningTurn{
			Turn:   domain.Turn{ID: domain.NewID(), UserID: 7, Status: domain.TurnRunning, Attempt: attempt},
			Prompt: prompt, Scheduled: scheduled,
		}}, now)
		for len(outputs) > 0 {
			o := outputs[0]
			outputs = outputs[1:]
			switch o := o.(type) {
			case StartTurn:
				started = o.Start.Turn.Attempt
			case Submit:
				writes = append(writes, o.Write)
				outputs = append(outputs, s.Apply(Committed{}, now)...)
			}
		}
		return started, writes
	}
	for name, scheduled := range map[string]bool{"APersonsOwn": false, "Scheduled": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			last, end := attempts, domain.TurnInterrupted
			if scheduled {
				last, end = scheduledAttempts, domain.TurnFailed
			}
			started, writes := found(t, last, true, scheduled)
			require.Equal(t, last, started)
			require.Empty(t, writes, "the store would refuse an attempt that it has")

			started, writes = found(t, last-1, true, scheduled)
			require.Equal(t, last, started, "the attempt of the node that was lost first is used up")
			require.Len(t, writes, 1)

			started, writes = found(t, last, false, scheduled)
			require.Zero(t, started)
			require.Equal(t, end, writes[0].TurnEnd.Status)
		})
	}
}

// TestState_RecoverOpenPlan: a plan that was cut is no answer text. It is closed, and the turn
// starts again, or continues after its last finished step, when that is stored.
func TestState_RecoverOpenPlan(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	prompt := domain.Message{ID: domain.NewID(), Seq: 2, Role: domain.RoleUser, Text: "Go"}
	for name, c := range map[string]struct {
		steps   []domain.Step
		role    domain.Role
		spoke   bool
		attempt int // that runs afterwards; 0 if the turn ends
	}{
		"StartsAgain":       {role: domain.RoleCoordinator, attempt: 2},
		"GoesOn":            {role: domain.RoleCoordinator, attempt: 1, steps: []domain.Step{{Number: 1, Status: domain.StepFinished}}},
		"NotAfterAnAnswer":  {role: domain.RoleCoordinator, spoke: true},
		"NotInAnAnswer":     {role: domain.RoleAssistant, spoke: true},
		"NotInAnOnlyAnswer": {role: domain.RoleSummary, spoke: true, steps: []domain.Step{{Number: 1, Status: domain.StepFinished}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			open := domain.Message{ID: domain.NewID(), Seq: 3, Role: c.role, Text: "First I", Status: domain.MessageStreaming}
			s := NewState(&domain.Claim{Conversation: domain.NewID(), OrganisationID: 1, OwnerID: 7, NextSeq: 4}, Limits{TurnText: 1000})
			s.Rebuild([]domain.Message{prompt, open})
			out := s.Apply(Recover{Running: &domain.RunningTurn{
				Turn:   domain.Turn{ID: domain.NewID(), UserID: 7, Status: domain.TurnRunning, Attempt: 1},
				Prompt: prompt, Open: []domain.Message{open}, Steps: c.steps, Spoke: c.spoke,
			}}, now)
			require.Len(t, out, 1, "nothing begins before it is committed")
			write := out[0].(Submit).Write
			require.Len(t, write.MessageEnds, 1)
			want := domain.MessageInterrupted
			if c.attempt > 0 {
				want = domain.MessageComplete
			}
			require.Equal(t, want, write.MessageEnds[0].Status)
			started := 0
			for _, o := range s.Apply(Committed{}, now) {
				if start, ok := o.(StartTurn); ok {
					started = start.Start.Turn.Attempt
				}
			}
			require.Equal(t, c.attempt, started)
			require.Equal(t, c.attempt == 0, write.TurnEnd != nil)
		})
	}
}

// TestState_RecoverAttemptInDoubt: the beginning of an attempt makes no event. If the answer
// to it is lost, the turn's row shows that it was written, and it is not written again: the
// store would refuse that, and the next activation would count an attempt that was never
// made.
func TestState_RecoverAttemptInDoubt(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	running := domain.RunningTurn{
		Turn:   domain.Turn{ID: domain.NewID(), UserID: 7, Status: domain.TurnRunning, Attempt: 1},
		Prompt: domain.Message{ID: domain.NewID(), Seq: 2, Role: domain.RoleUser, Text: "Go"},
	}
	for name, stored := range map[string]bool{"Stored": true, "NotStored": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			claim := &domain.Claim{Conversation: domain.NewID(), OrganisationID: 1, OwnerID: 7, NextSeq: 3}
			s := NewState(claim, Limits{TurnText: 1000})
			s.Rebuild([]domain.Message{running.Prompt})
			out := s.Apply(Recover{Running: &running}, now)
			require.Len(t, out, 1)
			out = s.Apply(Committed{Result: domain.WriteResult{Err: domain.Errorf(domain.CodeUnavailable, "away")}}, now)
			require.Len(t, out, 1)
			require.IsType(t, Reclaim{}, out[0])

			again, found := *claim, running
			if stored {
				found.Turn.Attempt = 2
			}
			again.Running = &found
			require.True(t, s.Consistent(&again))
			writes, starts := 0, 0
			for _, o := range s.Apply(Reclaimed{Claim: &again}, now) {
				switch o := o.(type) {
				case Submit:
					writes++
				case StartTurn:
					starts++
					require.Equal(t, 2, o.Start.Turn.Attempt)
				}
			}
			if stored {
				require.Equal(t, []int{0, 1}, []int{writes, starts})
			} else {
				require.Equal(t, []int{1, 0}, []int{writes, starts})
			}
		})
	}
}

// TestState_RecoverPlan: the answers of a plan's finished steps are not a reason to end the
// turn; text that belongs to no finished step is a reason.
func TestState_RecoverPlan(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	found := domain.RunningTurn{
		Turn: domain.Turn{
			ID: domain.NewID(), UserID: 7, Status: domain.TurnRunning, Attempt: 1,
			Plan: &domain.Plan{BlueprintID: 3, Steps: []domain.PlanStep{{Number: 1, Name: "One"}, {Number: 2, Name: "Two"}}},
		},
		Prompt: domain.Message{ID: domain.NewID(), Seq: 2, Role: domain.RoleUser, Text: "Go"},
		Steps: []domain.Step{
			{Number: 1, Kind: domain.StepTool, Name: "plan", Status: domain.StepFinished, Output: json.RawMessage(`{}`)},
			{
				Number: 2, Kind: domain.StepModel, Status: domain.StepFinished,
				Output: json.RawMessage(`{"texts":[{"channel":"plan","text":"not counted"},{"text":"Ten bytes."}],"lead":4}`),
			},
			{Number: 3, Kind: domain.StepModel, Status: domain.StepRunning},
		},
		Spoke: true, Answered: 14,
	}
	recovered := func(change func(r *domain.RunningTurn)) []Output {
		s := NewState(&domain.Claim{Conversation: domain.NewID(), OrganisationID: 1, OwnerID: 7, NextSeq: 4}, Limits{TurnText: 1000})
		s.Rebuild([]domain.Message{found.Prompt})
		r := found
		change(&r)
		return s.Apply(Recover{Running: &r}, now)
	}
	ended := func(out []Output) domain.TurnStatus {
		require.Len(t, out, 1)
		return out[0].(Submit).Write.TurnEnd.Status
	}

	t.Run("GoesOn", func(t *testing.T) {
		t.Parallel()
		out := recovered(func(*domain.RunningTurn) {})
		require.Len(t, out, 1)
		require.Len(t, out[0].(StartTurn).Start.Finished, 2)
	})
	t.Run("InterruptedInTheMiddleOfAnAnswer", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, domain.TurnInterrupted, ended(recovered(func(r *domain.RunningTurn) {
			r.Open = []domain.Message{{ID: domain.NewID(), Seq: 3, Role: domain.RoleAssistant, Text: "Half"}}
		})))
	})
	t.Run("InterruptedWhereAnAnswerEndedAndItsStepDidNot", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, domain.TurnInterrupted, ended(recovered(func(r *domain.RunningTurn) { r.Answered = 30 })))
	})
	t.Run("InterruptedWithoutAPlan", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, domain.TurnInterrupted, ended(recovered(func(r *domain.RunningTurn) { r.Turn.Plan = nil })))
	})
}

// TestState_RecoverScheduled: a scheduled run continues after its last finished step, even if
// some of its text was shown, and fails after two more losses.
func TestState_RecoverScheduled(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	prompt := domain.Message{ID: domain.NewID(), Seq: 2, Role: domain.RoleUser, Text: "Go"}
	cut := domain.Message{ID: domain.NewID(), Seq: 3, Role: domain.RoleAssistant, Text: "There are", Status: domain.MessageStreaming}
	// found starts an activation that finds the turn at this attempt.
	found := func(attempt int, scheduled bool) (*domain.Write, []Output) {
		s := NewState(&domain.Claim{Conversation: domain.NewID(), OrganisationID: 1, OwnerID: 7, NextSeq: 4}, Limits{TurnText: 1000})
		s.Rebuild([]domain.Message{prompt, cut})
		turn := domain.Turn{ID: domain.NewID(), UserID: 7, Attempt: attempt, Status: domain.TurnRunning}
		out := s.Apply(Recover{Running: &domain.RunningTurn{
			Turn: turn, Prompt: prompt, Open: []domain.Message{cut}, Spoke: true, Scheduled: scheduled,
			Steps: []domain.Step{
				{TurnID: turn.ID, Number: 1, Attempt: 1, Status: domain.StepFinished},
				{TurnID: turn.ID, Number: 2, Attempt: 1, Status: domain.StepRunning},
			},
		}}, now)
		require.Len(t, out, 1, "nothing begins before it is committed")
		return out[0].(Submit).Write, s.Apply(Committed{}, now)
	}
	for attempt := 1; attempt < scheduledAttempts; attempt++ {
		write, out := found(attempt, true)
		require.Equal(t, attempt+1, write.TurnStart.Attempt)
		require.Nil(t, write.TurnEnd)
		require.Len(t, write.MessageEnds, 1, "the text that was shown is kept, as an interrupted message")
		require.Equal(t, domain.MessageInterrupted, write.MessageEnds[0].Status)
		begun := false
		for _, o := range out {
			if start, ok := o.(StartTurn); ok {
				begun = true
				require.Equal(t, attempt+1, start.Start.Turn.Attempt)
				require.Len(t, start.Start.Finished, 1, "the finished step is not run again")
			}
		}
		require.True(t, begun)
	}
	write, _ := found(scheduledAttempts, true)
	require.Nil(t, write.TurnStart)
	require.Equal(t, domain.TurnFailed, write.TurnEnd.Status)
	require.Equal(t, reasonGone, write.TurnEnd.Reason)

	write, _ = found(1, false)
	require.Nil(t, write.TurnStart, "the turn of a person's own prompt is closed as it is")
	require.Equal(t, domain.TurnInterrupted, write.TurnEnd.Status)
}
