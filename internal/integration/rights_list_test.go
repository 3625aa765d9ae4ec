package integration_test

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// widening returns queries that try to make a list return more than it should (B16). A list
// ignores parameters that it does not know.
func widening() []string {
	return []string{
		"", "?page_size=1000", "?search=" + ourWord, "?search=e", "?status=archived", "?scope=shared", "?scope=organization", "?favorite=true",
		"?recent=true",
		"?retrieve_type=all&include_nested_objects=true&library_scope=all&filter_enabled=false&favorite_scope=all&specialists=chartReview",
		"?feedback_scope=all&messages_to_tree=true&only_most_recent_version=false&split_by_sentiment=true",
		"?filter=name:contains:" + ourWord, "?owner=1&owner_id=1&user_id=1&org_id=1&organization=1&orgId=1",
	}
}

// reports returns the queries of the usage report.
func reports() []string {
	var all []string
	for _, level := range []string{"organization", "user", "conversation", "project_label"} {
		for _, group := range []string{"date", "week", "user_id", "conversation_id", "project_label_id"} {
			all = append(all, "?level="+level+"&group_by="+group+"&include_deleted_conversations=true&fields=total_tokens_credit,entity_name")
		}
	}
	return all
}

// lists returns the paths of all GET calls that name no object, with each query.
func lists(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, call := range published(t) {
		path, isGet := strings.CutPrefix(call, "GET ")
		if !isGet || strings.Contains(path, "{") || path == "/discourse/conversationpermissions" {
			continue
		}
		queries := widening()
		if strings.HasSuffix(path, "/usage-report") {
			queries = append(queries, reports()...)
		}
		for _, q := range queries {
			all = append(all, path+q)
		}
	}
	slices.Sort(all)
	require.Greater(t, len(all), 200)
	return all
}

// read returns the response to an actor for every path, without request ids.
func (w *world) read(t *testing.T, a actor, paths []string) map[string]string {
	t.Helper()
	request := regexp.MustCompile(`"requestId":"[^"]*"`)
	all := make(map[string]string, len(paths))
	for _, path := range paths {
		got := w.call(t, a, http.MethodGet, path, "")
		if strings.HasPrefix(path, "/cluster/") {
			// The nodes work for all organisations, and only those who operate them see them.
			require.Equal(t, 403, got.status, "%s reads %s", a, path)
		} else {
			require.Contains(t, []int{200, 422}, got.status, path)
		}
		all[path] = strconv.Itoa(got.status) + request.ReplaceAllString(string(got.body), "")
		if !strings.Contains(path, ourWord) { // otherwise links to other pages repeat the word
			checkNoLeak(t, a, got)
		}
	}
	return all
}

// nothingOfOthers is B11 and B16: whatever is created in one organisation, no response to
// another organisation changes by a byte: no row, no name, no total. And what a person
// creates for themselves changes no personal list of a colleague.
func nothingOfOthers(t *testing.T, w *world) {
	t.Helper()
	// The other organisation needs objects of its own, so that its lists are not empty.
	w.make(t, outsider, "/discourse/conversations", `{"name":"<name>"}`)
	w.make(t, outsider, "/discourse/blueprints", `{"name":"<name>","steps":[{"name":"<name>","code":"SELECT 1"}]}`)
	w.make(t, outsider, "/discourse/projectlabels", `{"name":"<name>","description":"<name>","color":"Teal blue"}`)
	w.source(t, outsider)
	all := lists(t)
	own := slices.DeleteFunc(slices.Clone(all), func(path string) bool {
		return !slices.ContainsFunc([]string{
			"/discourse/conversations", "/discourse/feedbacks", "/discourse/scheduledtasks", "/memory/datasources", "/discourse/blueprints",
			"/user/me",
			"/discourse/llm-statistics/usage-report?level=user", "/discourse/llm-statistics/usage-report?level=conversation",
		}, func(prefix string) bool { return strings.HasPrefix(path, prefix) })
	})
	require.Greater(t, len(own), 50)
	reads := map[actor][]string{outsider: all, foreignSuperuser: all, colleague: own}
	before := map[actor]map[string]string{}
	for a, paths := range reads {
		before[a] = w.read(t, a, paths)
	}

	aFeedback(t, w)
	aBlueprint(t, w)
	aSource(t, w)
	aMemory(t, w)
	aLabel(t, w)
	aTask(t, w)
	anAgent(t, w)
	started := w.make(t, owner, "/discourse/blueprints/"+w.words[false]["<library>"]+"/conversations", "{}")
	w.call(t, owner, http.MethodDelete, "/discourse/conversations/"+id(started), "").into(t, 204, nil)
	_, err := w.db.Exec(t.Context(), "UPDATE organisation SET credit_limit = 1000 WHERE name LIKE $1", ourWord+"%")
	require.NoError(t, err)
	w.converse(t)

	for a, paths := range reads {
		after := w.read(t, a, paths)
		for path, was := range before[a] {
			if a == colleague && strings.Contains(path, "usage-report") {
				// Members may read the total usage of their organisation, so it changes.
				over := regexp.MustCompile(`"[a-zA-Z]*OverOrg[a-zA-Z]*":[0-9.e+-]*,?`)
				was, after[path] = over.ReplaceAllString(was, ""), over.ReplaceAllString(after[path], "")
			}
			require.Equal(t, was, after[path], "%s reads %s", a, path)
		}
	}
	// The owner's list has changed, so the comparison above would find a leak.
	require.NotEqual(t, before[colleague]["/discourse/conversations"], w.read(t, owner, own)["/discourse/conversations"])
}

// rowsOfTenants is B18 and G16, for every table of the catalogue that has column org_id: with
// the role of requests, plain SQL sees no rows without an organisation, and with one only
// that organisation's rows.
func rowsOfTenants(t *testing.T, w *world) {
	t.Helper()
	ctx := t.Context()
	rows, err := w.db.Query(ctx, `SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity AS forced,
		  (SELECT count(*) FROM pg_policy p WHERE p.polrelid = c.oid AND 'parley_app'::regrole = ANY(p.polroles)) AS policies,
		  has_any_column_privilege('parley_app', c.oid, 'SELECT') AS readable
		FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'org_id' AND NOT a.attisdropped
		WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace ORDER BY 1`)
	require.NoError(t, err)
	type table struct {
		Name     string
		Forced   bool
		Policies int
		Readable bool
	}
	tables, err := pgx.CollectRows(rows, pgx.RowToStructByPos[table])
	require.NoError(t, err)
	require.Greater(t, len(tables), 35)

	// A relation without org_id that requests read either has the same rows for everybody, or
	// is a view that reads with the rights of its caller.
	rows, err = w.db.Query(ctx, `SELECT c.relname::text FROM pg_class c
		WHERE c.relnamespace = 'public'::regnamespace AND has_any_column_privilege('parley_app', c.oid, 'SELECT')
		  AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'org_id' AND NOT a.attisdropped)
		  AND NOT (c.relkind = 'v' AND c.reloptions @> '{security_invoker=true}')
		  AND c.relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY 1`)
	require.NoError(t, err)
	common, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Equal(t, []string{"organisation", "sentiment", "sentiment_label"}, common, "a table that requests read must have "+
		"org_id, or hold no data of any organisation")

	organisations := map[bool]int64{}
	for foreign, word := range map[bool]string{false: ourWord, true: theirWord} {
		var organisation int64
		require.NoError(t, w.db.QueryRow(ctx, "SELECT id FROM organisation WHERE name LIKE $1", word+"%").Scan(&organisation))
		organisations[foreign] = organisation
	}
	app, err := pgx.Connect(ctx, w.database)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, app.Close(context.Background())) })
	_, err = app.Exec(ctx, "SET ROLE parley_app")
	require.NoError(t, err)
	count := func(db interface {
		QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	}, sql string, args ...any,
	) int {
		var n int
		require.NoError(t, db.QueryRow(ctx, sql, args...).Scan(&n), sql)
		return n
	}
	require.Zero(t, count(app, "SELECT count(*) FROM organisation"), "without an organisation")
	filled := 0
	for _, table := range tables {
		require.True(t, table.Forced, "%s has org_id and no forced row level security: call tenant_table in its migration", table.Name)
		require.Equal(t, 1, table.Policies, "%s: exactly one policy must apply to requests", table.Name)
		if !table.Readable {
			continue
		}
		// If any column of a table is readable, so is org_id.
		name := pgx.Identifier{table.Name}.Sanitize()
		_, err := app.Exec(ctx, "SELECT set_config('app.org_id', '', false)")
		require.NoError(t, err)
		require.Zero(t, count(app, "SELECT count(org_id) FROM "+name), "%s without an organisation", table.Name)
		for _, organisation := range organisations {
			_, err := app.Exec(ctx, "SELECT set_config('app.org_id', $1, false)", strconv.FormatInt(organisation, 10))
			require.NoError(t, err)
			require.Zero(t, count(app, "SELECT count(org_id) FROM "+name+" WHERE org_id <> $1", organisation), table.Name)
			if count(app, "SELECT count(org_id) FROM "+name) > 0 {
				filled++
			}
		}
	}
	require.Greater(t, filled, 50, "most tables must have rows of both organisations")
	// No row of one organisation refers to a person of another.
	rows, err = w.db.Query(ctx, `SELECT DISTINCT k.conrelid::regclass::text, a.attname::text
		FROM pg_constraint k
		JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
		JOIN pg_attribute o ON o.attrelid = k.conrelid AND o.attname = 'org_id'
		WHERE k.contype = 'f' AND k.confrelid = 'app_user'::regclass AND cardinality(k.conkey) = 1`)
	require.NoError(t, err)
	columns, err := pgx.CollectRows(rows, pgx.RowToStructByPos[struct{ Table, Column string }])
	require.NoError(t, err)
	require.Greater(t, len(columns), 10)
	for _, c := range columns {
		require.Zero(t, count(w.db, "SELECT count(*) FROM "+c.Table+" x JOIN app_user u ON u.id = x."+c.Column+" WHERE u.org_id <> x.org_id"), c)
	}
}
