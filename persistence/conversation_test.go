package persistence_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// G8: what a reading answers is of one moment, so that a stream which goes on
// at its head has no gap and no repeat.
func TestStore_ConversationOfOneMoment(t *testing.T) {
	t.Parallel()
	const writes = 300
	s := persistencetest.Open(t)
	o := own(t, s, startJournal(t, s, persistence.JournalConfig{}), persistencetest.Anna)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range writes {
			r := o.try(domain.Write{Events: []domain.Event{event(domain.EventMessageCreated)}, Messages: []domain.Message{{
				ID: uuid.New(), Seq: o.NextSeq, Generation: 1, Role: domain.RoleUser, Text: "x", Status: domain.MessageComplete,
			}}})
			if !assertNoError(t, r.Err) {
				return
			}
		}
	}()
	for ended := false; !ended; {
		select {
		case <-done:
			ended = true
		default:
		}
		c, err := s.Conversation(t.Context(), o.caller, o.Conversation)
		require.NoError(t, err)
		require.Len(t, c.Messages, int(c.Head)-1, "every event but the first made a message")
		if len(c.Messages) > 0 {
			require.Equal(t, c.Head, c.Messages[len(c.Messages)-1].Seq)
		}
	}
}
