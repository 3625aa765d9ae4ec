package api_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
	"parley.dev/parley/api/wire"
)

// promise is one call of the specification's document 2, section 7, and of the decisions that
// complete it. Names are written as in the documents.
type promise struct {
	method, path string
	query        []string
	body         []string
	pageSize     int  // the default; 0 is not checked
	creates      bool // takes an Idempotency-Key
}

// promises returns all calls of the contract. If a document has a PUT and a PATCH for one
// call, both are here. Fields of a body that have no effect (owner, messageSet, createdAt,
// updatedAt) are not.
func promises() []promise {
	page := []string{"page", "page_size"}
	with := func(more ...string) []string { return append(slices.Clone(page), more...) }
	actors := []string{"users", "teams", "organizations"}
	conversation := []string{"name", "description", "dataSources"}
	blueprint := []string{
		"data_sources", "description", "input_parameters", "initial_message", "name", "project_labels", "share_with_organization", "steps",
	}
	step := []string{"name", "order", "detailedInstructions", "qaInstructions", "code", "memories", "analyst"}
	memory := []string{"question", "name", "type", "response", "labels"}
	agent := []string{"agentName", "description", "controller", "provider", "model", "knowledgeBase", "chartReview", "insights", "summary"}
	label := []string{"name", "description", "color"}
	task := []string{"name", "projectLabels", "icebreaker", "isEnabled", "schedule"}
	return []promise{
		// 7.1 Conversations
		{"GET", "discourse/conversations", with("sort", "feedback_scope", "include_nested_objects", "status", "retrieve_type"), nil, 50, false},
		{
			"GET", "discourse/conversations/{id}",
			[]string{"feedback_scope", "messages_to_tree", "only_most_recent_version", "message_id"},
			nil,
			0, false,
		},
		{"POST", "discourse/conversations", nil, conversation, 0, true},
		{"PATCH", "discourse/conversations/{id}", nil, conversation, 0, false},
		{"PUT", "discourse/conversations/{id}", nil, conversation, 0, false},
		{"DELETE", "discourse/conversations/{id}", nil, nil, 0, false},
		{"PUT", "discourse/conversations/{id}/favorite", nil, []string{"is_favorite"}, 0, false},
		{"POST", "discourse/conversations/{id}/copy", nil, nil, 0, true},
		{"PUT", "discourse/conversations/{id}/actors", nil, actors, 0, false},
		{"POST", "discourse/conversations/{id}/rewind", nil, []string{"message_id"}, 0, false},
		{"GET", "discourse/conversations/{id}/data-sources", nil, nil, 0, false},
		{"POST", "discourse/conversations/{id}/read", nil, nil, 0, false},
		{"GET", "discourse/conversations/running", nil, nil, 0, false},
		{"PATCH", "user/me/conversations/{id}/status", nil, []string{"status"}, 0, false},
		{"GET", "discourse/conversationpermissions", with("conversation_id", "sort"), nil, 100, false},
		{"POST", "analyst/process-control/stop-process-in-redis", nil, []string{"conversation_id"}, 0, false},
		{"POST", "discourse/user-text", nil, []string{"conversationId", "dataSources", "iceBreakerId", "message"}, 0, true},

		// 7.2 Messages, feedback, comments, display objects
		{"GET", "discourse/messages/{id}", []string{"feedback_scope"}, nil, 0, false},
		{"PUT", "discourse/messages/{id}/feedbacks", nil, []string{"label", "comment"}, 0, true},
		{"GET", "discourse/messages/{id}/comments", nil, nil, 0, false},
		{"POST", "discourse/comments", nil, []string{"feedback", "text"}, 0, true},
		{"GET", "discourse/feedbacks", with("split_by_sentiment"), nil, 10, false},
		{"GET", "discourse/feedbacks/{id}", nil, nil, 0, false},
		{"GET", "discourse/sentiments", nil, nil, 0, false},
		{"GET", "discourse/displayobjects/{id}/presigned-url", nil, nil, 0, false},
		{"GET", "discourse/displayobjects/{id}/content", []string{"format"}, nil, 0, false},

		// 7.3 Blueprints
		{"GET", "discourse/blueprints", with("library_scope", "favorite_scope", "recent", "input_parameters_scope"), nil, 1000, false},
		{"GET", "discourse/blueprints/{id}", nil, nil, 0, false},
		{"PUT", "discourse/blueprints/{id}", nil, blueprint, 0, false},
		{"DELETE", "discourse/blueprints/{id}", nil, nil, 0, false},
		{"POST", "discourse/blueprints", nil, append(slices.Clone(blueprint), "from_conversation"), 0, true},
		{"POST", "discourse/blueprints/{id}/archive", nil, nil, 0, false},
		{"POST", "discourse/blueprints/{id}/copy", nil, []string{"name"}, 0, true},
		{"POST", "discourse/blueprints/initial-message", nil, []string{"name", "input_parameters", "steps"}, 0, false},
		{"POST", "discourse/blueprints/{id}/conversations", nil, []string{"inputs", "dataSources"}, 0, true},
		{"PUT", "discourse/blueprints/{id}/favorite", nil, []string{"favorite"}, 0, false},
		{"GET", "discourse/blueprints/{id}/actors", nil, nil, 0, false},
		{"PUT", "discourse/blueprints/{id}/actors", nil, actors, 0, false},
		{"GET", "discourse/blueprints/use-case-categories", nil, nil, 0, false},
		{"POST", "discourse/steps", nil, step, 0, true},
		{"PUT", "discourse/steps/{id}", nil, step, 0, false},
		{"DELETE", "discourse/steps/{id}", nil, nil, 0, false},

		// 7.4 Data sources
		{"GET", "memory/datasources", with("favorite_scope", "recent", "retrieve_type"), nil, 600, false},
		{"GET", "memory/datasources/{id}", []string{"regenerate_preview"}, nil, 0, false},
		{"PUT", "memory/datasources/{id}", nil, nil, 0, false},
		{"DELETE", "memory/datasources/{id}", nil, nil, 0, false},
		{"POST", "memory/datasources/{id}/archive", nil, nil, 0, false},
		{"POST", "memory/datasources/{id}/sync", nil, nil, 0, false},
		{"PATCH", "memory/datasources/{id}/details", nil, []string{"id", "text"}, 0, false},
		{"GET", "memory/datasources/{id}/file", []string{"format"}, nil, 0, false},
		{"PUT", "memory/datasources/{id}/file", nil, nil, 0, false},
		{"GET", "memory/datasources/{id}/actors", nil, nil, 0, false},
		{"PUT", "memory/datasources/{id}/actors", nil, actors, 0, false},
		{"PUT", "memory/datasources/{id}/favorite", nil, []string{"flag"}, 0, false},
		{"GET", "memory/datasources/type", page, nil, 1000, false},
		{"POST", "memory/file/datasources", nil, []string{
			"file", "display_object_id", "description", "scope", "delimiter", "type", "name",
			"conversation_id",
		}, 0, true},
		{"POST", "memory/file/info", nil, []string{"file", "delimiter"}, 0, false},
		{"POST", "memory/secrets", nil, []string{"file", "name"}, 0, true},
		{"PATCH", "memory/dataresources/{id}", nil, []string{"details"}, 0, false},

		// 7.5 Memories
		{"GET", "memory/memories", with("specialists"), nil, 100, false},
		{"POST", "memory/memories", nil, memory, 0, true},
		{"PUT", "memory/memories/{id}", nil, memory, 0, false},
		{"PATCH", "memory/memories/{id}", nil, []string{"isEnabled"}, 0, false},
		{"DELETE", "memory/memories/{id}", nil, nil, 0, false},
		{"GET", "memory/memorytypes", nil, nil, 0, false},
		{"GET", "memory/memorylabels", nil, nil, 0, false},
		{"GET", "memory/memorysources", nil, nil, 0, false},

		// 7.6 Agents
		{"GET", "analyst/analysts", with("filter_enabled"), nil, 100, false},
		{"GET", "analyst/default", nil, nil, 0, false},
		{"GET", "analyst/analysts/active-models", page, nil, 1000, false},
		{"POST", "analyst/analysts", nil, agent, 0, true},
		{"GET", "analyst/analysts/{id}", nil, nil, 0, false},
		{"PUT", "analyst/analysts/{id}", nil, agent, 0, false},
		{"DELETE", "analyst/analysts/{id}", nil, nil, 0, false},
		{"PUT", "analyst/analysts/{id}/favorite", nil, []string{"flag"}, 0, false},
		{"GET", "analyst/analysts/{id}/actors", nil, nil, 0, false},
		{"PUT", "analyst/analysts/{id}/actors", nil, actors, 0, false},

		// 7.7 Project labels
		{"GET", "discourse/projectlabels", page, nil, 50, false},
		{"POST", "discourse/projectlabels", nil, label, 0, true},
		{"PUT", "discourse/projectlabels/{id}", nil, label, 0, false},
		{"DELETE", "discourse/projectlabels/{id}", nil, nil, 0, false},

		// 7.8 Scheduled tasks
		{"GET", "discourse/scheduledtasks", with("status"), nil, 10, false},
		{"POST", "discourse/scheduledtasks", nil, task, 0, true},
		{"GET", "discourse/scheduledtasks/{id}", nil, nil, 0, false},
		{"PUT", "discourse/scheduledtasks/{id}", nil, task[:3], 0, false},
		{"PATCH", "discourse/scheduledtasks/{id}", nil, []string{"isEnabled"}, 0, false},
		{"DELETE", "discourse/scheduledtasks/{id}", nil, nil, 0, false},
		{"GET", "discourse/scheduledtasks/timezones", page, nil, 25, false},
		{"PATCH", "user/me/scheduled-tasks/{id}/status", nil, []string{"status", "isEnabled"}, 0, false},

		// 7.9 User
		{"GET", "user/me", nil, nil, 0, false},
		{"GET", "user/organizations", nil, nil, 0, false},
		{"GET", "user/shareable-entities", page, nil, 100, false},
		{"POST", "user/me/keep-alive", nil, nil, 0, false},
		{"GET", "user/{uuid}/stream", nil, nil, 0, false},

		// 7.10 Usage
		{"GET", "discourse/llm-statistics/usage-report", []string{
			"level", "time_period", "aggregate", "fields", "group_by",
			"include_deleted_conversations",
		}, nil, 0, false},
		{"GET", "discourse/llm-statistics/credits-info", nil, nil, 0, false},
		{"GET", "discourse/llm-statistics/time-period", page, nil, 25, false},
	}
}

// contract is the part of an OpenAPI document that the promises use.
type contract struct {
	Paths      map[string]map[string]contractCall `json:"paths"`
	Components struct {
		Schemas map[string]contractSchema `json:"schemas"`
	} `json:"components"`
}

type contractCall struct {
	Parameters []struct {
		Name   string `json:"name"`
		In     string `json:"in"`
		Schema struct {
			Default any `json:"default"`
		} `json:"schema"`
	} `json:"parameters"`
	RequestBody *struct {
		Content map[string]struct {
			Schema contractSchema `json:"schema"`
		} `json:"content"`
	} `json:"requestBody"`
}

type contractSchema struct {
	Ref        string                    `json:"$ref"`
	Properties map[string]contractSchema `json:"properties"`
}

// parameter finds the default of a parameter, by its camelCase name.
func (c contractCall) parameter(in, name string) (any, bool) {
	for _, p := range c.Parameters {
		if p.In == in && p.Name == name {
			return p.Schema.Default, true
		}
	}
	return nil, false
}

// TestContract compares the published contract with the specification, call by call.
func TestContract(t *testing.T) {
	t.Parallel()
	spec, err := api.OpenAPI()
	require.NoError(t, err)
	var c contract
	require.NoError(t, json.Unmarshal(spec, &c))
	for _, p := range promises() {
		t.Run(p.method+" "+p.path, func(t *testing.T) {
			t.Parallel()
			call, ok := c.Paths["/"+p.path][strings.ToLower(p.method)]
			require.True(t, ok, "the call does not exist")
			for _, name := range p.query {
				_, ok := call.parameter("query", wire.Camel(name))
				require.True(t, ok, "query %s", name)
			}
			if p.pageSize > 0 {
				size, _ := call.parameter("query", "pageSize")
				require.InDelta(t, p.pageSize, size, 0, "page size")
			}
			if p.creates {
				_, ok := call.parameter("header", "Idempotency-Key")
				require.True(t, ok, "Idempotency-Key")
			}
			if len(p.body) == 0 {
				return
			}
			require.NotNil(t, call.RequestBody)
			for kind, content := range call.RequestBody.Content {
				schema := content.Schema
				if schema.Ref != "" {
					schema = c.Components.Schemas[strings.TrimPrefix(schema.Ref, "#/components/schemas/")]
				}
				for _, name := range p.body {
					require.Contains(t, schema.Properties, wire.Camel(name), "%s body", kind)
				}
			}
		})
	}
}
