package persistence_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

func TestStore_CopyConversation(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	j := startJournal(t, s, persistence.JournalConfig{})
	ben, cleo, doris := persistencetest.Caller(t, s, persistencetest.Ben), persistencetest.Caller(t, s, persistencetest.Cleo),
		persistencetest.Caller(t, s, persistencetest.Doris)
	anna := persistencetest.Caller(t, s, persistencetest.Anna)
	everybodys, err := s.DataSources.DataSources(ctx, ben, domain.DataSourceFilter{})
	require.NoError(t, err)
	orders := everybodys.Results[0].ID

	// talk is Ben's conversation with his own data source and the organisation's, an answer
	// with a table, a turn that was cut, and a running turn.
	talk := func(t *testing.T) (*owned, domain.DisplayObject) {
		t.Helper()
		// Other tests upload at the same time.
		files := uuid.NewString()
		mine, err := createSource(t, s, ben, domain.NewDataSource{Name: "Mine", Description: "d", Type: domain.DataSourceCSV, FileKey: "f" +
			files, WorkKey: "w" + files})
		require.NoError(t, err)
		o := own(t, s, j, persistencetest.Ben)
		sources := []int64{orders, mine.ID}
		o.must(domain.Write{Update: &domain.ConversationUpdate{DataSources: &sources}})
		turn, prompt := o.prompt("How many?")
		answer := o.open(turn, prompt)
		o.must(chunk(answer, 0, "There are two."))
		object := domain.DisplayObject{
			ID: uuid.New(), ConversationID: o.Conversation, MessageID: answer, Name: "table", Type: domain.DisplayCSV, Size: 3,
			FileKey: "objects/table",
			Columns: []domain.ShownColumn{{
				Name: "net", Label: "Net", Unit: "EUR", Format: domain.FormatMoney, Role: domain.RoleOfMeasure,
				Adds: true,
			}},
		}
		o.must(domain.Write{Objects: []domain.DisplayObject{object}, Events: []domain.Event{event(domain.EventMessageUpdated)}})
		o.must(domain.Write{Annotations: []domain.MessageAnnotation{
			{Message: answer, Annotation: domain.Annotation{Part: domain.PartWorking, FollowUps: []string{"And by month?"}}},
			{Message: answer, Annotation: domain.Annotation{
				Part: domain.PartAnswer, Table: object.ID,
				Figures: []domain.Figure{{Start: 10, End: 13, Object: object.ID, Row: 1}},
			}},
		}, Events: []domain.Event{event(domain.EventMessageUpdated)}})
		o.must(domain.Write{Annotations: []domain.MessageAnnotation{{
			Message:    answer,
			Annotation: domain.Annotation{Facts: &domain.TurnFacts{Queries: 1}},
		}}, Events: []domain.Event{event(domain.EventMessageUpdated)}})
		require.NoError(t, o.end(turn, answer, domain.TurnComplete).Err)
		from := o.NextSeq
		cut, _ := o.prompt("Never mind")
		o.must(domain.Write{
			TurnEnd: &domain.TurnEnd{Turn: cut, Status: domain.TurnComplete},
			Events:  []domain.Event{event(domain.EventStreamingComplete)},
		})
		o.must(domain.Write{
			Cut:    &domain.Cut{FromSeq: from, Generation: o.Generation + 1},
			Events: []domain.Event{event(domain.EventConversationRewound)},
		})
		running, asked := o.prompt("And now?")
		o.open(running, asked)
		o.grant(persistencetest.Cleo, domain.PermissionRead)
		return o, object
	}

	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		o, object := talk(t)
		copied, err := s.Conversations.CopyConversation(ctx, cleo, o.Conversation, domain.IdempotencyKey{})
		require.NoError(t, err)
		require.Equal(t, "Copy of Talk", copied.Name)
		require.Equal(t, cleo.UserID, copied.Owner.ID)
		require.Equal(t, domain.PermissionOwner, copied.Permission)
		require.Equal(t, []int64{orders}, copied.DataSources, "Cleo may not use Ben's own source")
		require.False(t, copied.IsStreaming)
		require.Zero(t, copied.Credits)

		original, err := s.Conversations.Conversation(ctx, ben, o.Conversation)
		require.NoError(t, err)
		require.Len(t, original.Messages, 4)
		require.Len(t, copied.Messages, 2, "neither what was cut nor the running turn")
		require.Equal(t, []string{"How many?", "There are two."}, []string{copied.Messages[0].Text, copied.Messages[1].Text})
		require.NotEqual(t, original.Messages[0].ID, copied.Messages[0].ID)
		require.Equal(t, copied.Messages[0].ID, copied.Messages[1].ParentID)
		require.Equal(t, ben.UserID, copied.Messages[0].Author.ID, "the author is kept")
		require.Len(t, copied.Messages[1].DisplayObjects, 1)
		require.NotEqual(t, object.ID, copied.Messages[1].DisplayObjects[0].ID)
		require.Equal(t, object.FileKey, copied.Messages[1].DisplayObjects[0].FileKey)
		require.Equal(t, object.Columns, copied.Messages[1].DisplayObjects[0].Columns, "units are kept, and copied")
		known := domain.Annotation{
			Part: domain.PartAnswer, FollowUps: []string{"And by month?"}, Table: object.ID, Facts: &domain.TurnFacts{Queries: 1},
			Figures: []domain.Figure{{Start: 10, End: 13, Object: object.ID, Row: 1}},
		}
		require.Equal(t, known, original.Messages[1].Annotation, "a later annotation is added to an earlier one")
		known.Table = copied.Messages[1].DisplayObjects[0].ID
		known.Figures[0].Object = known.Table
		require.Equal(t, known, copied.Messages[1].Annotation, "numbers point into the copy's own table")

		grants, err := s.Conversations.Grants(ctx, cleo, copied.ID)
		require.NoError(t, err)
		require.Len(t, grants, 1, "no rights are copied")
		_, err = s.Conversations.Conversation(ctx, ben, copied.ID)
		requireCode(t, domain.CodeNotFound, err)

		// The copy is a conversation like any other: it is claimed and written to.
		claim, err := s.ConversationStore.Claim(ctx, copied.ID, uuid.New(), "node", nil)
		require.NoError(t, err)
		require.Equal(t, copied.Head+1, claim.NextSeq)
		theirs := &owned{t: t, store: s, journal: j, caller: cleo, Claim: claim}
		theirs.prompt("One more")
		events, err := s.ConversationStore.Events(ctx, copied.ID, 0, 10)
		require.NoError(t, err)
		require.Equal(t, domain.EventConversationCreated, events[0].Type)
		require.Equal(t, copied.Head, events[0].Seq)

		// Later changes of the original do not affect the copy.
		o.must(domain.Write{Delete: true})
		kept, err := s.Conversations.Conversation(ctx, cleo, copied.ID)
		require.NoError(t, err)
		require.Len(t, kept.Messages, 3)
	})
	t.Run("ListedAtOnce", func(t *testing.T) {
		t.Parallel()
		o, _ := talk(t)
		before, err := s.Conversations.Conversations(ctx, cleo, domain.ConversationFilter{Scope: "user"})
		require.NoError(t, err)
		copied, err := s.Conversations.CopyConversation(ctx, cleo, o.Conversation, domain.IdempotencyKey{})
		require.NoError(t, err)
		after, err := s.Conversations.Conversations(ctx, cleo, domain.ConversationFilter{Scope: "user"})
		require.NoError(t, err)
		require.Greater(t, after.Count, before.Count)
		var ids []uuid.UUID
		for _, c := range after.Results {
			ids = append(ids, c.ID)
		}
		require.Contains(t, ids, copied.ID)
	})
	t.Run("SameKeyOnce", func(t *testing.T) {
		t.Parallel()
		o, _ := talk(t)
		key := domain.IdempotencyKey{Key: uuid.NewString()}
		one, err := s.Conversations.CopyConversation(ctx, ben, o.Conversation, key)
		require.NoError(t, err)
		two, err := s.Conversations.CopyConversation(ctx, ben, o.Conversation, key)
		require.NoError(t, err)
		require.Equal(t, one.ID, two.ID)
	})
	t.Run("ErrNotFound", func(t *testing.T) {
		t.Parallel()
		o, _ := talk(t)
		for _, who := range []domain.Caller{doris, anna} {
			_, err := s.Conversations.CopyConversation(ctx, who, o.Conversation, domain.IdempotencyKey{})
			requireCode(t, domain.CodeNotFound, err)
		}
		o.must(domain.Write{Delete: true})
		_, err := s.Conversations.CopyConversation(ctx, ben, o.Conversation, domain.IdempotencyKey{})
		requireCode(t, domain.CodeNotFound, err)
	})
	t.Run("Views", func(t *testing.T) {
		t.Parallel()
		o, object := talk(t)
		versions := domain.ConversationView{AllVersions: true, Feedback: domain.FeedbackAll}
		c, err := s.Conversations.ConversationAs(ctx, ben, o.Conversation, versions)
		require.NoError(t, err)
		require.Len(t, c.Messages, 5)
		require.Equal(t, "Never mind", c.Messages[2].Text, "in the order of the log")
		require.Equal(t, o.Generation+1, c.Messages[2].CutGeneration)
		require.Zero(t, c.Messages[1].CutGeneration)
		c, err = s.Conversations.ConversationAs(ctx, cleo, o.Conversation, versions)
		require.NoError(t, err)
		require.Len(t, c.Messages, 4, "only the owner reads what the owner has removed")

		// Anna is a superuser without a grant: she may read it as soon as there is feedback.
		for _, who := range []domain.Caller{anna, doris} {
			_, err = s.Conversations.ConversationAs(ctx, who, o.Conversation, versions)
			requireCode(t, domain.CodeNotFound, err)
			_, err = s.Conversations.DisplayObject(ctx, who, object.ID)
			requireCode(t, domain.CodeNotFound, err)
		}
		_, err = s.Feedback.GiveFeedback(ctx, cleo, domain.NewFeedback{Message: object.MessageID, Labels: []int64{12}})
		require.NoError(t, err)
		c, err = s.Conversations.ConversationAs(ctx, anna, o.Conversation, versions)
		require.NoError(t, err)
		require.Equal(t, domain.PermissionNone, c.Permission)
		require.Len(t, c.Messages, 4)
		_, err = s.Conversations.DisplayObject(ctx, anna, object.ID)
		require.NoError(t, err)
		_, err = s.Conversations.ConversationAs(ctx, anna, o.Conversation, domain.ConversationView{Feedback: domain.FeedbackOwn})
		requireCode(t, domain.CodeNotFound, err)
		_, err = s.Conversations.ConversationAs(ctx, doris, o.Conversation, versions)
		requireCode(t, domain.CodeNotFound, err)
	})
	t.Run("Pages", func(t *testing.T) {
		t.Parallel()
		o, object := talk(t)
		whole, err := s.Conversations.Conversation(ctx, ben, o.Conversation)
		require.NoError(t, err)
		require.Zero(t, whole.Earlier)

		// Pages of one message, from the end to the beginning, return all messages with their objects.
		var read []domain.Message
		page := domain.MessagePage{Size: 1}
		for {
			c, err := s.Conversations.ConversationAs(ctx, ben, o.Conversation, domain.ConversationView{Messages: page})
			require.NoError(t, err)
			require.Len(t, c.Messages, 1)
			require.Equal(t, whole.Head, c.Head)
			read = append(read, c.Messages...)
			page.Before = c.Earlier
			if c.Earlier == 0 {
				break
			}
		}
		slices.Reverse(read)
		require.Equal(t, whole.Messages, read)
		require.True(t, slices.ContainsFunc(read, func(m domain.Message) bool {
			return slices.ContainsFunc(m.DisplayObjects, func(d domain.DisplayObject) bool { return d.ID == object.ID })
		}))

		c, err := s.Conversations.ConversationAs(ctx, ben, o.Conversation, domain.ConversationView{Messages: domain.MessagePage{Size: 100}})
		require.NoError(t, err)
		require.Equal(t, whole.Messages, c.Messages)
		require.Zero(t, c.Earlier)
		_, err = s.Conversations.ConversationAs(ctx, doris, o.Conversation, domain.ConversationView{Messages: domain.MessagePage{Size: 100}})
		requireCode(t, domain.CodeNotFound, err)
	})
	t.Run("Nested", func(t *testing.T) {
		t.Parallel()
		o, _ := talk(t)
		var label int64
		require.NoError(t, persistencetest.Connect(t, url, "").QueryRow(ctx,
			`INSERT INTO project_label (org_id, owner_id, name, description, color) VALUES ($1, $2, 'Shop', 'd', '#112233') RETURNING id`,
			ben.OrganisationID, ben.UserID).Scan(&label))
		o.must(domain.Write{Update: &domain.ConversationUpdate{ProjectLabels: &[]int64{label, 999_999}}})
		c, err := s.Conversations.Conversation(ctx, cleo, o.Conversation)
		require.NoError(t, err)
		n, err := s.Conversations.Nested(ctx, cleo, []domain.Conversation{*c})
		require.NoError(t, err)
		require.Equal(t, map[int64]domain.NestedName{orders: {ID: orders, Name: "Orders", Kind: "csv"}}, n.DataSources)
		require.Equal(t, map[int64]domain.NestedName{label: {ID: label, Name: "Shop", Kind: "#112233"}}, n.ProjectLabels)
	})
}
