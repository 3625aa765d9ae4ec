package persistence_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// A client chooses the ids of its prompts, also those that another organisation has:
// neither organisation learns of the other, and nothing of one belongs to the other.
func TestMessage_IDsOfOrganisations(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	j := startJournal(t, s, persistence.JournalConfig{})
	acme := own(t, s, j, persistencetest.Anna)
	turn, prompt := acme.prompt("the margin of acme")
	answer := acme.open(turn, prompt)
	acme.must(chunk(answer, 0, "half an answer"))
	object := domain.DisplayObject{ID: uuid.New(), MessageID: answer, Name: "secret", Type: domain.DisplayCSV, FileKey: "key"}
	acme.must(domain.Write{Objects: []domain.DisplayObject{object}})

	// Doris sends a message under each of the two ids.
	say := func(o *owned, id, turn uuid.UUID) error {
		w := domain.Write{
			Events: []domain.Event{event(domain.EventMessageCreated)},
			Messages: []domain.Message{{
				ID: id, TurnID: turn, Seq: o.NextSeq, Generation: o.Generation, Role: domain.RoleUser, Text: "of beta", Status: domain.MessageComplete,
				Author: &domain.Person{ID: o.caller.UserID},
			}},
		}
		return o.try(w).Err
	}
	beta := own(t, s, j, persistencetest.Doris)
	for _, id := range []uuid.UUID{prompt, answer} {
		require.NoError(t, say(beta, id, uuid.Nil))
		found, err := s.ConversationStore.MessageByID(ctx, beta.OrganisationID, id)
		require.NoError(t, err)
		require.Equal(t, "of beta", found.Text)
		require.Empty(t, found.DisplayObjects)
		read, err := s.Conversations.Message(ctx, beta.caller, id)
		require.NoError(t, err)
		require.Equal(t, "of beta", read.Text)
		require.Empty(t, read.DisplayObjects)
		text, err := s.ConversationStore.OpenText(ctx, beta.Conversation, id, 0)
		require.NoError(t, err)
		require.Equal(t, "of beta", text)
	}
	_, err := s.ConversationStore.OpenText(ctx, beta.Conversation, uuid.New(), 0)
	requireCode(t, domain.CodeNotFound, err)

	// Within one organisation an id is unique.
	requireCode(t, domain.CodeConflict, say(beta, prompt, uuid.Nil))
	other := own(t, s, j, persistencetest.Cleo)
	requireCode(t, domain.CodeConflict, say(other, prompt, uuid.Nil))

	// Writes, copies and purges affect only the organisation's own messages.
	claim, err := s.ConversationStore.Claim(ctx, acme.Conversation, uuid.New(), "node", nil)
	require.NoError(t, err)
	require.NotNil(t, claim.Running)
	require.Equal(t, "the margin of acme", claim.Running.Prompt.Text)
	acme.Claim = claim
	copied, err := s.Conversations.CopyConversation(ctx, beta.caller, beta.Conversation, domain.IdempotencyKey{})
	require.NoError(t, err)
	require.Len(t, copied.Messages, 2)
	for _, m := range copied.Messages {
		require.Equal(t, "of beta", m.Text)
		require.Empty(t, m.DisplayObjects)
	}
	beta.must(domain.Write{Events: []domain.Event{event(domain.EventConversationDeleted)}, Delete: true})
	raw := persistencetest.Connect(t, url, "parley_engine")
	_, err = raw.Exec(ctx, "UPDATE conversation SET deleted_at = deleted_at - interval '2 minutes' WHERE deleted_at IS NOT NULL")
	require.NoError(t, err)
	purged, err := s.Conversations.PurgeConversations(ctx)
	require.NoError(t, err)
	require.Equal(t, 1, purged)
	found, err := s.ConversationStore.MessageByID(ctx, beta.OrganisationID, prompt)
	require.NoError(t, err)
	require.Nil(t, found)
	c, err := s.Conversations.Conversation(ctx, acme.caller, acme.Conversation)
	require.NoError(t, err)
	require.Len(t, c.Messages, 2)
	require.Equal(t, "the margin of acme", c.Messages[0].Text)
	require.Equal(t, "half an answer", c.Messages[1].Text)
	require.Len(t, c.Messages[1].DisplayObjects, 1)
}
