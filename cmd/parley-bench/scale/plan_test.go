package scale_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/cmd/parley-bench/pgproxy"
	"parley.dev/parley/cmd/parley-bench/scale"
	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// nameOf returns the name of a query in persistence/queries, or "" for any other statement.
func nameOf(s pgproxy.Statement) string {
	if m := regexp.MustCompile(`^-- name: (\w+) `).FindStringSubmatch(s.SQL); m != nil {
		return m[1]
	}
	return ""
}

// setup is a database with a twentieth of the data that the product is designed for.
type setup struct {
	proxy                       *pgproxy.Proxy
	store                       *persistence.Store // uses the database through the proxy
	conn                        *pgx.Conn          // with the role and plan settings of requests
	heavy, usual, boss          domain.Caller
	conversation, shared        uuid.UUID // owned by heavy; shared with heavy
	message, object, task       uuid.UUID
	source, analyst, blueprint  int64
	label                       int64
	first, last                 time.Time
	conversations, all, samples int // numbers of heavy's conversations, all conversations, all feedback
}

func newSetup(t *testing.T) *setup {
	t.Helper()
	ctx := t.Context()
	url := persistencetest.URL(t)
	require.NoError(t, scale.Fill(ctx, url, scale.Config{People: 1000, Conversations: 5000, Messages: 100_000, Blueprints: 2000}))
	w := new(setup)
	var err error
	w.proxy, err = pgproxy.Start(ctx, pgproxy.Config{Database: url, Application: "parley_app"})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.proxy.Stop()) })
	w.store, err = persistence.Open(ctx, persistence.Config{URL: w.proxy.URL(), AppConnections: 1})
	require.NoError(t, err)
	t.Cleanup(w.store.Close)
	w.heavy = persistencetest.Caller(t, w.store, scale.Email(2))
	w.usual = persistencetest.Caller(t, w.store, scale.Email(400))
	w.boss = w.heavy
	w.boss.IsSuperuser = true

	owner := persistencetest.Connect(t, url, "parley_engine")
	for _, sql := range []string{
		// Some answers are being written, so that no table is empty.
		`WITH c AS (SELECT id, org_id, owner_id, next_seq FROM conversation ORDER BY conversation.id LIMIT 200), t AS (
		   INSERT INTO turn (id, conversation_id, org_id, prompt_id, user_id, analyst_id, attempt, status, started_at)
		   SELECT gen_random_uuid(), id, org_id, gen_random_uuid(), owner_id, 1, 1, 'running', now()
		     FROM c RETURNING id, conversation_id, org_id),
		 m AS (INSERT INTO message (id, conversation_id, org_id, turn_id, seq, generation, role, text, status, created_at)
		   SELECT gen_random_uuid(), t.conversation_id, t.org_id, t.id, c.next_seq, 1, 'assistant', '', 'streaming', now()
		     FROM t JOIN c ON c.id = t.conversation_id RETURNING id, org_id)
		 INSERT INTO message_chunk (message_id, byte_offset, org_id, text)
		 SELECT m.id, n * 10, m.org_id, '0123456789' FROM m, generate_series(0, 30) n`,
		`INSERT INTO conversation_grant (conversation_id, org_id, user_id, permission)
		 SELECT c.id, c.org_id, (SELECT u.id FROM app_user u WHERE u.email = 'scale-0002@scale.example'), 'read' FROM conversation c
		  WHERE c.owner_id = (SELECT u.id FROM app_user u WHERE u.email = 'scale-0003@scale.example')
		  ORDER BY c.id LIMIT 20 ON CONFLICT DO NOTHING`,
	} {
		_, err := owner.Exec(ctx, sql)
		require.NoError(t, err)
	}
	_, err = persistencetest.Connect(t, url, "").Exec(ctx, "VACUUM ANALYZE")
	require.NoError(t, err)
	one := func(into any, sql string, args ...any) {
		t.Helper()
		require.NoError(t, owner.QueryRow(ctx, sql, args...).Scan(into), sql)
	}
	id := w.heavy.UserID
	one(&w.conversation, "SELECT c.id FROM conversation c JOIN feedback f ON f.conversation_id = c.id WHERE c.owner_id = $1 ORDER BY "+
		"c.id LIMIT 1", id)
	one(&w.shared, "SELECT conversation_id FROM conversation_grant WHERE user_id = $1 ORDER BY 1 LIMIT 1", id)
	one(&w.message, "SELECT id FROM message WHERE conversation_id = $1 ORDER BY seq DESC LIMIT 1", w.conversation)
	one(&w.object, "SELECT o.id FROM display_object o JOIN conversation c ON c.id = o.conversation_id WHERE c.owner_id = $1 LIMIT 1", id)
	one(&w.task, "SELECT id FROM scheduled_task WHERE owner_id = $1", id)
	one(&w.source, "SELECT min(id) FROM data_source WHERE owner_id = $1", id)
	one(&w.analyst, "SELECT id FROM analyst WHERE is_default")
	one(&w.blueprint, "SELECT min(id) FROM blueprint WHERE owner_id = $1", id)
	one(&w.label, "SELECT min(label_id) FROM conversation_project WHERE owner_id = $1", id)
	one(&w.conversations, "SELECT count(*) FROM conversation WHERE owner_id = $1", id)
	one(&w.all, "SELECT count(*) FROM conversation")
	one(&w.samples, "SELECT count(*) FROM feedback")
	one(&w.last, "SELECT max(day) FROM usage_day")
	w.first = w.last.AddDate(0, 0, -30)

	w.conn = persistencetest.Connect(t, url, "parley_app")
	_, err = w.conn.Exec(ctx, "SET plan_cache_mode = force_generic_plan")
	require.NoError(t, err)
	return w
}

// request is a call of the store, as a request of the API makes it.
type request struct {
	name string
	call func(ctx context.Context, p domain.Page) error
	// own is how many rows of the caller, or of the caller's organisation, the call may read
	// in addition to its page. 0 if it may read only its page.
	own int
}

func ignore[T any](_ T, err error) error { return err }

func (w *setup) calls() []request {
	s, c := w.store, w.heavy
	conversations := func(name string, own int, f domain.ConversationFilter) request {
		return request{"Conversations/" + name, func(ctx context.Context, p domain.Page) error {
			f.Page = p
			return ignore(s.Conversations.Conversations(ctx, c, f))
		}, own}
	}
	blueprints := func(name string, f domain.BlueprintFilter) request {
		return request{"Blueprints/" + name, func(ctx context.Context, p domain.Page) error {
			f.Page = p
			return ignore(s.Blueprints.Blueprints(ctx, c, f))
		}, 400}
	}
	sources := func(name string, f domain.DataSourceFilter) request {
		return request{"DataSources/" + name, func(ctx context.Context, p domain.Page) error {
			f.Page = p
			return ignore(s.DataSources.DataSources(ctx, c, f))
		}, 400}
	}
	analysts := func(name string, f domain.AnalystFilter) request {
		return request{"Analysts/" + name, func(ctx context.Context, p domain.Page) error {
			f.Page = p
			return ignore(s.Analysts.Analysts(ctx, c, f))
		}, 400}
	}
	memories := func(name string, f domain.MemoryFilter) request {
		return request{"Memories/" + name, func(ctx context.Context, p domain.Page) error {
			f.Page = p
			return ignore(s.Memories.Memories(ctx, c, f))
		}, 2000}
	}
	report := func(level domain.UsageLevel, group domain.UsageGroup) request {
		return request{fmt.Sprintf("UsageReport/%s/%s", level, group), func(ctx context.Context, p domain.Page) error {
			return ignore(s.Usage.UsageReport(ctx, c, domain.UsageQuery{Level: level, Group: group, First: w.first, Last: w.last, Page: p}))
		}, w.all}
	}
	one := func(name string, own int, call func(ctx context.Context) error) request {
		return request{name, func(ctx context.Context, _ domain.Page) error { return call(ctx) }, own}
	}
	return []request{
		conversations("Recent", w.conversations, domain.ConversationFilter{}),
		conversations("Owned", w.conversations, domain.ConversationFilter{Scope: "user"}),
		conversations("Shared", 100, domain.ConversationFilter{Scope: "shared"}),
		conversations("Search", 2*w.conversations, domain.ConversationFilter{Search: "week 7"}),
		conversations("ByName", 2*w.conversations, domain.ConversationFilter{Sort: "name"}),
		conversations("Filtered", 2*w.conversations,
			domain.ConversationFilter{Conditions: domain.Filters{{Field: "name", Op: domain.OperationContains, Values: []any{"week"}}}}),
		conversations("Archived", w.conversations, domain.ConversationFilter{Archived: true}),
		conversations("Favorite", w.conversations, domain.ConversationFilter{Scope: "favorite"}),
		conversations("OfProject", 300, domain.ConversationFilter{ProjectLabels: []int64{w.label}}),
		one("Running", 300, func(ctx context.Context) error { return ignore(s.Conversations.Running(ctx, c)) }),
		one("Conversation", 300, func(ctx context.Context) error { return ignore(s.Conversations.Conversation(ctx, c, w.conversation)) }),
		one("Conversation/Shared", 300, func(ctx context.Context) error { return ignore(s.Conversations.Conversation(ctx, c, w.shared)) }),
		one("ConversationAs/Versions", 300, func(ctx context.Context) error {
			return ignore(s.Conversations.ConversationAs(ctx, c, w.conversation, domain.ConversationView{AllVersions: true}))
		}),
		{"Nested", func(ctx context.Context, p domain.Page) error {
			list, err := s.Conversations.Conversations(ctx, c, domain.ConversationFilter{Page: p})
			if err != nil {
				return err
			}
			return ignore(s.Conversations.Nested(ctx, c, list.Results))
		}, w.conversations},
		one("Grants", 0, func(ctx context.Context) error { return ignore(s.Conversations.Grants(ctx, c, w.shared)) }),
		one("Message", 0, func(ctx context.Context) error { return ignore(s.Conversations.Message(ctx, c, w.message)) }),
		one("DisplayObject", 0, func(ctx context.Context) error { return ignore(s.Conversations.DisplayObject(ctx, c, w.object)) }),
		sources("All", domain.DataSourceFilter{}),
		sources("Recent", domain.DataSourceFilter{Scopes: []string{"recent"}}),
		sources("Search", domain.DataSourceFilter{Search: "Sales"}),
		sources("ByName", domain.DataSourceFilter{Sort: "name"}),
		sources("Nested", domain.DataSourceFilter{Nested: true}),
		one("DataSource", 0, func(ctx context.Context) error { return ignore(s.DataSources.DataSource(ctx, c, w.source)) }),
		one("Readable", 0, func(ctx context.Context) error {
			return ignore(s.DataSources.Readable(ctx, c.OrganisationID, c.UserID, []int64{w.source}))
		}),
		one("OfConversation", 0, func(ctx context.Context) error { return ignore(s.DataSources.OfConversation(ctx, c, w.conversation)) }),
		one("UploadRoom", 2000, func(ctx context.Context) error { return ignore(s.Files.UploadRoom(ctx, c, "", 0)) }),
		analysts("All", domain.AnalystFilter{}),
		analysts("Recent", domain.AnalystFilter{Scopes: []string{"recent"}}),
		one("AnalystFor", 0, func(ctx context.Context) error { return ignore(s.Analysts.AnalystFor(ctx, c, w.analyst)) }),
		one("UsableAnalyst", 0, func(ctx context.Context) error { return ignore(s.Analysts.UsableAnalyst(ctx, c, w.analyst)) }),
		one("AnalystGrants", 0, func(ctx context.Context) error { return ignore(s.Analysts.AnalystGrants(ctx, c, w.analyst)) }),
		blueprints("All", domain.BlueprintFilter{}),
		blueprints("Recent", domain.BlueprintFilter{Scope: "recent"}),
		blueprints("Shared", domain.BlueprintFilter{Scope: "shared"}),
		blueprints("Search", domain.BlueprintFilter{Search: "Sales"}),
		blueprints("OfLabel", domain.BlueprintFilter{Labels: []int64{w.label}}),
		blueprints("Filtered", domain.BlueprintFilter{Filters: domain.Filters{{Field: "name", Op: "contains", Values: []any{"Sales"}}}}),
		one("Blueprint", 0, func(ctx context.Context) error { return ignore(s.Blueprints.Blueprint(ctx, c, w.blueprint)) }),
		one("BlueprintGrants", 0, func(ctx context.Context) error { return ignore(s.Blueprints.BlueprintGrants(ctx, c, w.blueprint)) }),
		one("UseCaseCategories", 0, func(ctx context.Context) error { return ignore(s.Blueprints.UseCaseCategories(ctx, c)) }),
		memories("All", domain.MemoryFilter{}),
		memories("Search", domain.MemoryFilter{Search: "campaign"}),
		one("Recall", 4000, func(ctx context.Context) error {
			return ignore(s.Memories.Recall(ctx, c.OrganisationID, c.UserID,
				domain.Recall{Text: "Which campaigns have brought customers that stayed?"}))
		}),
		{"ProjectLabels", func(ctx context.Context, p domain.Page) error {
			return ignore(s.ProjectLabels.ProjectLabels(ctx, c, domain.ProjectLabelFilter{Page: p}))
		}, w.conversations},
		{"ShareableEntities", func(ctx context.Context, p domain.Page) error {
			return ignore(s.Users.ShareableEntities(ctx, c, "", p))
		}, 1000},
		{"Feedbacks", func(ctx context.Context, p domain.Page) error {
			_, _, err := s.Feedback.Feedbacks(ctx, c, domain.FeedbackFilter{Page: p})
			return err
		}, w.conversations},
		{"Feedbacks/Superuser", func(ctx context.Context, p domain.Page) error {
			_, _, err := s.Feedback.Feedbacks(ctx, w.boss, domain.FeedbackFilter{Page: p})
			return err
		}, w.all + w.samples},
		one("FeedbackOf", 0, func(ctx context.Context) error {
			return ignore(s.Feedback.FeedbackOf(ctx, c, w.conversation, domain.FeedbackAll))
		}),
		one("Comments", 0, func(ctx context.Context) error { return ignore(s.Feedback.Comments(ctx, c, w.message)) }),
		{"Tasks", func(ctx context.Context, p domain.Page) error {
			return ignore(s.Tasks.Tasks(ctx, c, domain.TaskFilter{Page: p}))
		}, 0},
		{"Tasks/Superuser", func(ctx context.Context, p domain.Page) error {
			return ignore(s.Tasks.Tasks(ctx, w.boss, domain.TaskFilter{Page: p}))
		}, 500},
		one("Task", 0, func(ctx context.Context) error { return ignore(s.Tasks.Task(ctx, c, w.task)) }),
		{"TaskRuns", func(ctx context.Context, p domain.Page) error { return ignore(s.Tasks.TaskRuns(ctx, c, w.task, p)) }, 0},
		report(domain.UsageOfOrganisation, domain.UsageByDate),
		report(domain.UsageOfOrganisation, domain.UsageByWeek),
		report(domain.UsageOfOrganisation, domain.UsageByUser),
		report(domain.UsageOfOrganisation, domain.UsageByConversation),
		report(domain.UsageOfOrganisation, domain.UsageByProjectLabel),
		report(domain.UsageOfUser, domain.UsageByDate),
		one("UsageReport/WithoutDeleted", w.all, func(ctx context.Context) error {
			return ignore(s.Usage.UsageReport(ctx, c, domain.UsageQuery{
				Level: domain.UsageOfOrganisation, Group: domain.UsageByWeek, First: w.first, Last: w.last, WithoutDeleted: true,
			}))
		}),
		report(domain.UsageOfConversations, domain.UsageByConversation),
		one("CreditsInfo", w.all, func(ctx context.Context) error { return ignore(s.Usage.CreditsInfo(ctx, c, w.first, w.last)) }),
		one("User", 0, func(ctx context.Context) error { return ignore(s.Users.User(ctx, c, c.UserID)) }),
	}
}

// bigTables returns the tables that grow with the work of people. No statement may read one
// of them completely.
func bigTables() []string {
	return []string{
		"conversation", "conversation_event", "conversation_grant", "conversation_person", "conversation_project", "conversation_snapshot",
		"message", "message_chunk_before", "message_chunk_0", "message_chunk_1", "message_chunk_2", "message_chunk_3", "display_object",
		"turn", "turn_end", "step", "usage", "usage_day", "user_event", "idempotency",
		"blueprint", "blueprint_step", "blueprint_grant", "blueprint_person", "feedback", "feedback_comment",
		"data_source", "data_resource", "data_source_grant", "memory_term", "task_run",
	}
}

// planNode is a node of an executed plan.
//
//nolint:tagliatelle // the database determines the names
type planNode struct {
	Type     string     `json:"Node Type"`
	Relation string     `json:"Relation Name"`
	Rows     float64    `json:"Actual Rows"`
	Loops    float64    `json:"Actual Loops"`
	Filtered float64    `json:"Rows Removed by Filter"`
	Recheck  float64    `json:"Rows Removed by Index Recheck"`
	Plans    []planNode `json:"Plans"`
}

// walk returns how many rows were read from tables, and appends to whole the big tables that
// were read completely.
func (n *planNode) walk(whole *[]string) (rows float64) {
	if n.Relation != "" {
		rows = (n.Rows + n.Filtered + n.Recheck) * n.Loops
		// The planner knows here that a table is empty, because the database was analyzed.
		if n.Type == "Seq Scan" && rows > 0 && slices.Contains(bigTables(), n.Relation) {
			*whole = append(*whole, n.Relation)
		}
	}
	for i := range n.Plans {
		rows += n.Plans[i].walk(whole)
	}
	return rows
}

// plan runs a statement once more like the connection pools, with a generic plan, and returns
// the executed plan.
func (w *setup) plan(t *testing.T, s pgproxy.Statement) (root planNode, text string) {
	t.Helper()
	ctx := t.Context()
	args := make([]string, len(s.Args))
	for i, a := range s.Args {
		args[i] = a.Literal()
	}
	tx, err := w.conn.Begin(ctx)
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback(context.WithoutCancel(ctx))) }()
	_, err = tx.Exec(ctx, "SELECT set_config('app.org_id', $1, true)", fmt.Sprint(w.heavy.OrganisationID))
	require.NoError(t, err)
	_, err = tx.Exec(ctx, "PREPARE asked AS "+s.SQL)
	require.NoError(t, err, s.SQL)
	call := "asked"
	if len(args) > 0 {
		call += "(" + strings.Join(args, ", ") + ")"
	}
	var raw []byte
	require.NoError(t, tx.QueryRow(ctx, "EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE "+call).Scan(&raw), nameOf(s))
	var plans []struct{ Plan planNode }
	require.NoError(t, json.Unmarshal(raw, &plans))
	_, err = tx.Exec(ctx, "DEALLOCATE asked")
	require.NoError(t, err)
	return plans[0].Plan, string(raw)
}

// capture makes a call and returns the queries that it ran.
func (w *setup) capture(t *testing.T, c request, p domain.Page) []pgproxy.Statement {
	t.Helper()
	ran, err := w.proxy.Record(t.Context(), func() error { return c.call(t.Context(), p) })
	require.NoError(t, err, c.name)
	return slices.DeleteFunc(ran, func(s pgproxy.Statement) bool { return nameOf(s) == "" || nameOf(s) == "TenantEnter" })
}

// timesOf returns how often each query ran, by name.
func timesOf(ran []pgproxy.Statement) map[string]int {
	times := make(map[string]int, len(ran))
	for _, s := range ran {
		times[nameOf(s)]++
	}
	return times
}

// TestScale checks, on a database with much data, the plans of the statements that requests
// run. A statement must not read a big table completely, and must not read many more rows than
// its page and the caller's own rows. A bigger page must not need more statements.
func TestScale(t *testing.T) {
	t.Parallel()
	w := newSetup(t)
	const small, big = 5, 50
	var faults []string
	read := 0
	for _, c := range w.calls() {
		ran, again := w.capture(t, c, domain.Page{Number: 1, Size: big}), w.capture(t, c, domain.Page{Number: 1, Size: small})
		ofBig, ofSmall := timesOf(ran), timesOf(again)
		for name, times := range ofBig {
			// A small page may have no row for which the statement is needed, for example no
			// blueprint in a project. Then a big page may run it once.
			if times > max(1, ofSmall[name]) {
				faults = append(faults, fmt.Sprintf("%s: %s runs %d times for a page of %d, %d times for one of %d", c.name, name, times, big,
					ofSmall[name], small))
			}
		}
		for _, s := range ran {
			root, text := w.plan(t, s)
			read++
			var whole []string
			rows := root.walk(&whole)
			// The total of an organisation needs all of its feedback.
			if nameOf(s) == "FeedbackCountAll" {
				whole = slices.DeleteFunc(whole, func(table string) bool { return table == "feedback" })
			}
			known := len(faults)
			for _, table := range whole {
				faults = append(faults, fmt.Sprintf("%s: %s reads the whole of %s", c.name, nameOf(s), table))
			}
			if limit := float64(400 + 12*big + 3*c.own); rows > limit {
				faults = append(faults, fmt.Sprintf("%s: %s reads %.0f rows, more than %.0f", c.name, nameOf(s), rows, limit))
			}
			if len(faults) > known {
				t.Log(text)
			}
			t.Logf("%-40s %-30s %.0f rows", c.name, nameOf(s), rows)
		}
	}
	require.Greater(t, read, 100, "the statements must have been recorded")
	w.requireCounts(t)
	slices.SortFunc(faults, cmp.Compare)
	require.Empty(t, slices.Compact(faults), strings.Join(faults, "\n"))
}
