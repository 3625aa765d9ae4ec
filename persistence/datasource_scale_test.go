package persistence_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/persistence/internal/dbsqlc"
	"parley.dev/parley/persistence/persistencetest"
)

// TestDataSourceList_Plan reads how the database finds a person's data sources
// among many: by indexes, however many other data sources there are.
func TestDataSourceList_Plan(t *testing.T) {
	t.Parallel()
	w := setupSource(t)
	ctx := t.Context()
	fill := persistencetest.Connect(t, w.url, "parley_engine")
	for _, sql := range []string{
		`INSERT INTO app_user (uuid, org_id, email, full_name) SELECT gen_random_uuid(), $1, 'p' || n || '@acme.test', 'P' || n FROM ` +
			`generate_series(1, 1000) n`,
		`INSERT INTO data_source (org_id, owner_id, name, description, type, scope)
		 SELECT $1, u.id, 'Source ' || n, 'x', 'csv', 'user' FROM app_user u CROSS JOIN generate_series(1, 10) n WHERE u.email LIKE 'p%'`,
		`INSERT INTO data_source_grant (data_source_id, org_id, user_id, permission)
		 SELECT d.id, $1, u.id, 'read' FROM data_source d JOIN app_user u ON u.id = d.owner_id + 1 WHERE d.name = 'Source 1'`,
		`INSERT INTO data_source_person (user_id, data_source_id, org_id, is_favorite) SELECT owner_id, id, $1, true FROM data_source WHERE ` +
			`name LIKE 'Source%'`,
		`INSERT INTO conversation (id, org_id, owner_id, name, data_sources, next_seq, created_at, updated_at)
		 SELECT gen_random_uuid(), $1, u.id, 'C', '{1}', 2, now(), now()
		   FROM app_user u CROSS JOIN generate_series(1, 10) n WHERE u.email LIKE 'p%'`,
		`INSERT INTO conversation_grant (conversation_id, org_id, user_id, permission) SELECT id, $1, owner_id + 1, 'read' FROM conversation ` +
			`WHERE owner_id < (SELECT max(id) FROM app_user)`,
		`INSERT INTO data_source (org_id, owner_id, name, description, type, scope, conversation_id)
		 SELECT $1, owner_id, 'Of a talk', 'x', 'csv', 'conversation', id FROM conversation WHERE owner_id % 5 = 0`,
		`INSERT INTO data_resource (data_source_id, org_id, name, table_name, columns, row_count) SELECT id, $1, 'T', 't', '[]', 1 FROM ` +
			`data_source WHERE name LIKE 'Source%'`,
	} {
		_, err := fill.Exec(ctx, sql, w.ben.OrganisationID)
		require.NoError(t, err)
	}
	owner := persistencetest.Connect(t, w.url, "")
	_, err := owner.Exec(ctx, "ANALYZE")
	require.NoError(t, err)
	app := persistencetest.Connect(t, w.url, "parley_app")
	enter(t, app, w.ben.OrganisationID)
	_, err = app.Exec(ctx, "SET plan_cache_mode = force_generic_plan")
	require.NoError(t, err)
	var b dbsqlc.Batch
	b.DataSourceList(&dbsqlc.DataSourceListParams{UserID: w.ben.UserID, Size: 600}, new([]dbsqlc.DataSourceSeen), new(int64))
	for _, asked := range b.QueuedQueries {
		// EXPLAIN takes no parameters, so the statement is prepared as the pools do.
		_, err := app.Exec(ctx, "PREPARE asked AS "+asked.SQL)
		require.NoError(t, err)
		places := make([]string, len(asked.Arguments))
		for i := range places {
			places[i] = "$" + strconv.Itoa(i+1)
		}
		// With the simple protocol the driver writes the arguments as constants, as EXECUTE
		// requires.
		call := append([]any{pgx.QueryExecModeSimpleProtocol}, asked.Arguments...)
		rows, err := app.Query(ctx, "EXPLAIN EXECUTE asked ("+strings.Join(places, ", ")+")", call...)
		require.NoError(t, err)
		var plan strings.Builder
		for rows.Next() {
			var line string
			require.NoError(t, rows.Scan(&line))
			plan.WriteString(line + "\n")
		}
		require.NoError(t, rows.Err())
		for _, table := range []string{
			"data_source", "data_source_grant", "data_source_person", "app_user", "conversation",
			"conversation_grant",
		} {
			require.NotContains(t, plan.String(), "Seq Scan on "+table+" ", plan.String())
		}
		_, err = app.Exec(ctx, "DEALLOCATE asked")
		require.NoError(t, err)
	}
}
