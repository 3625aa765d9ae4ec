package ledger

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestState_Delete(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	setup := func(t *testing.T) (*State, Submit) {
		t.Helper()
		s := NewState(&domain.Claim{Conversation: domain.NewID(), OrganisationID: 1, OwnerID: 7, NextSeq: 1}, Limits{TurnText: 1000})
		out := s.Apply(Delete{To: "first"}, now)
		require.Len(t, out, 1)
		write, ok := out[0].(Submit)
		require.True(t, ok)
		require.True(t, write.Write.Delete)
		require.Empty(t, s.Apply(Delete{To: "second"}, now))
		require.Empty(t, s.Apply(Delete{To: "third"}, now))
		return s, write
	}
	codes := func(out []Output) map[Token]domain.Code {
		found := map[Token]domain.Code{}
		for _, o := range out {
			if a, ok := o.(Answer); ok {
				found[a.To] = domain.CodeOf(a.Err)
			}
		}
		return found
	}

	t.Run("OKOnce", func(t *testing.T) {
		t.Parallel()
		s, write := setup(t)
		require.Len(t, write.Write.Events, 1)
		require.Equal(t, map[Token]domain.Code{"first": "", "second": domain.CodeNotFound, "third": domain.CodeNotFound},
			codes(s.Apply(Committed{}, now)))
	})

	t.Run("OKIfTheClaimHasIt", func(t *testing.T) {
		t.Parallel()
		// The answer to the commit was lost, and the conversation can no longer be claimed.
		s, _ := setup(t)
		s.Apply(Committed{Result: domain.WriteResult{Err: domain.Errorf(domain.CodeUnavailable, "away")}}, now)
		require.Equal(t, map[Token]domain.Code{"first": "", "second": domain.CodeNotFound, "third": domain.CodeNotFound}, codes(s.Deleted()))
	})

	t.Run("OKBehindAnotherWrite", func(t *testing.T) {
		t.Parallel()
		s := NewState(&domain.Claim{Conversation: domain.NewID(), OrganisationID: 1, OwnerID: 7, NextSeq: 1}, Limits{TurnText: 1000})
		name := "Name"
		s.Apply(Change{To: "change", Update: domain.ConversationUpdate{Name: &name}}, now)
		s.Apply(Delete{To: "first"}, now)
		s.Apply(Delete{To: "second"}, now)
		s.Apply(Committed{}, now)
		require.Equal(t, map[Token]domain.Code{"first": "", "second": domain.CodeNotFound}, codes(s.Apply(Committed{}, now)))
	})

	t.Run("ErrAgainForAll", func(t *testing.T) {
		t.Parallel()
		s, _ := setup(t)
		out := s.Apply(Committed{Result: domain.WriteResult{Err: domain.Errorf(domain.CodeFenced, "fenced").WithCause(errors.New("x"))}}, now)
		require.Equal(t, map[Token]domain.Code{"first": domain.CodeFenced, "second": domain.CodeFenced, "third": domain.CodeFenced}, codes(out))
	})
}
