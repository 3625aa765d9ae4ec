package persistence_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

func TestJournal_Turn(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	ctx := t.Context()
	o := own(t, s, startJournal(t, s, persistence.JournalConfig{}), persistencetest.Anna)
	_, _, err := s.Sessions.ClaimSession(ctx, o.caller.UserUUID, "home")
	require.NoError(t, err)

	turn, prompt := o.prompt("How many?")
	answer := o.open(turn, prompt)
	o.must(chunk(answer, 0, "Grüße"))
	o.must(chunk(answer, 7, ", Welt"))

	text, err := s.ConversationStore.OpenText(ctx, o.Conversation, answer, 7)
	require.NoError(t, err)
	require.Equal(t, ", Welt", text)

	running, err := s.Conversations.Running(ctx, o.caller)
	require.NoError(t, err)
	require.Len(t, running, 1)

	c, err := s.Conversations.Conversation(ctx, o.caller, o.Conversation)
	require.NoError(t, err)
	require.True(t, c.IsStreaming)
	require.Equal(t, o.NextSeq-1, c.Head)
	require.Equal(t, "Grüße, Welt", c.Messages[1].Text)

	o.claim(o.Conversation)
	require.NotNil(t, o.Running)
	require.True(t, o.Running.Spoke)
	require.Equal(t, prompt, o.Running.Prompt.ID)
	require.Equal(t, []int64{1, 2}, o.Running.Prompt.DataSources)
	require.Equal(t, "Grüße, Welt", o.Running.Open[0].Text)

	object := uuid.New()
	o.must(domain.Write{
		Steps: []domain.Step{{
			TurnID: turn, Number: 1, Attempt: 1, Kind: domain.StepModel, Name: "m", Status: domain.StepFinished,
			Output: json.RawMessage(`{"x":1}`),
		}},
		Usage: []domain.Usage{{
			TurnID: turn, Step: 1, Attempt: 1, ConversationID: o.Conversation, UserID: o.caller.UserID, Provider: "p",
			Model: "m", Credits: 1.25,
		}},
		Objects: []domain.DisplayObject{{
			ID: object, ConversationID: o.Conversation, MessageID: answer, Name: "c", Type: domain.DisplayCSV,
			FileKey: "k",
		}},
		Events: []domain.Event{event(domain.EventMessageUpdated)},
	})
	r := o.try(domain.Write{
		Events:      []domain.Event{event(domain.EventMessageUpdated), event(domain.EventStreamingComplete)},
		MessageEnds: []domain.MessageEnd{{Message: answer, Status: domain.MessageComplete}},
		TurnEnd:     &domain.TurnEnd{Turn: turn, Status: domain.TurnComplete},
		Snapshot:    &domain.Snapshot{Seq: 6, Epoch: o.Fence.Epoch, SchemaVersion: 1, Checksum: 4_000_000_000, Body: []byte("b")},
		UserEvents:  []domain.UserEventDraft{{Type: domain.EventStreamingComplete, Data: json.RawMessage(`{}`), Unread: true, Except: 0}},
	})
	require.NoError(t, r.Err)
	require.Len(t, r.UserEvents, 1)
	require.Equal(t, "home", r.UserEvents[0].Home)
	require.Equal(t, int64(2), r.UserEvents[0].Seq)

	c, err = s.Conversations.Conversation(ctx, o.caller, o.Conversation)
	require.NoError(t, err)
	require.False(t, c.IsStreaming)
	require.InDelta(t, 1.25, c.Credits, 1e-9)
	require.Equal(t, "Grüße, Welt", c.Messages[1].Text)
	require.Equal(t, domain.MessageComplete, c.Messages[1].Status)
	require.Equal(t, object, c.Messages[1].DisplayObjects[0].ID)
	require.Nil(t, c.Messages[1].DisplayObjects[0].Columns, "no columns were written")
	require.Equal(t, 1, c.Unread)

	events, err := s.ConversationStore.Events(ctx, o.Conversation, 1, 100)
	require.NoError(t, err)
	require.Len(t, events, 5)
	require.JSONEq(t, `{"a":1}`, string(events[0].Data))

	o.claim(o.Conversation)
	require.Nil(t, o.Running)
	require.Equal(t, uint32(4_000_000_000), o.Snapshot.Checksum)
}

// The time by which lists are sorted changes only with an event to the readers, and has the event's
// time: a client that sorts its list by the entries of its log has the same order as the store.
func TestJournal_UpdatedAt(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	o := own(t, s, startJournal(t, s, persistence.JournalConfig{}), persistencetest.Anna)
	o.grant(persistencetest.Ben, domain.PermissionRead)
	updated := func() time.Time {
		c, err := s.Conversations.Conversation(t.Context(), o.caller, o.Conversation)
		require.NoError(t, err)
		return c.UpdatedAt
	}
	told := func(w domain.Write) {
		before := updated()
		r := o.must(w)
		require.Len(t, r.UserEvents, 2, "Anna and Ben get an event")
		require.Equal(t, r.UserEvents[0].At, updated())
		require.False(t, updated().Before(before))
	}
	note := func(e domain.EventType) []domain.UserEventDraft {
		return []domain.UserEventDraft{{Type: e, Data: json.RawMessage(`{}`)}}
	}
	turn := uuid.New()
	told(domain.Write{
		Events:     []domain.Event{event(domain.EventMessageCreated)},
		Messages:   []domain.Message{{ID: uuid.New(), TurnID: turn, Seq: o.NextSeq, Role: domain.RoleUser, Status: domain.MessageComplete}},
		UserEvents: note(domain.EventMessageCreated),
	})
	told(domain.Write{
		Events: []domain.Event{event(domain.EventConversationRewound)}, Cut: &domain.Cut{FromSeq: 2, Generation: 2},
		UserEvents: note(domain.EventConversationRewound),
	})

	last := updated()
	o.must(domain.Write{
		Events:   []domain.Event{event(domain.EventMessageCreated)},
		Messages: []domain.Message{{ID: uuid.New(), TurnID: turn, Seq: o.NextSeq, Role: domain.RoleAssistant, Status: domain.MessageComplete}},
	})
	require.Equal(t, last, updated(), "the logs have no entry for a message of an answer")
	o.grant(persistencetest.Cleo, domain.PermissionRead)
	require.Equal(t, last, updated(), "a change of the grants changes nothing that a list shows")
}
