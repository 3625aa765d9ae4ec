package api_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
	"parley.dev/parley/api/internal/fakes"
	"parley.dev/parley/domain"
)

// jsonRoute is a call that reads JSON, with a valid body. Its fields are the fields that the
// specification's text names, and it says which of them are required.
type jsonRoute struct {
	name, method, path, body string
	required                 []string
	optional                 []string
}

const someID = "01920000-0000-7000-8000-0000000000ff"

func jsonRoutes() []jsonRoute {
	blueprints := v1 + "/discourse/blueprints"
	step := `{"name":"S","detailedInstructions":"Look"}`
	one := v1 + "/discourse/conversations/" + someID
	agents := v1 + "/analyst/analysts"
	const connection = `{"kind":"postgres","name":"N","description":"D","scope":"user","params":{"host":"db","database":"d","user":"u"},` +
		`"secret":"s"}`
	const agent = `{"agentName":"N","description":"D","controller":"C","provider":"openai","model":"m-1","instructions":"I",` +
		`"knowledgeBase":{"enabled":true},` +
		`"chartReview":{"enabled":true},"insights":{"memories":[1]},"summary":{"name":"S"},"connectors":[1],"projectLabels":[1],"picture":"",` +
		`"isEnabled":true}`
	const memory = `{"question":"Q","name":"N","type":1,"response":"R","labels":[2]}`
	const project = `{"name":"N","description":"D","color":"Royal Blue"}`
	const task = `{"name":"N","icebreaker":7,"projectLabels":[1],"isEnabled":true,"schedule":{"type":"cron","timeZone":"UTC","time":"09:30"}}`
	return []jsonRoute{
		{
			"create", http.MethodPost, v1 + "/discourse/conversations", `{"name":"N","description":"D","dataSources":[1]}`, nil,
			[]string{"name", "description", "dataSources"},
		},
		{
			"change", http.MethodPatch, one, `{"name":"N","description":"D","dataSources":[1],"projectLabels":[1]}`, nil,
			[]string{"name", "description", "dataSources", "projectLabels"},
		},
		{"favorite", http.MethodPut, one + "/favorite", `{"isFavorite":true}`, []string{"isFavorite"}, nil},
		{"status", http.MethodPatch, v1 + "/user/me/conversations/" + someID + "/status", `{"status":"active"}`, []string{"status"}, nil},
		{"rewind", http.MethodPost, one + "/rewind", `{"messageId":"` + someID + `"}`, []string{"messageId"}, nil},
		{
			"actors", http.MethodPut, one + "/actors", `{"users":[{"id":2,"permission":"read"}],"teams":[],"organizations":[]}`, nil,
			[]string{"users", "teams", "organizations"},
		},
		{"user-text", http.MethodPost, v1 + "/discourse/user-text", `{"conversationId":"` + someID +
			`","message":{"text":"Hi"},"dataSources":[]}`, []string{"conversationId", "message"}, []string{"dataSources"}},
		{
			"feedback", http.MethodPut, v1 + "/discourse/messages/" + someID + "/feedbacks", `{"label":[1],"comment":[{"text":"Why?"}]}`, nil,
			[]string{"label", "comment"},
		},
		{"comment", http.MethodPost, v1 + "/discourse/comments", `{"feedback":1,"text":"Why?"}`, []string{"feedback"}, []string{"text"}},
		{
			"source", http.MethodPut, v1 + "/memory/datasources/1", `{"name":"N","description":"D","projectLabels":[1],"scope":"user"}`, nil,
			[]string{"name", "description", "projectLabels", "scope"},
		},
		{"source archive", http.MethodPost, v1 + "/memory/datasources/1/archive", `{"isArchived":true}`, nil, []string{"isArchived"}},
		{"source favorite", http.MethodPut, v1 + "/memory/datasources/1/favorite", `{"isFavorite":true}`, []string{"isFavorite"}, nil},
		{"source details", http.MethodPatch, v1 + "/memory/datasources/1/details", `{"id":1,"text":"T"}`, []string{"id", "text"}, nil},
		{"source actors", http.MethodPut, v1 + "/memory/datasources/1/actors", `{"users":[{"id":2,"permission":"read"}],"teams":[],` +
			`"organizations":[]}`, nil, []string{"users", "teams", "organizations"}},
		{
			"correction", http.MethodPost, v1 + "/memory/datasources/1/corrections", `{"table":"T","column":"C","field":"adds","value":"level",` +
				`"reason":"R"}`, []string{"table", "field", "value"}, []string{"column", "reason"},
		},
		{"dictionary", http.MethodPatch, v1 + "/memory/dataresources/1", `{"details":"D"}`, []string{"details"}, nil},
		{"memory", http.MethodPost, v1 + "/memory/memories", memory, nil, []string{"question", "name", "type", "response", "labels"}},
		{"memory put", http.MethodPut, v1 + "/memory/memories/1", memory, nil, []string{"question", "name", "type", "response", "labels"}},
		{"memory patch", http.MethodPatch, v1 + "/memory/memories/1", memory, nil, []string{"question", "name", "type", "response", "labels"}},
		{"project", http.MethodPost, v1 + "/discourse/projectlabels", project, nil, []string{"name", "description", "color"}},
		{"project put", http.MethodPut, v1 + "/discourse/projectlabels/1", project, nil, []string{"name", "description", "color"}},
		{"task", http.MethodPost, v1 + "/discourse/scheduledtasks", task, nil, []string{"name", "icebreaker", "projectLabels", "isEnabled"}},
		{"task put", http.MethodPut, v1 + "/discourse/scheduledtasks/" + someID, task, nil, []string{
			"name", "icebreaker", "projectLabels",
			"isEnabled",
		}},
		{"task switch", http.MethodPatch, v1 + "/discourse/scheduledtasks/" + someID, `{"isEnabled":true}`, []string{"isEnabled"}, nil},
		{
			"task schedule", http.MethodPost, v1 + "/discourse/scheduledtasks/next-runs", `{"type":"cron","timeZone":"UTC","time":"09:30"}`, nil,
			[]string{"type", "timeZone", "time"},
		},
		{
			"task status", http.MethodPatch, v1 + "/user/me/scheduled-tasks/" + someID + "/status", `{"status":"archived"}`, nil,
			[]string{"status"},
		},
		{
			"stop", http.MethodPost, v1 + "/analyst/process-control/stop-process-in-redis", `{"conversationId":"` + someID + `"}`,
			[]string{"conversationId"},
			nil,
		},
		{"blueprint", http.MethodPost, blueprints, `{"name":"N","description":"D","dataSources":[1],"inputParameters":"A",` +
			`"initialMessage":"M","projectLabels":[],"shareWithOrganization":false,"steps":[` + step + `,7]}`, nil, []string{
			"name", "description", "dataSources", "inputParameters", "initialMessage", "projectLabels", "shareWithOrganization", "steps",
		}},
		{
			"change blueprint", http.MethodPut, blueprints + "/1", `{"name":"N","steps":[` + step + `],"removedSteps":[3],"version":3}`, nil,
			[]string{"name", "steps", "removedSteps", "version"},
		},
		{
			"initial message", http.MethodPost, blueprints + "/initial-message", `{"name":"N","steps":[` + step + `],"inputParameters":"A"}`, nil,
			[]string{"name", "inputParameters"},
		},
		{"archive blueprint", http.MethodPost, blueprints + "/1/archive", `{"isArchived":true}`, nil, []string{"isArchived"}},
		{"copy blueprint", http.MethodPost, blueprints + "/1/copy", `{"name":"N"}`, nil, []string{"name"}},
		{"favorite blueprint", http.MethodPut, blueprints + "/1/favorite", `{"isFavorite":true}`, []string{"isFavorite"}, nil},
		{
			"share blueprint", http.MethodPut, blueprints + "/1/actors", `{"users":[{"id":2,"permission":"read"}],"teams":[],"organizations":[]}`,
			nil,
			[]string{"users", "teams", "organizations"},
		},
		{
			"start blueprint", http.MethodPost, blueprints + "/1/conversations", `{"inputs":{"Region":"North","Year":2025},"dataSources":[1]}`,
			nil,
			[]string{"inputs", "dataSources"},
		},
		{"agent", http.MethodPost, agents, agent, nil, []string{
			"agentName", "description", "controller", "provider", "model", "instructions", "knowledgeBase", "summary", "connectors",
			"projectLabels", "picture", "isEnabled",
		}},
		{"agent put", http.MethodPut, agents + "/1", agent, nil, []string{
			"agentName", "description", "chartReview", "insights", "connectors",
			"isEnabled",
		}},
		{
			"agent actors", http.MethodPut, agents + "/1/actors", `{"users":[{"id":2,"permission":"read"}],"teams":[],"organizations":[]}`, nil,
			[]string{"users", "teams", "organizations"},
		},
		{"agent favorite", http.MethodPut, agents + "/1/favorite", `{"isFavorite":true}`, []string{"isFavorite"}, nil},
		{
			"connection", http.MethodPost, v1 + "/memory/datasources", connection,
			[]string{"kind", "params", "name"},
			[]string{"description", "scope"},
		},
		{"connection check", http.MethodPost, v1 + "/memory/datasources/check", connection, []string{"kind", "params"}, nil},
		{
			"step", http.MethodPost, v1 + "/discourse/steps", `{"name":"S","code":"SELECT 1","memories":[1],"analyst":1,"order":1}`, nil,
			[]string{"name", "code", "memories", "analyst", "order"},
		},
		{
			"change step", http.MethodPut, v1 + "/discourse/steps/11", `{"name":"S","qaInstructions":"Check"}`, nil,
			[]string{"name", "qaInstructions"},
		},
	}
}

// permitted returns for each route the path of an existing object, and a person who may
// change it.
func (b *bundle) permitted() func(jsonRoute) (*domain.User, jsonRoute) {
	c, _ := b.world.AddConversation()
	source := b.world.AddSource(b.files, domain.DataSourceCSV)
	id, resource := strconv.FormatInt(source.ID, 10), strconv.FormatInt(source.Resources[0].ID, 10)
	paths := strings.NewReplacer("/scheduledtasks/"+someID, "/scheduledtasks/"+fakes.TaskID, "/scheduled-tasks/"+someID,
		"/scheduled-tasks/"+fakes.TaskID,
		"/messages/"+someID, "/messages/"+c.Messages[1].ID.String(), someID, c.ID.String(),
		"/datasources/1", "/datasources/"+id, "/dataresources/1", "/dataresources/"+resource, "/analysts/1/actors", "/analysts/2/actors")
	bodies := strings.NewReplacer(`"messageId":"`+someID, `"messageId":"`+c.Messages[0].ID.String(), someID, c.ID.String(), `{"id":1,"text"`,
		`{"id":`+resource+`,"text"`)
	b.world.SetFlags(b.world.Owner.Email, domain.UserFlags{ScheduledTaskView: true, UploadCredentials: true})
	return func(route jsonRoute) (*domain.User, jsonRoute) {
		who := &b.world.Owner
		if strings.HasPrefix(route.name, "memory") || route.name == "agent" || strings.HasPrefix(route.name, "agent ") ||
			route.name == "task status" {
			who = &b.world.Root
		}
		route.path, route.body = paths.Replace(route.path), bodies.Replace(route.body)
		return who, route
	}
}

// TestJSONRoutes checks that every route with a JSON body is in the table.
func TestJSONRoutes(t *testing.T) {
	t.Parallel()
	// PUT of a conversation is the same call as PATCH.
	listed := map[string]bool{"PUT /discourse/conversations/{id}": true}
	for _, route := range jsonRoutes() {
		require.False(t, listed[route.call()], "jsonRoutes() in attacks_input_test.go has two rows for %s", route.call())
		listed[route.call()] = true
	}
	published := describedBodies(t)
	var missing, gone []string
	for call, kinds := range published {
		if kinds["application/json"] != nil && !listed[call] {
			missing = append(missing, call)
		}
	}
	for call := range listed {
		if published[call]["application/json"] == nil {
			gone = append(gone, call)
		}
	}
	require.Empty(t, missing, "these calls read JSON and have no row in jsonRoutes() in attacks_input_test.go")
	require.Empty(t, gone, "these rows of jsonRoutes() in attacks_input_test.go are no calls that read JSON")
}

// call returns the method and the path of the route as the published description has them.
func (r jsonRoute) call() string {
	id := regexp.MustCompile(`/(` + someID + `|\d+)\b`)
	return r.method + " " + id.ReplaceAllString(strings.TrimPrefix(r.path, v1), "/{id}")
}

// describedBodies returns, for each published call, the content types that its body may have.
func describedBodies(t *testing.T) map[string]map[string]any {
	t.Helper()
	raw, err := api.OpenAPI()
	require.NoError(t, err)
	var spec struct {
		Paths map[string]map[string]struct {
			RequestBody struct{ Content map[string]any }
		}
	}
	require.NoError(t, json.Unmarshal(raw, &spec))
	bodies := map[string]map[string]any{}
	for path, methods := range spec.Paths {
		for method, call := range methods {
			bodies[strings.ToUpper(method)+" "+path] = call.RequestBody.Content
		}
	}
	return bodies
}

func attackD01(t *testing.T) {
	t.Helper()
	b := setup(t, checked, func(c *api.Config) { c.Limits.SendsPerMinute, c.Limits.UploadsPerHour = -1, -1 })
	permitted := b.permitted()
	// A field that is given twice is refused in a form as in JSON.
	form, kind := formOf(t, "file", "a.csv", "a,b\n1,2\n", "delimiter", ",", "delimiter", ";")
	twice := b.upload(t, "/memory/file/info", form, kind)
	require.Equal(t, 422, twice.status)
	require.Contains(t, twice.body, `{"field":"delimiter","message":"The field is given twice."}`)
	for _, route := range jsonRoutes() {
		who, route := permitted(route)
		try := func(what, body string, status int, field string) {
			got := b.call(t, who, route.method, route.path, body)
			require.Equal(t, status, got.status, "%s %s: %s", route.name, what, got.body)
			if status == http.StatusUnprocessableEntity && field != "" {
				require.Contains(t, got.body, `{"field":"`+field+`"`, "%s %s", route.name, what)
			}
		}
		good := b.call(t, who, route.method, route.path, route.body).status
		require.Less(t, good, 300, route.name)
		try("unknown field", strings.Replace(route.body, "{", `{"unknown":{"deep":[1]},`, 1), good, "")
		if len(route.required) > 0 {
			try("nothing", "{}", 422, route.required[0])
			got := b.call(t, who, route.method, route.path, "", "Content-Type", "application/json")
			require.Equal(t, 422, got.status, route.name)
		}
		for _, field := range append(append([]string{}, route.required...), route.optional...) {
			try("a number", `{"`+field+`":1.5}`, 422, "")
			try("an object in an array", `{"`+field+`":[{"x":{}}]}`, 422, "")
			try("twice", strings.Replace(route.body, `"`+field+`":`, `"`+field+`":1,"`+field+`":`, 1), 422, field)
			try("in both spellings", strings.Replace(route.body, `"`+field+`":`, `"`+snake(field)+`_":1,"`+field+`":`, 1), good, "")
			if snake(field) != field {
				try("twice in two spellings", strings.Replace(route.body, `"`+field+`":`, `"`+snake(field)+`":1,"`+field+`":`, 1), 422, field)
				try("snake case", strings.Replace(route.body, `"`+field+`":`, `"`+snake(field)+`":`, 1), good, "")
			}
			for _, other := range []string{strings.ToUpper(field), strings.ToUpper(field[:1]) + field[1:], strings.Replace(field, "s", "ſ", 1)} {
				if other != field {
					try("twice in other letters", strings.Replace(route.body, `"`+field+`":`, `"`+other+`":1,"`+field+`":`, 1), 422, field)
				}
			}
			try("NUL", `{"`+field+`":"a\u0000b"}`, 422, field)
		}
		for _, field := range route.required {
			try("null", `{"`+field+`":null}`, 422, "")
		}
		for _, field := range route.optional {
			left := b.call(t, who, route.method, route.path, "{}").status
			if len(route.required) == 0 {
				try("null is left out", `{"`+field+`":null}`, left, "")
			}
		}
		for what, body := range map[string]string{
			"not JSON": "{", "two values": route.body + "{}", "a comma": `{"a":1,}`, "invalid UTF-8": "{\"a\":\"\xff\"}", "NaN": `{"a":NaN}`,
			"a comment": "{}//",
		} {
			try(what, body, 400, "")
		}
		try("an array", "[]", 422, "")
		try("null", "null", 422, "")
		try("a string", `"x"`, 422, "")
		try("deep", strings.Repeat(`{"a":`, 1000)+"1"+strings.Repeat("}", 1000), 422, "")
		try("a number beyond int64", `{"`+append(route.required, route.optional...)[0]+`":[99999999999999999999]}`, 422, "")
		try("a huge number", `{"`+append(route.required, route.optional...)[0]+`":1e999999}`, 422, "")
	}
}

func snake(field string) string {
	var out strings.Builder
	for _, r := range field {
		if 'A' <= r && r <= 'Z' {
			out.WriteByte('_')
			r += 'a' - 'A'
		}
		out.WriteRune(r)
	}
	return out.String()
}

// lists are the paths of the published contract that have pages, with ids filled in.
func lists(t *testing.T) []string {
	t.Helper()
	var paths []string
	for _, call := range documented(t) {
		if call.method == http.MethodGet && call.paged {
			paths = append(paths, call.path)
		}
	}
	require.Greater(t, len(paths), 15)
	return paths
}

func attackD02(t *testing.T) {
	t.Helper()
	b := setup(t)
	c, _ := b.world.AddConversation()
	for _, path := range lists(t) {
		first := "?"
		if strings.HasSuffix(path, "/conversationpermissions") {
			first = "?conversation_id=" + c.ID.String() + "&"
		}
		for _, bad := range []string{
			"page_size=0", "page_size=-1", "pageSize=many", "pageSize=1e9", "page=0", "page=-7",
			"page=99999999999999999999", "page=1000001", "page=1%27--",
		} {
			got := b.call(t, &b.world.Root, http.MethodGet, path+first+bad, "")
			require.Equal(t, 422, got.status, path+bad)
			require.Equal(t, "invalid", got.code(t))
		}
		for _, good := range []string{"page_size=1000000000", "pageSize=1001", "page=1000000&page_size=1000"} {
			got := b.call(t, &b.world.Root, http.MethodGet, path+first+good, "")
			// The objects of the ids in the path need not exist.
			require.Contains(t, []int{200, 404}, got.status, "%s%s: %s", path, good, got.body)
		}
	}
	for _, path := range []string{"/discourse/conversations", "/discourse/blueprints", "/memory/datasources"} {
		for _, sort := range []string{"owner", "-", "updated_at;drop table conversation", "name,created_at", "--name", "NAME"} {
			got := b.send(t, http.MethodGet, v1+path+"?sort="+strings.ReplaceAll(strings.ReplaceAll(sort, " ", "+"), ";", "%3B"), http.NoBody,
				"Authorization", "Bearer "+b.token(t, &b.world.Owner))
			require.Equal(t, 422, got.status, path+sort)
		}
	}
	require.Equal(t, 400, b.call(t, &b.world.Owner, http.MethodGet, v1+"/discourse/conversations?page=%zz", "").status)
	require.Equal(t, 422, b.call(t, &b.world.Owner, http.MethodGet, v1+"/discourse/conversations?search=a%00b", "").status)
	require.Equal(t, 422, b.call(t, &b.world.Owner, http.MethodGet, v1+"/discourse/conversations?search="+strings.Repeat("x", 201), "").status)
}

func attackD03(t *testing.T) {
	t.Helper()
	b := setup(t)
	// A name that addresses an element of a list is refused in a form. Other unknown names
	// are ignored, as everywhere, even if some form parsers would interpret them.
	for key, refused := range map[string]bool{
		"a.18446744073704": true, "a[18446744073704]": true, "a[-1]": true, "a.b.9999999999.c": true, "a.0": true,
		"projectLabels[18446744073709551616]": true,
		"18446744073704":                      false, "a.b1": false, "[]": false, ".": false, "a[" + strings.Repeat("[", 1000): false,
	} {
		file, made := 200, 201
		if refused {
			file, made = 400, 400
		}
		body, kind := formOf(t, "file", "a.csv", "a,b\n1,2\n", key, "x")
		got := b.upload(t, "/memory/file/info", body, kind)
		require.Equal(t, file, got.status, "%q %s", key, got.body)
		form := url.Values{key: {"x"}, "name": {key[:min(len(key), 20)]}, "description": {"D"}, "color": {"Royal Blue"}}
		got = b.send(t, http.MethodPost, v1+"/discourse/projectlabels", strings.NewReader(form.Encode()),
			"Authorization", "Bearer "+b.token(t, &b.world.Owner), "Content-Type", "application/x-www-form-urlencoded")
		require.Equal(t, made, got.status, "%q %s", key, got.body)
		got = b.call(t, &b.world.Owner, http.MethodGet, v1+"/discourse/conversations?"+url.Values{key: {"x"}}.Encode(), "")
		require.Equal(t, 200, got.status, "%q %s", key, got.body)
	}
}

func attackD04(t *testing.T) {
	t.Helper()
	b := setup(t)
	big := `{"name":"` + strings.Repeat("x", 2<<20) + `"}`
	require.Equal(t, 413, b.call(t, &b.world.Owner, http.MethodPost, v1+"/discourse/conversations", big).status)
	chunked := struct{ io.Reader }{strings.NewReader(big)}
	got := b.send(t, http.MethodPost, v1+"/discourse/conversations", chunked, "Authorization", "Bearer "+b.token(t, &b.world.Owner),
		"Content-Type", "application/json")
	require.Equal(t, 413, got.status)
	require.Equal(t, "too-large", got.code(t))
	for _, packed := range []string{"gzip", "deflate", "br", "x-gzip", "gzip, identity"} {
		got = b.call(t, &b.world.Owner, http.MethodPost, v1+"/discourse/conversations", `{"name":"N"}`, "Content-Encoding", packed)
		require.Equal(t, 415, got.status, packed)
		form, kind := formOf(t, "file", "a.csv", "a,b\n1,2\n")
		require.Equal(t, 415, b.upload(t, "/memory/file/info", form, kind, "Content-Encoding", packed).status, packed)
	}
	require.Zero(t, b.world.Count("CreateConversation"))
	require.Equal(t, 201, b.call(t, &b.world.Owner, http.MethodPost, v1+"/discourse/conversations", `{"name":"N"}`, "Content-Encoding",
		"identity").status)
	long := b.send(t, http.MethodGet, me, http.NoBody, "X-Long", strings.Repeat("x", 20<<10))
	require.Equal(t, 431, long.status)
	require.Equal(t, "request-header-fields-too-large", long.code(t))
	require.NotEmpty(t, long.header.Get("X-Request-Id"))
	require.Contains(t, b.log.String(), long.header.Get("X-Request-Id"), "a request that could not be read is logged as well")
	// These are the sizes of the row: everything is sent, and only a little of it is read.
	bearer := "Authorization: Bearer " + b.token(t, &b.world.Owner) + "\r\n"
	get, post := "GET "+me+" HTTP/1.1\r\nHost: x\r\n"+bearer, "POST "+v1+"/discourse/conversations HTTP/1.1\r\nHost: x\r\nContent-Type: "+
		"application/json\r\n"+bearer
	for what, row := range map[string]struct {
		head, again string
		times       int
		status      string
	}{
		"200,000 headers":  {get, "X-A: b\r\n", 200_000, "431"},
		"a header of 1 MB": {get + "X-A: ", strings.Repeat("a", 1<<10), 1 << 10, "431"},
		"100 MB of JSON":   {post + "Content-Length: 104857600\r\n\r\n", strings.Repeat(" ", 1<<16), 1600, "413"},
		"100 MB of JSON, in chunks": {
			post + "Transfer-Encoding: chunked\r\n\r\n", "10000\r\n" + strings.Repeat(" ", 1<<16) + "\r\n", 1600,
			"413",
		},
		"100 MB of nobody's, no JSON": {
			strings.Replace(post, bearer, "", 1) + "Content-Length: 104857600\r\n\r\n", strings.Repeat("x", 1<<16),
			1600, "401",
		},
	} {
		require.Contains(t, b.pour(t, row.head, row.again, row.times, 0), row.status, what)
	}
	// One byte per second does not keep a request alive: the whole body must arrive in time.
	slow := setup(t, func(c *api.Config) { c.Limits.ReadTime = 400 * time.Millisecond })
	own := strings.NewReplacer(bearer, "Authorization: Bearer "+slow.token(t, &slow.world.Owner)+"\r\n")
	for what, head := range map[string]string{
		"in a body": post + "Content-Length: 5000\r\n\r\n", "in chunks": post + "Transfer-Encoding: chunked\r\n\r\n1388\r\n",
		"in a header": get + "X-A: ", "nothing at all": "",
	} {
		require.Contains(t, slow.pour(t, own.Replace(head), " ", 100, 50*time.Millisecond), "408", what)
	}
	require.Equal(t, 401, b.send(t, http.MethodPost, v1+"/discourse/conversations", strings.NewReader(big)).status)
	require.Equal(t, 200, b.call(t, &b.world.Owner, http.MethodGet, me, "").status)
}

// pour writes a beginning and then the same part repeatedly, with a pause before each one,
// and returns the first line of the answer, whenever it arrives.
func (b *bundle) pour(t *testing.T, head, again string, times int, pause time.Duration) string {
	t.Helper()
	conn, err := net.Dial("tcp", b.server.Address())
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	require.NoError(t, conn.SetDeadline(time.Now().Add(5*time.Minute))) //nolint:forbidigo // the kernel's clock
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		_, err := io.WriteString(conn, head)
		for range times {
			select {
			case <-ended:
				return
			case <-time.After(pause):
			}
			if err == nil {
				_, err = io.WriteString(conn, again)
			}
		}
	}()
	line, err := bufio.NewReader(conn).ReadString('\n')
	require.NoError(t, err)
	return line
}

// attackD06: an array with far too many values is refused everywhere an array is accepted: in
// a body, in a query, and in a query that is too long for the head of a request.
func attackD06(t *testing.T) {
	t.Helper()
	b := setup(t, checked)
	numbers := strings.TrimSuffix(strings.Repeat("7,", 10_000), ",")
	tried := 0
	permitted := b.permitted()
	for _, route := range jsonRoutes() {
		who, route := permitted(route)
		for _, field := range []string{"dataSources", "projectLabels", "connectors", "labels", "label", "removedSteps", "memories"} {
			begin := strings.Index(route.body, `"`+field+`":[`)
			if begin < 0 {
				continue
			}
			begin += len(field) + 4
			end := begin + strings.Index(route.body[begin:], "]")
			got := b.call(t, who, route.method, route.path, route.body[:begin]+numbers+route.body[end:])
			require.Equal(t, 422, got.status, "%s %s: %s", route.name, field, got.body)
			require.NotEmpty(t, got.json(t)["errors"], route.name)
			tried++
		}
	}
	require.Greater(t, tried, 10)
	for _, path := range []string{"/memory/datasources", "/discourse/conversations", "/discourse/blueprints", "/analyst/analysts"} {
		list := v1 + path + "?project_label[]="
		for query, status := range map[string]int{
			strings.Repeat("7,", 5000): 422, strings.Repeat("7&project_label[]=", 600): 422, numbers: 422, "true": 422, "1e9": 200, "1e400": 422,
			"1.5": 422, "-1": 422, "1,2,,2": 200, "x": 422,
			strings.Repeat("1&project_label[]=", 10_000): 422,
		} {
			got := b.call(t, &b.world.Root, http.MethodGet, list+query, "")
			require.Equal(t, status, got.status, "%s %.40s", path, query)
			if status != 200 {
				require.NotEmpty(t, got.code(t))
			}
		}
	}
	// A URL that is too long is distinguished from headers that are too large, even on a
	// connection that was used before.
	for range 2 {
		require.Equal(t, 414, b.call(t, &b.world.Root, http.MethodGet, v1+"/memory/datasources/"+strings.Repeat("7", 20_000), "").status)
		long := b.call(t, &b.world.Root, http.MethodGet, v1+"/memory/datasources?dataSources[]=1", "", "X-Long", strings.Repeat("7?", 10_000))
		require.Equal(t, 431, long.status)
		many := b.call(t, &b.world.Root, http.MethodGet, v1+"/memory/datasources?"+strings.Repeat("dataSources[]=1&", 10_000), "")
		require.Equal(t, 422, many.status)
		require.Contains(t, many.body, "There are too many values.")
		require.Equal(t, 200, b.call(t, &b.world.Root, http.MethodGet, v1+"/memory/datasources", "").status)
	}
}

func attackD11(t *testing.T) {
	t.Helper()
	b := setup(t)
	c, _ := b.world.AddConversation()
	id := uuid.Must(uuid.NewV7()).String()
	send := func(text string) int {
		return b.call(t, &b.world.Owner, http.MethodPost, v1+"/discourse/user-text",
			`{"conversationId":"`+c.ID.String()+`","message":{"id":"`+id+`","text":"`+text+`"}}`).status
	}
	require.Equal(t, 200, send("one"))
	first := b.world.Asked("Send")
	require.Equal(t, 200, send("one"))
	require.Equal(t, first, b.world.Asked("Send"), "a request that is sent again asks for the same message")
	b.world.Fail("Send", domain.Invalid("message.id", "The id was used for another message"))
	require.Equal(t, 422, send("two"))
	require.Equal(t, 422, b.call(t, &b.world.Owner, http.MethodPost, v1+"/discourse/conversations", `{}`, "Idempotency-Key",
		strings.Repeat("k", 201)).status)
}
