package persistence_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// G6: a reader of the stored conversation learns why an answer did not complete.
func TestStore_MessageReason(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	j := startJournal(t, s, persistence.JournalConfig{})
	for _, tt := range []struct {
		status domain.TurnStatus
		want   string
	}{{domain.TurnFailed, "because"}, {domain.TurnInterrupted, "because"}, {domain.TurnStopped, ""}, {domain.TurnComplete, ""}} {
		t.Run(string(tt.status), func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			o := own(t, s, j, persistencetest.Anna)
			turn, prompt := o.prompt("?")
			answer := o.open(turn, prompt)
			o.must(domain.Write{
				MessageEnds: []domain.MessageEnd{{Message: answer, Status: domain.MessageStatus(tt.status)}},
				TurnEnd:     &domain.TurnEnd{Turn: turn, Status: tt.status, Reason: "because"},
			})
			reasons := func(messages []domain.Message, err error) []string {
				require.NoError(t, err)
				list := make([]string, len(messages))
				for i := range messages {
					list[i] = messages[i].Reason
				}
				return list
			}
			single := func(m *domain.Message, err error) []string {
				require.NoError(t, err)
				return []string{m.Reason}
			}
			c, err := s.Conversations.Conversation(ctx, o.caller, o.Conversation)
			require.Equal(t, []string{"", tt.want}, reasons(c.Messages, err), "of the conversation")
			require.Equal(t, []string{"", tt.want}, reasons(s.ConversationStore.Messages(ctx, o.Conversation, 0)), "of the owner's reading")
			require.Equal(t, []string{tt.want}, reasons(s.ConversationStore.Messages(ctx, o.Conversation, 1)), "of the last one")
			require.Equal(t, []string{tt.want}, single(s.Conversations.Message(ctx, o.caller, answer)), "of the message")
			require.Equal(t, []string{tt.want}, single(s.ConversationStore.MessageByID(ctx, o.OrganisationID, answer)), "of its id")
		})
	}
}

// G10: a new owner knows the prompt that was stopped, until something follows it.
func TestStore_ClaimStopped(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	j := startJournal(t, s, persistence.JournalConfig{})
	o := own(t, s, j, persistencetest.Anna)
	require.Nil(t, o.Stopped)
	turn, prompt := o.prompt("first")
	analyst, err := s.ConversationStore.TurnAnalyst(t.Context(), turn)
	require.NoError(t, err)
	require.Equal(t, int64(1), analyst)
	o.claim(o.Conversation)
	require.Nil(t, o.Stopped, "it runs")
	answer := o.open(turn, prompt)
	require.NoError(t, o.end(turn, answer, domain.TurnStopped).Err)
	o.claim(o.Conversation)
	require.NotNil(t, o.Stopped)
	require.Equal(t, prompt, o.Stopped.ID)
	require.Equal(t, "first", o.Stopped.Text)
	require.Equal(t, turn, o.Stopped.TurnID)
	require.Equal(t, o.caller.UserID, o.Stopped.Author.ID)

	turn, prompt = o.prompt("second")
	from := o.NextSeq - 1
	require.NoError(t, o.end(turn, o.open(turn, prompt), domain.TurnComplete).Err)
	o.claim(o.Conversation)
	require.Nil(t, o.Stopped, "another turn has ended since")

	o.must(domain.Write{
		Events: []domain.Event{event(domain.EventConversationRewound)},
		Cut:    &domain.Cut{FromSeq: from, Generation: o.Generation + 1},
	})
	o.claim(o.Conversation)
	require.Nil(t, o.Stopped, "there was a rewind since")
}

// A list shows the summary of each conversation.
func TestJournal_StatusSummary(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	ctx := t.Context()
	o := own(t, s, startJournal(t, s, persistence.JournalConfig{}), persistencetest.Anna)
	status := func(id uuid.UUID) string {
		t.Helper()
		c, err := s.Conversations.Conversation(ctx, o.caller, id)
		require.NoError(t, err)
		return c.CurrentStatusSummary
	}
	ask := func(text string) {
		t.Helper()
		turn, prompt := o.prompt("?")
		summary := domain.Message{
			ID: uuid.New(), TurnID: turn, ParentID: prompt, Role: domain.RoleSummary, Status: domain.MessageStreaming,
			Seq: o.NextSeq, Generation: o.Generation,
		}
		o.must(domain.Write{Messages: []domain.Message{summary}, Events: []domain.Event{event(domain.EventMessageCreated)}})
		o.must(chunk(summary.ID, 0, text))
		require.NoError(t, o.end(turn, summary.ID, domain.TurnComplete).Err)
	}
	require.Empty(t, status(o.Conversation))
	ask("Sales grew.")
	require.Equal(t, "Sales grew.", status(o.Conversation))
	from := o.NextSeq
	ask(strings.Repeat("ä", 400))
	require.Equal(t, strings.Repeat("ä", 300), status(o.Conversation))
	o.must(domain.Write{
		Cut:    &domain.Cut{FromSeq: from, Generation: o.Generation + 1},
		Events: []domain.Event{event(domain.EventConversationRewound)},
	})
	require.Equal(t, "Sales grew.", status(o.Conversation), "a rewind restores the earlier summary")
	copied, err := s.Conversations.CopyConversation(ctx, o.caller, o.Conversation, domain.IdempotencyKey{})
	require.NoError(t, err)
	require.Equal(t, "Sales grew.", status(copied.ID))
}
