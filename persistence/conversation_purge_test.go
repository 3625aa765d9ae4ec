package persistence_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// G12: only a tombstone and the sums of reports are kept of a deleted conversation.
func TestStore_PurgeConversations(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	ben, cleo := persistencetest.Caller(t, s, persistencetest.Ben), persistencetest.Caller(t, s, persistencetest.Cleo)
	o := own(t, s, startJournal(t, s, persistence.JournalConfig{}), persistencetest.Ben)
	turn, prompt := o.prompt("How many?")
	answer := o.open(turn, prompt)
	o.must(chunk(answer, 0, "There are two."))
	o.must(domain.Write{
		Steps: []domain.Step{{
			TurnID: turn, Number: 1, Attempt: 1, Kind: domain.StepModel, Name: "model", Status: domain.StepFinished,
			Output: []byte(`{}`),
		}},
		Usage: []domain.Usage{{
			TurnID: turn, Step: 1, Attempt: 1, ConversationID: o.Conversation, UserID: ben.UserID, Provider: "p", Model: "m",
			Credits: 2,
		}},
		Objects: []domain.DisplayObject{
			{ID: uuid.New(), MessageID: answer, Name: "copied", Type: domain.DisplayCSV, FileKey: "objects/copied"},
		},
		Events: []domain.Event{event(domain.EventMessageUpdated)},
	})
	require.NoError(t, o.end(turn, answer, domain.TurnComplete).Err)
	o.grant(persistencetest.Cleo, domain.PermissionRead)
	copied, err := s.Conversations.CopyConversation(ctx, cleo, o.Conversation, domain.IdempotencyKey{})
	require.NoError(t, err)
	from := o.NextSeq
	cut, asked := o.prompt("Never mind")
	spoken := o.open(cut, asked)
	o.must(domain.Write{
		Objects: []domain.DisplayObject{{ID: uuid.New(), MessageID: spoken, Name: "own", Type: domain.DisplayCSV, FileKey: "objects/own"}},
		Events:  []domain.Event{event(domain.EventMessageUpdated)},
	})
	require.NoError(t, o.end(cut, spoken, domain.TurnComplete).Err)
	o.must(domain.Write{
		Cut:    &domain.Cut{FromSeq: from, Generation: o.Generation + 1},
		Events: []domain.Event{event(domain.EventConversationRewound)},
	})
	_, err = s.Feedback.GiveFeedback(ctx, ben, domain.NewFeedback{Message: answer, Labels: []int64{1}, Comments: []string{"Good"}})
	require.NoError(t, err)
	require.NoError(t, s.Conversations.SetFavorite(ctx, cleo, o.Conversation, true))
	_, err = createSource(t, s, ben, domain.NewDataSource{
		Name: "Its own", Description: "d", Scope: domain.ScopeConversation, ConversationID: o.Conversation, Type: domain.DataSourceCSV,
		FileKey: "files/own", WorkKey: "work/own", Resources: []domain.DataResource{{Name: "T", Table: "t"}},
	})
	require.NoError(t, err)

	c := persistencetest.Connect(t, url, "parley_engine")
	// This query finds every table that refers to conversations, so that its rows of this
	// conversation are counted.
	rows, err := c.Query(ctx,
		`SELECT c.table_name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
		WHERE c.table_schema = 'public' AND c.column_name = 'conversation_id' AND t.table_type = 'BASE TABLE'`)
	require.NoError(t, err)
	var tables []string
	for rows.Next() {
		var name string
		require.NoError(t, rows.Scan(&name))
		tables = append(tables, name)
	}
	require.NoError(t, rows.Err())
	held := func() []string {
		var names []string
		for _, name := range tables {
			var n int
			require.NoError(t, c.QueryRow(ctx, "SELECT count(*) FROM "+name+" WHERE conversation_id = $1", o.Conversation).Scan(&n))
			if n > 0 {
				names = append(names, name)
			}
		}
		return names
	}
	everything := held()
	for _, name := range []string{
		"message", "display_object", "turn", "turn_end", "conversation_event", "conversation_grant",
		"conversation_person", "feedback", "data_source", "usage",
	} {
		require.Contains(t, everything, name)
	}

	purge := func() int {
		n, err := s.Conversations.PurgeConversations(ctx)
		require.NoError(t, err)
		return n
	}
	require.Zero(t, purge(), "nothing is deleted yet")
	o.must(domain.Write{Events: []domain.Event{event(domain.EventConversationDeleted)}, Delete: true})
	require.Zero(t, purge(), "it may still be read or copied")
	age := func() {
		_, err := c.Exec(ctx, "UPDATE conversation SET deleted_at = deleted_at - interval '2 minutes' WHERE deleted_at IS NOT NULL")
		require.NoError(t, err)
	}
	age()
	require.Equal(t, 1, purge())
	require.Zero(t, purge())
	left := held()
	for _, name := range left {
		require.Contains(t, []string{"usage", "usage_day"}, name)
	}
	require.Contains(t, left, "usage", "what was spent stays counted")
	require.Zero(t, count(t, c, "SELECT count(*) FROM step WHERE turn_id = '"+turn.String()+"'"))

	t.Run("FilesOfCopiesStay", func(t *testing.T) {
		files := newKeys("objects/copied", "objects/own", "files/own", "work/own")
		_, err := s.Files.PruneFiles(ctx, files)
		require.NoError(t, err)
		require.ElementsMatch(t, []string{"objects/copied", "files/own", "work/own"}, files.left(),
			"a query may still be about to open a data source's")
		got, err := s.Conversations.Conversation(ctx, cleo, copied.ID)
		require.NoError(t, err)
		require.Equal(t, "There are two.", got.Messages[1].Text)

		// The copy is deleted, and with it the file that both have shared.
		o.claim(copied.ID)
		o.must(domain.Write{Events: []domain.Event{event(domain.EventConversationDeleted)}, Delete: true})
		age()
		require.Equal(t, 1, purge())
		_, err = s.Files.PruneFiles(ctx, files)
		require.NoError(t, err)
		require.ElementsMatch(t, []string{"files/own", "work/own"}, files.left())
	})
}

// TestStore_PurgeNotes lets a turn store two objects and show one of them.
func TestStore_PurgeNotes(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	o := own(t, s, startJournal(t, s, persistence.JournalConfig{}), persistencetest.Ben)
	c := persistencetest.Connect(t, url, "parley_engine")
	shown, lost := "objects/"+o.Conversation.String()+"/shown", "objects/"+o.Conversation.String()+"/lost"
	files := newKeys(shown, lost)
	later := func() {
		_, err := c.Exec(ctx, "UPDATE discarded_file SET at = at - interval '10 minutes'")
		require.NoError(t, err)
	}
	clear := func() {
		_, err := s.Conversations.PurgeConversations(ctx)
		require.NoError(t, err)
		_, err = s.Files.PruneFiles(ctx, files)
		require.NoError(t, err)
	}
	turn, prompt := o.prompt("How many?")
	answer := o.open(turn, prompt)
	require.NoError(t, s.Files.FileIntake("").Begin(ctx, persistencetest.Caller(t, s, persistencetest.Ben).OrganisationID, shown, lost))
	later()
	clear()
	require.ElementsMatch(t, []string{shown, lost}, files.left(), "the turn runs and may show both")

	o.must(domain.Write{
		Objects: []domain.DisplayObject{{ID: uuid.New(), MessageID: answer, Name: "shown", Type: domain.DisplayCSV, FileKey: shown}},
		Events:  []domain.Event{event(domain.EventMessageUpdated)},
	})
	require.NoError(t, o.end(turn, answer, domain.TurnStopped).Err)
	clear()
	require.Equal(t, []string{shown}, files.left())
	require.Zero(t, count(t, c, "SELECT count(*) FROM discarded_file"), "no entry stays")

	o.must(domain.Write{Events: []domain.Event{event(domain.EventConversationDeleted)}, Delete: true})
	_, err := c.Exec(ctx, "UPDATE conversation SET deleted_at = deleted_at - interval '2 minutes' WHERE deleted_at IS NOT NULL")
	require.NoError(t, err)
	clear()
	require.Empty(t, files.left())
}
