package integration_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// foreignReferences is B08 for all other references by id in a body: an object that the
// caller may not use is refused in the same way as one that does not exist.
func foreignReferences(t *testing.T, w *world) {
	t.Helper()
	const none = "999999999"
	label := id(w.make(t, outsider, "/discourse/projectlabels", `{"name":"<name>","description":"<name>","color":"Teal blue"}`))
	memory := id(w.make(t, foreignSuperuser, "/memory/memories", `{"question":"<name>?","name":"<name>","type":<type>,"response":"<name>"}`))
	source := id(w.source(t, owner))
	agent := anAgent(t, w).places["<id>"] // not shared with the colleague
	mine := map[string]string{
		"<talk>": id(w.make(t, colleague, "/discourse/conversations", `{"name":"<name>"}`)),
		"<plan>": id(w.make(t, colleague, "/discourse/blueprints", `{"name":"<name>","steps":[{"name":"<name>","code":"SELECT 1"}]}`)),
		"<mine>": id(w.source(t, colleague)),
		"<bot>":  id(w.make(t, superuser, "/analyst/analysts", `{"agentName":"<name> <mark>","provider":"scripted","model":"scripted"}`)),
	}
	const step = `{"name":"<name>","steps":[{"name":"<name>","code":"SELECT 1",%s}]}`
	for _, named := range []struct {
		by                 actor
		foreign            string
		method, path, body string
	}{
		{colleague, agent, "POST", "/discourse/user-text", `{"conversationId":"<talk>","message":{"text":"hi","analystId":<ref>}}`},
		{colleague, agent, "POST", "/discourse/blueprints", fmt.Sprintf(step, `"analyst":<ref>`)},
		{colleague, agent, "PUT", "/discourse/blueprints/<plan>", fmt.Sprintf(step, `"analyst":<ref>`)},
		{colleague, agent, "POST", "/discourse/steps", `{"name":"<name>","code":"SELECT 1","analyst":<ref>}`},
		{colleague, agent, "POST", "/discourse/blueprints/<plan>/conversations", `{"analyst_id":<ref>}`},
		{colleague, memory, "POST", "/discourse/blueprints", fmt.Sprintf(step, `"memories":[<ref>]`)},
		{colleague, memory, "POST", "/discourse/steps", `{"name":"<name>","code":"SELECT 1","memories":[<ref>]}`},
		{superuser, memory, "PUT", "/analyst/analysts/<bot>", `{"insights":{"memories":[<ref>]}}`},
		{superuser, source, "PUT", "/analyst/analysts/<bot>", `{"connectors":[<ref>]}`},
		{superuser, source, "POST", "/analyst/analysts", `{"agentName":"<name> <mark>","connectors":[<ref>]}`},
		{superuser, label, "PUT", "/analyst/analysts/<bot>", `{"project_labels":[<ref>]}`},
		{superuser, w.words[true]["<type>"], "POST", "/memory/memories", `{"question":"?","name":"<name>","type":<ref>,"response":"<name>"}`},
		{colleague, label, "PATCH", "/discourse/conversations/<talk>", `{"project_labels":[<ref>]}`},
		{colleague, label, "POST", "/discourse/blueprints", `{"name":"<name>","project_labels":[<ref>],"steps":[{"name":"<name>",` +
			`"code":"SELECT 1"}]}`},
		{colleague, label, "PUT", "/memory/datasources/<mine>", `{"project_labels":[<ref>]}`},
		{colleague, label, "POST", "/discourse/scheduledtasks", strings.Replace(strings.Replace(newTask, "<blueprint>", "<plan>", 1), `{"name"`,
			`{"project_labels":[<ref>],"name"`, 1)},
		{colleague, aBlueprint(t, w).places["<id>"], "POST", "/discourse/scheduledtasks", strings.Replace(newTask, "<blueprint>", "<ref>", 1)},
	} {
		ask := func(ref string) answer {
			places := map[string]string{"<ref>": ref}
			return w.call(t, named.by, named.method, fill(named.path, mine), fill(named.body, mine, places, w.words[false]))
		}
		foreign := ask(named.foreign)
		require.Equal(t, 422, foreign.status, "%s %s %s: %s", named.method, named.path, named.body, foreign.body)
		require.Equal(t, ask(none).withoutRequestID(), foreign.withoutRequestID(), "%s %s %s", named.method, named.path, named.body)
		checkNoLeak(t, named.by, foreign)
	}
	// A blueprint that a reader creates from a shared conversation has only the data sources that
	// the reader may use.
	places := map[string]string{"<source>": source}
	talk := w.make(t, owner, "/discourse/conversations", fill(`{"name":"<name>","dataSources":[<source>]}`, places))
	body := fill(`{"conversationId":"<id>","message":{"text":"seed=1 tokens=1 rate=0","analystId":<agent>}}`,
		map[string]string{"<id>": id(talk)}, w.words[false])
	w.call(t, owner, http.MethodPost, "/discourse/user-text", body).into(t, 200, nil)
	w.call(t, owner, http.MethodPut, "/discourse/conversations/"+id(talk)+"/actors",
		fmt.Sprintf(`{"users":[{"id":%d}]}`, w.people[viewer])).into(t, 200, nil)
	for a, sources := range map[actor]int{owner: 1, viewer: 0} {
		written := w.make(t, a, "/discourse/blueprints", `{"from_conversation":"`+id(talk)+`"}`)
		require.Len(t, written["dataSources"], sources, a)
	}
}

// afterDelete is G12 for every kind of object: after its deletion no call finds it, and it
// cannot be deleted again.
func afterDelete(t *testing.T, w *world) {
	t.Helper()
	tried := map[string]int{}
	for _, noun := range []string{
		"/discourse/conversations/{id}", "/discourse/blueprints/{id}", "/memory/datasources/{id}", "/analyst/analysts/{id}",
		"/discourse/scheduledtasks/{id}",
		"/discourse/projectlabels/{id}", "/memory/memories/{id}", "/discourse/steps/{id}",
	} {
		for _, r := range rights() {
			if !strings.HasPrefix(r.path(), noun) || r.when != "" || r.form != nil {
				continue
			}
			o := r.on(t, w)
			keeper := o.keeper
			one := fill(strings.ReplaceAll(noun, "{id}", "<id>"), o.places)
			w.call(t, keeper, http.MethodDelete, one, "").into(t, 204, nil)
			got := w.call(t, keeper, r.method(), fill(strings.ReplaceAll(r.path(), "{id}", "<id>"), o.places),
				fill(r.send, o.places, w.words[false]))
			got.refused(t, 404)
			tried[noun]++
		}
		require.GreaterOrEqual(t, tried[noun], 2, noun)
	}
	// Everything in a conversation is deleted with it.
	o := aFeedback(t, w)
	w.call(t, owner, http.MethodDelete, "/discourse/conversations/"+o.places["<conversation>"], "").into(t, 204, nil)
	for _, a := range []actor{owner, viewer, superuser} {
		for _, path := range []string{
			"/discourse/messages/<answer>", "/discourse/messages/<answer>/comments", "/discourse/feedbacks/<feedback>",
			"/discourse/displayobjects/<table>/content",
			"/discourse/displayobjects/<table>/presigned-url", "/discourse/conversations/<conversation>?feedback_scope=all",
			"/discourse/conversationpermissions?conversation_id=<conversation>",
		} {
			w.call(t, a, http.MethodGet, fill(path, o.places), "").refused(t, 404)
		}
	}
}
