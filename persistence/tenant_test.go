package persistence_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// tenantTables lists every table with an organisation.
func tenantTables(t *testing.T, c *pgx.Conn) []string {
	t.Helper()
	rows, err := c.Query(t.Context(), `SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
		WHERE c.relkind IN ('r', 'p') AND a.attname = 'org_id' AND c.relnamespace = 'public'::regnamespace ORDER BY 1`)
	require.NoError(t, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Greater(t, len(tables), 15)
	return tables
}

// G16, B18: row level security, checked as the role itself, with plain SQL.
func TestTenants(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	j := startJournal(t, s, persistence.JournalConfig{})
	// Both organisations get a row in as many tables as possible.
	for _, email := range []string{persistencetest.Anna, persistencetest.Doris} {
		o := own(t, s, j, email)
		turn, prompt := o.prompt("secret of " + email)
		answer := o.open(turn, prompt)
		o.must(chunk(answer, 0, "secret"))
		o.must(domain.Write{
			Usage:   []domain.Usage{{TurnID: turn, Step: 1, Attempt: 1, ConversationID: o.Conversation, UserID: o.caller.UserID}},
			Objects: []domain.DisplayObject{{ID: uuid.New(), MessageID: answer, Name: "c", Type: domain.DisplayCSV, FileKey: "k"}},
		})
		require.NoError(t, s.Conversations.SetFavorite(ctx, o.caller, o.Conversation, true))
		_, err := createSource(t, s, o.caller, domain.NewDataSource{
			Name: "n", Description: "d", Type: domain.DataSourceCSV, FileKey: "f", Resources: []domain.DataResource{{Name: "t", Table: "t"}},
			Key: domain.IdempotencyKey{Key: "k"},
		})
		require.NoError(t, err)
	}
	engine := persistencetest.Connect(t, url, "parley_engine")
	tables := tenantTables(t, engine)

	t.Run("EnabledAndForcedEverywhere", func(t *testing.T) {
		for _, table := range append(tables, "organisation") {
			var enabled, forced bool
			require.NoError(t, engine.QueryRow(ctx, "SELECT relrowsecurity, relforcerowsecurity FROM pg_class WHERE relname = $1",
				table).Scan(&enabled, &forced))
			require.True(t, enabled && forced, table)
		}
	})

	t.Run("ViewsAskAsWhoReads", func(t *testing.T) {
		rows, err := engine.Query(ctx, `SELECT relname, coalesce('security_invoker=true' = ANY(reloptions), false) FROM pg_class
			WHERE relkind = 'v' AND relnamespace = 'public'::regnamespace`)
		require.NoError(t, err)
		var name string
		var asReader bool
		views, err := pgx.ForEachRow(rows, []any{&name, &asReader}, func() error {
			require.True(t, asReader, "%s shows what its owner sees", name)
			return nil
		})
		require.NoError(t, err)
		require.Positive(t, views.RowsAffected())
	})
	t.Run("NothingUnset", func(t *testing.T) {
		app := persistencetest.Connect(t, url, "parley_app")
		for _, table := range tables {
			if readableByApp(t, engine, table) {
				require.Zero(t, count(t, app, "SELECT count(*) FROM "+table), table)
			}
		}
		require.Zero(t, count(t, app, "SELECT count(*) FROM organisation"))
	})
	t.Run("OnlyOneOrganisation", func(t *testing.T) {
		app := persistencetest.Connect(t, url, "parley_app")
		acme := persistencetest.Caller(t, s, persistencetest.Anna).OrganisationID
		enter(t, app, acme)
		seen := 0
		for _, table := range tables {
			if !readableByApp(t, engine, table) {
				continue
			}
			require.Zero(t, count(t, app, "SELECT count(*) FROM "+table+" WHERE org_id <> "+strconv.FormatInt(acme, 10)), table)
			mine := count(t, app, "SELECT count(*) FROM "+table)
			require.Equal(t, count(t, engine, "SELECT count(*) FROM "+table+" WHERE org_id = "+strconv.FormatInt(acme, 10)), mine, table)
			seen += mine
		}
		require.Greater(t, seen, 10)
		require.Equal(t, 1, count(t, app, "SELECT count(*) FROM organisation"))
		for _, view := range []string{"conversation_reader", "data_source_reader", "conversation_shown", "message_shown"} {
			require.Less(t, count(t, app, "SELECT count(*) FROM "+view), count(t, engine, "SELECT count(*) FROM "+view), view)
		}
	})
	t.Run("NoRowForAnother", func(t *testing.T) {
		app := persistencetest.Connect(t, url, "parley_app")
		anna, doris := persistencetest.Caller(t, s, persistencetest.Anna), persistencetest.Caller(t, s, persistencetest.Doris)
		enter(t, app, anna.OrganisationID)
		_, err := app.Exec(ctx, "INSERT INTO data_source (org_id, owner_id, name, description, type, scope) VALUES ($1, $2, 'n', 'd', "+
			"'csv', 'user')", doris.OrganisationID, doris.UserID)
		require.ErrorContains(t, err, "row-level security")
	})
	t.Run("NoMessageByARequest", func(t *testing.T) {
		app := persistencetest.Connect(t, url, "parley_app")
		enter(t, app, persistencetest.Caller(t, s, persistencetest.Anna).OrganisationID)
		for _, sql := range []string{
			"DELETE FROM message", "UPDATE message SET text = ''", "UPDATE conversation SET owner_id = 1",
			"INSERT INTO turn SELECT * FROM turn", "SELECT FROM secret", "SELECT FROM cluster_member",
		} {
			_, err := app.Exec(ctx, sql)
			require.ErrorContains(t, err, "permission denied", sql)
		}
	})
}

func readableByApp(t *testing.T, c *pgx.Conn, table string) bool {
	t.Helper()
	var ok bool
	require.NoError(t, c.QueryRow(t.Context(), "SELECT has_table_privilege('parley_app', $1, 'SELECT')", table).Scan(&ok))
	return ok
}

// enter names the organisation for the whole session.
func enter(t *testing.T, c *pgx.Conn, organisation int64) {
	t.Helper()
	_, err := c.Exec(t.Context(), "SELECT set_config('app.org_id', $1, false)", strconv.FormatInt(organisation, 10))
	require.NoError(t, err)
}

func count(t *testing.T, c *pgx.Conn, sql string) int {
	t.Helper()
	var n int
	require.NoError(t, c.QueryRow(t.Context(), sql).Scan(&n))
	return n
}

// B17, and B02 to B04 as far as they concern the store: another organisation's object and
// an object that does not exist give the same error.
func TestTenants_NotFound(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	ctx := t.Context()
	o := own(t, s, startJournal(t, s, persistence.JournalConfig{}), persistencetest.Anna)
	turn, prompt := o.prompt("?")
	answer := o.open(turn, prompt)
	object := uuid.New()
	o.must(domain.Write{Objects: []domain.DisplayObject{{ID: object, MessageID: answer, Name: "c", Type: domain.DisplayCSV, FileKey: "k"}}})
	source, err := createSource(t, s, o.caller, domain.NewDataSource{Name: "n", Description: "d", Type: domain.DataSourceCSV})
	require.NoError(t, err)

	calls := map[string]func(ctx context.Context, c domain.Caller, conversation, message, object uuid.UUID, source int64) error{
		"Conversation": func(ctx context.Context, c domain.Caller, id, _, _ uuid.UUID, _ int64) error {
			_, err := s.Conversations.Conversation(ctx, c, id)
			return err
		},
		"Grants": func(ctx context.Context, c domain.Caller, id, _, _ uuid.UUID, _ int64) error {
			_, err := s.Conversations.Grants(ctx, c, id)
			return err
		},
		"OfConversation": func(ctx context.Context, c domain.Caller, id, _, _ uuid.UUID, _ int64) error {
			_, err := s.DataSources.OfConversation(ctx, c, id)
			return err
		},
		"SetFavorite": func(ctx context.Context, c domain.Caller, id, _, _ uuid.UUID, _ int64) error {
			return s.Conversations.SetFavorite(ctx, c, id, true)
		},
		"SetStatus": func(ctx context.Context, c domain.Caller, id, _, _ uuid.UUID, _ int64) error {
			return s.Conversations.SetStatus(ctx, c, id, domain.ConversationArchived)
		},
		"MarkRead": func(ctx context.Context, c domain.Caller, id, _, _ uuid.UUID, _ int64) error {
			return s.Conversations.MarkRead(ctx, c, id)
		},
		"Message": func(ctx context.Context, c domain.Caller, _, m, _ uuid.UUID, _ int64) error {
			_, err := s.Conversations.Message(ctx, c, m)
			return err
		},
		"DisplayObject": func(ctx context.Context, c domain.Caller, _, _, x uuid.UUID, _ int64) error {
			_, err := s.Conversations.DisplayObject(ctx, c, x)
			return err
		},
		"DataSource": func(ctx context.Context, c domain.Caller, _, _, _ uuid.UUID, d int64) error {
			_, err := s.DataSources.DataSource(ctx, c, d)
			return err
		},
	}
	for name, call := range calls {
		require.NoError(t, call(ctx, o.caller, o.Conversation, answer, object, source.ID), name)
		for _, email := range []string{persistencetest.Cleo, persistencetest.Doris} {
			stranger := persistencetest.Caller(t, s, email)
			theirs := call(ctx, stranger, o.Conversation, answer, object, source.ID)
			nobodys := call(ctx, stranger, uuid.New(), uuid.New(), uuid.New(), source.ID+1_000_000)
			requireCode(t, domain.CodeNotFound, theirs)
			require.Equal(t, nobodys.Error(), theirs.Error(), name)
		}
	}
}
