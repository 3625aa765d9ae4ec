package persistence_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

var errAfterwards = errors.New("afterwards")

// TestStore_StartConversation makes a conversation whose turn waits to be begun.
func TestStore_StartConversation(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	anna := persistencetest.Caller(t, s, persistencetest.Anna)
	plan := &domain.Plan{BlueprintID: 7, Blueprint: "Review", Steps: []domain.PlanStep{
		{Number: 1, Name: "Look", DetailedInstructions: "Sales by country", Memories: []int64{3}},
		{Number: 2, Name: "Query", Code: "SELECT 1", Language: "sql", QAInstructions: "Check it", AnalystID: 9},
	}}

	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		label, err := s.ProjectLabels.CreateProjectLabel(ctx, anna, domain.ProjectLabelDraft{Name: "P", Description: "D", Color: "#336699"})
		require.NoError(t, err)
		id, message, turn, told, err := s.StartConversation(ctx, anna, persistence.ConversationStart{
			Name: "A name that is longer than thirty characters", Description: "Why", Text: "Please review.", ProjectLabels: []int64{label.ID},
			Plan: plan,
		})
		require.NoError(t, err)

		c, err := s.Conversations.Conversation(ctx, anna, id)
		require.NoError(t, err)
		require.Equal(t, "A name that is longer than", c.Name)
		require.Equal(t, []int64{label.ID}, c.ProjectLabels)
		require.True(t, c.IsStreaming)
		require.Equal(t, int64(2), c.Head)
		require.Len(t, c.Messages, 1)
		require.Equal(t, message, c.Messages[0].ID)
		require.Equal(t, domain.MessageComplete, c.Messages[0].Status)

		events, err := s.ConversationStore.Events(ctx, id, 0, 10)
		require.NoError(t, err)
		require.Len(t, events, 2)
		var created protocol.ConversationChange
		require.NoError(t, json.Unmarshal(events[0].Data, &created))
		require.Equal(t, domain.EventConversationCreated, events[0].Type)
		require.Equal(t, "active", *created.Status)
		require.Equal(t, []int64{label.ID}, *created.ProjectLabels)
		var prompted protocol.Message
		require.NoError(t, json.Unmarshal(events[1].Data, &prompted))
		require.Equal(t, domain.EventMessageCreated, events[1].Type)
		require.Equal(t, protocol.MessageData(&c.Messages[0]), prompted, "the log has the same data as a read")

		require.Len(t, told, 2)
		require.Equal(t, told[0].Seq+1, told[1].Seq)
		require.Equal(t, anna.UserUUID, told[0].UserUUID)
		require.JSONEq(t, string(events[0].Data), string(told[0].Data))
		note, err := json.Marshal(protocol.MessageNote{ConversationID: id, MessageID: message, Role: "user", Streaming: true})
		require.NoError(t, err)
		require.JSONEq(t, string(note), string(told[1].Data))

		orphans, err := s.ConversationStore.Orphans(ctx, 1000)
		require.NoError(t, err)
		require.Contains(t, orphans, id, "the sweeper finds it")
		claim, err := s.ConversationStore.Claim(ctx, id, uuid.New(), "node", nil)
		require.NoError(t, err)
		require.Equal(t, int64(3), claim.NextSeq)
		require.Equal(t, turn, claim.Running.Turn.ID)
		require.Zero(t, claim.Running.Turn.Attempt)
		require.Equal(t, plan, claim.Running.Turn.Plan)
		require.Equal(t, "Please review.", claim.Running.Prompt.Text)
		require.False(t, claim.Running.Spoke)
		analyst, err := s.Analysts.DefaultAnalyst(ctx, anna.OrganisationID)
		require.NoError(t, err)
		require.Equal(t, analyst.ID, claim.Running.Turn.AnalystID)
	})
	t.Run("BegunOnce", func(t *testing.T) {
		t.Parallel()
		id, _, turn, _, err := s.StartConversation(ctx, anna, persistence.ConversationStart{Name: "Once", Text: "Go"})
		require.NoError(t, err)
		o := &owned{t: t, store: s, journal: startJournal(t, s, persistence.JournalConfig{}), caller: anna}
		o.claim(id)
		require.Nil(t, o.Running.Turn.Plan)
		o.must(domain.Write{TurnStart: &domain.Turn{ID: turn, Attempt: 1}})
		requireCode(t, domain.CodeConflict, o.try(domain.Write{TurnStart: &domain.Turn{ID: turn, Attempt: 1}}).Err)
	})
	t.Run("NothingWhenTheTransactionFails", func(t *testing.T) {
		t.Parallel()
		id, message, _, _, err := s.StartConversation(ctx, anna, persistence.ConversationStart{Name: "Never", Text: "Go", Fail: errAfterwards})
		require.Error(t, err)
		_, err = s.Conversations.Conversation(ctx, anna, id)
		requireCode(t, domain.CodeNotFound, err)
		found, err := s.ConversationStore.MessageByID(ctx, anna.OrganisationID, message)
		require.NoError(t, err)
		require.Nil(t, found)
	})
	t.Run("TheRoleEndsWithTheTransaction", func(t *testing.T) {
		t.Parallel()
		// A pool of one connection: the next request gets the one that started.
		one, err := persistence.Open(ctx, persistence.Config{URL: url, AppConnections: 1})
		require.NoError(t, err)
		defer one.Close()
		id, _, _, _, err := one.StartConversation(ctx, anna, persistence.ConversationStart{Name: "Mine", Text: "Go"})
		require.NoError(t, err)
		doris := persistencetest.Caller(t, s, persistencetest.Doris)
		doris.UserID = anna.UserID // as if a condition were wrong
		_, err = one.Conversations.Conversation(ctx, doris, id)
		requireCode(t, domain.CodeNotFound, err)
	})
	t.Run("ErrTooLong", func(t *testing.T) {
		t.Parallel()
		_, _, _, _, err := s.StartConversation(ctx, anna,
			persistence.ConversationStart{Name: "Long", Text: strings.Repeat("x", domain.PromptMax+1)})
		requireCode(t, domain.CodeInvalid, err)
	})
}
