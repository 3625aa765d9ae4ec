package ledger

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// answeringState makes a conversation with a committed turn.
func answeringState(t *testing.T, now time.Time) (*State, Send) {
	t.Helper()
	s := NewState(&domain.Claim{Conversation: domain.NewID(), OrganisationID: 1, OwnerID: 7, NextSeq: 2}, Limits{TurnText: 1000})
	prompt := Send{To: "first", Caller: domain.Caller{UserID: 7}, Prompt: domain.Prompt{Message: domain.NewID(), Text: "why?"}}
	require.IsType(t, Submit{}, s.Apply(prompt, now)[0])
	s.Apply(Committed{}, now)
	prompt.To, prompt.Prompt.Message = "second", domain.NewID()
	return s, prompt
}

// A person reads the end of an answer from the store, sends the next prompt, and it reaches the owner before the
// journal's answer to that end.
func TestState_SendAtTheEnd(t *testing.T) { // G4
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	s, next := answeringState(t, now)
	stop := s.Apply(Stop{To: "stop"}, now)
	require.Contains(t, stop, Submit{Write: &s.inflight.write}, "the end is on its way")
	require.Empty(t, s.Apply(next, now), "not refused while the end is on its way")
	for range 2 {
		s.Apply(Committed{}, now)
	}
	turn, runs := s.RunningTurn()
	require.True(t, runs)
	require.Equal(t, next.Prompt.Message, turn.Prompt)
}

// Only the owner answers with a decision that changes nothing.
func TestState_DecidesAsOwner(t *testing.T) { // G2
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	fenced := Committed{Result: domain.WriteResult{Err: domain.Errorf(domain.CodeFenced, "Another node owns it.")}}
	ended := func(s *State) {
		s.Apply(Stop{To: "stop"}, now)
		s.Apply(Committed{}, now)
	}
	fresh := func(s *State) {
		*s = *NewState(&domain.Claim{Conversation: s.id, OrganisationID: 1, OwnerID: 7, NextSeq: 2}, s.limits)
	}
	for _, tt := range []struct {
		name  string
		setup func(*State)
		in    func(Send) Input
		owner Answer
	}{
		{"PromptWhileAnAnswerRuns", func(*State) {}, func(p Send) Input { return p }, Answer{To: "second", Err: errAnswering()}},
		{"PromptAfterAnotherMessage", ended, func(p Send) Input {
			p.Prompt.Parent = domain.NewID()
			return p
		}, Answer{To: "second", Err: domain.Errorf(domain.CodeConflict, "The conversation has changed meanwhile.")}},
		{"StopOfNothing", fresh, func(Send) Input { return Stop{To: "second"} }, Answer{To: "second", Value: domain.StopResult{}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, owns := range []bool{true, false} {
				s, next := answeringState(t, now)
				tt.setup(s)
				out := s.Apply(tt.in(next), now)
				require.Len(t, out, 1)
				require.IsType(t, Submit{}, out[0], "nothing is decided before a write")
				require.Empty(t, out[0].(Submit).Write.Events)
				if owns {
					require.Equal(t, []Output{tt.owner}, s.Apply(Committed{}, now))
					continue
				}
				require.Contains(t, s.Apply(fenced, now), Answer{To: "second", Err: Fenced()})
			}
		})
	}
}
