package integration_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// creation is a call that creates something, with a body for it. A placeholder such as
// <id> is replaced by a value of the object, <who> by the actor, and <mark> by a word
// that is unique to the sub-test.
type creation struct {
	call string
	when string
	on   func(t *testing.T, w *world, mark string) *object
	// send is the body, and other is a body that differs a little. If other is empty, the
	// call is repeated on another object instead. With form both are fields of a form,
	// which is sent with a file.
	send, other string
	form        bool
	// count is the SQL that counts what was created; $1 is the mark.
	count string
	// by makes the call, and another makes it on the same object with the same key.
	by, another actor
	// apart is set for prompts: their key becomes the id of the message, and is not
	// stored with the keys of other calls.
	apart bool
}

// creations returns at least one row for each call that creates something.
func creations() []creation {
	const (
		talks      = "SELECT count(*) FROM conversation WHERE strpos(name, $1) > 0"
		blueprints = "SELECT count(*) FROM blueprint WHERE strpos(name, $1) > 0"
		sources    = "SELECT count(*) FROM data_source WHERE strpos(name, $1) > 0"
		agent      = `"description":"<name>","provider":"scripted","model":"scripted"}`
		task       = `"icebreaker":<blueprint>,"schedule":{"type":"cron","time_zone":"Europe/Paris","time":"9:30 AM"}}`
	)
	return []creation{
		{
			call: "POST /discourse/conversations", send: `{"name":"<mark>"}`, other: `{"name":"<mark>","description":"other"}`, count: talks,
			by: owner, another: colleague,
		},
		{call: "POST /discourse/conversations/{id}/copy", on: aMarkedConversation, count: talks, by: owner, another: viewer},
		{
			call: "POST /discourse/user-text", on: talksOfTwo, apart: true,
			send:  `{"conversationId":"<talk of <who>>","message":{"text":"seed=1 tokens=1 rate=0 <mark>","analystId":<agent>}}`,
			other: `{"conversationId":"<talk of <who>>","message":{"text":"seed=2 tokens=1 rate=0 <mark>","analystId":<agent>}}`,
			count: "SELECT count(*) FROM message JOIN turn ON turn.id = message.turn_id WHERE message.role = 'user' AND " +
				"strpos(message.text, $1) > 0", by: owner, another: viewer,
		},
		{
			call: "PUT /discourse/messages/{id}/feedbacks", on: unmarked(ofPlace(aConversation, "<answer>")),
			send: `{"label":[1],"comment":[{"text":"<mark>"}]}`, other: `{"label":[2],"comment":[{"text":"<mark>"}]}`,
			count: "SELECT count(*) FROM feedback JOIN feedback_comment c ON c.feedback_id = feedback.id WHERE c.text = $1", by: owner,
			another: viewer,
		},
		{
			call: "POST /discourse/comments", on: unmarked(aFeedback), send: `{"feedback":<id>,"text":"<mark>"}`,
			other: `{"feedback":<id>,"text":"<mark> again"}`,
			count: "SELECT count(*) FROM feedback_comment WHERE strpos(text, $1) > 0", by: owner, another: viewer,
		},
		{
			call: "POST /discourse/blueprints", send: `{"name":"<mark>","steps":[{"name":"One","code":"SELECT 1"}]}`,
			other: `{"name":"<mark>","steps":[{"name":"One","code":"SELECT 2"}]}`, count: blueprints, by: owner, another: outsider,
		},
		{
			call: "POST /discourse/blueprints", when: "from a conversation", on: aMarkedConversation, send: `{"from_conversation":"<id>"}`,
			count: blueprints, by: owner, another: viewer,
		},
		{
			call: "POST /discourse/blueprints/{id}/copy", on: unmarked(aBlueprint), send: `{"name":"<mark>"}`, other: `{"name":"<mark> too"}`,
			count: blueprints, by: owner, another: byTeam,
		},
		{
			call: "POST /discourse/blueprints/{id}/conversations", on: aMarkedBlueprint, send: `{"analyst_id":<agent>}`, other: `{}`,
			count: "SELECT count(*) FROM turn WHERE conversation_id IN (SELECT id FROM conversation WHERE strpos(name, $1) > 0)", by: owner,
			another: viewer,
		},
		{
			call: "POST /discourse/steps", when: "for later", send: `{"name":"<mark>","code":"SELECT 1"}`,
			other: `{"name":"<mark>","code":"SELECT 2"}`,
			count: "SELECT count(*) FROM blueprint_step WHERE name = $1", by: owner, another: colleague,
		},
		{
			call: "POST /discourse/steps", when: "of a blueprint", on: unmarked(aBlueprint), send: `{"icebreaker":<blueprint>,"name":"<mark>",` +
				`"code":"SELECT 1"}`,
			other: `{"name":"<mark>","code":"SELECT 1"}`, count: "SELECT count(*) FROM blueprint_step WHERE name = $1", by: owner,
		},
		{
			call: "POST /memory/file/datasources", form: true, send: `{"name":"<mark>","description":"One"}`,
			other: `{"name":"<mark>","description":"Two"}`, count: sources, by: owner, another: colleague,
		},
		{
			call: "POST /memory/file/datasources", when: "from a table", form: true, on: unmarked(ofPlace(aConversation, "<table>")),
			send: `{"name":"<mark>","description":"One","display_object_id":"<id>"}`, other: `{"name":"<mark>","description":"Two",` +
				`"display_object_id":"<id>"}`,
			count: sources, by: owner, another: viewer,
		},
		{
			call: "POST /memory/datasources", send: strings.Replace(aConnection, "<name>", "<mark>", 1),
			other: strings.Replace(strings.Replace(aConnection, "<name>", "<mark>", 1), `"secret":"s"`, `"secret":"t"`, 1), count: sources,
			by: owner, another: colleague,
		},
		{
			call: "POST /memory/datasources/{id}/corrections", on: unmarked(aSource), send: aCorrectionBy("<mark> of <who>"),
			other: aCorrectionBy("<mark> too"), count: "SELECT count(*) FROM data_correction WHERE strpos(value, $1) > 0", by: owner,
			another: writer,
		},
		{
			call: "POST /memory/secrets", form: true, send: `{"name":"<mark>"}`, other: `{"name":"<mark> 2"}`,
			count: "SELECT count(*) FROM credential WHERE strpos(name, $1) > 0", by: owner, another: colleague,
		},
		{
			call: "POST /memory/memories", send: `{"question":"<mark>?","name":"<mark>","type":<type>,"response":"One"}`,
			other: `{"question":"<mark>?","name":"<mark>","type":<type>,"response":"Two"}`,
			count: "SELECT count(*) FROM memory WHERE name = $1", by: superuser, another: foreignSuperuser,
		},
		{
			call: "POST /analyst/analysts", send: `{"agentName":"<mark>",` + agent, other: `{"agentName":"<mark> 2",` + agent,
			count: "SELECT count(*) FROM analyst WHERE strpos(name, $1) > 0", by: superuser, another: foreignSuperuser,
		},
		{
			call: "POST /discourse/projectlabels", send: `{"name":"<mark>","description":"One","color":"Teal blue"}`,
			other: `{"name":"<mark>","color":"Teal blue","description":"Two"}`,
			count: "SELECT count(*) FROM project_label WHERE name = $1", by: owner, another: outsider,
		},
		{
			call: "POST /discourse/scheduledtasks", on: unmarked(aBlueprint), send: `{"name":"<mark>",` + task, other: `{"name":"<mark> 2",` + task,
			count: "SELECT count(*) FROM scheduled_task WHERE strpos(name, $1) > 0", by: owner, another: viewer,
		},
	}
}

// repeatable returns the POST calls that have no effect, or that have the same effect and the same
// answer when the same person repeats them. They need no key.
func repeatable() []string {
	return []string{
		"POST /user/me/keep-alive", "POST /user/me/logout", "POST /analyst/process-control/stop-process-in-redis",
		"POST /discourse/conversations/{id}/read", "POST /discourse/conversations/{id}/rewind",
		"POST /discourse/blueprints/initial-message", "POST /discourse/blueprints/{id}/archive",
		"POST /memory/datasources/{id}/archive", "POST /memory/datasources/{id}/sync", "POST /memory/file/info", "POST /memory/datasources/check",
		"POST /discourse/scheduledtasks/next-runs",
	}
}

// isCreation reports whether a call has a row in creations.
func isCreation(call string) bool {
	return slices.ContainsFunc(creations(), func(c creation) bool { return c.call == call })
}

// TestOnce_EveryCall checks that each published call that is not a read takes a key, unless it may be
// repeated without harm, and that a test uses each key: effectsOnce the keys of creations, and
// changesOnce those of all other calls. The contract decides which calls take one, not their method.
func TestOnce_EveryCall(t *testing.T) {
	t.Parallel()
	all := described(t)
	keys := naming(t, "Idempotency-Key")
	for call, takesKey := range keys {
		method, path, _ := strings.Cut(call, " ")
		if method == http.MethodGet {
			require.False(t, takesKey, "%s only reads", call)
			continue
		}
		require.NotEqual(t, takesKey, slices.Contains(repeatable(), call), "%s takes a key: %v. If a repetition by the same person would be "+
			"refused, or would do more than the first one, it needs a key (docs/contract.md, Once). Otherwise it takes none and is listed in "+
			"repeatable() in once_test.go", call, takesKey)
		var answers struct {
			Responses map[string]json.RawMessage `json:"responses"`
		}
		require.NoError(t, json.Unmarshal(all[path][strings.ToLower(method)], &answers))
		if answers.Responses["201"] != nil {
			require.True(t, isCreation(call), "%s creates something and has no row in creations() in once_test.go", call)
		}
	}
	for _, c := range creations() {
		require.True(t, keys[c.call], "%s has a row in creations() in once_test.go and takes no key", c.call)
	}
	for _, call := range repeatable() {
		require.Contains(t, keys, call, "repeatable() in once_test.go lists a call that is not published")
	}
}

// effectsOnce retries every creation over a transport that loses responses.
func effectsOnce(t *testing.T, w *world) {
	t.Helper()
	for _, c := range creations() {
		t.Run(strings.TrimSpace(c.call+" "+c.when), func(t *testing.T) {
			t.Parallel()
			c.try(t, w)
		})
	}
}

func (c *creation) try(t *testing.T, w *world) {
	t.Helper()
	mark := domain.NewID().String()[24:] // short enough for every name
	place := func(mark string) *object {
		o := &object{places: map[string]string{}}
		if c.on != nil {
			o = c.on(t, w, mark)
		}
		return o.with(map[string]string{"<mark>": mark})
	}
	o := place(mark)
	before := c.counted(t, w, mark)
	key := domain.NewID().String()
	seed := fnv.New64a()
	_, _ = seed.Write([]byte(c.call + c.when))
	loses := &lossy{luck: rand.New(rand.NewPCG(seed.Sum64(), 1))}

	// The same key is used by six requests at the same time, and by one more afterwards.
	answers := concurrently(6, func(int) answer { return c.ask(t, w, loses, c.by, o, c.send, key) })
	answers = append(answers, c.ask(t, w, loses, c.by, o, c.send, key))
	require.Less(t, answers[0].status, 300, "%s", answers[0].body)
	for _, a := range answers {
		require.Equal(t, answers[0].status, a.status, "%s", a.body)
		require.Equal(t, c.made(t, answers[0]), c.made(t, a))
	}
	require.Equal(t, before+1, c.counted(t, w, mark), "one key must create one object")
	require.NotZero(t, loses.lost, "no response was lost")

	c.refuses(t, w, place, o, key)
	require.Equal(t, before+1, c.counted(t, w, mark), "a refused request created something")

	if c.another != anonymous {
		theirs := c.ask(t, w, loses, c.another, o, c.send, key)
		require.Equal(t, answers[0].status, theirs.status, "%s", theirs.body)
		require.NotEqual(t, c.made(t, answers[0]), c.made(t, theirs))
		require.Equal(t, before+2, c.counted(t, w, mark), "the key of another person must create another object")
	}
}

// refuses checks that a key that was used for one request is refused for any other one.
func (c *creation) refuses(t *testing.T, w *world, place func(mark string) *object, o *object, key string) {
	t.Helper()
	refused := func(a answer) {
		t.Helper()
		p := a.refused(t, 422)
		require.Len(t, p.Errors, 1)
		require.Equal(t, "This key was used for another request.", p.Errors[0].Message)
	}
	reliable := http.DefaultTransport
	switch {
	case c.apart:
		require.Equal(t, "message.id", c.ask(t, w, reliable, c.by, o, c.other, key).refused(t, 422).Errors[0].Field)
		return
	case c.other != "":
		refused(c.ask(t, w, reliable, c.by, o, c.other, key))
	default:
		refused(c.ask(t, w, reliable, c.by, place("another"), c.send, key))
	}
	// One of two other creations, so that the call always differs from this one.
	elsewhere := creation{call: "POST /discourse/projectlabels", send: `{"name":"<mark> elsewhere","description":"Elsewhere",` +
		`"color":"Teal blue"}`}
	if c.call == elsewhere.call {
		elsewhere = creation{call: "POST /discourse/conversations", send: `{"name":"<mark> elsewhere"}`}
	}
	refused(elsewhere.ask(t, w, reliable, c.by, o, elsewhere.send, key))
	theirs := domain.NewID().String()
	require.Equal(t, 201, elsewhere.ask(t, w, reliable, c.by, &object{}, elsewhere.send, theirs).status)
	refused(c.ask(t, w, reliable, c.by, o, c.send, theirs))
}

// ask makes the call, and repeats it until its response arrives.
func (c *creation) ask(t *testing.T, w *world, by http.RoundTripper, a actor, o *object, send, key string) answer {
	t.Helper()
	method, path, _ := strings.Cut(c.call, " ")
	path = fill(strings.ReplaceAll(path, "{id}", "<id>"), o.places)
	body := []byte(fill(strings.ReplaceAll(send, "<who>", a.String()), o.places, w.words[a.foreign()]))
	kind := "application/json"
	if c.form {
		body, kind = formOf(t, body)
	}
	return w.askUntilAnswered(t, by, a, method, path, http.Header{"Content-Type": {kind}, "Idempotency-Key": {key}}, body)
}

// askUntilAnswered repeats a request until its response arrives.
func (w *world) askUntilAnswered(t *testing.T, by http.RoundTripper, a actor, method, path string, header http.Header, body []byte) answer {
	t.Helper()
	client := http.Client{Transport: by}
	for range 60 {
		r, err := http.NewRequestWithContext(t.Context(), method, w.url+v1+path, bytes.NewReader(body))
		require.NoError(t, err)
		r.Header = header.Clone()
		r.Header.Set("Authorization", "Bearer "+a.email())
		response, err := client.Do(r)
		if errors.Is(err, errLost) {
			continue
		}
		require.NoError(t, err)
		out, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		return answer{response.StatusCode, response.Header, out}
	}
	require.Fail(t, "every response was lost")
	return answer{}
}

// formOf encodes fields as a multipart form, with a file unless they name a display object.
func formOf(t *testing.T, fields []byte) ([]byte, string) {
	t.Helper()
	var named map[string]string
	require.NoError(t, json.Unmarshal(fields, &named))
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range named {
		require.NoError(t, form.WriteField(name, value))
	}
	if named["display_object_id"] == "" {
		part, err := form.CreateFormFile("file", "table.csv")
		require.NoError(t, err)
		_, err = io.WriteString(part, "a,b\n1,2\n")
		require.NoError(t, err)
	}
	require.NoError(t, form.Close())
	return body.Bytes(), form.FormDataContentType()
}

// aMarkedConversation creates a conversation with the mark as its name.
func aMarkedConversation(t *testing.T, w *world, mark string) *object {
	t.Helper()
	o := aConversation(t, w)
	w.call(t, owner, http.MethodPatch, "/discourse/conversations/"+o.places["<id>"], `{"name":"`+mark+`"}`).into(t, 200, nil)
	return o
}

// aMarkedBlueprint creates a blueprint with the mark as its name.
func aMarkedBlueprint(t *testing.T, w *world, mark string) *object {
	t.Helper()
	o := aBlueprint(t, w)
	_, err := w.db.Exec(t.Context(), "UPDATE blueprint SET name = $2 WHERE id = $1", o.places["<id>"], mark)
	require.NoError(t, err)
	return o
}

// talksOfTwo creates one conversation for each of two people.
func talksOfTwo(t *testing.T, w *world, _ string) *object {
	t.Helper()
	o := &object{places: map[string]string{}}
	for _, a := range []actor{owner, viewer} {
		o.places["<talk of "+a.String()+">"] = id(w.make(t, a, "/discourse/conversations", `{"name":"<name>"}`))
	}
	return o
}

// unmarked adapts a constructor of objects that need no mark.
func unmarked(made func(*testing.T, *world) *object) func(*testing.T, *world, string) *object {
	return func(t *testing.T, w *world, _ string) *object {
		t.Helper()
		return made(t, w)
	}
}

// made returns the id of what a call created, as its response gives it.
func (c *creation) made(t *testing.T, a answer) any {
	t.Helper()
	var told map[string]any
	a.into(t, a.status, &told)
	if c.apart {
		return []any{told["turnId"], told["message"].(map[string]any)["id"]}
	}
	require.NotEmpty(t, told["id"], "%s", a.body)
	return told["id"]
}

func (c *creation) counted(t *testing.T, w *world, mark string) int {
	t.Helper()
	var n int
	require.NoError(t, w.db.QueryRow(t.Context(), c.count, mark).Scan(&n))
	return n
}

var errLost = errors.New("lost")

// lossy is a transport that loses one response in three, after the server has done its
// work, and one request in six before it reaches the server.
type lossy struct {
	mu   sync.Mutex
	luck *rand.Rand
	lost int
}

// RoundTrip implements http.RoundTripper.
func (l *lossy) RoundTrip(r *http.Request) (*http.Response, error) {
	l.mu.Lock()
	n := l.luck.IntN(6)
	if n < 2 {
		l.lost++
	}
	l.mu.Unlock()
	if n == 5 {
		return nil, errLost
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || n >= 2 {
		return response, err
	}
	_, err = io.Copy(io.Discard, response.Body)
	return nil, errors.Join(errLost, err, response.Body.Close())
}
