package integration_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/persistencetest"
)

// attacksOnRights runs rows of the table of attacks, by number, that the table of rights
// does not cover.
func attacksOnRights(t *testing.T, w *world) {
	t.Helper()
	for name, try := range map[string]func(*testing.T, *world){
		"B04": foreignChildren, "B05": readersDoNotWrite, "B06": foreignGrants, "B08": foreignSources, "B09": copiesWithoutRights,
		"B10": deadLinks, "B12": reportsOfOthers, "B13": settingsOfAgents, "B14": withoutFlags, "B15": secondFeedback, "B17": guesses,
		"B19": noSharedResponses, "B20": forgedMessages,
		"AfterRevoke": afterRevoke, "AfterDelete": afterDelete, "TeamWrites": teamWrites, "References": foreignReferences,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			try(t, w)
		})
	}
}

// withoutRequestID returns the status and body of a response without the request id, so that two
// responses can be compared.
func (a answer) withoutRequestID() string {
	var p map[string]any
	if json.Unmarshal(a.body, &p) != nil {
		return fmt.Sprint(a.status, string(a.body))
	}
	delete(p, "requestId")
	return fmt.Sprint(a.status, p)
}

// foreignChildren is B04: a caller cannot reach another person's child object through a
// parent of their own. The response is the same as for a child that does not exist.
func foreignChildren(t *testing.T, w *world) {
	t.Helper()
	// The parents belong to the reader, the children to the owner, who shares nothing with them.
	talk := w.make(t, viewer, "/discourse/conversations", `{"name":"<name>"}`)
	plan := w.make(t, viewer, "/discourse/blueprints", `{"name":"<name>","steps":[{"name":"<name>","code":"SELECT 1"}]}`)
	source := w.source(t, viewer)
	mine := map[string]string{"<talk>": id(talk), "<plan>": id(plan), "<mine>": id(source)}

	unshared := func(o *object) *object { // removes the reader's share again
		t.Helper()
		for _, path := range o.watch {
			if noun, ok := strings.CutSuffix(fill(path, o.places), "/actors"); ok {
				w.call(t, owner, http.MethodPut, noun+"/actors", fmt.Sprintf(`{"users":[{"id":%d,"permission":"remove"}]}`, w.people[viewer])).into(t,
					200, nil)
			}
		}
		return o
	}
	conversation := aConversation(t, w)
	w.call(t, owner, http.MethodPut, "/discourse/conversations/"+conversation.places["<id>"]+"/actors",
		fmt.Sprintf(`{"users":[{"id":%d,"permission":"remove"}]}`, w.people[viewer])).into(t, 200, nil)
	var given map[string]any
	w.call(t, owner, http.MethodPut, "/discourse/messages/"+conversation.places["<answer>"]+"/feedbacks", `{"label":[1]}`).into(t, 200, &given)
	blueprint, theirs := unshared(aBlueprint(t, w)), unshared(aSource(t, w))
	there := maps.Clone(conversation.places)
	maps.Copy(there, map[string]string{
		"<step>": blueprint.places["<step>"], "<blueprint>": blueprint.places["<id>"], "<resource>": theirs.places["<resource>"],
		"<source>":   theirs.places["<id>"],
		"<feedback>": id(given), "<waiting>": id(w.make(t, owner, "/discourse/steps", `{"name":"<name>","code":"SELECT 1"}`)),
	})
	nowhere := map[string]string{
		"<conversation>": uuid.NewString(), "<prompt>": uuid.NewString(), "<answer>": uuid.NewString(), "<table>": uuid.NewString(),
		"<step>": "999999999", "<blueprint>": "999999998", "<resource>": "999999997", "<source>": "999999996", "<feedback>": "999999995",
		"<waiting>": "999999994",
	}
	for _, nest := range []struct {
		method, path, body string
		status             int
	}{
		{"POST", "/discourse/conversations/<talk>/rewind", `{"message_id":"<prompt>"}`, 404},
		// 409 contains the head of the caller's own conversation, as for any stale parent (G11).
		{
			"POST", "/discourse/user-text", `{"conversationId":"<talk>","message":{"text":"hi","parentMessageId":"<answer>","analystId":<agent>}}`,
			409,
		},
		{"GET", "/discourse/messages/<answer>", "", 404},
		{"GET", "/discourse/messages/<answer>/comments", "", 404},
		{"PUT", "/discourse/messages/<answer>/feedbacks", `{"label":[1]}`, 404},
		{"GET", "/discourse/feedbacks/<feedback>", "", 404},
		{"POST", "/discourse/comments", `{"feedback":<feedback>,"text":"x"}`, 404},
		{"GET", "/discourse/displayobjects/<table>/content", "", 404},
		{"GET", "/discourse/displayobjects/<table>/presigned-url", "", 404},
		{"PUT", "/discourse/blueprints/<plan>", `{"name":"<name>","steps":[{"id":<step>,"name":"x","code":"SELECT 2"}]}`, 422},
		{"PUT", "/discourse/blueprints/<plan>", `{"name":"<name>","steps":[{"id":<waiting>,"name":"x","code":"SELECT 2"}]}`, 422},
		{"PUT", "/discourse/blueprints/<plan>", `{"name":"<name>","removed_steps":[<step>]}`, 422},
		{"POST", "/discourse/blueprints", `{"name":"<name>","steps":[<waiting>]}`, 422},
		{"POST", "/discourse/steps", `{"icebreaker":<blueprint>,"name":"x","code":"SELECT 2"}`, 404},
		{"PUT", "/discourse/steps/<step>", `{"icebreaker":<plan>,"name":"x","code":"SELECT 2"}`, 404},
		{"DELETE", "/discourse/steps/<step>", "", 404},
		{"POST", "/discourse/blueprints", `{"from_conversation":"<conversation>"}`, 404},
		{"PATCH", "/memory/datasources/<mine>/details", `{"id":<resource>,"text":"x"}`, 404},
		{"PATCH", "/memory/dataresources/<resource>", `{"details":"x"}`, 404},
		{"GET", "/discourse/conversations/<talk>?message_id=<answer>", "", 404},
	} {
		ask := func(places map[string]string) answer {
			return w.call(t, viewer, nest.method, fill(nest.path, mine, places), fill(nest.body, mine, places, w.words[false]))
		}
		foreign, missing := ask(there), ask(nowhere)
		require.Equal(t, nest.status, foreign.status, "%s %s: %s", nest.method, nest.path, foreign.body)
		require.Equal(t, missing.withoutRequestID(), foreign.withoutRequestID(), "%s %s", nest.method, nest.path)
	}
	for _, fields := range [][]string{
		{"display_object_id", "<table>", "description", "D", "scope", "conversation", "conversation_id", "<talk>"},
		{"name", "N", "description", "D", "scope", "conversation", "conversation_id", "<conversation>"},
	} {
		filled := make([]string, len(fields))
		for i := range fields {
			filled[i] = fill(fields[i], mine, there)
		}
		w.upload(t, viewer, http.MethodPost, "/memory/file/datasources", filled...).refused(t, 404)
	}
}

// readersDoNotWrite is B05 beyond the table: a data source that a reader makes from a table of
// an answer is a copy that belongs to the reader, and the original does not depend on it.
func readersDoNotWrite(t *testing.T, w *world) {
	t.Helper()
	o := ofPlace(aConversation, "<table>")(t, w)
	var made map[string]any
	w.upload(t, viewer, http.MethodPost, "/memory/file/datasources", "display_object_id", o.places["<table>"], "description", "D").into(t,
		201, &made)
	owned, ok := made["owner"].(map[string]any)
	require.True(t, ok)
	require.InDelta(t, w.people[viewer], owned["id"], 0, "a copy belongs to the person who made it")
	w.call(t, owner, http.MethodGet, "/memory/datasources/"+id(made), "").refused(t, 404)
	w.call(t, viewer, http.MethodDelete, "/memory/datasources/"+id(made), "").into(t, 204, nil)
	require.Equal(t, 200, w.call(t, owner, http.MethodGet, "/discourse/displayobjects/"+o.places["<table>"]+"/content", "").status)
}

// foreignGrants is B06, for every kind of object that can be shared.
func foreignGrants(t *testing.T, w *world) {
	t.Helper()
	var theirTeam int64
	require.NoError(t, w.db.QueryRow(t.Context(), "SELECT id FROM team WHERE name = $1", theirWord+" crew").Scan(&theirTeam))
	mine, some, foreign := w.people[owner], w.people[colleague], w.people[outsider]
	many := make([]string, 201)
	for i := range many {
		many[i] = fmt.Sprintf(`{"id":%d}`, 1000+i)
	}
	for noun, o := range map[string]*object{
		"conversations": aConversation(t, w), "blueprints": aBlueprint(t, w), "datasources": aSource(t, w), "analysts": anAgent(t, w),
	} {
		path := map[string]string{"datasources": "/memory/", "analysts": "/analyst/"}[noun]
		if path == "" {
			path = "/discourse/"
		}
		path += noun + "/" + o.places["<id>"] + "/actors"
		before := w.state(t, o)
		bodies := map[string]string{
			"owner":                fmt.Sprintf(`{"users":[{"id":%d,"permission":"owner"}]}`, some),
			"removing the owner":   fmt.Sprintf(`{"users":[{"id":%d,"permission":"remove"}]}`, mine),
			"changing the owner":   fmt.Sprintf(`{"users":[{"id":%d,"permission":"read"}]}`, mine),
			"own organisation":     `{"organizations":[{"id":1,"permission":"read"}]}`,
			"user of another":      fmt.Sprintf(`{"users":[{"id":%d,"permission":"read"}]}`, foreign),
			"and a good one":       fmt.Sprintf(`{"users":[{"id":%d,"permission":"read"},{"id":%d,"permission":"read"}]}`, some, foreign),
			"unknown user":         `{"users":[{"id":999999999,"permission":"read"}]}`,
			"team of another":      fmt.Sprintf(`{"teams":[{"id":%d,"permission":"read"}]}`, theirTeam),
			"unknown team":         `{"teams":[{"id":999999999,"permission":"read"}]}`,
			"same twice":           fmt.Sprintf(`{"users":[{"id":%d},{"id":%d,"permission":"remove"}]}`, some, some),
			"same team twice":      fmt.Sprintf(`{"teams":[{"id":%d},{"id":%d}]}`, w.team, w.team),
			"too many":             `{"users":[` + strings.Join(many, ",") + `]}`,
			"ten thousand":         `{"users":[` + strings.TrimSuffix(strings.Repeat(`{"id":9},`, 10_000), ",") + `]}`,
			"no such permission":   fmt.Sprintf(`{"users":[{"id":%d,"permission":"admin"}]}`, some),
			"nothing":              `{}`,
			"of another, to leave": fmt.Sprintf(`{"users":[{"id":%d,"permission":"remove"}]}`, foreign),
		}
		if noun != "datasources" {
			bodies["write"] = fmt.Sprintf(`{"users":[{"id":%d,"permission":"write"}]}`, some)
			bodies["write for a team"] = fmt.Sprintf(`{"teams":[{"id":%d,"permission":"write"}]}`, w.team)
		}
		for name, body := range bodies {
			got := w.call(t, owner, http.MethodPut, path, body)
			require.Equal(t, 422, got.status, "%s of %s", name, noun)
			require.NotEmpty(t, got.refused(t, 422).Errors, "%s of %s", name, noun)
			require.Equal(t, before, w.state(t, o), "%s of %s", name, noun)
		}
		// A person of another organisation is refused in the same way as one who does not exist.
		require.Equal(t, w.call(t, owner, http.MethodPut, path, bodies["unknown user"]).withoutRequestID(),
			w.call(t, owner, http.MethodPut, path, bodies["user of another"]).withoutRequestID(), noun)
	}
}

// foreignSources is B08: a caller cannot use a data source without a right to it.
func foreignSources(t *testing.T, w *world) {
	t.Helper()
	o := aSource(t, w)
	talk := w.make(t, colleague, "/discourse/conversations", `{"name":"<name>"}`)
	plan := w.make(t, colleague, "/discourse/blueprints", `{"name":"<name>","steps":[{"name":"<name>","code":"SELECT 1"}]}`)
	places := map[string]string{"<talk>": id(talk), "<plan>": id(plan), "<source>": o.places["<id>"]}
	for _, call := range []struct{ method, path, body string }{
		{"POST", "/discourse/user-text", `{"conversationId":"<talk>","dataSources":[<source>],"message":{"text":"hi","analystId":<agent>}}`},
		{"PATCH", "/discourse/conversations/<talk>", `{"data_sources":[<source>]}`},
		{"POST", "/discourse/conversations", `{"dataSources":[<source>]}`},
		{"POST", "/discourse/blueprints", `{"name":"<name>","data_sources":[<source>],"steps":[{"name":"<name>","code":"SELECT 1"}]}`},
		{"PUT", "/discourse/blueprints/<plan>", `{"name":"<name>","data_sources":[<source>]}`},
		{"POST", "/discourse/blueprints/<plan>/conversations", `{"dataSources":[<source>]}`},
	} {
		send := func(source string) answer {
			at := maps.Clone(places)
			at["<source>"] = source
			return w.call(t, colleague, call.method, fill(call.path, at), fill(call.body, at, w.words[false]))
		}
		foreign := send(o.places["<id>"])
		require.Equal(t, "dataSources", foreign.refused(t, 422).Errors[0].Field, call.path)
		require.Equal(t, send("999999999").withoutRequestID(), foreign.withoutRequestID(), call.path)
	}
	// Sharing a blueprint does not share its data source. A reader of the blueprint sees only
	// the data sources that they may use, and the number of the others.
	body := fill(`{"name":"<name>","data_sources":[<source>],"steps":[{"name":"<name>","code":"SELECT 1"}]}`, places, w.words[false])
	shared := w.make(t, owner, "/discourse/blueprints", body)
	w.share(t, "/discourse/blueprints/"+id(shared), domain.PermissionRead)
	var seen struct {
		DataSources        []int64 `json:"dataSources"`
		MissingDataSources int     `json:"missingDataSources"`
	}
	w.get(t, byTeam, "/discourse/blueprints/"+id(shared), &seen)
	require.Len(t, seen.DataSources, 1, "the team may use the data source")
	w.call(t, owner, http.MethodPut, "/memory/datasources/"+o.places["<id>"]+"/actors",
		fmt.Sprintf(`{"teams":[{"id":%d,"permission":"remove"}]}`, w.team)).into(t, 200, nil)
	w.get(t, byTeam, "/discourse/blueprints/"+id(shared), &seen)
	require.Empty(t, seen.DataSources, "only the number of data sources may be left, not an id")
	require.Equal(t, 1, seen.MissingDataSources)
	// The same holds when the blueprint runs: the tools read the rights at that time.
	usable, err := w.store.DataSources.Readable(t.Context(), persistencetest.Caller(t, w.store, byTeam.email()).OrganisationID,
		w.people[byTeam], []int64{number(o.places["<id>"])})
	require.NoError(t, err)
	require.Empty(t, usable)
}

func number(id string) int64 {
	var n int64
	_, _ = fmt.Sscan(id, &n)
	return n
}

// copiesWithoutRights is B09: a copy is shared with nobody, and has no data source that the person
// who copies may not use.
func copiesWithoutRights(t *testing.T, w *world) {
	t.Helper()
	source := w.source(t, owner) // shared with nobody
	places := map[string]string{"<source>": id(source)}
	plan := w.make(t, owner, "/discourse/blueprints",
		fill(`{"name":"<name>","data_sources":[<source>],"steps":[{"name":"<name>","code":"SELECT 1"}]}`, places))
	talk := w.make(t, owner, "/discourse/conversations", fill(`{"name":"<name>","dataSources":[<source>]}`, places))
	for noun, made := range map[string]map[string]any{"blueprints": plan, "conversations": talk} {
		path := "/discourse/" + noun + "/" + id(made)
		w.share(t, path, domain.PermissionRead)
		var copied struct {
			ID          any     `json:"id"`
			DataSources []int64 `json:"dataSources"`
		}
		w.call(t, viewer, http.MethodPost, path+"/copy", "").into(t, 201, &copied)
		require.Empty(t, copied.DataSources, noun)
		at := "/discourse/" + noun + "/" + id(map[string]any{"id": copied.ID})
		for _, a := range []actor{owner, colleague, byTeam, superuser, outsider} {
			w.call(t, a, http.MethodGet, at, "").refused(t, 404)
		}
		var entries struct {
			Results []struct {
				Actor struct {
					ID int64 `json:"id"`
				} `json:"actor"`
			} `json:"results"`
		}
		if noun == "blueprints" {
			w.get(t, viewer, at+"/actors", &entries)
		} else {
			w.get(t, viewer, "/discourse/conversationpermissions?conversation_id="+id(map[string]any{"id": copied.ID}), &entries)
		}
		require.Len(t, entries.Results, 1, noun)
		require.Equal(t, w.people[viewer], entries.Results[0].Actor.ID)
	}
}

// settingsOfAgents is B13 beyond the table: a person who may only use an agent cannot read
// its instructions.
func settingsOfAgents(t *testing.T, w *world) {
	t.Helper()
	o := anAgent(t, w)
	path := "/analyst/analysts/" + o.places["<id>"]
	w.call(t, owner, http.MethodPut, path, `{"instructions":"told in private","knowledge_base":{"special_instructions":"told `+
		`in private"}}`).into(t, 200, nil)
	for a, reads := range map[actor]bool{owner: true, superuser: true, viewer: false, byTeam: false} {
		for _, from := range []string{path, "/analyst/analysts?page_size=1000&filter_enabled=false"} {
			got := w.call(t, a, http.MethodGet, from, "")
			got.into(t, 200, nil)
			require.Equal(t, reads, strings.Contains(string(got.body), "told in private"), "%s %s", a, from)
		}
	}
	w.call(t, superuser, http.MethodPut, path, `{"is_enabled":false}`).into(t, 200, nil)
	for a, status := range map[actor]int{owner: 200, superuser: 200, viewer: 404, colleague: 404} {
		require.Equal(t, status, w.call(t, a, http.MethodGet, path, "").status, "%s reads a disabled agent", a)
	}
}

// deadLinks is B10 on a whole node: a link becomes invalid when the object is deleted, and
// when the person for whom it was made loses the right.
func deadLinks(t *testing.T, w *world) {
	t.Helper()
	o := ofPlace(aConversation, "<table>")(t, w)
	link := func(a actor) string {
		var l struct {
			URL string `json:"url"`
		}
		w.get(t, a, "/discourse/displayobjects/"+o.places["<table>"]+"/presigned-url", &l)
		return strings.TrimPrefix(l.URL, v1)
	}
	mine, theirs := link(owner), link(viewer)
	open := func(method, link string) int { return w.call(t, anonymous, method, link, "").status }
	require.Equal(t, 200, open("GET", mine))
	require.Equal(t, 200, open("GET", theirs))
	other := ofPlace(aConversation, "<table>")(t, w)
	require.Equal(t, 403, open("GET", strings.Replace(mine, o.places["<table>"], other.places["<table>"], 1)))
	require.Equal(t, 403, open("DELETE", mine))
	// A person who has lost the right cannot open it by an old link either.
	path := "/discourse/conversations/" + o.places["<conversation>"]
	w.call(t, owner, http.MethodPut, path+"/actors", fmt.Sprintf(`{"users":[{"id":%d,"permission":"remove"}]}`, w.people[viewer])).into(t,
		200, nil)
	require.Equal(t, 403, open("GET", theirs))
	require.Equal(t, 200, open("GET", mine))
	w.call(t, owner, http.MethodDelete, path, "").into(t, 204, nil)
	require.Equal(t, 403, open("GET", mine))
}

// reportsOfOthers is B12. Today every member may read the organisation's report, but it does
// not contain the names of conversations that the member may not see. Query parameters with
// unknown values, among them SQL, are refused.
func reportsOfOthers(t *testing.T, w *world) {
	t.Helper()
	const report = "/discourse/llm-statistics/usage-report"
	got := w.call(t, colleague, http.MethodGet, report+"?level=organization&group_by=conversation_id&page_size=1000", "")
	got.into(t, 200, nil)
	require.NotContains(t, string(got.body), w.talk)
	require.NotContains(t, string(got.body), " talk")
	for _, query := range []string{
		"group_by=owner_id", "group_by=user_id;drop%20table%20usage", "group_by=1", "group_by=email", "group_by=user_id,conversation_id",
		"level=everybody", "level=organization'--",
		"aggregate=max", "fields=email", "fields=total_tokens_credit,password", "time_period=always",
		"time_period=custom_time&start_date=x&end_date=y",
	} {
		w.call(t, colleague, http.MethodGet, report+"?"+query, "").refused(t, 422)
	}
}

// withoutFlags is B14: without its flag a person cannot make the calls of a feature; the flag
// does not only hide a menu.
func withoutFlags(t *testing.T, w *world) {
	t.Helper()
	name := "flagless@kestrel.test"
	_, err := w.db.Exec(t.Context(), `INSERT INTO app_user (uuid, org_id, email, full_name, is_superuser)
		SELECT gen_random_uuid(), org_id, $1, 'Flagless', true FROM app_user WHERE id = $2`, name, w.people[owner])
	require.NoError(t, err)
	flagless := w.as(t, name)
	task := aTask(t, w)
	tried := 0
	for _, r := range rights() {
		if !strings.Contains(r.path(), "/scheduledtasks") && !strings.Contains(r.path(), "/scheduled-tasks") {
			continue
		}
		tried++
		path := fill(strings.ReplaceAll(r.path(), "{id}", "<id>"), task.places)
		var body any
		if strings.HasPrefix(r.send, "{") {
			body = fill(r.send, task.places, w.words[false])
		}
		flagless.do(r.method(), path, body).refused(t, 403)
	}
	require.Equal(t, 11, tried)
	flagless.do("GET", "/memory/secrets", nil).refused(t, 403)
	flagless.do("POST", "/memory/datasources", aConnection).refused(t, 403)
	flagless.do("POST", "/memory/datasources/check", "{}").refused(t, 403)
	flagless.form("/memory/secrets", "key.json", []byte("{}"), "", "name", "N").refused(t, 403)
	var n int
	require.NoError(t, w.db.QueryRow(t.Context(), "SELECT count(*) FROM credential c JOIN app_user u ON u.id = c.owner_id WHERE "+
		"u.email = $1", name).Scan(&n))
	require.Zero(t, n)
}

// secondFeedback is B15.
func secondFeedback(t *testing.T, w *world) {
	t.Helper()
	o := aFeedback(t, w)
	p := w.call(t, viewer, http.MethodPut, "/discourse/messages/"+o.places["<answer>"]+"/feedbacks", `{"label":[11]}`).refused(t, 409)
	require.Equal(t, "conflict", p.Code)
	var n int
	require.NoError(t, w.db.QueryRow(t.Context(), "SELECT count(*) FROM feedback WHERE message_id = $1", o.places["<answer>"]).Scan(&n))
	require.Equal(t, 1, n)
	w.call(t, byTeam, http.MethodPut, "/discourse/messages/"+o.places["<answer>"]+"/feedbacks", `{"label":[11]}`).into(t, 200, nil)
}

// guesses is B17: for every call that names an object, the response is the same for another
// person's object and for one that does not exist. Ids of conversations cannot be guessed.
func guesses(t *testing.T, w *world) {
	t.Helper()
	for _, r := range rights() {
		if r.on == nil || r.may[outsider] != 404 || !strings.Contains(r.path(), "{id}") || r.when != "" || r.form != nil {
			continue
		}
		o := r.on(t, w)
		ask := func(id string) answer {
			return w.call(t, outsider, r.method(), strings.ReplaceAll(r.path(), "{id}", id), fill(r.send, o.places, w.words[true]))
		}
		none := "999999999"
		if _, err := uuid.Parse(o.places["<id>"]); err == nil {
			none = uuid.NewString()
		}
		require.Equal(t, ask(none).withoutRequestID(), ask(o.places["<id>"]).withoutRequestID(), r.call)
		if r.method() == http.MethodGet {
			head := w.call(t, outsider, http.MethodHead, strings.ReplaceAll(r.path(), "{id}", o.places["<id>"]), "")
			require.Contains(t, []int{404, 405}, head.status, "HEAD of %s", r.path())
		}
	}
	first, second := uuid.MustParse(aConversation(t, w).places["<id>"]), uuid.MustParse(aConversation(t, w).places["<id>"])
	require.NotEqual(t, first[8:], second[8:], "the part of an id after the time must be random")
}

// noSharedResponses is B19: a response to one person is not reused for another person with
// the same query or the same idempotency key.
func noSharedResponses(t *testing.T, w *world) {
	t.Helper()
	key := uuid.NewString()
	made := map[actor]map[string]any{}
	for _, a := range []actor{owner, colleague, outsider} {
		var c map[string]any
		w.as(t, a.email()).do("POST", "/discourse/conversations", `{"name":"`+a.String()+`"}`, "Idempotency-Key", key).into(t, 201, &c)
		require.Equal(t, a.String(), c["name"])
		made[a] = c
	}
	require.NotEqual(t, id(made[owner]), id(made[colleague]))
	require.NotEqual(t, id(made[owner]), id(made[outsider]))
	for a := range made {
		var again map[string]any
		w.as(t, a.email()).do("POST", "/discourse/conversations", `{"name":"`+a.String()+`"}`, "Idempotency-Key", key).into(t, 201, &again)
		require.Equal(t, id(made[a]), id(again))
	}
	for _, path := range []string{"/user/me", "/discourse/conversations?search=o", "/discourse/llm-statistics/usage-report?level=user"} {
		for range 2 { // a cache would answer the second request
			for _, a := range []actor{owner, outsider, colleague} {
				got := w.call(t, a, http.MethodGet, path, "")
				got.into(t, 200, nil)
				checkNoLeak(t, a, got)
				require.Contains(t, got.header.Get("Cache-Control"), "no-store")
				for b, c := range made {
					require.True(t, a == b || !strings.Contains(string(got.body), id(c)), "%s reads an object of %s", a, b)
				}
			}
		}
	}
}

// forgedMessages is B20: the actor of a conversation itself checks the right of the caller.
// The test calls the engine as the API does, but without the checks of the API.
func forgedMessages(t *testing.T, w *world) {
	t.Helper()
	o := aConversation(t, w)
	conversation, prompt := uuid.MustParse(o.places["<id>"]), uuid.MustParse(o.places["<prompt>"])
	before := w.state(t, o)
	callers := map[actor]domain.Caller{}
	for _, a := range []actor{owner, viewer, colleague, outsider, superuser} {
		callers[a] = persistencetest.Caller(t, w.store, a.email())
	}
	// A foreign person who claims to be of this organisation, and the owner with a foreign one.
	forged := callers[outsider]
	forged.OrganisationID = callers[owner].OrganisationID
	stray := callers[owner]
	stray.OrganisationID = callers[outsider].OrganisationID
	name := "forged"
	engine := w.engine
	ctx := context.Background()
	calls := map[string]func(domain.Caller) error{
		"Send": func(c domain.Caller) error {
			_, err := engine.Send(ctx, c, domain.Prompt{Conversation: conversation, Message: domain.NewID(), Text: "seed=1 tokens=1"})
			return err
		},
		"Stop":   func(c domain.Caller) error { _, err := engine.Stop(ctx, c, conversation); return err },
		"Rewind": func(c domain.Caller) error { _, err := engine.Rewind(ctx, c, conversation, prompt); return err },
		"Change": func(c domain.Caller) error {
			return engine.Change(ctx, c, conversation, domain.ConversationUpdate{Name: &name})
		},
		"SetGrants": func(c domain.Caller) error {
			return engine.SetGrants(ctx, c, conversation,
				[]domain.Grant{{Grantee: domain.Grantee{ID: w.people[colleague], Type: domain.GranteeUser}, Permission: domain.PermissionRead}})
		},
		"Delete": func(c domain.Caller) error { return engine.Delete(ctx, c, conversation) },
	}
	for what, call := range calls {
		require.Equal(t, domain.CodeForbidden, domain.CodeOf(call(callers[viewer])), what)
		for who, c := range map[string]domain.Caller{
			"colleague": callers[colleague], "outsider": callers[outsider],
			"superuser": callers[superuser], "forged": forged, "stray": stray,
		} {
			require.Equal(t, domain.CodeNotFound, domain.CodeOf(call(c)), "%s by %s", what, who)
		}
		require.Equal(t, before, w.state(t, o), what)
	}
}

// afterRevoke: a person who lost the right to a conversation cannot read it through their own
// feedback, marks or lists either.
func afterRevoke(t *testing.T, w *world) {
	t.Helper()
	o := aFeedback(t, w) // by the reader
	conversation := "/discourse/conversations/" + o.places["<conversation>"]
	w.call(t, owner, http.MethodPost, "/discourse/comments", `{"feedback":`+o.places["<feedback>"]+`,"text":"of the owner"}`).into(t, 201, nil)
	w.call(t, viewer, http.MethodPut, conversation+"/favorite", `{"is_favorite":true}`).into(t, 204, nil)
	w.call(t, viewer, http.MethodPatch, "/user/me/conversations/"+o.places["<conversation>"]+"/status", `{"status":"archived"}`).into(t, 204,
		nil)
	w.call(t, owner, http.MethodPut, conversation+"/actors", fmt.Sprintf(`{"users":[{"id":%d,"permission":"remove"}]}`,
		w.people[viewer])).into(t, 200, nil)
	w.call(t, owner, http.MethodPatch, conversation, `{"name":"later secret"}`).into(t, 200, nil)
	for _, call := range []struct{ method, path, body string }{
		{"GET", "/discourse/feedbacks/<feedback>", ""},
		{"POST", "/discourse/comments", `{"feedback":<feedback>,"text":"x"}`},
		{"GET", "/discourse/messages/<answer>/comments", ""},
		{"GET", "/discourse/displayobjects/<table>/content", ""},
	} {
		w.call(t, viewer, call.method, fill(call.path, o.places), fill(call.body, o.places)).refused(t, 404)
	}
	for _, path := range []string{
		"/discourse/feedbacks?page_size=1000", "/discourse/conversations?favorite=true&page_size=1000",
		"/discourse/conversations?status=archived&page_size=1000",
		"/discourse/conversations?scope=shared&page_size=1000",
		"/discourse/llm-statistics/usage-report?level=organization&group_by=conversation_id&page_size=1000",
	} {
		got := w.call(t, viewer, http.MethodGet, path, "")
		got.into(t, 200, nil)
		require.NotContains(t, string(got.body), o.places["<conversation>"], path)
		require.NotContains(t, string(got.body), "later secret", path)
	}
}

// teamWrites: a person has the highest of their permissions, and loses the permission of a
// team when the team's share is removed.
func teamWrites(t *testing.T, w *world) {
	t.Helper()
	o := aSource(t, w)
	path := "/memory/datasources/" + o.places["<id>"]
	edit := func(a actor) int { return w.call(t, a, http.MethodPut, path, `{"description":"again"}`).status }
	require.Equal(t, 403, edit(byTeam))
	w.call(t, owner, http.MethodPut, path+"/actors",
		fmt.Sprintf(`{"users":[{"id":%d,"permission":"read"}],"teams":[{"id":%d,"permission":"write"}]}`, w.people[byTeam], w.team)).into(t,
		200, nil)
	require.Equal(t, 200, edit(byTeam))
	require.Equal(t, 404, edit(former))
	w.call(t, owner, http.MethodPut, path+"/actors", fmt.Sprintf(`{"teams":[{"id":%d,"permission":"remove"}]}`, w.team)).into(t, 200, nil)
	require.Equal(t, 403, edit(byTeam), "only their own share for reading must be left")
	w.call(t, byTeam, http.MethodGet, path, "").into(t, 200, nil)
	require.Equal(t, 200, edit(writer))
}
