package persistence_test

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/internal/dbsqlc"
	"parley.dev/parley/persistence/persistencetest"
)

// What a person is told of their right to a change is what the change itself tells,
// and asking changes nothing.
func TestStore_MayChange(t *testing.T) {
	t.Parallel()
	s := openTasks(t)
	ctx := t.Context()
	report := s.make(t, s.ben, "Shared", "A")
	require.NoError(t, s.SetBlueprintGrants(ctx, s.ben, report.ID, []domain.Grant{{Grantee: domain.Grantee{ID: s.cleo.UserID, Type: domain.GranteeUser}, Permission: domain.PermissionRead}}))
	waiting, err := s.CreateStep(ctx, s.ben, domain.StepDraft{Name: "Waits", DetailedInstructions: ptr("Do")})
	require.NoError(t, err)
	task := s.create(t, s.ben)
	label, err := s.CreateProjectLabel(ctx, s.ben, domain.ProjectLabelDraft{Name: "Launch", Description: "D", Color: "#008080"})
	require.NoError(t, err)
	types, err := s.MemoryTypes(ctx, s.anna)
	require.NoError(t, err)
	memory := func(on bool) int64 {
		m, err := s.CreateMemory(ctx, s.anna, domain.NewMemory{Name: "n" + uuid.NewString(), Question: "q", Response: "r", TypeID: types[0].ID})
		require.NoError(t, err)
		m, err = s.UpdateMemory(ctx, s.anna, m.ID, domain.MemoryUpdate{IsEnabled: &on})
		require.NoError(t, err)
		return m.ID
	}
	enabled, off := memory(true), memory(false)
	source, err := createSource(t, s.Store, s.ben, domain.NewDataSource{
		Name: "Mine", Description: "D", Type: domain.DataSourceCSV, FileKey: "f", Resources: []domain.DataResource{{Name: "t", Table: "t"}},
	})
	require.NoError(t, err)
	_, err = s.SetDataSourceGrants(ctx, s.ben, source.ID, []domain.Grant{{Grantee: domain.Grantee{ID: s.cleo.UserID, Type: domain.GranteeUser}, Permission: domain.PermissionRead}})
	require.NoError(t, err)

	never := ""
	step := func(id int64) [2]func(domain.Caller) error {
		return [2]func(domain.Caller) error{
			func(c domain.Caller) error { return s.MayChangeStep(ctx, c, id) },
			func(c domain.Caller) error { _, err := s.UpdateStep(ctx, c, id, domain.StepDraft{}); return err },
		}
	}
	remember := func(id int64) [2]func(domain.Caller) error {
		return [2]func(domain.Caller) error{
			func(c domain.Caller) error { return s.MayChangeMemory(ctx, c, id) },
			func(c domain.Caller) error {
				_, err := s.UpdateMemory(ctx, c, id, domain.MemoryUpdate{Question: &never})
				return err
			},
		}
	}
	rename := func(id int64) [2]func(domain.Caller) error {
		return [2]func(domain.Caller) error{
			func(c domain.Caller) error { return s.MayChangeProjectLabel(ctx, c, id) },
			func(c domain.Caller) error {
				_, err := s.UpdateProjectLabel(ctx, c, id, domain.ProjectLabelDraft{})
				return err
			},
		}
	}
	table := func(id int64) [2]func(domain.Caller) error {
		return [2]func(domain.Caller) error{
			func(c domain.Caller) error { return s.MayChangeTable(ctx, c, id) },
			func(c domain.Caller) error { _, err := s.SetDictionary(ctx, c, 0, id, "\x00"); return err },
		}
	}
	schedule := func(id uuid.UUID) [2]func(domain.Caller) error {
		return [2]func(domain.Caller) error{
			func(c domain.Caller) error { return s.MayChangeTask(ctx, c, id) },
			func(c domain.Caller) error { _, err := s.UpdateTask(ctx, c, id, domain.TaskInput{}); return err },
		}
	}
	const none = 999_999_999
	for what, may := range map[string][2]func(domain.Caller) error{
		"Step": step(report.Steps[0].ID), "StepThatWaits": step(waiting.ID), "NoStep": step(none),
		"Memory": remember(enabled), "MemoryThatIsOff": remember(off), "NoMemory": remember(none),
		"Label": rename(label.ID), "NoLabel": rename(none),
		"Table": table(source.Resources[0].ID), "NoTable": table(none),
		"Task": schedule(task.ID), "NoTask": schedule(uuid.New()),
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			allowed := 0
			for who, caller := range map[string]domain.Caller{"anna": s.anna, "ben": s.ben, "cleo": s.cleo, "doris": s.doris} {
				asked, told := may[0](caller), may[1](caller)
				if asked == nil {
					allowed++
					requireCode(t, domain.CodeInvalid, told) // of the change, which is none
					continue
				}
				require.Contains(t, []domain.Code{domain.CodeNotFound, domain.CodeForbidden}, domain.CodeOf(asked), who)
				require.EqualError(t, asked, told.Error(), who)
			}
			if what[:2] == "No" {
				require.Zero(t, allowed)
			} else {
				require.Positive(t, allowed)
			}
		})
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
		for email, permission := range map[string]domain.Permission{persistencetest.Ben: domain.PermissionOwner, persistencetest.Cleo: domain.PermissionRead} {
			got, err := s.ConversationAccess(ctx, caller(email), o.Conversation)
			require.NoError(t, err)
			whole, err := s.Conversation(ctx, caller(email), o.Conversation)
			require.NoError(t, err)
			require.Equal(t, &domain.ConversationAccess{
				Permission: permission, DataSources: whole.DataSources, Head: whole.Head, Generation: whole.Generation, Last: answer,
			}, got)
		}
	})

	t.Run("OKWithoutMessages", func(t *testing.T) {
		t.Parallel()
		c, err := s.CreateConversation(ctx, caller(persistencetest.Ben), domain.NewConversation{Name: "Empty"})
		require.NoError(t, err)
		got, err := s.ConversationAccess(ctx, caller(persistencetest.Ben), c.ID)
		require.NoError(t, err)
		require.Equal(t, uuid.Nil, got.Last)
	})

	t.Run("OKLastThatOneSees", func(t *testing.T) {
		t.Parallel()
		o := own(t, s, startJournal(t, s, persistence.JournalConfig{}), persistencetest.Anna)
		_, prompt := o.prompt("How many?")
		inner := uuid.New()
		o.must(domain.Write{
			Events:   []domain.Event{event(domain.EventMessageCreated)},
			Messages: []domain.Message{{ID: inner, Seq: o.NextSeq, Generation: o.Generation, Role: domain.RoleInternal, Text: "x", Status: domain.MessageComplete}},
		})
		o.grant(persistencetest.Ben, domain.PermissionRead)
		for email, last := range map[string]uuid.UUID{persistencetest.Anna: inner, persistencetest.Ben: prompt} {
			got, err := s.ConversationAccess(ctx, caller(email), o.Conversation)
			require.NoError(t, err)
			require.Equal(t, last, got.Last, email)
		}
	})

	t.Run("ErrNotFound", func(t *testing.T) {
		t.Parallel()
		for _, email := range []string{persistencetest.Anna, persistencetest.Doris} {
			_, err := s.ConversationAccess(ctx, caller(email), o.Conversation)
			requireCode(t, domain.CodeNotFound, err)
		}
		_, err := s.ConversationAccess(ctx, caller(persistencetest.Ben), uuid.New())
		requireCode(t, domain.CodeNotFound, err)
	})

	t.Run("ReadsOneMessageOfMany", func(t *testing.T) {
		t.Parallel()
		long := own(t, s, startJournal(t, s, persistence.JournalConfig{}), persistencetest.Ben)
		raw := rawConn(t, url, "")
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

// rowsOf counts the rows that the nodes of a plan gave or threw away of a table.
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
