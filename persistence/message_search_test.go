package persistence_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// TestStore_SearchMessages finds what was asked and answered, for those who may read it.
func TestStore_SearchMessages(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	ctx := t.Context()
	j := startJournal(t, s, persistence.JournalConfig{})
	anna := persistencetest.Caller(t, s, persistencetest.Anna)
	ben := persistencetest.Caller(t, s, persistencetest.Ben)
	// said makes a conversation with a question and its answer.
	said := func(email, question, answer string) *owned {
		o := own(t, s, j, email)
		turn, prompt := o.prompt(question)
		message := o.open(turn, prompt)
		o.must(chunk(message, 0, answer))
		require.NoError(t, o.end(turn, message, domain.TurnComplete).Err)
		return o
	}
	first := said(persistencetest.Anna, "Net sales of Oslo?", "**12,400** EUR, 50% more.")
	second := said(persistencetest.Anna, "Churn by plan", "Of Oslo nothing is known.")
	bens := said(persistencetest.Ben, "Sales of Oslo in Ben's file", "Nothing.")
	found := func(caller domain.Caller, search string) []string {
		t.Helper()
		list, err := s.Conversations.SearchMessages(ctx, caller, search)
		require.NoError(t, err)
		texts := make([]string, len(list))
		for i := range list {
			require.Equal(t, "Talk", list[i].ConversationName)
			require.NotZero(t, list[i].CreatedAt)
			texts[i] = list[i].Excerpt
		}
		return texts
	}

	require.Equal(t, []string{"Of Oslo nothing is known.", "Net sales of Oslo?"}, found(anna, "oslo"), "the last changed first")
	require.Equal(t, []string{"Net sales of Oslo?"}, found(anna, "OSLO  net"), "all words in any order")
	require.Equal(t, []string{"12,400 EUR, 50% more."}, found(anna, "50%"))
	require.Empty(t, found(anna, "5%%"), "signs are compared as they are")
	require.Empty(t, found(anna, "oslo bergen"))
	require.Empty(t, found(anna, "  "))
	require.Equal(t, []string{"Sales of Oslo in Ben's file"}, found(ben, "oslo"))
	require.Empty(t, found(persistencetest.Caller(t, s, persistencetest.Doris), "oslo"), "of another organisation")

	// One message of each conversation, the newest one.
	list, err := s.Conversations.SearchMessages(ctx, anna, "o")
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, domain.RoleAssistant, list[0].Role)
	require.Equal(t, second.Conversation, list[0].ConversationID)

	bens.grant(persistencetest.Anna, domain.PermissionRead)
	require.Len(t, found(anna, "oslo"), 3, "shared")
	bens.grant(persistencetest.Anna, domain.PermissionRemove)
	require.Len(t, found(anna, "oslo"), 2)
	require.NoError(t, s.Conversations.SetStatus(ctx, anna, first.Conversation, domain.ConversationArchived))
	require.Len(t, found(anna, "oslo"), 2, "also in the archive")

	// What is still being written, what a rewind has cut, and what only the workings have are not found.
	turn, prompt := first.prompt("Next")
	open := first.open(turn, prompt)
	first.must(chunk(open, 0, "Bergen"))
	require.Empty(t, found(anna, "bergen"))
	require.NoError(t, first.end(turn, open, domain.TurnComplete).Err)
	require.Equal(t, []string{"Bergen"}, found(anna, "bergen"))
	first.must(domain.Write{
		Events: []domain.Event{event(domain.EventConversationRewound)},
		Cut:    &domain.Cut{FromSeq: first.NextSeq - 4, Generation: first.Generation + 1},
	})
	require.Empty(t, found(anna, "bergen"))

	// Of a long text a part is returned.
	said(persistencetest.Anna, strings.Repeat("before ", 30)+"the needle "+strings.Repeat("after ", 60), "-")
	texts := found(anna, "needle")
	require.Len(t, texts, 1)
	require.Regexp(t, `^… before .*before the needle after .* after …$`, texts[0])
	require.Less(t, len(texts[0]), 220)

	for i := range domain.FoundMessagesMax + 2 {
		said(persistencetest.Anna, fmt.Sprintf("Pear %d", i), "-")
	}
	require.Len(t, found(anna, "pear"), domain.FoundMessagesMax)
}
