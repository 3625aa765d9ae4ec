package integration_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// fieldWorld is an organisation with two of each kind of object that a field may refer to.
type fieldWorld struct {
	person *person
	shop   *warehouse
	// sources and the following fields hold two ids each.
	sources, labels, categories, memories, memoryLabels, memoryTypes, agents, plans []any
	// conversation has two completed turns: answers holds an answer of each, last is the id of
	// its last message.
	conversation, last string
	answers            []string
	// feedback is on the second answer; table belongs to the first data source.
	feedback any
	table    string
}

func newFieldWorld(t *testing.T, n *node) *fieldWorld {
	t.Helper()
	const faye = "faye@fields.test"
	sources := make([]persistence.SeedDataSource, 2)
	blueprints := make([]persistence.SeedBlueprint, 2)
	for i, name := range []string{"one", "two"} {
		sources[i] = persistence.SeedDataSource{
			Owner: faye, Seed: "fields-" + name, Name: "Orders " + name, Description: "Orders",
			Type: domain.DataSourceCSV, Scope: domain.ScopeOrganisation,
			FileName: "orders.csv", FileKey: "samples/orders.csv", WorkKey: "samples/orders.duckdb", Size: 10,
			Resources: []domain.DataResource{{
				Name: "Orders", Table: "orders", Rows: 2, Columns: []domain.Column{{Name: "n", Type: domain.ColumnInteger}},
			}},
		}
		blueprints[i] = persistence.SeedBlueprint{
			Seed: "fields-" + name, Name: "Of the library " + name, Categories: []string{"Category " + name}, InitialMessage: "Hello",
		}
	}
	organisation := persistence.SeedOrganisation{
		Name: "Fields", DataSources: sources, Blueprints: blueprints,
		People: []persistence.SeedPerson{{
			Email: faye, FullName: "Faye Fields", IsSuperuser: true,
			Flags: domain.UserFlags{ScheduledTaskView: true, UploadCredentials: true},
		}},
	}
	require.NoError(t, n.store.Samples.Seed(context.Background(), persistence.SeedInput{
		Analysts: []persistence.SeedAnalyst{persistencetest.LoadTest()}, Organisations: []persistence.SeedOrganisation{organisation},
	}))
	served := *n
	served.url = n.serve(t, api.Limits{UploadsPerHour: -1}, func(c *api.Config) {
		c.Models = []domain.AgentModel{{Provider: "scripted", Model: "scripted"}, {Provider: "builtin", Model: "builtin"}}
	})
	p := served.as(t, faye)
	w := &fieldWorld{person: p, shop: newWarehouse(t)}
	two := func(path string) []any {
		var list struct {
			Results []struct{ ID int64 }
		}
		p.do("GET", path, nil).into(t, 200, &list)
		require.GreaterOrEqual(t, len(list.Results), 2, path)
		return []any{list.Results[0].ID, list.Results[1].ID}
	}
	id := func(path string, body map[string]any) any {
		var made struct{ ID int64 }
		p.do("POST", path, body).into(t, 201, &made)
		return made.ID
	}
	w.sources, w.categories = two("/memory/datasources"), two("/discourse/blueprints/use-case-categories")
	w.memoryLabels, w.memoryTypes, w.agents = two("/memory/memorylabels"), two("/memory/memorytypes"), two("/analyst/analysts")
	for i, name := range []string{"one", "two"} {
		w.labels = append(w.labels, id("/discourse/projectlabels", map[string]any{
			"name": "Project " + name, "description": "D", "color": "Royal Blue",
		}))
		w.memories = append(w.memories, id("/memory/memories", map[string]any{
			"name": "Memory " + name, "question": "Q", "response": "R", "type": w.memoryTypes[i],
		}))
		w.plans = append(w.plans, id("/discourse/blueprints", map[string]any{
			"name": "Plan " + name, "steps": []any{map[string]any{"name": "S", "code": "SELECT 1"}},
		}))
	}
	w.table = fmt.Sprint(place(t, p.do("GET", fmt.Sprintf("/memory/datasources/%v", w.sources[0]), nil).body, "dataResourceSet.0.id"))
	c := p.create()
	w.conversation = c.String()
	for range 2 {
		p.send(c, "seed=1 tokens=5 rate=1000")
		require.Eventually(t, func() bool { return !p.get(c).IsStreaming }, patience, 50*time.Millisecond)
		for _, m := range p.get(c).MessageSet {
			w.last = m.ID.String()
			if m.Role == string(domain.RoleAssistant) && !slices.Contains(w.answers, w.last) {
				w.answers = append(w.answers, w.last)
			}
		}
	}
	require.GreaterOrEqual(t, len(w.answers), 2)
	w.feedback = place(t, p.do("PUT", "/discourse/messages/"+w.answers[1]+"/feedbacks", map[string]any{"label": []int{1}}).body, "id")
	return w
}

// each returns lists with one id: the first id for the creation, the second for the change.
func each(ids []any) twice { return twice{[]any{ids[0]}, []any{ids[1]}} }

const checked = "it is compared with the stored version, which increases"

// roundTrips returns a row for each kind of object that people write.
func (w *fieldWorld) roundTrips() []roundTrip {
	return append([]roundTrip{w.blueprint(), w.step(), w.analyst(), w.task(), w.connector()}, w.others()...)
}

// actions returns the bodies that request an action and have no fields to read back. The table of
// rights has a row for each of their calls, and what an action does is tested with its noun.
func actions() []string {
	return []string{
		"Actors", "Archiving", "BlueprintArchive", "Favorite", "StatusChange", "TaskChange", "TaskStatusChange", "ScheduleRequest",
		"BlueprintCopy", "BlueprintStart", "ConnectionCheck", "Rewind", "StopTurn",
	}
}

func (w *fieldWorld) blueprint() roundTrip {
	const there = "for a step inside a blueprint it is that of the blueprint"
	return roundTrip{
		name:   "blueprint",
		create: request{"POST", "/discourse/blueprints", wire.NewBlueprintRequest{}},
		change: request{"PUT", "/discourse/blueprints/%v", wire.BlueprintRequest{}},
		read:   "/discourse/blueprints/%v",
		values: map[string]twice{
			"dataSources": each(w.sources), "projectLabels": each(w.labels), "useCaseCategories": each(w.categories),
			"inputParameters": {"Region", "Month: such as May"},
			"steps.id":        {leftOut{}, fromCreated(func(made map[string]any) any { return firstOf(made["steps"])["id"] })},
			"steps.memories":  each(w.memories), "steps.analyst": {w.agents[0], w.agents[1]},
		},
		copy: "/discourse/blueprints/%v/copy", uncopied: map[string]string{"name": "it says that it is a copy"},
		silent: map[string]string{
			"steps.id":              "a copy's steps have their own; a change with the id of another blueprint's step is refused",
			"shareWithOrganization": "it is refused", "version": checked,
			"removedSteps": "it removes steps, which TestStore_BlueprintSteps tests", "removedStepIds": "as removedSteps",
			"fromConversation": "it is the source of a blueprint, which TestStore_BlueprintFromConversation tests",
			"steps.icebreaker": there, "steps.blueprint": there, "steps.version": there,
			"steps.order":     "a single step is always the first; row step tests it",
			"steps.analystId": "as analyst; row step tests it",
		},
	}
}

func firstOf(list any) map[string]any {
	entries, _ := list.([]any)
	if len(entries) == 0 {
		return nil
	}
	first, _ := entries[0].(map[string]any)
	return first
}

func (w *fieldWorld) step() roundTrip {
	step := wire.BlueprintStepRequest{}
	return roundTrip{
		name:   "step",
		create: request{"POST", "/discourse/steps", step},
		change: request{"PUT", "/discourse/steps/%v", step},
		read:   fmt.Sprintf("/discourse/blueprints/%v", w.plans[0]), in: "steps",
		values: map[string]twice{
			"icebreaker": {w.plans[0], leftOut{}}, "order": {1, 2}, "memories": each(w.memories), "analyst": {w.agents[0], w.agents[1]},
		},
		silent: map[string]string{"id": "the path names the step", "version": checked},
		same:   map[string]string{"blueprint": "icebreaker", "analystId": "analyst"},
	}
}

func (w *fieldWorld) analyst() roundTrip {
	agent := wire.AnalystRequest{}
	values := map[string]twice{
		"provider": {"scripted", "builtin"}, "model": {"scripted", "builtin"}, "picture": {"/one.png", "/two.png"},
		"connectors": each(w.sources), "projectLabels": each(w.labels), "isEnabled": {false, true}, "general.enabled": {false, true},
	}
	for _, section := range []string{"knowledgeBase", "chartReview", "insights", "summary"} {
		values[section+".enabled"] = twice{false, true}
		values[section+".memories"], values[section+".memoryLabels"] = each(w.memories), each(w.memoryLabels)
	}
	return roundTrip{
		name:   "agent",
		create: request{"POST", "/analyst/analysts", agent},
		change: request{"PUT", "/analyst/analysts/%v", agent},
		read:   "/analyst/analysts/%v",
		values: values,
		silent: map[string]string{"version": checked},
		same:   map[string]string{"name": "agentName", "agent": "controller", "agentParams.modelProvider": "provider"},
		as:     map[string]string{"agentName": "name", "controller": "agent"},
		show: func(got map[string]any) {
			params, _ := got["agentParams"].(map[string]any)
			got["provider"] = params["modelProvider"]
		},
	}
}

func (w *fieldWorld) task() roundTrip {
	task := wire.TaskRequest{}
	return roundTrip{
		name:   "task",
		create: request{"POST", "/discourse/scheduledtasks", task},
		change: request{"PUT", "/discourse/scheduledtasks/%v", task},
		read:   "/discourse/scheduledtasks/%v",
		values: map[string]twice{
			"icebreaker": {w.plans[0], w.plans[1]}, "projectLabels": each(w.labels), "isEnabled": {leftOut{}, false},
			"schedule.type": {leftOut{}, "cron"}, "schedule.frequencyType": {"weekly", "annually"},
			"schedule.timeZone": {"Europe/Paris", "Asia/Tokyo"},
			"schedule.time":     {"09:30", "14:00"}, "schedule.dayOfWeek": {2, leftOut{}}, "schedule.dayOfMonth": {leftOut{}, 7},
			"schedule.month": {leftOut{}, 3},
		},
		silent: map[string]string{"version": checked},
	}
}

func (w *fieldWorld) connector() roundTrip {
	return roundTrip{
		name:   "connector of a database",
		create: request{"POST", "/memory/datasources", wire.ConnectionRequest{}},
		change: request{"PUT", "/memory/datasources/%v", wire.DataSourceChanges{}},
		read:   "/memory/datasources/%v",
		values: map[string]twice{
			"kind": {"postgres", leftOut{}}, "params": {anyMap(w.shop.params), leftOut{}}, "secret": {w.shop.secret, leftOut{}},
			"scope": {"conversation", leftOut{}}, "conversationId": {w.conversation, leftOut{}}, "projectLabels": each(w.labels),
		},
		silent: map[string]string{
			"secret": "no call returns it", "credentialId": "it replaces a secret; Warehouses tests it", "version": checked,
		},
		as:   map[string]string{"kind": "type"},
		show: func(got map[string]any) { got["type"] = first(got["type"]) },
	}
}

func anyMap(params domain.DataSourceParams) map[string]any {
	out := make(map[string]any, len(params))
	for name, value := range params {
		out[name] = value
	}
	return out
}

func first(list any) any {
	if entries, _ := list.([]any); len(entries) > 0 {
		return entries[0]
	}
	return nil
}

func (w *fieldWorld) others() []roundTrip {
	memory, label := wire.MemoryRequest{}, wire.ProjectLabelRequest{}
	return []roundTrip{
		{
			name:   "memory",
			create: request{"POST", "/memory/memories", memory},
			change: request{"PATCH", "/memory/memories/%v", memory},
			read:   "/memory/memories?page_size=1000", in: "results",
			values: map[string]twice{
				"type": {w.memoryTypes[0], w.memoryTypes[1]}, "labels": each(w.memoryLabels), "isEnabled": {leftOut{}, false},
			},
			silent: map[string]string{"version": checked},
			same:   map[string]string{"index": "question", "value": "response"},
			as:     map[string]string{"question": "index", "response": "value"},
		},
		{
			name:   "project",
			create: request{"POST", "/discourse/projectlabels", label},
			change: request{"PUT", "/discourse/projectlabels/%v", label},
			read:   "/discourse/projectlabels?page_size=1000", in: "results",
			values: map[string]twice{"color": {"#112233", "Teal blue"}},
			silent: map[string]string{"version": checked},
		},
		{
			name:   "conversation",
			create: request{"POST", "/discourse/conversations", wire.NewConversationRequest{}},
			change: request{"PATCH", "/discourse/conversations/%v", wire.ConversationChanges{}},
			read:   "/discourse/conversations/%v",
			values: map[string]twice{
				"dataSources": each(w.sources), "projectLabels": each(w.labels),
				"status": {leftOut{}, "archived"}, "isFavorite": {leftOut{}, true},
			},
			copy: "/discourse/conversations/%v/copy",
			uncopied: map[string]string{
				"name": "it says that it is a copy", "status": "it is the caller's mark on the original", "isFavorite": "as status",
			},
		},
		{
			name:   "prompt",
			create: request{"POST", "/discourse/user-text", wire.UserText{}},
			made:   "message.id",
			read:   "/discourse/messages/%v",
			show:   func(got map[string]any) { got["message"] = maps.Clone(got) },
			values: map[string]twice{
				"conversationId": {w.conversation, leftOut{}}, "dataSources": {[]any{w.sources[0]}, leftOut{}},
				"iceBreakerId": {w.plans[0], leftOut{}},
				"message.id":   {"0197b1a0-0000-7000-8000-00000000f1e1", leftOut{}}, "message.analystId": {w.agents[1], leftOut{}},
				"message.parentMessageId": {w.last, leftOut{}},
			},
			silent: map[string]string{
				"inputs": "they fill the steps of the blueprint; StartBlueprint tests them", "message.analystId": "it is the agent that answers",
			},
		},
		{
			name:   "feedback",
			create: request{"PUT", "/discourse/messages/" + w.answers[0] + "/feedbacks", wire.FeedbackRequest{}},
			read:   "/discourse/feedbacks/%v",
			values: map[string]twice{"label": {[]any{1}, leftOut{}}},
			show: func(got map[string]any) {
				got["label"], got["comment"] = firstOf(got["sentiment"])["labelSet"], got["commentSet"]
			},
		},
		{
			name:   "comment",
			create: request{"POST", "/discourse/comments", wire.CommentRequest{}},
			read:   fmt.Sprintf("/discourse/feedbacks/%v", w.feedback), in: "commentSet",
			values: map[string]twice{"feedback": {json.Number(fmt.Sprint(w.feedback)), leftOut{}}},
		},
		{
			name:   "correction",
			create: request{"POST", fmt.Sprintf("/memory/datasources/%v/corrections", w.sources[0]), wire.CorrectionRequest{}},
			read:   fmt.Sprintf("/memory/datasources/%v/meaning", w.sources[0]), in: "corrections",
			values: map[string]twice{
				"table": {"orders", leftOut{}}, "column": {"n", leftOut{}}, "field": {"words", leftOut{}},
			},
		},
		{
			name:   "data dictionary",
			create: request{"PATCH", "/memory/dataresources/" + w.table, wire.Dictionary{}},
			change: request{"PATCH", fmt.Sprintf("/memory/datasources/%v/details", w.sources[0]), wire.ResourceText{}},
			made:   "dataResourceSet.0.id",
			read:   fmt.Sprintf("/memory/datasources/%v", w.sources[0]), in: "dataResourceSet",
			values: map[string]twice{"id": {leftOut{}, json.Number(w.table)}},
			as:     map[string]string{"text": "details"},
		},
	}
}
