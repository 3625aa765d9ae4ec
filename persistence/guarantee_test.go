package persistence_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// G6, G10: a turn ends once, however many try.
func TestJournal_TurnEndsOnce(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	j := startJournal(t, s, persistence.JournalConfig{})
	t.Run("ErrConflictSecondEnd", func(t *testing.T) {
		t.Parallel()
		o := own(t, s, j, persistencetest.Anna)
		turn, prompt := o.prompt("?")
		answer := o.open(turn, prompt)
		require.NoError(t, o.end(turn, answer, domain.TurnStopped).Err)
		requireCode(t, domain.CodeConflict, o.try(domain.Write{
			Events: []domain.Event{event(domain.EventStreamingComplete)}, TurnEnd: &domain.TurnEnd{Turn: turn, Status: domain.TurnComplete},
		}).Err)
		running, err := s.Conversations.Running(t.Context(), o.caller)
		require.NoError(t, err)
		for _, c := range running {
			require.NotEqual(t, o.Conversation, c.ID)
		}
	})
	t.Run("ErrConflictEndOfAnotherConversation", func(t *testing.T) {
		t.Parallel()
		o, other := own(t, s, j, persistencetest.Anna), own(t, s, j, persistencetest.Anna)
		turn, _ := o.prompt("?")
		requireCode(t, domain.CodeConflict, other.try(domain.Write{TurnEnd: &domain.TurnEnd{Turn: turn, Status: domain.TurnComplete}}).Err)
		o.claim(o.Conversation)
		require.NotNil(t, o.Running)
	})
	t.Run("ErrConflictTwoTurns", func(t *testing.T) {
		t.Parallel()
		o := own(t, s, j, persistencetest.Anna)
		_, prompt := o.prompt("?")
		requireCode(t, domain.CodeConflict,
			o.try(domain.Write{TurnStart: &domain.Turn{ID: uuid.New(), Prompt: prompt, UserID: 1, AnalystID: 1, Attempt: 1}}).Err)
	})
	t.Run("AttemptsOnlyRise", func(t *testing.T) {
		t.Parallel()
		o := own(t, s, j, persistencetest.Anna)
		turn, prompt := o.prompt("?")
		again := domain.Turn{ID: turn, Prompt: prompt, UserID: o.caller.UserID, AnalystID: 1, Attempt: 2}
		o.must(domain.Write{TurnStart: &again})
		requireCode(t, domain.CodeConflict, o.try(domain.Write{TurnStart: &again}).Err)
		o.claim(o.Conversation)
		require.Equal(t, 2, o.Running.Turn.Attempt)
	})
}

// G7: what a step printed stays, and is read by the next owner.
func TestJournal_Steps(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	o := own(t, s, startJournal(t, s, persistence.JournalConfig{}), persistencetest.Anna)
	turn, _ := o.prompt("?")
	step := domain.Step{
		TurnID: turn, Number: 1, Attempt: 1, Kind: domain.StepTool, Name: "query", Status: domain.StepRunning,
		Input: json.RawMessage(`{"sql":"x"}`),
	}
	finished := step
	finished.Status, finished.Output = domain.StepFinished, json.RawMessage(`{"rows":1}`)
	o.must(domain.Write{Steps: []domain.Step{step, finished}})
	again := step
	again.Attempt, again.Output = 2, json.RawMessage(`{"rows":2}`)
	o.must(domain.Write{Steps: []domain.Step{again, {
		TurnID: turn, Number: 2, Attempt: 2, Kind: domain.StepModel, Name: "m",
		Status: domain.StepRunning,
	}}})
	o.claim(o.Conversation)
	require.Len(t, o.Running.Steps, 2)
	require.Equal(t, domain.StepFinished, o.Running.Steps[0].Status)
	require.JSONEq(t, `{"rows":1}`, string(o.Running.Steps[0].Output))
	require.JSONEq(t, `{"sql":"x"}`, string(o.Running.Steps[0].Input))
	require.True(t, o.Running.Steps[1].StartedAt.IsZero())
	require.False(t, o.Running.Spoke)
}

// G2: a message ends once, with the text that was stored.
func TestJournal_MessageEnd(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	atStretch(t, persistencetest.Connect(t, url, ""), 0)
	j := startJournal(t, s, persistence.JournalConfig{})
	o := own(t, s, j, persistencetest.Anna)
	turn, prompt := o.prompt("?")
	answer := o.open(turn, prompt)
	for i, text := range []string{"one ", "two ", "three"} {
		o.must(chunk(answer, int64(4*i), text))
	}
	requireCode(t, domain.CodeConflict, o.try(chunk(answer, 4, "again")).Err)
	last := chunk(answer, 13, " four")
	last.MessageEnds = []domain.MessageEnd{{Message: answer, Status: domain.MessageComplete}}
	o.must(last)
	m, err := s.ConversationStore.MessageByID(t.Context(), o.OrganisationID, answer)
	require.NoError(t, err)
	require.Equal(t, "one two three four", m.Text)
	require.Equal(t, domain.MessageComplete, m.Status)
	requireCode(t, domain.CodeConflict,
		o.try(domain.Write{MessageEnds: []domain.MessageEnd{{Message: answer, Status: domain.MessageStopped}}}).Err)
	text, err := s.ConversationStore.OpenText(t.Context(), o.Conversation, answer, 14)
	require.NoError(t, err)
	require.Equal(t, "four", text)
}

// G11: a rewind removes all messages from one on, atomically.
func TestJournal_Cut(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	ctx := t.Context()
	o := own(t, s, startJournal(t, s, persistence.JournalConfig{}), persistencetest.Anna)
	turn, first := o.prompt("first")
	answer := o.open(turn, first)
	require.NoError(t, o.end(turn, answer, domain.TurnComplete).Err)
	from := o.NextSeq
	turn, second := o.prompt("second")
	answer = o.open(turn, second)
	object := uuid.New()
	o.must(domain.Write{Objects: []domain.DisplayObject{{ID: object, MessageID: answer, Name: "c", Type: domain.DisplayCSV, FileKey: "k"}}})
	o.must(chunk(answer, 0, "half"))
	o.must(domain.Write{
		Events:      []domain.Event{event(domain.EventStreamingComplete), event(domain.EventConversationRewound)},
		MessageEnds: []domain.MessageEnd{{Message: answer, Status: domain.MessageStopped}},
		TurnEnd:     &domain.TurnEnd{Turn: turn, Status: domain.TurnStopped},
		Cut:         &domain.Cut{FromSeq: from, Generation: o.Generation + 1},
	})
	c, err := s.Conversations.Conversation(ctx, o.caller, o.Conversation)
	require.NoError(t, err)
	require.Len(t, c.Messages, 2)
	require.Equal(t, int64(2), c.Generation)
	require.Equal(t, o.NextSeq-1, c.Head)
	require.False(t, c.IsStreaming)
	_, err = s.Conversations.Message(ctx, o.caller, second)
	requireCode(t, domain.CodeNotFound, err)
	_, err = s.Conversations.DisplayObject(ctx, o.caller, object)
	requireCode(t, domain.CodeNotFound, err)
	m, err := s.ConversationStore.MessageByID(ctx, o.OrganisationID, second)
	require.NoError(t, err)
	require.NotNil(t, m, "the id of a prompt that was cut cannot be used again")
	list, err := s.ConversationStore.Messages(ctx, o.Conversation, 1)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, domain.RoleAssistant, list[0].Role)
	before := func(seq int64, limit int) (ids []uuid.UUID) {
		list, err := s.ConversationStore.MessagesBefore(ctx, o.Conversation, seq, limit)
		require.NoError(t, err)
		for _, m := range list {
			ids = append(ids, m.ID)
		}
		return ids
	}
	require.Equal(t, []uuid.UUID{c.Messages[0].ID, c.Messages[1].ID}, before(math.MaxInt64, 9), "oldest first, without what was cut")
	require.Equal(t, []uuid.UUID{c.Messages[1].ID}, before(math.MaxInt64, 1))
	require.Equal(t, []uuid.UUID{first}, before(c.Messages[1].Seq, 9))
	require.Empty(t, before(c.Messages[0].Seq, 9))
}

// G12: a deleted conversation never returns.
func TestJournal_Delete(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	o := own(t, s, startJournal(t, s, persistence.JournalConfig{}), persistencetest.Anna)
	o.grant(persistencetest.Ben, domain.PermissionRead)
	turn, prompt := o.prompt("?")
	answer := o.open(turn, prompt)
	r := o.must(domain.Write{
		Events: []domain.Event{event(domain.EventConversationDeleted)}, Delete: true,
		UserEvents: []domain.UserEventDraft{{Type: domain.EventConversationDeleted, Data: json.RawMessage(`{}`)}},
	})
	require.Len(t, r.UserEvents, 2, "the readers get an event")

	late := chunk(answer, 0, "late")
	late.Snapshot = &domain.Snapshot{Seq: 9, Epoch: 99, Body: []byte("late")}
	requireCode(t, domain.CodeFenced, o.try(late).Err)
	// A write of text only uses another path, which checks only the fence.
	requireCode(t, domain.CodeFenced, o.try(chunk(answer, 0, "late")).Err)
	require.NoError(t, s.StoreSnapshot(ctx, o.Conversation, 99), "an update that finds nothing")
	_, err := s.ConversationStore.Claim(ctx, o.Conversation, uuid.New(), "node", nil)
	requireCode(t, domain.CodeNotFound, err)
	_, err = s.Conversations.Conversation(ctx, o.caller, o.Conversation)
	requireCode(t, domain.CodeNotFound, err)
	requireCode(t, domain.CodeNotFound, s.Conversations.SetFavorite(ctx, o.caller, o.Conversation, true))
	list, err := s.Conversations.Conversations(ctx, o.caller, domain.ConversationFilter{})
	require.NoError(t, err)
	require.Zero(t, list.Count)
	running, err := s.Conversations.Running(ctx, o.caller)
	require.NoError(t, err)
	require.Empty(t, running)
	orphans, err := s.ConversationStore.Orphans(ctx, 10)
	require.NoError(t, err)
	require.Empty(t, orphans)
	var snapshots int
	require.NoError(t, persistencetest.Connect(t, url, "parley_engine").QueryRow(ctx, "SELECT count(*) FROM conversation_snapshot WHERE "+
		"conversation_id = $1", o.Conversation).Scan(&snapshots))
	require.Zero(t, snapshots)
	p, version, err := s.ConversationStore.Access(ctx, o.Conversation, o.caller.UserID)
	require.NoError(t, err)
	require.Zero(t, version)
	require.Equal(t, domain.PermissionNone, p)
}

// G2, G5: an acknowledged write is on disk, whatever the server's default is.
func TestStore_SynchronousCommit(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	raw := persistencetest.Connect(t, url, "")
	name := pgx.Identifier{raw.Config().Database}.Sanitize()
	_, err := raw.Exec(t.Context(), "ALTER DATABASE "+name+" SET synchronous_commit = off")
	require.NoError(t, err)
	require.Equal(t, "off", func() (v string) {
		require.NoError(t, persistencetest.Connect(t, url, "").QueryRow(t.Context(), "SHOW synchronous_commit").Scan(&v))
		return v
	}())
	s.Close()
	settings, err := persistencetest.OpenURL(t, url).Settings(t.Context(), "synchronous_commit")
	require.NoError(t, err)
	require.Equal(t, map[string]string{"app": "on", "engine": "on", "journal": "on", "keyed": "on", "lease": "on"}, settings)
}

// G20: a model call is counted once.
func TestJournal_Usage(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	o := own(t, s, startJournal(t, s, persistence.JournalConfig{}), persistencetest.Anna)
	turn, _ := o.prompt("?")
	call := domain.Usage{
		TurnID: turn, Step: 1, Attempt: 1, ConversationID: o.Conversation, UserID: o.caller.UserID, Provider: "p",
		Model: "m", InputTokens: 5, OutputTokens: 6, Credits: 0.1,
	}
	second := call
	second.Step = 2
	o.must(domain.Write{Usage: []domain.Usage{call}})
	o.must(domain.Write{Usage: []domain.Usage{call, second}})
	o.must(domain.Write{Usage: []domain.Usage{second}})
	c, err := s.Conversations.Conversation(t.Context(), o.caller, o.Conversation)
	require.NoError(t, err)
	require.InDelta(t, 0.2, c.Credits, 1e-12)
}

// G21: a snapshot replaces an older one and never inserts a row.
func TestJournal_Snapshot(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	o := own(t, s, startJournal(t, s, persistence.JournalConfig{}), persistencetest.Anna)
	require.Nil(t, o.Snapshot)
	o.must(domain.Write{Snapshot: &domain.Snapshot{Seq: 2, Epoch: o.Fence.Epoch, SchemaVersion: 3, Checksum: 7, Body: []byte("two")}})
	o.claim(o.Conversation)
	require.Equal(t, &domain.Snapshot{Conversation: o.Conversation, Seq: 2, Epoch: 1, SchemaVersion: 3, Checksum: 7, Body: []byte("two")},
		o.Snapshot)
	o.must(domain.Write{Snapshot: &domain.Snapshot{Seq: 3, Epoch: o.Fence.Epoch, Body: []byte("three")}})
	o.must(domain.Write{Snapshot: &domain.Snapshot{Seq: 1, Epoch: 1, Body: []byte("of an older epoch")}})
	o.claim(o.Conversation)
	require.Equal(t, "three", string(o.Snapshot.Body))
}
