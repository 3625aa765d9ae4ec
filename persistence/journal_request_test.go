package persistence_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// G4, G5: the next owner knows the latest requests that have changed a conversation.
func TestJournal_Requests(t *testing.T) {
	t.Parallel()
	s, _ := openURL(t)
	o := own(t, s, startJournal(t, s, persistence.JournalConfig{}), persistencetest.Anna)
	require.Empty(t, o.Requests)
	changed := func(request uuid.UUID) {
		o.must(domain.Write{Request: request, Events: []domain.Event{event(domain.EventConversationUpdated)}})
	}
	var newestFirst []uuid.UUID
	for range domain.RequestsKept + 2 {
		request := uuid.New()
		newestFirst = append([]uuid.UUID{request}, newestFirst...)
		changed(request)
		changed(uuid.Nil) // no request
	}
	o.claim(o.Conversation)
	require.Equal(t, newestFirst[:domain.RequestsKept], o.Requests)
	claim, err := s.ClaimAlone(t.Context(), uuid.New(), o.Conversation)
	require.NoError(t, err)
	require.Equal(t, o.Requests, claim.Requests)
}
