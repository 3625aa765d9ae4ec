package persistence_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/internal/dbsqlc"
	"parley.dev/parley/persistence/persistencetest"
)

// The result of Relation and the table is the result of the change itself, with the same
// text: both use the same table, Relation without the lock.
func TestStore_Relation(t *testing.T) {
	t.Parallel()
	s := openTasks(t)
	ctx := t.Context()
	report := s.make(t, s.ben, "Shared", "A")
	require.NoError(t, s.SetBlueprintGrants(ctx, s.ben, report.ID,
		[]domain.Grant{{Grantee: domain.Grantee{ID: s.cleo.UserID, Type: domain.GranteeUser}, Permission: domain.PermissionRead}}))
	waiting, err := s.CreateStep(ctx, s.ben, domain.StepDraft{Name: "Waits", DetailedInstructions: ptr("Do")})
	require.NoError(t, err)
	task := s.create(t, s.ben)
	label, err := s.store.ProjectLabels.CreateProjectLabel(ctx, s.ben, domain.ProjectLabelDraft{
		Name: "Launch", Description: "D",
		Color: "#008080",
	})
	require.NoError(t, err)
	types, err := s.store.Memories.MemoryTypes(ctx, s.anna)
	require.NoError(t, err)
	memory := func(on bool) int64 {
		m, err := s.store.Memories.CreateMemory(ctx, s.anna, domain.NewMemory{
			Name: "n" + uuid.NewString(), Question: "q", Response: "r",
			TypeID: types[0].ID,
		})
		require.NoError(t, err)
		m, err = s.store.Memories.UpdateMemory(ctx, s.anna, m.ID, domain.MemoryUpdate{IsEnabled: &on})
		require.NoError(t, err)
		return m.ID
	}
	enabled, off := memory(true), memory(false)
	source, err := createSource(t, s.store, s.ben, domain.NewDataSource{
		Name: "Mine", Description: "D", Type: domain.DataSourceCSV, FileKey: "f", Resources: []domain.DataResource{{Name: "t", Table: "t"}},
	})
	require.NoError(t, err)
	_, err = s.store.DataSources.SetDataSourceGrants(ctx, s.ben, source.ID,
		[]domain.Grant{{Grantee: domain.Grantee{ID: s.cleo.UserID, Type: domain.GranteeUser}, Permission: domain.PermissionRead}})
	require.NoError(t, err)

	agent, err := s.store.Analysts.CreateAnalyst(ctx, s.anna,
		domain.AnalystUpdate{Available: []domain.AgentModel{{Provider: "builtin", Model: "builtin"}}})
	require.NoError(t, err)
	require.NoError(t, s.store.Analysts.SetAnalystGrants(ctx, s.anna, agent.ID,
		[]domain.Grant{{Grantee: domain.Grantee{ID: s.cleo.UserID, Type: domain.GranteeUser}, Permission: domain.PermissionRead}}))
	standard, err := s.store.Analysts.DefaultAnalyst(ctx, s.anna.OrganisationID)
	require.NoError(t, err)
	talk, err := s.store.Conversations.CreateConversation(ctx, s.ben, domain.NewConversation{Name: "Talk"})
	require.NoError(t, err)

	never, none := "", int64(999_999_999)
	// asked is a row of the table, and a change that needs it: an invalid change, or one
	// that changes nothing.
	type asked struct {
		action domain.Action
		key    domain.Key
		change func(domain.Caller) error
	}
	number := func(action domain.Action, id int64, change func(domain.Caller, int64) error) asked {
		return asked{action, domain.Key{Number: id}, func(c domain.Caller) error { return change(c, id) }}
	}
	step := func(c domain.Caller, id int64) error {
		_, err := s.UpdateStep(ctx, c, id, domain.StepDraft{})
		return err
	}
	remember := func(c domain.Caller, id int64) error {
		_, err := s.store.Memories.UpdateMemory(ctx, c, id, domain.MemoryUpdate{Question: &never})
		return err
	}
	rename := func(c domain.Caller, id int64) error {
		_, err := s.store.ProjectLabels.UpdateProjectLabel(ctx, c, id, domain.ProjectLabelDraft{})
		return err
	}
	table := func(c domain.Caller, id int64) error {
		_, err := s.store.DataSources.SetDictionary(ctx, c, 0, id, "\x00")
		return err
	}
	blueprint := func(c domain.Caller, id int64) error {
		_, err := s.UpdateBlueprint(ctx, c, id, domain.BlueprintDraft{})
		return err
	}
	connector := func(c domain.Caller, id int64) error {
		_, err := s.store.DataSources.UpdateDataSource(ctx, c, id, domain.DataSourceUpdate{Name: &never})
		return err
	}
	analyst := func(c domain.Caller, id int64) error {
		_, err := s.store.Analysts.UpdateAnalyst(ctx, c, id, domain.AnalystUpdate{Name: &never})
		return err
	}
	schedule := func(id uuid.UUID) asked {
		return asked{domain.ChangeTask, domain.Key{ID: id}, func(c domain.Caller) error {
			_, err := s.store.Tasks.UpdateTask(ctx, c, id, domain.TaskInput{})
			return err
		}}
	}
	mark := func(id uuid.UUID) asked {
		return asked{domain.UseConversation, domain.Key{ID: id}, func(c domain.Caller) error {
			return s.store.Conversations.SetFavorite(ctx, c, id, true)
		}}
	}
	for what, row := range map[string]asked{
		"Blueprint": number(domain.ChangeBlueprint, report.ID, blueprint), "NoBlueprint": number(domain.ChangeBlueprint, none, blueprint),
		"BlueprintToArchive": number(domain.ArchiveBlueprint, report.ID, func(c domain.Caller, id int64) error {
			return s.ArchiveBlueprint(ctx, c, id, false)
		}),
		"BlueprintToMark": number(domain.UseBlueprint, report.ID, func(c domain.Caller, id int64) error {
			return s.SetBlueprintFavorite(ctx, c, id, true)
		}),
		"Step": number(domain.ChangeStep, report.Steps[0].ID, step), "StepThatWaits": number(domain.ChangeStep, waiting.ID, step),
		"NoStep": number(domain.ChangeStep, none, step),
		"Source": number(domain.ChangeDataSource, source.ID, connector), "NoSource": number(domain.ChangeDataSource, none, connector),
		"SourceToCorrect": number(domain.ChangeDataSource, source.ID, func(c domain.Caller, id int64) error {
			_, err := s.store.Corrections.Correct(ctx, c, id, domain.NewCorrection{})
			return err
		}),
		"NoSourceToCorrect": number(domain.ChangeDataSource, none, func(c domain.Caller, id int64) error {
			return s.store.Corrections.WithdrawCorrection(ctx, c, id, 1)
		}),
		"SourceToShare": number(domain.ShareDataSource, source.ID, func(c domain.Caller, id int64) error {
			_, err := s.store.DataSources.SetDataSourceGrants(ctx, c, id, nil)
			return err
		}),
		"Table": number(domain.ChangeTable, source.Resources[0].ID, table), "NoTable": number(domain.ChangeTable, none, table),
		"Agent": number(domain.ChangeAnalyst, agent.ID, analyst), "NoAgent": number(domain.ChangeAnalyst, none, analyst),
		"AgentToShare": number(domain.ShareAnalyst, agent.ID, func(c domain.Caller, id int64) error {
			return s.store.Analysts.SetAnalystGrants(ctx, c, id, nil)
		}),
		"AgentToMark": number(domain.UseAnalyst, agent.ID, func(c domain.Caller, id int64) error {
			return s.store.Analysts.SetAnalystFavorite(ctx, c, id, true)
		}),
		"SourceToMark": number(domain.UseDataSource, source.ID, func(c domain.Caller, id int64) error {
			return s.store.DataSources.SetDataSourceFavorite(ctx, c, id, true)
		}),
		"DefaultToGo": number(domain.DeleteAnalyst, standard.ID, func(c domain.Caller, id int64) error {
			return s.store.Analysts.DeleteAnalyst(ctx, c, id)
		}),
		"Memory": number(domain.ChangeMemory, enabled, remember), "MemoryThatIsOff": number(domain.ChangeMemory, off, remember),
		"NoMemory": number(domain.ChangeMemory, none, remember),
		"Label":    number(domain.ChangeProjectLabel, label.ID, rename), "NoLabel": number(domain.ChangeProjectLabel, none, rename),
		"Task": schedule(task.ID), "NoTask": schedule(uuid.New()),
		"Conversation": mark(talk.ID), "NoConversation": mark(uuid.New()),
		"ConversationToCopy": {domain.UseConversation, domain.Key{ID: talk.ID}, func(c domain.Caller) error {
			_, err := s.store.Conversations.CopyConversation(ctx, c, talk.ID, domain.IdempotencyKey{})
			return err
		}},
		"ConversationToRead": {domain.UseConversation, domain.Key{ID: talk.ID}, func(c domain.Caller) error {
			return s.store.Conversations.MarkRead(ctx, c, talk.ID)
		}},
		"NoFeedback": number(domain.CommentFeedback, none, func(c domain.Caller, id int64) error {
			_, err := s.store.Feedback.AddComment(ctx, c, domain.NewComment{Feedback: id})
			return err
		}),
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			right, _ := row.action.Right()
			allowed := 0
			for who, caller := range map[string]domain.Caller{"anna": s.anna, "ben": s.ben, "cleo": s.cleo, "doris": s.doris} {
				relation, err := s.store.Rights.Relation(ctx, caller, right.Noun, row.key)
				require.NoError(t, err)
				asked, told := row.action.Authorize(caller, relation), row.change(caller)
				if asked == nil {
					allowed++
					require.Contains(t, []domain.Code{"", domain.CodeInvalid}, domain.CodeOf(told), "%s: of the change, never of the right", who)
					continue
				}
				require.Contains(t, []domain.Code{domain.CodeNotFound, domain.CodeForbidden}, domain.CodeOf(asked), who)
				require.EqualError(t, asked, told.Error(), who)
			}
			if strings.HasPrefix(what, "No") || what == "DefaultToGo" {
				require.Zero(t, allowed)
			} else {
				require.Positive(t, allowed)
			}
		})
	}
	t.Run("ErrNoSuchNoun", func(t *testing.T) {
		t.Parallel()
		_, err := s.store.Rights.Relation(ctx, s.anna, domain.NounOrganisation, domain.Key{})
		requireCode(t, domain.CodeInternal, err)
	})
}

// A key that has made or changed something is known to the person who used it, and to no
// one else.
func TestStore_Repeated(t *testing.T) {
	t.Parallel()
	s, _ := openURL(t)
	ctx := t.Context()
	ben, cleo := persistencetest.Caller(t, s, persistencetest.Ben), persistencetest.Caller(t, s, persistencetest.Cleo)
	_, err := s.Conversations.CreateConversation(ctx, ben, domain.NewConversation{Name: "Once", Key: domain.IdempotencyKey{Key: "k"}})
	require.NoError(t, err)
	for _, c := range []struct {
		who  domain.Caller
		key  string
		want bool
	}{{ben, "k", true}, {ben, "l", false}, {cleo, "k", false}} {
		again, err := s.Rights.Repeated(ctx, c.who, c.key)
		require.NoError(t, err)
		require.Equal(t, c.want, again, c.key)
	}
}

func TestStore_ConversationAccess(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	o := own(t, s, startJournal(t, s, persistence.JournalConfig{}), persistencetest.Ben)
	turn, prompt := o.prompt("How many?")
	answer := o.open(turn, prompt)
	require.NoError(t, o.end(turn, answer, domain.TurnComplete).Err)
	o.grant(persistencetest.Cleo, domain.PermissionRead)
	caller := func(email string) domain.Caller { return persistencetest.Caller(t, s, email) }

	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		for email, permission := range map[string]domain.Permission{
			persistencetest.Ben:  domain.PermissionOwner,
			persistencetest.Cleo: domain.PermissionRead,
		} {
			got, err := s.Conversations.ConversationAccess(ctx, caller(email), o.Conversation)
			require.NoError(t, err)
			whole, err := s.Conversations.Conversation(ctx, caller(email), o.Conversation)
			require.NoError(t, err)
			require.Equal(t, &domain.ConversationAccess{
				Permission: permission, DataSources: whole.DataSources, Head: whole.Head, Generation: whole.Generation, Last: answer,
			}, got)
		}
	})

	t.Run("OKWithoutMessages", func(t *testing.T) {
		t.Parallel()
		c, err := s.Conversations.CreateConversation(ctx, caller(persistencetest.Ben), domain.NewConversation{Name: "Empty"})
		require.NoError(t, err)
		got, err := s.Conversations.ConversationAccess(ctx, caller(persistencetest.Ben), c.ID)
		require.NoError(t, err)
		require.Equal(t, uuid.Nil, got.Last)
	})

	t.Run("OKLastThatOneSees", func(t *testing.T) {
		t.Parallel()
		o := own(t, s, startJournal(t, s, persistence.JournalConfig{}), persistencetest.Anna)
		_, prompt := o.prompt("How many?")
		inner := uuid.New()
		o.must(domain.Write{
			Events: []domain.Event{event(domain.EventMessageCreated)},
			Messages: []domain.Message{{
				ID: inner, Seq: o.NextSeq, Generation: o.Generation, Role: domain.RoleInternal, Text: "x",
				Status: domain.MessageComplete,
			}},
		})
		o.grant(persistencetest.Ben, domain.PermissionRead)
		for email, last := range map[string]uuid.UUID{persistencetest.Anna: inner, persistencetest.Ben: prompt} {
			got, err := s.Conversations.ConversationAccess(ctx, caller(email), o.Conversation)
			require.NoError(t, err)
			require.Equal(t, last, got.Last, email)
		}
	})

	t.Run("ErrNotFound", func(t *testing.T) {
		t.Parallel()
		for _, email := range []string{persistencetest.Anna, persistencetest.Doris} {
			_, err := s.Conversations.ConversationAccess(ctx, caller(email), o.Conversation)
			requireCode(t, domain.CodeNotFound, err)
		}
		_, err := s.Conversations.ConversationAccess(ctx, caller(persistencetest.Ben), uuid.New())
		requireCode(t, domain.CodeNotFound, err)
	})

	t.Run("ReadsOneMessageOfMany", func(t *testing.T) {
		t.Parallel()
		long := own(t, s, startJournal(t, s, persistence.JournalConfig{}), persistencetest.Ben)
		raw := persistencetest.Connect(t, url, "")
		_, err := raw.Exec(ctx, `INSERT INTO message (id, conversation_id, org_id, seq, generation, role, text, status, created_at)
			SELECT gen_random_uuid(), $1, $2, n, 1, 'user', repeat('x', 1000), 'complete', clock_timestamp() FROM generate_series(2, 5001) n`,
			long.Conversation, long.OrganisationID)
		require.NoError(t, err)
		_, err = raw.Exec(ctx, "ANALYZE message")
		require.NoError(t, err)
		var b dbsqlc.Batch
		b.ConversationAccessGet(&dbsqlc.ConversationAccessGetParams{
			UserID: long.caller.UserID, ID: long.Conversation,
		}, new(*dbsqlc.ConversationAccessGetRow))
		asked := b.QueuedQueries[0]
		var plan []byte
		require.NoError(t, raw.QueryRow(ctx, "EXPLAIN (ANALYZE, FORMAT JSON) "+asked.SQL, asked.Arguments...).Scan(&plan))
		var nodes []map[string]any
		require.NoError(t, json.Unmarshal(plan, &nodes))
		require.LessOrEqual(t, rowsOf(nodes[0]["Plan"], "message"), 1.0, string(plan))
	})
}

// rowsOf counts the rows of a table that the nodes of a plan have returned or discarded.
func rowsOf(node any, table string) float64 {
	n, ok := node.(map[string]any)
	if !ok {
		return 0
	}
	total := 0.0
	if n["Relation Name"] == table {
		for _, of := range []string{"Actual Rows", "Rows Removed by Filter"} {
			if rows, ok := n[of].(float64); ok {
				total += rows
			}
		}
	}
	children, _ := n["Plans"].([]any)
	for _, child := range children {
		total += rowsOf(child, table)
	}
	return total
}
