package persistence_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// Stored is used by a reader when the owner of the conversation does not answer.
func TestStore_Stored(t *testing.T) { // G9, G15, G16
	t.Parallel()
	s, _ := openURL(t)
	owners, answers := speaking(t, s, 1)
	o, answer := owners[0], answers[0]
	ctx := t.Context()
	stored := func(who domain.Caller) *domain.StoredConversation {
		t.Helper()
		at, err := s.ConversationStore.Stored(ctx, o.Conversation, who)
		require.NoError(t, err)
		return at
	}

	o.must(chunk(answer, 0, "größer"))
	o.must(chunk(answer, 8, " als"))
	at := stored(o.caller)
	require.Equal(t, domain.PermissionOwner, at.Permission)
	require.Equal(t, o.Fence.Epoch, at.Epoch)
	require.Equal(t, o.NextSeq-1, at.Head)
	require.Equal(t, []domain.OpenMessage{{Message: answer, Length: 12}}, at.Open, "in bytes")

	require.Equal(t, domain.PermissionNone, stored(persistencetest.Caller(t, s, persistencetest.Ben)).Permission)
	stranger := o.caller
	stranger.OrganisationID++
	require.Equal(t, &domain.StoredConversation{}, stored(stranger))

	o.must(domain.Write{MessageEnds: []domain.MessageEnd{{Message: answer, Status: domain.MessageComplete}}})
	require.Empty(t, stored(o.caller).Open)
	o.must(domain.Write{Delete: true})
	require.Equal(t, &domain.StoredConversation{}, stored(o.caller))
	never, err := s.ConversationStore.Stored(ctx, uuid.New(), o.caller)
	require.NoError(t, err)
	require.Equal(t, &domain.StoredConversation{}, never)
}

// The people who have a conversation open are named to its readers, but no one of another
// organisation.
func TestStore_Attendants(t *testing.T) {
	t.Parallel()
	s, _ := openURL(t)
	j := startJournal(t, s, persistence.JournalConfig{})
	one, two, gone := own(t, s, j, persistencetest.Anna), own(t, s, j, persistencetest.Anna), own(t, s, j, persistencetest.Anna)
	gone.must(domain.Write{Delete: true})
	anna, ben := one.caller, persistencetest.Caller(t, s, persistencetest.Ben)
	stranger := persistencetest.Caller(t, s, persistencetest.Doris)
	require.NotEqual(t, anna.OrganisationID, stranger.OrganisationID)
	named, err := s.ConversationStore.Attendants(t.Context(), map[uuid.UUID][]uuid.UUID{
		one.Conversation:  {anna.UserUUID, ben.UserUUID, stranger.UserUUID, uuid.New()},
		two.Conversation:  {ben.UserUUID, stranger.UserUUID},
		gone.Conversation: {anna.UserUUID},
		uuid.New():        {anna.UserUUID},
	})
	require.NoError(t, err)
	require.Len(t, named, 2)
	people := []domain.Person{{UUID: anna.UserUUID, FullName: anna.FullName}, {UUID: ben.UserUUID, FullName: ben.FullName}}
	require.ElementsMatch(t, people, named[one.Conversation])
	require.Equal(t, people[1:], named[two.Conversation])
	none, err := s.ConversationStore.Attendants(t.Context(), nil)
	require.NoError(t, err)
	require.Empty(t, none)
}

func TestStore_Superseded(t *testing.T) { // G9
	t.Parallel()
	s, _ := openURL(t)
	j := startJournal(t, s, persistence.JournalConfig{})
	kept, lost, released := own(t, s, j, persistencetest.Anna), own(t, s, j, persistencetest.Anna), own(t, s, j, persistencetest.Anna)
	deleted := own(t, s, j, persistencetest.Anna)
	deleted.must(domain.Write{Delete: true})
	claim, err := s.ConversationStore.Claim(t.Context(), lost.Conversation, uuid.New(), "another", nil)
	require.NoError(t, err)
	require.NoError(t, s.ConversationStore.Release(t.Context(), released.Conversation, released.Fence))
	found, err := s.ConversationStore.Superseded(t.Context(), "node", []uuid.UUID{
		kept.Conversation, lost.Conversation,
		released.Conversation, deleted.Conversation,
	})
	require.NoError(t, err)
	require.ElementsMatch(t, []domain.Superseded{
		{Conversation: lost.Conversation, Epoch: claim.Fence.Epoch},
		{Conversation: released.Conversation, Epoch: released.Fence.Epoch},
		{Conversation: deleted.Conversation, Epoch: deleted.Fence.Epoch + 1, Deleted: true},
	}, found)
}

func TestStore_Underway(t *testing.T) { // G10
	t.Parallel()
	s, _ := openURL(t)
	owners, answers := speaking(t, s, 1)
	o := owners[0]
	turn, stopped, err := s.ConversationStore.Underway(t.Context(), o.Conversation)
	require.NoError(t, err)
	require.Nil(t, stopped)
	require.NotEqual(t, uuid.Nil, turn)

	o.must(domain.Write{
		MessageEnds: []domain.MessageEnd{{Message: answers[0], Status: domain.MessageStopped}},
		TurnEnd:     &domain.TurnEnd{Turn: turn, Status: domain.TurnStopped},
	})
	turn, stopped, err = s.ConversationStore.Underway(t.Context(), o.Conversation)
	require.NoError(t, err)
	require.Equal(t, uuid.Nil, turn)
	require.Equal(t, domain.RoleUser, stopped.Role)
	turn, stopped, err = s.ConversationStore.Underway(t.Context(), uuid.New())
	require.NoError(t, err)
	require.Nil(t, stopped)
	require.Equal(t, uuid.Nil, turn)
}
