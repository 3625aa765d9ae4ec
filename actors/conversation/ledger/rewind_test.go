package ledger

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestState_Rewind(t *testing.T) { // G11
	t.Parallel()
	setup := func() (*State, domain.Message, domain.Message) {
		s := NewState(&domain.Claim{Conversation: domain.NewID(), OrganisationID: 1, OwnerID: 7, NextSeq: 10}, Limits{TurnText: 1000})
		early := domain.Message{ID: domain.NewID(), Seq: 2, Role: domain.RoleUser, Text: "first"}
		later := domain.Message{ID: domain.NewID(), Seq: 6, Role: domain.RoleUser, Text: "second"}
		s.Rebuild([]domain.Message{early, later})
		return s, early, later
	}
	now := time.Unix(1_700_000_000, 0)
	t.Run("NotifiesTheReaders", func(t *testing.T) {
		t.Parallel()
		s, _, later := setup()
		outputs := s.Apply(Rewind{To: "one", Message: later, Generation: s.Generation()}, now)
		submit, ok := outputs[0].(Submit)
		require.True(t, ok)
		require.Len(t, submit.Write.UserEvents, 1, "without it the lists of other tabs would not move the conversation")
		told := submit.Write.UserEvents[0]
		require.Equal(t, domain.EventConversationRewound, told.Type)
		require.JSONEq(t, `{"conversationId":"`+s.id.String()+`"}`, string(told.Data))
		require.False(t, told.Unread)
	})
	t.Run("ErrStaleReading", func(t *testing.T) {
		t.Parallel()
		s, early, later := setup()
		// Both messages were read before either rewind was applied.
		generation := s.Generation()
		first := s.Apply(Rewind{To: "one", Message: early, Generation: generation}, now)
		require.IsType(t, Submit{}, first[0])
		second := s.Apply(Rewind{To: "two", Message: later, Tail: []uuid.UUID{early.ID}, Generation: generation}, now)
		require.Empty(t, second, "its request reads again when the first one has ended, and not before")
		// A read before the first rewind is committed still finds the messages that it
		// removes.
		third := s.Apply(Rewind{To: "three", Message: later, Tail: []uuid.UUID{early.ID}, Generation: s.Generation()}, now)
		require.Empty(t, third)
		ended := s.Apply(Committed{}, now)
		require.Contains(t, ended, Answer{To: "two", Err: Stale{}})
		require.Contains(t, ended, Answer{To: "three", Err: Stale{}})
		require.Equal(t, int64(1), s.Generation())
		require.Empty(t, s.tail)
		// A rewind that was read before the first one, and is applied after it, must read
		// again at once.
		fourth := s.Apply(Rewind{To: "four", Message: later, Generation: generation}, now)
		require.Equal(t, []Output{Answer{To: "four", Err: Stale{}}}, fourth)
		require.Zero(t, s.waiting)
	})
}
