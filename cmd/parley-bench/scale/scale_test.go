package scale_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/cmd/parley-bench/scale"
	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/persistencetest"
)

// TestFill fills a small organisation and checks its rows.
func TestFill(t *testing.T) {
	t.Parallel()
	url := persistencetest.URL(t)
	s := persistencetest.OpenURL(t, url)
	ctx := t.Context()
	var told []int
	size := scale.Config{People: 60, Conversations: 300, Messages: 6000, Blueprints: 200, Progress: func(_ string, done, _ int) {
		told = append(told, done)
	}}
	require.NoError(t, scale.Fill(ctx, url, size))
	counts, err := scale.Count(ctx, url)
	require.NoError(t, err)
	require.Equal(t, scale.Counts{People: 60, Conversations: 300, Messages: 6000, Blueprints: 200}, counts)
	require.Contains(t, told, 300)
	caller := persistencetest.Caller(t, s, scale.Email(1))
	list, err := s.Conversations.Conversations(ctx, caller, domain.ConversationFilter{Page: domain.Page{Number: 1, Size: 1000}})
	require.NoError(t, err)
	require.Greater(t, list.Count, 20)

	t.Run("ConversationsAreWhole", func(t *testing.T) {
		t.Parallel()
		// A turn has a prompt and an answer, which are consecutive in the log.
		c, err := s.Conversations.Conversation(ctx, caller, list.Results[0].ID)
		require.NoError(t, err)
		require.NotEmpty(t, c.Messages)
		require.Equal(t, domain.RoleUser, c.Messages[0].Role)
		require.Equal(t, c.Messages[0].ID, c.Messages[1].ParentID)
		require.Equal(t, c.Messages[0].Seq+1, c.Messages[1].Seq)
		require.EqualValues(t, 1+2*len(c.Messages), c.Head)
		conn := persistencetest.Connect(t, url, "parley_engine")
		for _, sql := range []string{
			"SELECT count(*) FROM conversation_event e JOIN conversation c ON c.id = e.conversation_id WHERE e.seq >= c.next_seq",
			"SELECT count(*) FROM conversation c WHERE c.next_seq - 1 <> (SELECT count(*) FROM conversation_event e WHERE e.conversation_id = c.id)",
			"SELECT count(*) FROM conversation c WHERE c.credits <> (SELECT coalesce(sum(u.credits), 0) FROM usage u WHERE " +
				"u.conversation_id = c.id)",
			"SELECT count(*) FROM conversation c WHERE c.credits <> (SELECT coalesce(sum(d.credits), 0) FROM usage_day d WHERE " +
				"d.conversation_id = c.id)",
			"SELECT count(*) FROM turn t WHERE NOT EXISTS (SELECT FROM turn_end e WHERE e.turn_id = t.id) OR NOT EXISTS (SELECT FROM step s " +
				"WHERE s.turn_id = t.id)",
			"SELECT count(*) FROM conversation c JOIN organisation o ON o.id = c.org_id WHERE c.updated_at >= o.created_at",
		} {
			var wrong int
			require.NoError(t, conn.QueryRow(ctx, sql).Scan(&wrong))
			require.Zero(t, wrong, sql)
		}
		for _, table := range []string{
			"conversation_grant", "conversation_person", "conversation_project", "display_object", "feedback",
			"task_run", "blueprint_step", "blueprint_grant", "memory_term", "user_event",
		} {
			var rows int
			require.NoError(t, conn.QueryRow(ctx, "SELECT count(*) FROM "+table).Scan(&rows))
			require.NotZero(t, rows, table)
		}
	})

	t.Run("AgainAddsNothing", func(t *testing.T) {
		t.Parallel()
		conn := persistencetest.Connect(t, url, "parley_engine")
		sizes := func() (rows []int64) {
			for _, table := range []string{
				"app_user", "team_member", "conversation", "conversation_event", "message", "usage", "feedback", "blueprint", "blueprint_step",
				"blueprint_grant", "memory",
				"memory_term", "analyst_grant", "data_source", "data_source_grant", "project_label", "scheduled_task", "task_run", "user_event",
			} {
				var n int64
				require.NoError(t, conn.QueryRow(ctx, "SELECT count(*) FROM "+table).Scan(&n))
				rows = append(rows, n)
			}
			return rows
		}
		before := sizes()
		require.NoError(t, scale.Fill(ctx, url, scale.Config{People: 60, Conversations: 300, Messages: 6000, Blueprints: 200}))
		require.Equal(t, before, sizes())
	})

	t.Run("SameSeedMakesTheSame", func(t *testing.T) {
		t.Parallel()
		url := persistencetest.URL(t)
		require.NoError(t, scale.Fill(ctx, url, scale.Config{People: 60, Conversations: 300, Messages: 6000, Blueprints: 200}))
		other := persistencetest.OpenURL(t, url)
		again, err := other.Conversations.Conversations(ctx, persistencetest.Caller(t, other, scale.Email(1)),
			domain.ConversationFilter{Page: domain.Page{Number: 1, Size: 1000}})
		require.NoError(t, err)
		require.Equal(t, list.Count, again.Count)
		for i := range list.Results {
			require.Equal(t, list.Results[i].ID, again.Results[i].ID)
			require.Equal(t, list.Results[i].Name, again.Results[i].Name)
		}
	})
}
