package integration_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

const (
	tess   = "tess@texts.test"
	family = "👨‍👩‍👧‍👦" // seven code points, one character
)

// textField is a text field of a call for which the specification sets a limit.
type textField struct {
	name         string
	method, path string // path may contain ids in braces; for a query it ends with the name and =
	// body is JSON with %s for the value, or the fields of a form with "%s" for the value.
	body string
	form string // "", "urlencoded" or "multipart"
	// read is the path of the call that returns the stored text ({id} is the created object),
	// and at is the place of the text in its response. An empty read means the response of
	// the call itself.
	read, at string
	limit    int
	cut      bool // a text that is too long is shortened instead of refused
	runes    bool // the limit counts code points and not characters
	field    string
	// Messages of a refusal. Empty if such a text is accepted.
	empty, blank, long string
	// instead is stored in place of an accepted empty or blank text, if it is not empty.
	instead string
	// alias is the name of the field in the body, if it differs from the one in messages.
	alias string
	// drop deletes the created object, because its name must be unique.
	drop bool
	// among is the path of a list that would show a creation. It is empty for changes: their
	// object itself must not change.
	among string
}

// textValue is one of the values that the table of attacks lists.
type textValue struct {
	name, text string
	json       string // the JSON literal, if json.Marshal cannot produce it
	bytes      string // the same value in a form or a query
	marks      bool
	kind       textKind
}

type textKind int

const (
	taken textKind = iota
	isEmpty
	isBlank
	tooLong
	never // no field accepts it
)

func textValues(limit int) []textValue {
	return []textValue{
		{name: "empty", text: "", kind: isEmpty},
		{name: "blanks only", text: " \t \u200b\u00a0 ", kind: isBlank},
		{name: "limit", text: strings.Repeat("x", limit)},
		{name: "limit + 1", text: strings.Repeat("x", limit+1), kind: tooLong},
		{name: "100 × limit", text: strings.Repeat("y", 100*limit), kind: tooLong},
		{name: "NUL", text: "a\x00b", kind: never},
		{name: "newline", text: "a\nb"},
		{name: "right-to-left override", text: "a\u202egnp.exe"},
		{name: "emoji with joiners", text: strings.Repeat(family, limit)},
		{name: "emoji with joiners, one more", text: strings.Repeat(family, limit+1), kind: tooLong},
		{name: "lone surrogate", json: `"a\ud83db"`, bytes: "a\xed\xa0\xbdb", kind: never},
		{name: "script", text: "<script>alert(1)</script>"},
		{name: "SQL", text: "' OR 1=1--"},
		{name: "formula", text: "=cmd()"},
		{name: "template", text: "${{7*7}}"},
		// Not in the table of attacks: combining marks on one letter must not evade a limit.
		{name: "one letter with marks", text: "z" + strings.Repeat("\u0301\u0489\u0334", 20*limit), marks: true, kind: tooLong},
	}
}

func textFields() []textField {
	const (
		validName, validText = "Please enter a valid name", "Please enter a valid description"
		all, title, stepName = "All fields are required", "Please enter the title.", "Please enter step name."
		tooLongText          = "The text is too long"
		conversations        = "/discourse/conversations"
		projects             = "/discourse/projectlabels"
		memories             = "/memory/memories"
		blueprints           = "/discourse/blueprints"
		agents               = "/analyst/analysts"
		tasks                = "/discourse/scheduledtasks"
		source               = "/memory/datasources/{source}"
		memory               = `{"question":"Q","name":"N","type":{type},"response":"R","labels":[]}`
		schedule             = `"schedule":{"type":"cron","timeZone":"UTC","time":"09:30"}`
	)
	with := func(body, field string) string {
		_, rest, _ := strings.Cut(body, `"`+field+`":"`)
		old, _, _ := strings.Cut(rest, `"`)
		return strings.Replace(body, `"`+field+`":"`+old+`"`, `"`+field+`":%s`, 1)
	}
	list := []textField{
		{
			name: "conversation name on creation", method: "POST", path: conversations, body: `{"name":%s}`, read: conversations + "/{id}",
			at: "name", limit: 30, cut: true, field: "name", instead: "New Conversation", among: conversations,
		},
		{name: "conversation description on creation", method: "POST", path: conversations, body: `{"description":%s}`, read: conversations +
			"/{id}", at: "description", limit: 5000, field: "description", long: validText, among: conversations},
		{
			name: "conversation name on rename", method: "PATCH", path: conversations + "/{conversation}", body: `{"name":%s}`,
			read: conversations + "/{conversation}", at: "name", limit: 100, field: "name", empty: "Please enter a name",
			blank: "Please enter a name", long: "Please enter a name of at most 100 characters",
		},
		{
			name: "conversation description", method: "PATCH", path: conversations + "/{conversation}", body: `{"description":%s}`,
			read: conversations + "/{conversation}", at: "description", limit: 5000, field: "description", long: validText,
		},
		{
			name: "comment", method: "POST", path: "/discourse/comments", body: `{"feedback":{feedback},"text":%s}`,
			read: "/discourse/feedbacks/{feedback}", at: "commentSet.-1.text", limit: 300, field: "text", empty: "Please enter a comment",
			blank: "Please enter a comment", long: "Please enter a comment of at most 300 characters",
			among: "/discourse/messages/{answer}/comments",
		},
		{
			name: "connector name", method: "PUT", path: source, body: `{"name":%s}`, read: source, at: "name", limit: 80, field: "name",
			empty: validName, blank: validName, long: validName,
		},
		{
			name: "connector description", method: "PUT", path: source, body: `{"description":%s}`, read: source, at: "description", limit: 5000,
			field: "description", empty: validText, blank: validText, long: validText,
		},
		{
			name: "connector name in a form", method: "PUT", path: source, body: `name=%s`, form: "multipart", read: source, at: "name", limit: 80,
			field: "name", empty: validName, blank: validName, long: validName,
		},
		{
			name: "connector description in a form", method: "PUT", path: source, body: `description=%s`, form: "multipart", read: source,
			at: "description", limit: 5000, field: "description", empty: validText, blank: validText, long: validText,
		},
		{
			name: "credentials name", method: "POST", path: "/memory/secrets", body: `name=%s&file=k`, form: "multipart", at: "name", limit: 80,
			field: "name", empty: validName, blank: validName, long: validName,
		},
		{
			name: "memory name", method: "POST", path: memories, body: with(memory, "name"), at: "name", limit: 30, cut: true, field: "name",
			empty: all, blank: all, among: memories,
		},
		{
			name: "memory question", method: "POST", path: memories, body: with(memory, "question"), at: "index", limit: 2000, field: "question",
			empty: all, blank: all, long: tooLongText, among: memories,
		},
		{
			name: "memory response", method: "POST", path: memories, body: with(memory, "response"), at: "value", limit: 20_000, field: "response",
			empty: all, blank: all, long: tooLongText, among: memories,
		},
		{
			name: "memory name on change", method: "PATCH", path: memories + "/{memory}", body: `{"name":%s}`, at: "name", limit: 30, cut: true,
			field: "name", empty: all, blank: all, among: memories,
		},
		{
			name: "blueprint title", method: "POST", path: blueprints, body: `{"name":%s}`, read: blueprints + "/{id}", at: "name", limit: 80,
			field: "name", empty: title, blank: title, long: "The title has at most 80 characters.", among: blueprints,
		},
		{name: "blueprint title on change", method: "PUT", path: blueprints + "/{blueprint}", body: `{"name":%s}`, read: blueprints +
			"/{blueprint}", at: "name", limit: 80, field: "name", empty: title, blank: title, long: "The title has at most 80 characters."},
		{
			name: "blueprint description", method: "PUT", path: blueprints + "/{blueprint}", body: `{"name":"B","description":%s}`,
			read: blueprints + "/{blueprint}", at: "description", limit: 5000, field: "description",
			long: "The description has at most 5,000 characters.",
		},
		{
			name: "blueprint message", method: "PUT", path: blueprints + "/{blueprint}", body: `{"name":"B","initialMessage":%s}`,
			read: blueprints + "/{blueprint}", at: "initialMessage", limit: 20_000, field: "initialMessage",
			long: "The initial message has at most 20,000 characters.",
		},
		{
			name: "step name", method: "POST", path: "/discourse/steps", body: `{"name":%s,"code":"SELECT 1"}`, at: "name", limit: 80,
			field: "name", empty: stepName, blank: stepName, long: "The name of a step has at most 80 characters.",
		},
		{
			name: "step name in a blueprint", method: "PUT", path: blueprints + "/{blueprint}",
			body: `{"name":"B","steps":[{"name":%s,"code":"SELECT 1"}]}`, read: blueprints + "/{blueprint}", at: "steps.-1.name", limit: 80,
			field: "steps[0].name", empty: stepName, blank: stepName, long: "The name of a step has at most 80 characters.",
		},
		{
			name: "step instructions", method: "POST", path: "/discourse/steps", body: `{"name":"S","detailedInstructions":%s}`,
			at: "detailedInstructions", limit: 20_000, field: "detailedInstructions", empty: "Please enter step detailed instructions",
			blank: "Detailed instructions cannot be empty", long: "Detailed instructions have at most 20,000 characters.",
		},
		{
			name: "step QA instructions", method: "POST", path: "/discourse/steps", body: `{"name":"S","qaInstructions":%s}`, at: "qaInstructions",
			limit: 20_000, field: "qaInstructions", empty: "Please enter step QA Instructions", blank: "QA Instructions cannot be empty",
			long: "QA Instructions have at most 20,000 characters.",
		},
		{
			name: "step code", method: "POST", path: "/discourse/steps", body: `{"name":"S","code":%s}`, at: "code", limit: 20_000, field: "code",
			empty: "Please enter code", blank: "Code cannot be empty", long: "Code has at most 20,000 characters.",
		},
		{
			name: "agent name", method: "POST", path: agents, body: `{"agentName":%s}`, read: agents + "/{id}", at: "name", limit: 80,
			field: "name", alias: "agentName", drop: true, empty: "Enter agent name", blank: "Enter agent name",
			long: "The name can have at most 80 characters", among: agents + "?filter_enabled=false",
		},
		{
			name: "agent name on change", method: "PUT", path: agents + "/{agent}", body: `{"agentName":%s}`, read: agents + "/{agent}",
			at: "name", limit: 80, field: "name", alias: "agentName", empty: "Enter agent name", blank: "Enter agent name",
			long: "The name can have at most 80 characters",
		},
		{
			name: "agent description", method: "PUT", path: agents + "/{agent}", body: `{"description":%s}`, read: agents + "/{agent}",
			at: "description", limit: 5000, field: "description", long: tooLongText,
		},
		{
			name: "agent instructions", method: "PUT", path: agents + "/{agent}", body: `{"instructions":%s}`, read: agents + "/{agent}",
			at: "instructions", limit: 10_000, field: "instructions", long: tooLongText,
		},
		{name: "agent specialist", method: "PUT", path: agents + "/{agent}", body: `{"insights":{"specialInstructions":%s}}`, read: agents +
			"/{agent}", at: "insights.specialInstructions", limit: 10_000, field: "insights.specialInstructions", long: tooLongText},
		{
			name: "task name", method: "POST", path: tasks, body: `{"name":%s,"icebreaker":{plan},` + schedule + `}`, read: tasks + "/{id}",
			at: "name", limit: 100, field: "name", empty: validName, blank: validName, long: validName, among: tasks,
		},
		{
			name: "task name on change", method: "PUT", path: tasks + "/{task}", body: `{"name":%s,"icebreaker":{plan},` + schedule + `}`,
			read: tasks + "/{task}", at: "name", limit: 100, field: "name", empty: validName, blank: validName, long: validName,
		},
	}
	for _, how := range []struct{ name, form, body, description string }{
		{"", "", `{"name":%s,"description":"D","color":"Royal Blue"}`, `{"name":"N","description":%s,"color":"Royal Blue"}`},
		{" in a form", "urlencoded", "name=%s&description=D&color=Royal Blue", "name=N&description=%s&color=Royal Blue"},
		{" in parts", "multipart", "name=%s&description=D&color=Royal Blue", "name=N&description=%s&color=Royal Blue"},
	} {
		list = append(list,
			textField{
				name: "project name" + how.name, method: "POST", path: projects, body: how.body, form: how.form, at: "name", limit: 80,
				field: "name", empty: validName, blank: validName, long: validName, among: projects,
			},
			textField{
				name: "project description" + how.name, method: "PUT", path: projects + "/{project}", body: how.description, form: how.form,
				at: "description", limit: 500, field: "description", empty: validText, blank: validText, long: validText, among: projects,
			},
		)
	}
	for _, path := range []string{
		conversations, blueprints, "/memory/datasources", memories, agents, projects, tasks, tasks + "/timezones",
		"/user/shareable-entities",
	} {
		list = append(list, textField{
			name: "search of " + path, method: "GET", path: path + "?search=", limit: 200, runes: true,
			field: "search", long: "-",
		})
	}
	for _, path := range []string{blueprints, "/memory/datasources", memories, tasks} {
		list = append(list, textField{
			name: "filter of " + path, method: "GET", path: path + "?filter=name:contains:", limit: 200,
			field: "filter", long: "The value of the filter is not valid.",
		})
	}
	return list
}

// texts tests rows D01 to D12: each limited text field of the contract with each value,
// against the real server and database. An accepted text is read back unchanged; a refused
// one changes nothing.
func texts(t *testing.T, n *node) {
	t.Helper()
	require.NoError(t, n.store.Samples.Seed(context.Background(),
		persistence.SeedInput{Analysts: []persistence.SeedAnalyst{persistencetest.LoadTest()}, Organisations: []persistence.SeedOrganisation{{
			Name: "Texts",
			People: []persistence.SeedPerson{{
				Email: tess, FullName: "Tess Texts", IsSuperuser: true, Flags: domain.UserFlags{ScheduledTaskView: true, UploadCredentials: true},
			}},
			DataSources: []persistence.SeedDataSource{{
				Owner: tess, Seed: "texts", Name: "Orders", Description: "Orders", Type: domain.DataSourceCSV, Scope: domain.ScopeOrganisation,
				FileName: "orders.csv", FileKey: "samples/orders.csv", WorkKey: "samples/orders.duckdb", Size: 10,
				Resources: []domain.DataResource{{
					Name: "Orders", Table: "orders", Rows: 2,
					Columns: []domain.Column{{Name: "n", Type: domain.ColumnInteger}},
				}},
			}},
		}}}))
	p := n.as(t, tess)
	ids := textObjects(t, p)
	checks := 0
	for _, f := range textFields() {
		for _, v := range textValues(f.limit) {
			if f.method == http.MethodGet && v.marks {
				continue // too long for a URL
			}
			t.Run(f.name+"/"+v.name, func(t *testing.T) {
				f.try(t, p, ids, v)
			})
			checks++
		}
	}
	require.GreaterOrEqual(t, checks, 210)
	p.do("GET", "/user/me", nil).into(t, 200, nil)
	n.as(t, persistencetest.Doris).do("GET", "/discourse/projectlabels?search=script", nil).into(t, 200, nil)
}

// textObjects creates the objects that are changed, and returns a replacer that fills their ids
// into paths.
func textObjects(t *testing.T, p *person) *strings.Replacer {
	t.Helper()
	idOf := func(method, path, body string) string {
		t.Helper()
		got := p.do(method, path, body)
		require.Contains(t, []int{200, 201}, got.status, "%s %s: %s", method, path, got.body)
		return fmt.Sprint(place(t, got.body, "id"))
	}
	conversation := p.create()
	p.send(conversation, "seed=1 tokens=5 rate=1000")
	var answer string
	require.Eventually(t, func() bool {
		c := p.get(conversation)
		for _, m := range c.MessageSet {
			if m.Role == string(domain.RoleAssistant) && !c.IsStreaming {
				answer = m.ID.String()
			}
		}
		return answer != ""
	}, patience, 50*time.Millisecond)
	var feedback struct{ ID int64 }
	p.do("PUT", "/discourse/messages/"+answer+"/feedbacks", `{"label":[1]}`).into(t, 200, &feedback)
	first := func(path string) string { return fmt.Sprint(place(t, p.do("GET", path, nil).body, "results.0.id")) }
	kind := first("/memory/memorytypes")
	plan := idOf("POST", "/discourse/blueprints", `{"name":"Plan","steps":[{"name":"S","code":"SELECT 1"}]}`)
	return strings.NewReplacer(
		"{conversation}", conversation.String(), "{answer}", answer, "{feedback}", strconv.FormatInt(feedback.ID, 10),
		"{source}", first("/memory/datasources"), "{type}", kind, "{plan}", plan,
		"{memory}", idOf("POST", "/memory/memories", `{"question":"Q","name":"N","type":`+kind+`,"response":"R"}`),
		"{blueprint}", idOf("POST", "/discourse/blueprints", `{"name":"B"}`),
		"{agent}", idOf("POST", "/analyst/analysts", `{"agentName":"Texts"}`),
		"{project}", idOf("POST", "/discourse/projectlabels", `{"name":"N","description":"D","color":"Royal Blue"}`),
		"{task}", idOf("POST", "/discourse/scheduledtasks", `{"name":"T","icebreaker":`+plan+`,"schedule":{"type":"cron","timeZone":"UTC",`+
			`"time":"09:30"}}`),
	)
}

// try checks one field with one value.
func (f *textField) try(t *testing.T, p *person, ids *strings.Replacer, v textValue) {
	t.Helper()
	p = p.node.as(t, p.email)
	before := f.state(t, p, ids)
	got, sent := f.send(t, p, ids, v)
	message, refused := f.refusal(v)
	switch {
	case !refused:
		require.Contains(t, []int{200, 201, 204}, got.status, "%.300s", got.body)
		f.stored(t, p, ids, v, got)
		return
	case sent > 1<<20:
		got.refused(t, http.StatusRequestEntityTooLarge)
	default:
		refusal := got.refused(t, http.StatusUnprocessableEntity)
		require.NotEmpty(t, refusal.Errors)
		require.Contains(t, []string{f.field, f.alias}, refusal.Errors[0].Field)
		if message != "-" {
			require.Equal(t, message, refusal.Errors[0].Message)
		}
		for _, inside := range []string{"pgx", "SQLSTATE", "goroutine", "/work", "constraint"} {
			require.NotContains(t, string(got.body), inside)
		}
	}
	require.Equal(t, before, f.state(t, p, ids), "a refusal must change nothing")
}

// refusal returns the message for a value that is refused; "-" if the specification does not
// prescribe the message.
func (f *textField) refusal(v textValue) (message string, refused bool) {
	switch {
	case v.kind == never:
		return "-", true
	case v.kind == isEmpty:
		return f.empty, f.empty != ""
	case v.kind == isBlank:
		return f.blank, f.blank != ""
	case v.kind == tooLong, f.runes && len([]rune(v.text)) > f.limit:
		return f.long, !f.cut
	}
	return "", false
}

// send makes the call and returns the length of its body in bytes.
func (f *textField) send(t *testing.T, p *person, ids *strings.Replacer, v textValue) (answer, int) {
	t.Helper()
	raw := v.text
	if v.bytes != "" {
		raw = v.bytes
	}
	path := ids.Replace(f.path)
	switch {
	case f.method == http.MethodGet:
		// A URL has a limit of its own, which D04 tests.
		for len(url.QueryEscape(raw)) > 15<<10 {
			raw = raw[:len(raw)*3/4]
		}
		return p.do(f.method, path+url.QueryEscape(raw), nil), 0
	case f.form == "":
		literal := v.json
		if literal == "" {
			encoded, err := json.Marshal(v.text)
			require.NoError(t, err)
			literal = string(encoded)
		}
		body := fmt.Sprintf(strings.ReplaceAll(ids.Replace(f.body), "%s", "%[1]s"), literal)
		return p.do(f.method, path, body), len(body)
	}
	values := url.Values{}
	var parts bytes.Buffer
	form := multipart.NewWriter(&parts)
	for _, pair := range strings.Split(f.body, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if value == "%s" {
			value = raw
		}
		values.Set(name, value)
		if name == "file" {
			w, err := form.CreateFormFile("file", "key.txt")
			require.NoError(t, err)
			_, err = w.Write([]byte(value))
			require.NoError(t, err)
			continue
		}
		require.NoError(t, form.WriteField(name, value))
	}
	require.NoError(t, form.Close())
	if f.form == "urlencoded" {
		body := values.Encode()
		return p.do(f.method, path, body, "Content-Type", "application/x-www-form-urlencoded"), len(body)
	}
	body := parts.String()
	return p.do(f.method, path, body, "Content-Type", form.FormDataContentType()), len(body)
}

// stored checks that the text was stored as it was given, shortened or replaced.
func (f *textField) stored(t *testing.T, p *person, ids *strings.Replacer, v textValue, got answer) {
	t.Helper()
	if f.method == http.MethodGet {
		return
	}
	body := got.body
	if f.read != "" {
		path := f.read
		if strings.Contains(path, "{id}") {
			path = strings.ReplaceAll(path, "{id}", fmt.Sprint(place(t, got.body, "id")))
		}
		again := p.do("GET", ids.Replace(path), nil)
		require.Equal(t, 200, again.status, "%s", again.body)
		body = again.body
	}
	if f.drop {
		require.Equal(t, 204, p.do("DELETE", strings.SplitN(f.path, "?", 2)[0]+"/"+fmt.Sprint(place(t, got.body, "id")), nil).status)
	}
	stored, ok := place(t, body, f.at).(string)
	require.True(t, ok, "%.300s", body)
	switch v.kind {
	case isEmpty, isBlank:
		if f.instead != "" {
			require.Equal(t, f.instead, stored)
			return
		}
		require.True(t, domain.Blank(stored))
	case tooLong:
		require.Equal(t, domain.Shorten(v.text, f.limit), stored)
		require.LessOrEqual(t, domain.Length(stored), f.limit)
		require.True(t, strings.HasPrefix(v.text, stored))
		if strings.Contains(v.text, family) {
			require.Equal(t, strings.Repeat(family, f.limit), stored, "the text must be cut between characters")
		}
	case taken, never:
		require.Equal(t, v.text, stored)
	}
}

// state returns what a refused call must not change.
func (f *textField) state(t *testing.T, p *person, ids *strings.Replacer) string {
	t.Helper()
	path := f.among
	if path == "" {
		path = f.read
	}
	if path == "" || f.method == http.MethodGet {
		return ""
	}
	got := p.do("GET", ids.Replace(path), nil)
	require.Equal(t, 200, got.status, "%s", got.body)
	return string(got.body)
}

// place returns the value at a path of a JSON document; -1 is the last element of a list.
func place(t *testing.T, body []byte, path string) any {
	t.Helper()
	var v any
	require.NoError(t, json.Unmarshal(body, &v), "%.300s", body)
	for _, name := range strings.Split(path, ".") {
		switch at := v.(type) {
		case map[string]any:
			v = at[name]
		case []any:
			i, err := strconv.Atoi(name)
			require.NoError(t, err)
			require.NotEmpty(t, at)
			if i < 0 {
				i += len(at)
			}
			v = at[i]
		}
	}
	if n, ok := v.(float64); ok {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return v
}
