package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// scenario is one row of the table of routes: who sends which request, and what the answer
// is.
type scenario struct {
	name, method, path string
	who                string // owner, reader, stranger, foreigner; empty means without a bearer
	body               string
	status             int
	has                []string // texts of the answer
	hasNot             []string
	called             string // the last call of a service; empty is not checked
}

func (b *bundle) person(who string) *domain.User {
	return map[string]*domain.User{
		"owner": &b.world.Owner, "reader": &b.world.Reader, "stranger": &b.world.Stranger, "foreigner": &b.world.Foreigner, "root": &b.world.Root,
		"deputy": &b.world.Deputy,
	}[who]
}

// TestRoutes has a row for each route and the people who may and may not call it. {c},
// {prompt}, {answer}, {object} and {new} represent ids.
func TestRoutes(t *testing.T) {
	t.Parallel()
	runScenarios(t, routeTable())
}

// serviceRow is a row about one method of a service: what it must answer, and all arguments that it
// gets.
type serviceRow struct {
	scenario
	method string
	refuse error // the error that the method returns; nil: its usual answer
	asked  any   // nil is not checked; a function gets the conversation
}

// runScenarios runs each row with a new server.
func runScenarios(t *testing.T, rows []scenario) {
	t.Helper()
	all := make([]serviceRow, len(rows))
	for i, row := range rows {
		all[i].scenario = row
	}
	runServiceRows(t, all)
}

// runServiceRows runs each row with a new server.
func runServiceRows(t *testing.T, rows []serviceRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.scenario.method+" "+row.path+" "+row.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			c, object := b.world.AddConversation()
			b.files.Set(object.FileKey, []byte("region,count\nNorth,1\n"))
			b.world.AddSource(b.files, domain.DataSourceCSV)
			b.world.Fail(row.method, row.refuse)
			fill := strings.NewReplacer("{c}", c.ID.String(), "{prompt}", c.Messages[0].ID.String(), "{answer}", c.Messages[1].ID.String(),
				"{object}", object.ID.String(), "{new}", uuid.Must(uuid.NewV7()).String())
			got := b.call(t, b.person(row.who), row.scenario.method, fill.Replace(row.path), fill.Replace(row.body))
			require.Equal(t, row.status, got.status, got.body)
			for _, text := range row.has {
				require.Contains(t, got.body, fill.Replace(text))
			}
			for _, text := range row.hasNot {
				require.NotContains(t, got.body, fill.Replace(text))
			}
			if row.called != "" {
				calls := b.world.Calls()
				require.NotEmpty(t, calls)
				require.Equal(t, row.called, calls[len(calls)-1])
			}
			if of, ok := row.asked.(func(*domain.Conversation) any); ok {
				row.asked = of(c)
			}
			if row.asked != nil {
				require.Equal(t, row.asked, b.world.Asked(row.method))
			}
			if row.refuse != nil {
				require.Contains(t, b.world.Calls(), row.method, "the method that must refuse was called")
			}
			if row.status >= 400 {
				require.NotEmpty(t, got.code(t))
			}
		})
	}
}

func routeTable() []scenario {
	const v1 = "/api/v1"
	conversations := v1 + "/discourse/conversations"
	one := conversations + "/{c}"
	return []scenario{
		{"OK", "GET", v1 + "/user/me", "owner", "", 200, []string{
			`"fullName":"owner"`, `"organization":{"id":1`, `"flags"`,
			`"isSuperuser":false`, `"logHead":118`,
		}, nil, "LogHead"},
		{"superuser", "GET", v1 + "/user/me", "root", "", 200, []string{`"isSuperuser":true`}, nil, ""},
		{"nobody", "GET", v1 + "/user/me", "", "", 401, []string{`"code":"E401"`}, nil, ""},
		{"OK", "POST", v1 + "/user/me/keep-alive", "owner", "", 204, nil, nil, "TouchSession"},
		{"nobody", "POST", v1 + "/user/me/keep-alive", "", "", 401, nil, nil, ""},
		{"OK", "POST", v1 + "/user/me/logout", "owner", "", 204, nil, nil, ""},
		{"nobody", "POST", v1 + "/user/me/logout", "", "", 401, []string{`"code":"E401"`}, nil, ""},
		{
			"OK", "GET", v1 + "/user/shareable-entities?search=x&page=2&page_size=3", "owner", "", 200,
			[]string{`"name":"reader"`, `"count":4`},
			nil, "ShareableEntities",
		},

		{
			"OK", "GET", v1 + "/user/organizations", "owner", "", 200,
			[]string{`"results":[{"id":1,"name":"Organisation 1","isCurrent":true}]`},
			nil, "",
		},
		{"OK", "GET", conversations, "owner", "", 200, []string{
			`"id":"{c}"`, `"ownerStatus":"owner"`,
			`"pagination":{"count":1,"next":null,"previous":null}`, `"messageSet":[]`, `"logHead":118`,
		}, nil, "Conversations"},
		{"shared", "GET", conversations + "?page_size=10", "reader", "", 200, []string{`"ownerStatus":"shared"`, `"send":false`}, nil, ""},
		{"none of others", "GET", conversations, "foreigner", "", 200, []string{`"results":[]`, `"count":0`}, nil, ""},
		{
			"D07", "GET", conversations + "?filter=name:like:x&project_label=x", "owner", "", 422,
			[]string{`{"field":"filter","message":"Operation \"like\" currently not supported"}`, `"field":"projectLabel"`},
			nil, "",
		},
		{"unknown filter", "GET", conversations + "?filter=secret:eq:x", "owner", "", 422, []string{`There is no such filter.`}, nil, ""},
		{
			"unknown way to retrieve", "GET", conversations + "?retrieve_type=everything", "owner", "", 422,
			[]string{`"field":"retrieveType"`},
			nil, "",
		},
		{
			"unknown query is ignored", "GET", conversations + "?feedback_scope=all&include_nested_objects=true&retrieve_type=all&x=1", "owner",
			"", 200, nil, nil, "",
		},
		{"OK", "GET", conversations + "/running", "owner", "", 200, []string{`"id":"{c}"`}, nil, "Running"},
		{"OK", "GET", one, "owner", "", 200, []string{
			`"head":3`, `"epoch":7`, `"generation":1`, `"isStreaming":true`, `"text":"There are"`,
			`"status":"streaming"`, `"displayobjectSet":[{"id":"{object}"`, `"columns":[{"name":"net_sales","label":"Net sales","unit":"EUR",` +
				`"format":"money","role":"measure","adds":true}]`, `"parentMessageId":"{prompt}"`,
		}, nil, "ConversationAs"},
		{"reader", "GET", one, "reader", "", 200, []string{`"messageSet":[{`}, nil, ""},
		{
			"tree", "GET", one + "?messages_to_tree=true&feedback_scope=all", "owner", "", 200,
			[]string{`"children":[{"id":"{answer}"`},
			nil,
			"ConversationAs",
		},
		{"page too large", "GET", one + "?message_page_size=1001", "owner", "", 422, []string{`"field":"messagePageSize"`}, nil, ""},
		{"one branch", "GET", one + "?message_id=message-{answer}", "owner", "", 200, []string{`"id":"{prompt}"`}, nil, ""},
		{"branch of nothing", "GET", one + "?message_id={new}", "owner", "", 404, nil, nil, ""},
		{"branch of no id", "GET", one + "?message_id=7", "owner", "", 422, []string{`"field":"messageId"`}, nil, ""},
		{"unknown scope", "GET", one + "?feedback_scope=everybody", "owner", "", 422, []string{`"field":"feedbackScope"`}, nil, ""},
		{"stranger", "GET", one, "stranger", "", 404, []string{`"code":"D404"`}, []string{"Sales"}, ""},
		{"foreigner", "GET", one, "foreigner", "", 404, nil, nil, ""},
		{"no such id", "GET", conversations + "/{new}", "owner", "", 404, nil, nil, ""},
		{"no id at all", "GET", conversations + "/1%27--", "owner", "", 404, []string{`"code":"D404"`}, nil, ""},
		{"OK", "PATCH", one, "owner", `{"name":"Renamed"}`, 200, []string{`{"id":"{c}","name":"Renamed"}`}, nil, "Change"},
		{
			"OK", "PUT", one, "owner", `{"project_labels":[1],"dataSources":[2]}`, 200,
			[]string{`"projectLabels":[1]`, `"dataSources":[2]`},
			nil,
			"Change",
		},
		{"one's own of others", "PATCH", one, "stranger", `{"status":"archived"}`, 404, nil, nil, ""},
		{"one's own beside all others'", "PATCH", one, "reader", `{"name":"Mine","isFavorite":true}`, 403, nil, nil, "Relation conversation"},
		{"unknown status", "PATCH", one, "owner", `{"status":"gone"}`, 422, []string{`"field":"status"`}, nil, ""},
		{"blank name", "PATCH", one, "owner", `{"name":" "}`, 422, []string{`{"field":"name","message":"Please enter a name"}`}, nil, ""},
		{"long name", "PATCH", one, "owner", `{"name":"` + strings.Repeat("x", 101) + `"}`, 422, []string{`"field":"name"`}, nil, ""},
		{
			"ids once", "PUT", one, "owner", `{"projectLabels":[1,1],"data_sources":[2,2]}`, 200,
			[]string{`"projectLabels":[1]`, `"dataSources":[2]`},
			nil, "Change",
		},
		{
			"all that is wrong", "PATCH", one, "owner", `{"name":"","projectLabels":[77]}`, 422,
			[]string{`"field":"name"`, `"field":"projectLabels"`},
			nil, "",
		},
		{"rights before rules", "PATCH", one, "reader", `{"name":""}`, 403, []string{`"code":"forbidden"`}, nil, ""},
		{"rights before rules", "PATCH", one, "stranger", `{"name":""}`, 404, nil, nil, ""},
		{"reader", "PATCH", one, "reader", `{"name":"Mine"}`, 403, []string{`"code":"forbidden"`}, nil, ""},
		{"OK", "DELETE", one + "?push_to_redis=true", "owner", "", 204, nil, nil, "Delete"},
		{"missing", "PUT", one + "/favorite", "reader", `{}`, 422, []string{`"field":"isFavorite"`}, nil, ""},
		{
			"unknown status", "PATCH", v1 + "/user/me/conversations/{c}/status", "reader", `{"status":"gone"}`, 422,
			[]string{`"field":"status"`},
			nil, "",
		},
		{"OK", "POST", one + "/rewind", "owner", `{"message_id":"{prompt}"}`, 200, []string{
			`"text":"How many?"`, `"messageSet":[]`,
			`"generation":2`,
		}, nil, "Rewind"},
		{
			"OK", "GET", v1 + "/discourse/conversationpermissions?conversation_id={c}&page_size=100", "reader", "", 200,
			[]string{`"permission":"owner"`, `"count":2`},
			nil, "Grants",
		},
		{
			"by id", "GET", v1 + "/discourse/conversationpermissions?conversation_id={c}&sort=-id", "reader", "", 200,
			[]string{`"results":[{"actor":{"id":2,`},
			nil, "Grants",
		},
		{
			"unknown order", "GET", v1 + "/discourse/conversationpermissions?conversation_id={c}&sort=x", "reader", "", 422,
			[]string{`"field":"sort"`},
			nil, "",
		},
		{
			"without conversation", "GET", v1 + "/discourse/conversationpermissions", "reader", "", 422,
			[]string{`"field":"conversationId"`},
			nil,
			"",
		},
		{
			"OK", "PUT", one + "/actors", "owner", `{"users":[{"id":3,"permission":"read"}],"teams":[]}`, 200,
			[]string{`"permission":"owner"`, `"count":2`},
			nil, "Grants",
		},
		{"remove", "PUT", one + "/actors", "owner", `{"users":[{"id":2,"permission":"remove"}]}`, 200, []string{`"count":2`}, nil, ""},

		{
			"OK", "POST", v1 + "/discourse/user-text", "owner", `{"conversation_id":"{c}","data_sources":[],"ice_breaker_id":null,` +
				`"message":{"id":"{new}","text":"And now?","analyst_id":1,"parent_message_id":"{answer}","created_at":"2026-01-01T00:00:00Z"}}`,
			200,
			[]string{`"turnId":"`, `"id":"01920000-0000-7000-8000-0000000000cc"`, `"text":"Sent"`, `"conversationId":"{c}"`},
			nil, "Send",
		},
		{
			"empty", "POST", v1 + "/discourse/user-text", "owner", `{"conversationId":"{c}","message":{"text":" "}}`, 422,
			[]string{`"field":"message.text"`},
			nil, "",
		},
		{"too long", "POST", v1 + "/discourse/user-text", "owner", `{"conversationId":"{c}","message":{"text":"` +
			strings.Repeat("x", 64<<10+1) + `"}}`, 422, []string{`"field":"message.text"`}, nil, ""},
		{
			"OK", "POST", v1 + "/analyst/process-control/stop-process-in-redis", "owner", `{"conversation_id":"{c}"}`, 200,
			[]string{`"stopped":true`, `"status":"stopped"`, `"lastMessage":{"id":"{prompt}"`},
			nil, "Stop",
		},
		{"search", "GET", v1 + "/discourse/messages?search=net%20sales", "reader", "", 200, []string{
			`"id":"{prompt}"`, `"conversationId":"{c}"`, `"role":"user"`, `"excerpt":"`, `"count":1`,
		}, nil, "SearchMessages"},
		{"search of a stranger", "GET", v1 + "/discourse/messages?search=a", "foreigner", "", 200, []string{`"results":[]`}, nil, ""},
		{"search without words", "GET", v1 + "/discourse/messages", "owner", "", 422, []string{`"field":"search"`}, nil, ""},
		{
			"search with too many", "GET", v1 + "/discourse/messages?search=" + strings.Repeat("a", 201), "owner", "", 422,
			[]string{`"field":"search"`},
			nil, "",
		},
		{"OK", "GET", v1 + "/discourse/messages/{answer}", "reader", "", 200, []string{
			`"text":"There are"`, `"author":null`,
			`"analyst":{"id":1,"name":"prism-1"}`, `"feedbackSet":[{"id":7`,
		}, nil, "FeedbackOf"},
		{"stranger", "GET", v1 + "/discourse/messages/{answer}", "stranger", "", 404, nil, nil, ""},
		{
			"fields several times", "GET",
			v1 + "/discourse/llm-statistics/usage-report?level=user&group_by=conversationId&" +
				"fields[]=total_tokens_credit&fields[]=conversation_name", "owner", "", 200,
			[]string{`{"totalTokensCreditSum":4,"conversationName":"owner"}`},
			nil, "UsageReport",
		},
		{
			"OK", "GET", v1 + "/discourse/llm-statistics/usage-report?level=organization&time_period=this_month&aggregate=sum&group_by=user_id&" +
				"include_deleted_conversations=true", "owner", "", 200,
			[]string{`"userName":"owner"`, `"totalTokensCreditSum":4`, `"totalTokensCreditPercentageOverOrgSum":50`},
			[]string{"conversationId"},
			"UsageReport",
		},
		{
			"fields", "GET", v1 +
				"/discourse/llm-statistics/usage-report?level=user&group_by=conversationId&fields=total_tokens_credit,conversation_name", "owner", "",
			200,
			[]string{`{"totalTokensCreditSum":4,"conversationName":"owner"}`},
			nil, "UsageReport",
		},
		{
			"default group", "GET", v1 + "/discourse/llm-statistics/usage-report?level=project_label", "owner", "", 200,
			[]string{`"projectColor"`},
			nil, "UsageReport",
		},
		{
			"custom", "GET", v1 + "/discourse/llm-statistics/usage-report?time_period=custom_time&start_date=2026-01-01&endDate=2026-01-31",
			"owner", "", 200,
			[]string{`"startDate":"2026-01-01","endDate":"2026-01-31"`},
			nil, "",
		},
		{
			"custom without dates", "GET", v1 + "/discourse/llm-statistics/usage-report?time_period=custom_time", "owner", "", 422,
			[]string{`"field":"startDate"`, `"field":"endDate"`},
			nil, "",
		},
		{
			"unknown field", "GET", v1 + "/discourse/llm-statistics/usage-report?fields=email", "owner", "", 422,
			[]string{`"field":"fields"`},
			nil, "",
		},
		{
			"unknown group", "GET", v1 + "/discourse/llm-statistics/usage-report?group_by=name%3BDROP", "owner", "", 422,
			[]string{`"field":"groupBy"`},
			nil, "",
		},
		{
			"OK", "GET", v1 + "/discourse/llm-statistics/credits-info", "owner", "", 200,
			[]string{`"availableCredits":null`, `"totalTokensCredit":8`, `"plan":"payAsYouGo"`},
			nil, "CreditsInfo",
		},
		{"OK", "GET", v1 + "/cluster/nodes", "root", "", 200, []string{
			`{"node":"one@1","name":"one","leaseLeft":4,"seenBy":[],"silentFor":[],"reportAge":1,"figures":{"version":"v1",`, `"clockAhead":-1.5`,
			`{"node":"two@1","name":"two","leaseLeft":-1,"seenBy":["one"],"silentFor":["one"],"reportAge":null}`,
		}, []string{"10.0.0", "address"}, "ClusterNodes"},
		{
			"a superuser who is no operator", "GET", v1 + "/cluster/nodes", "deputy", "", 403,
			[]string{"The nodes of the server are shown to those who operate it."},
			nil, "",
		},
		{"OK", "GET", v1 + "/discourse/llm-statistics/time-period", "owner", "", 200, []string{
			`{"id":"this_week","name":"This week"}`,
			`"count":6`,
		}, nil, ""},
		{
			"OK", "GET", v1 + "/discourse/displayobjects/{object}/presigned-url", "reader", "", 200,
			[]string{`"url":"/api/v1/discourse/displayobjects/{object}/content?token=`, `"expiresAt":"`},
			nil, "",
		},
		{"stranger", "GET", v1 + "/discourse/displayobjects/{object}/presigned-url", "stranger", "", 404, nil, nil, ""},
		{"OK", "GET", v1 + "/discourse/displayobjects/{object}/content", "reader", "", 200, []string{"region,count\nNorth,1\n"}, nil, ""},
		{"own format", "GET", v1 + "/discourse/displayobjects/{object}/content?format=csv", "reader", "", 200, nil, nil, ""},
		{
			"other format", "GET", v1 + "/discourse/displayobjects/{object}/content?format=hyper", "reader", "", 422,
			[]string{"currently not supported"},
			nil, "",
		},
		{"stranger", "GET", v1 + "/discourse/displayobjects/{object}/content", "stranger", "", 404, nil, nil, ""},

		{"unknown path", "GET", v1 + "/nothing", "owner", "", 404, []string{`"code":"D404"`}, nil, ""},
		{"wrong method", "DELETE", v1 + "/user/me", "owner", "", 405, []string{`"code":"method-not-allowed"`}, nil, ""},
		{"trailing slash", "GET", v1 + "/user/me/", "owner", "", 404, nil, nil, ""},
		{"neither websocket nor events", "GET", v1 + "/user/01920000-0000-7000-8000-000000000001/stream", "owner", "", 426, nil, nil, ""},
	}
}

// TestRoutes_Nobody calls every documented route without a bearer.
func TestRoutes_Nobody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	spec := b.send(t, http.MethodGet, "/api/v1/openapi.json", http.NoBody).json(t)
	paths, ok := spec["paths"].(map[string]any)
	require.True(t, ok)
	require.NotEmpty(t, paths)
	for path, item := range paths {
		methods, ok := item.(map[string]any)
		require.True(t, ok)
		for method := range methods {
			t.Run(method+" "+path, func(t *testing.T) {
				t.Parallel()
				at := strings.NewReplacer("{id}", uuid.NewString(), "{uuid}", uuid.NewString()).Replace(path)
				got := b.send(t, strings.ToUpper(method), "/api/v1"+at, strings.NewReader("{}"), "Accept", "text/event-stream", "Origin", origin)
				require.Equal(t, http.StatusUnauthorized, got.status, got.body)
				require.Equal(t, "E401", got.code(t))
			})
		}
	}
}

func TestPagination(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 5 {
		b.world.AddConversation()
	}
	first := b.call(t, &b.world.Owner, http.MethodGet, "/api/v1/discourse/conversations?page_size=2&sort=-updated_at&push_to_redis=true", "")
	require.Contains(t, first.body,
		`"pagination":{"count":5,"next":"/api/v1/discourse/conversations?page=2&page_size=2&push_to_redis=true&sort=-updated_at",`+
			`"previous":null}`)
	pagination, ok := first.json(t)["pagination"].(map[string]any)
	require.True(t, ok)
	require.Nil(t, pagination["previous"])

	asked := func() domain.Page {
		f, ok := b.world.Asked("Conversations").(domain.ConversationFilter)
		require.True(t, ok)
		return f.Page
	}
	pages := []domain.Page{asked()}
	for next := pagination["next"]; next != nil; {
		link, ok := next.(string)
		require.True(t, ok)
		pagination, ok = b.call(t, &b.world.Owner, http.MethodGet, link, "").json(t)["pagination"].(map[string]any)
		require.True(t, ok)
		require.NotNil(t, pagination["previous"])
		pages, next = append(pages, asked()), pagination["next"]
	}
	require.Equal(t, []domain.Page{{Number: 1, Size: 2}, {Number: 2, Size: 2}, {Number: 3, Size: 2}}, pages, "the links lead through all five")
	behind := b.call(t, &b.world.Owner, http.MethodGet, "/api/v1/discourse/conversations?page=99&page_size=2", "")
	require.Contains(t, behind.body, `"next":null,"previous":"/api/v1/discourse/conversations?page=3&page_size=2"`,
		"the link back leads to a page that has entries")
}

func TestIdempotency(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const path = "/api/v1/discourse/conversations"
	key := func(body string) domain.IdempotencyKey {
		t.Helper()
		require.Equal(t, http.StatusCreated, b.call(t, &b.world.Owner, http.MethodPost, path, body, "Idempotency-Key", "k1").status)
		n, ok := b.world.Asked("CreateConversation").(domain.NewConversation)
		require.True(t, ok)
		return n.Key
	}
	first := key(`{"name":"Once"}`)
	require.Equal(t, "k1", first.Key)
	require.Equal(t, first, key(`{ "name": "Once" }`), "the content counts, not its form")
	require.NotEqual(t, first.Body, key(`{"name":"Twice"}`).Body)
	b.world.Fail("CreateConversation", domain.Invalid("Idempotency-Key", "The key was used for another request"))
	require.Equal(t, http.StatusUnprocessableEntity, b.call(t, &b.world.Owner, http.MethodPost, path, `{"name":"Twice"}`, "Idempotency-Key",
		"k1").status)

	c, _ := b.world.AddConversation()
	text := `{"conversationId":"` + c.ID.String() + `","message":{"text":"Hello"}}`
	sent := b.call(t, &b.world.Owner, http.MethodPost, "/api/v1/discourse/user-text", text, "Idempotency-Key", "k2")
	repeated := b.call(t, &b.world.Owner, http.MethodPost, "/api/v1/discourse/user-text", text, "Idempotency-Key", "k2")
	require.Equal(t, sent.json(t)["turnId"], repeated.json(t)["turnId"])
}

// The author of a prompt is shown completely, although a conversation's log has no pictures.
func TestRoutes_AuthorsPicture(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const picture = "/pictures/owner.png"
	b.world.Owner.Picture = picture
	c, _ := b.world.AddConversation()
	sent := b.call(t, &b.world.Owner, http.MethodPost, "/api/v1/discourse/user-text",
		`{"conversationId":"`+c.ID.String()+`","message":{"text":"Hello"}}`)
	require.Equal(t, 200, sent.status, sent.body)
	require.Contains(t, sent.body, `"author":{"id":1,`)
	require.Contains(t, sent.body, `"picture":"`+picture+`"`)
	stopped := b.call(t, &b.world.Owner, http.MethodPost, "/api/v1/analyst/process-control/stop-process-in-redis",
		`{"conversationId":"`+c.ID.String()+`"}`)
	require.Contains(t, stopped.body, `"picture":"`+picture+`"`)
}
