package api_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
)

// TestOpenAPI_Described finds a call that has no description, belongs to no chapter, has no
// example or names no error.
func TestOpenAPI_Described(t *testing.T) {
	t.Parallel()
	spec, err := api.OpenAPI()
	require.NoError(t, err)
	type media struct {
		Example any `json:"example"`
	}
	var o struct {
		Tags []struct {
			Name string `json:"name"`
		} `json:"tags"`
		Paths map[string]map[string]struct {
			Summary     string   `json:"summary"`
			Description string   `json:"description"`
			Tags        []string `json:"tags"`
			RequestBody struct {
				Content map[string]media `json:"content"`
			} `json:"requestBody"`
			Responses map[string]struct {
				Ref     string           `json:"$ref"`
				Content map[string]media `json:"content"`
			} `json:"responses"`
		} `json:"paths"`
	}
	require.NoError(t, json.Unmarshal(spec, &o))
	var chapters []string
	for _, tag := range o.Tags {
		chapters = append(chapters, tag.Name)
	}
	for path, methods := range o.Paths {
		for method, op := range methods {
			name := strings.ToUpper(method) + " " + path
			require.NotEmpty(t, op.Summary, name)
			require.NotEmpty(t, op.Description, "%s does not say who may call it and what changes: api/openapi_descriptions.go", name)
			require.Len(t, op.Tags, 1, name)
			require.True(t, slices.Contains(chapters, op.Tags[0]), "%s: %s is not a chapter: api/openapi_tags.go", name, op.Tags[0])
			require.NotEmpty(t, op.Responses["401"].Ref, name)
			if strings.Contains(path, "{") {
				require.NotEmpty(t, op.Responses["404"].Ref, name)
			}
			if body, ok := op.RequestBody.Content["application/json"]; ok {
				require.NotEmpty(t, body.Example, name)
			}
			for status, response := range op.Responses {
				if body, ok := response.Content["application/json"]; ok {
					require.NotEmpty(t, body.Example, "%s %s", name, status)
				}
			}
		}
	}
}
