package api

import (
	"fmt"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/domain"
)

// describeParams adds a description and an example to every parameter.
func describeParams(o *huma.OpenAPI) {
	words, examples := paramDescriptions(), paramExamples()
	for path, item := range o.Paths {
		for _, op := range operationsOf(item) {
			for _, p := range op.Parameters {
				if p.Description == "" {
					p.Description = p.Schema.Description
				}
				if p.Description == "" {
					p.Description = words[p.Name]
				}
				if p.Name == "id" && p.In == "path" {
					p.Description = "The id of the " + thingOf(path) + "."
				}
				if p.Schema.Default == nil && len(p.Schema.Enum) == 0 && p.Example == nil {
					p.Example = exampleOfParam(p, examples)
				}
			}
		}
	}
}

func exampleOfParam(p *huma.Param, examples map[string]any) any {
	if example, ok := examples[p.Name]; ok {
		return example
	}
	if p.Schema.Format == "uuid" {
		return exampleUUID
	}
	switch p.Schema.Type {
	case huma.TypeInteger:
		return 7
	case huma.TypeBoolean:
		return true
	}
	return nil
}

// thingOf returns the noun, as people read it, for the object that the id in a path names.
func thingOf(path string) string {
	collection, _, _ := strings.Cut(path, "/{")
	things := map[string]string{
		"analysts": "agent", "blueprints": "blueprint", "steps": "step", "conversations": "conversation", "messages": "message",
		"feedbacks": "feedback", "displayobjects": "display object", "projectlabels": "project", "scheduledtasks": "task",
		"scheduled-tasks": "task", "datasources": "connector", "dataresources": "table of a connector", "memories": "memory",
	}
	return things[collection[strings.LastIndexByte(collection, '/')+1:]]
}

func paramDescriptions() map[string]string {
	return map[string]string{
		"page":           "The number of the page, from 1. A page after the last one is empty.",
		"pageSize":       fmt.Sprintf("The number of entries per page. A number above %d is reduced to it.", domain.MaxPageSize),
		"uuid":           "The person's own UUID, as GET user/me returns it.",
		"sort":           "The order. A minus sign reverses it.",
		"status":         "active: entries that are not archived. archived: only archived entries.",
		"aggregate":      "How credits are combined. They are always added up.",
		"conversationId": "The id of the conversation.",
		"dataSources": fmt.Sprintf("Ids of connectors, as data_sources=1,2 or data_sources[]=1. Only the first %d are used.",
			maxAskedSources),
	}
}

func paramExamples() map[string]any {
	return map[string]any{ //nolint:gosec // examples, and no credentials
		"Idempotency-Key": "7b0c2f4e-5f0b-4a57-9c0e-1f6f5e0f2a11", "If-Match": `"3"`, "Range": "bytes=0-200", "If-Range": `"8f14e45f"`,
		"Last-Event-ID": "eyJ1c2VyIjoxMTh9",
		"conversations": exampleUUID, "dataSources": []any{"1"}, "startDate": "2026-05-01", "endDate": "2026-05-31",
		"fields": []any{"total_tokens_credit", "user_name"},
		"filter": []any{"name:contains:sales"}, "format": "csv", "labels": []any{"1"}, "messageId": "message-" + exampleUUID,
		"projectLabel":  []any{"1"},
		"projectLabels": []any{"1"}, "search": "sales", "specialists": []any{"insights"}, "token": "eyJpZCI6…", "groupBy": "week",
	}
}
