package conversation

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

func TestState_Delete(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	setup := func(t *testing.T) (*State, Submit) {
		t.Helper()
		s := NewState(&domain.Claim{Conversation: domain.NewID(), OrganisationID: 1, OwnerID: 7, NextSeq: 1}, Limits{TurnText: 1000})
		out := s.Step(Delete{To: "first"}, now)
		require.Len(t, out, 1)
		write, ok := out[0].(Submit)
		require.True(t, ok)
		require.True(t, write.Write.Delete)
		require.Empty(t, s.Step(Delete{To: "second"}, now))
		require.Empty(t, s.Step(Delete{To: "third"}, now))
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
		require.Equal(t, map[Token]domain.Code{"first": "", "second": domain.CodeNotFound, "third": domain.CodeNotFound}, codes(s.Step(Committed{}, now)))
	})

	t.Run("OKWhereTheClaimTellsIt", func(t *testing.T) {
		t.Parallel()
		// The answer of the commit was lost, and nothing is there to be claimed any more.
		s, _ := setup(t)
		s.Step(Committed{Result: domain.WriteResult{Err: domain.Errorf(domain.CodeUnavailable, "away")}}, now)
		require.Equal(t, map[Token]domain.Code{"first": "", "second": domain.CodeNotFound, "third": domain.CodeNotFound}, codes(s.Deleted()))
	})

	t.Run("OKBehindAnotherWrite", func(t *testing.T) {
		t.Parallel()
		s := NewState(&domain.Claim{Conversation: domain.NewID(), OrganisationID: 1, OwnerID: 7, NextSeq: 1}, Limits{TurnText: 1000})
		name := "Name"
		s.Step(Change{To: "change", Update: domain.ConversationUpdate{Name: &name}}, now)
		s.Step(Delete{To: "first"}, now)
		s.Step(Delete{To: "second"}, now)
		s.Step(Committed{}, now)
		require.Equal(t, map[Token]domain.Code{"first": "", "second": domain.CodeNotFound}, codes(s.Step(Committed{}, now)))
	})

	t.Run("ErrAgainForAll", func(t *testing.T) {
		t.Parallel()
		s, _ := setup(t)
		out := s.Step(Committed{Result: domain.WriteResult{Err: domain.Errorf(domain.CodeFenced, "fenced").WithCause(errors.New("x"))}}, now)
		require.Equal(t, map[Token]domain.Code{"first": domain.CodeFenced, "second": domain.CodeFenced, "third": domain.CodeFenced}, codes(out))
	})
}

// A look at the owners may read the deletion before the journal has answered it.
func TestActor_DeletionThatALookTells(t *testing.T) { // G4, G12
	t.Parallel()
	for name, c := range map[string]struct {
		deleted bool
		want    domain.Code
	}{"OK": {true, ""}, "ErrAgain": {false, domain.CodeFenced}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAlone(t)
			text := "renamed"
			require.Nil(t, a.ask(&protocol.Change{Caller: protocol.FromCaller(a.owner), Name: &text}).(*protocol.Done).Failure)
			submitted := make(chan struct{})
			a.journal.Hold()
			a.journal.OnSubmit(func(*domain.Write) { close(submitted) })
			answer := a.system.Root.RequestFuture(a.pid, &protocol.Delete{Caller: protocol.FromCaller(a.owner)}, patience)
			a.wait(submitted)
			a.system.Root.Send(a.pid, &protocol.Superseded{Epoch: 9, Deleted: c.deleted})
			got, err := answer.Result()
			require.NoError(t, err)
			require.Equal(t, c.want, domain.CodeOf(got.(*protocol.Done).Failure.Err()))
			a.wait(a.left)
			a.journal.Go()
		})
	}
}
