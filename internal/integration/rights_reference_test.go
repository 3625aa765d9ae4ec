package integration_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
	"parley.dev/parley/api/wire"
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
	plan := aBlueprint(t, w).places["<id>"]
	topic, category := w.words[true]["<topic>"], w.words[true]["<category>"]
	var secret map[string]any
	w.upload(t, owner, http.MethodPost, "/memory/secrets", "name", owner.word()).into(t, 201, &secret)
	mine := map[string]string{
		"<talk>": id(w.make(t, colleague, "/discourse/conversations", `{"name":"<name>"}`)),
		"<plan>": id(w.make(t, colleague, "/discourse/blueprints", `{"name":"<name>","steps":[{"name":"<name>","code":"SELECT 1"}]}`)),
		"<mine>": id(w.source(t, colleague)),
		"<bot>":  id(w.make(t, superuser, "/analyst/analysts", `{"agentName":"<name> <mark>","provider":"scripted","model":"scripted"}`)),
	}
	const (
		step = `{"name":"<name>","steps":[{"name":"<name>","code":"SELECT 1",%s}]}`
		send = `{"conversationId":"<talk>","message":{"text":"hi","analystId":<agent>},%s}`
	)
	tried := map[string]bool{}
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
		{colleague, plan, "POST", "/discourse/scheduledtasks", strings.Replace(newTask, "<blueprint>", "<ref>", 1)},
		{colleague, plan, "POST", "/discourse/user-text", fmt.Sprintf(send, `"iceBreakerId":<ref>`)},
		{colleague, source, "POST", "/discourse/user-text", fmt.Sprintf(send, `"dataSources":[<ref>]`)},
		{colleague, source, "POST", "/discourse/conversations", `{"name":"<name>","dataSources":[<ref>]}`},
		{colleague, category, "POST", "/discourse/blueprints", `{"name":"<name>","useCaseCategories":[<ref>],"steps":[{"name":"<name>",` +
			`"code":"SELECT 1"}]}`},
		{superuser, topic, "PUT", "/analyst/analysts/<bot>", `{"insights":{"memoryLabels":[<ref>]}}`},
		{superuser, topic, "POST", "/memory/memories", `{"question":"?","name":"<name>","type":<type>,"response":"<name>","labels":[<ref>]}`},
		{colleague, id(secret), "POST", "/memory/datasources", strings.Replace(aConnection, `"secret":"s"`, `"credentialId":"<ref>"`, 1)},
	} {
		field := regexp.MustCompile(`"(\w+)":\[?"?<ref>`).FindStringSubmatch(named.body)
		require.Len(t, field, 2, "%s names no reference", named.body)
		tried[wire.Camel(field[1])] = true
		ask := func(ref string) answer {
			places := map[string]string{"<ref>": ref}
			return w.call(t, named.by, named.method, fill(named.path, mine), fill(named.body, mine, places, w.words[false]))
		}
		foreign := ask(named.foreign)
		require.Equal(t, 422, foreign.status, "%s %s %s: %s", named.method, named.path, named.body, foreign.body)
		unknown := none
		if _, err := uuid.Parse(named.foreign); err == nil {
			unknown = uuid.NewString()
		}
		require.Equal(t, ask(unknown).withoutRequestID(), foreign.withoutRequestID(), "%s %s %s", named.method, named.path, named.body)
		checkNoLeak(t, named.by, foreign)
	}
	for field, call := range referenceFields(t) {
		_, other := otherNumbers()[field]
		require.NotEqual(t, tried[field], other, "%s of %s is an id or a number. If it is a reference to an object, add a row for it to "+
			"foreignReferences; if not, add it to otherNumbers; both are in rights_reference_test.go", field, call)
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

// otherNumbers returns the fields with numbers or ids that foreignReferences does not try, with the
// reason. For most of them an object that the caller may not use is not a wrong field.
func otherNumbers() map[string]string {
	const object = "it names the object of the call, which is 404, and has rows in the table of rights"
	const part = "it names a part of the object of the call, and nothing else"
	return map[string]string{
		"conversationId": object, "fromConversation": object, "feedback": object, "blueprint": object,
		"messageId": part, "parentMessageId": part, "removedSteps": part, "removedStepIds": part, "label": "it is the same for everybody",
		"id":    "it is the caller's own choice, ignored, or one of an access list, which is tested with each noun",
		"order": "a number", "version": "a number", "dayOfWeek": "a number", "dayOfMonth": "a number", "month": "a number",
	}
}

// referenceFields returns the fields of all JSON bodies that are numbers or ids, or lists of them,
// each with a call that has it.
func referenceFields(t *testing.T) map[string]string {
	t.Helper()
	type schema struct {
		Ref        string            `json:"$ref"`
		Type       any               `json:"type"`
		Format     string            `json:"format"`
		Items      *schema           `json:"items"`
		AnyOf      []schema          `json:"anyOf"`
		Properties map[string]schema `json:"properties"`
	}
	var spec struct {
		Paths map[string]map[string]struct {
			RequestBody struct {
				Content map[string]struct {
					Schema schema `json:"schema"`
				} `json:"content"`
			} `json:"requestBody"`
		} `json:"paths"`
		Components struct {
			Schemas map[string]schema `json:"schemas"`
		} `json:"components"`
	}
	raw, err := api.OpenAPI()
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &spec))
	found := map[string]string{}
	var look func(call, field string, s schema)
	look = func(call, field string, s schema) {
		if name, ok := strings.CutPrefix(s.Ref, "#/components/schemas/"); ok {
			s = spec.Components.Schemas[name]
		}
		if strings.Contains(fmt.Sprint(s.Type), "integer") || s.Format == "uuid" {
			found[field] = call
		}
		if s.Items != nil {
			look(call, field, *s.Items)
		}
		for _, one := range s.AnyOf {
			look(call, field, one)
		}
		for name, property := range s.Properties {
			look(call, name, property)
		}
	}
	for path, item := range spec.Paths {
		for method, call := range item {
			look(strings.ToUpper(method)+" "+path, "", call.RequestBody.Content["application/json"].Schema)
		}
	}
	require.Greater(t, len(found), 25)
	return found
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
