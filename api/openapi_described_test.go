package api

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// describedField is the part of a schema that the tests use.
type describedField struct {
	Ref         string                    `json:"$ref"`
	Description string                    `json:"description"`
	Examples    []any                     `json:"examples"`
	Enum        []any                     `json:"enum"`
	Default     any                       `json:"default"`
	MaxItems    int                       `json:"maxItems"`
	AnyOf       []describedField          `json:"anyOf"`
	Items       *describedField           `json:"items"`
	Properties  map[string]describedField `json:"properties"`
}

// shape reports whether a field contains a shape. The shape itself is described where it is
// declared.
func (f *describedField) shape() bool {
	return f.Ref != "" || len(f.AnyOf) > 0 || f.Items != nil && f.Items.Ref != ""
}

type describedAPI struct {
	Paths map[string]map[string]struct {
		Parameters []struct {
			Name        string         `json:"name"`
			Description string         `json:"description"`
			Example     any            `json:"example"`
			Schema      describedField `json:"schema"`
		} `json:"parameters"`
		RequestBody struct {
			Content map[string]struct {
				Example any `json:"example"`
			} `json:"content"`
		} `json:"requestBody"`
		Responses map[string]struct {
			Content map[string]struct {
				Example any `json:"example"`
			} `json:"content"`
		} `json:"responses"`
	} `json:"paths"`
	Components struct {
		Schemas map[string]describedField `json:"schemas"`
	} `json:"components"`
}

func described(t *testing.T) *describedAPI {
	t.Helper()
	spec, err := OpenAPI()
	require.NoError(t, err)
	o := &describedAPI{}
	require.NoError(t, json.Unmarshal(spec, o))
	return o
}

// TestFields_Described finds a shape or a field without a description or without an example.
func TestFields_Described(t *testing.T) {
	t.Parallel()
	for name, schema := range described(t).Components.Schemas {
		require.NotEmpty(t, schema.Description, "%s has no description: api/openapi_schemas.go", name)
		for field, f := range schema.Properties {
			at := name + "." + field
			if f.Ref == "" && len(f.AnyOf) == 0 {
				require.NotEmpty(t, f.Description, "%s has no description: its type has no tag doc", at)
			}
			for _, unit := range []domain.Unit{domain.Characters, domain.Entries, domain.Bytes} {
				require.NotContains(t, f.Description, "{"+string(unit)+"}", "%s names a limit that its draft does not have", at)
			}
			if !f.shape() {
				require.True(t, len(f.Examples)+len(f.Enum) > 0 || f.Default != nil, "%s has no example: add the tag example beside doc", at)
			}
		}
	}
}

// TestLists_Limits: the struct tags with the maximum length of a list have the numbers of
// domain, which also has callers that do not use HTTP.
func TestLists_Limits(t *testing.T) {
	t.Parallel()
	limits := map[string]int{
		"Actors.users": domain.GrantsMax, "Actors.teams": domain.GrantsMax, "Actors.organizations": domain.GrantsMax,
		"AnalystRequest.connectors": domain.AnalystListMax, "AnalystRequest.projectLabels": domain.AnalystListMax,
		"AnalystSectionRequest.memories": domain.AnalystListMax, "AnalystSectionRequest.memoryLabels": domain.AnalystListMax,
		"Annotation.assumptions": domain.AssumptionsMax, "Annotation.checks": domain.AnswerChecksMax,
		"Assumption.others":               domain.AssumptionOthersMax,
		"BlueprintStart.dataSources":      domain.PromptSourcesMax,
		"ConversationChanges.dataSources": domain.ConversationRefsMax, "ConversationChanges.projectLabels": domain.ConversationRefsMax,
		"DataSourceChanges.projectLabels": domain.DataSourceLabelsMax, "MemoryRequest.labels": domain.MemoryLabelsMax,
		"NewConversationRequest.dataSources":   domain.ConversationRefsMax,
		"NewConversationRequest.projectLabels": domain.ConversationRefsMax,
		"TaskRequest.projectLabels":            domain.TaskLabelsMax, "UserText.dataSources": domain.PromptSourcesMax,
	}
	got := map[string]int{}
	for name, schema := range described(t).Components.Schemas {
		for field, f := range schema.Properties {
			if f.MaxItems > 0 {
				got[name+"."+field] = f.MaxItems
			}
		}
	}
	require.Equal(t, limits, got)
}

// TestParams_Described does the same for parameters and for bodies of all kinds.
func TestParams_Described(t *testing.T) {
	t.Parallel()
	for path, item := range described(t).Paths {
		for method, op := range item {
			call := strings.ToUpper(method) + " " + path
			for _, p := range op.Parameters {
				require.NotEmpty(t, p.Description, "%s: %s has no description: api/openapi_params.go", call, p.Name)
				require.NotContains(t, p.Description, "id of the .", "%s: what does it name?", call)
				require.True(t, p.Example != nil || p.Schema.Default != nil || len(p.Schema.Enum) > 0, "%s: %s has none: api/openapi_params.go",
					call, p.Name)
			}
			for kind, body := range op.RequestBody.Content {
				require.NotEmpty(t, body.Example, "%s %s", call, kind)
			}
			for status, response := range op.Responses {
				for kind, body := range response.Content {
					require.NotEmpty(t, body.Example, "%s %s %s", call, status, kind)
				}
			}
		}
	}
}

// TestFailures_Described: a call documents its failures in addition to the failures of most
// calls, and that any request with two bearers is refused.
func TestFailures_Described(t *testing.T) {
	t.Parallel()
	spec, err := OpenAPI()
	require.NoError(t, err)
	var o struct {
		Paths map[string]struct {
			Get struct {
				Responses map[string]struct {
					Ref string `json:"$ref"`
				} `json:"responses"`
			} `json:"get"`
		} `json:"paths"`
		Components struct {
			Responses map[string]struct {
				Content map[string]json.RawMessage `json:"content"`
			} `json:"responses"`
		} `json:"components"`
	}
	require.NoError(t, json.Unmarshal(spec, &o))
	for _, c := range []struct{ path, status, name string }{
		{"/memory/datasources/{id}/file", "416", "RequestedRangeNotSatisfiable"},
		{"/memory/datasources/{id}/file", "413", "RequestEntityTooLarge"},
		{"/discourse/displayobjects/{id}/content", "416", "RequestedRangeNotSatisfiable"},
		{"/discourse/displayobjects/{id}/content", "413", "RequestEntityTooLarge"},
		{"/user/{uuid}/stream", "426", "UpgradeRequired"},
		{"/user/{uuid}/stream", "400", "BadRequest"},
		{"/user/me", "400", "BadRequest"},
	} {
		require.Equal(t, "#/components/responses/"+c.name, o.Paths[c.path].Get.Responses[c.status].Ref, "%s %s", c.path, c.status)
		require.Contains(t, o.Components.Responses[c.name].Content, "application/problem+json")
	}
	require.NotContains(t, o.Paths["/user/me"].Get.Responses, "416")
	require.NotContains(t, o.Paths["/user/me"].Get.Responses, "426")
}

// TestSchemaDescriptions finds rows that are not used.
func TestSchemaDescriptions(t *testing.T) {
	t.Parallel()
	schemas := described(t).Components.Schemas
	for name, text := range schemaDescriptions() {
		require.Contains(t, schemas, name)
		require.Equal(t, text, schemas[name].Description, name)
	}
	for row := range fieldExamples() {
		shape, field, _ := strings.Cut(row, ".")
		require.Contains(t, schemas[shape].Properties, field, row)
	}
}
