package api_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
	"parley.dev/parley/api/internal/fakes"
	"parley.dev/parley/domain"
)

// TestServer_Rights: rights are checked before a body is read, with a single read and without
// any write. An object that does not exist gets the same answer as an object that the caller
// may not see.
func TestServer_Rights(t *testing.T) {
	t.Parallel()
	spec, err := api.OpenAPI()
	require.NoError(t, err)
	var o struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	require.NoError(t, json.Unmarshal(spec, &o))
	b := setup(t)
	c, _ := b.world.AddConversation()
	source := b.world.AddSource(b.files, domain.DataSourceCSV)
	there := func(path string) string {
		switch {
		case strings.HasPrefix(path, "/discourse/messages/"):
			return c.Messages[1].ID.String()
		case strings.Contains(path, "scheduled"):
			return fakes.TaskID
		case strings.Contains(path, "/conversations/{id}"):
			return c.ID.String()
		case strings.HasPrefix(path, "/memory/datasources/"):
			return pathOf(source, "")[strings.LastIndex(pathOf(source, ""), "/")+1:]
		case strings.HasPrefix(path, "/discourse/steps/"):
			return "11"
		}
		return "1"
	}
	asked := 0
	for path, methods := range o.Paths {
		for method := range methods {
			method = strings.ToUpper(method)
			if method == http.MethodGet || !strings.Contains(path, "{id}") {
				continue
			}
			for _, who := range []*domain.User{&b.world.Reader, &b.world.Foreigner} {
				for _, id := range []string{there(path), uuid.NewString(), "999999999"} {
					before := len(b.world.Calls())
					got := b.call(t, who, method, v1+strings.ReplaceAll(path, "{id}", id), `["not", "an object"]`)
					if op := string(methods[strings.ToLower(method)]); !strings.Contains(op, `"requestBody"`) {
						continue // it has no body that could be wrong
					}
					require.Contains(t, []int{400, 403, 404, 415, 422}, got.status, "%s %s: %s", method, path, got.body)
					readings := 0
					for _, call := range b.world.Calls()[before:] {
						if strings.HasPrefix(call, "Relation ") {
							readings++
							continue
						}
						require.Equal(t, "UserByIdentity", call, "%s %s: more than the right was read", method, path)
					}
					asked += readings
					require.LessOrEqual(t, readings, 1, "%s %s", method, path)
				}
			}
		}
	}
	require.Greater(t, asked, 50, "rights were read")
}

// TestServer_RightsOfEachCall: the published description names the right of each call, and
// says in words who has it, if that is not every person who sees the object.
func TestServer_RightsOfEachCall(t *testing.T) {
	t.Parallel()
	spec, err := api.OpenAPI()
	require.NoError(t, err)
	var o struct {
		Paths map[string]map[string]struct {
			Summary string        `json:"summary"`
			Right   domain.Action `json:"x-right"` //nolint:tagliatelle // extensions of OpenAPI are written so
		} `json:"paths"`
	}
	require.NoError(t, json.Unmarshal(spec, &o))
	for path, methods := range o.Paths {
		for method, op := range methods {
			right, ok := op.Right.Right()
			require.True(t, ok, "%s %s names no right", method, path)
			if words := right.Words(); words != "" {
				require.Contains(t, op.Summary, "("+words+")", "%s %s", method, path)
			}
			require.Equal(t, right.Words() != "", strings.Contains(op.Summary, ")"), "%s %s: only the table says who may", method, path)
		}
	}
}

// TestServer_RightsOfRepetitions: a request that was answered once gets the same answer
// again, even if the rights have changed since; a key without an earlier request opens
// nothing.
func TestServer_RightsOfRepetitions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	stranger := &b.world.Stranger
	b.world.Repeat(stranger, "used")
	for key, reached := range map[string]bool{"used": true, "unused": false} {
		before := len(b.world.Calls())
		got := b.call(t, stranger, http.MethodPut, v1+"/discourse/blueprints/1", `{"name":"Mine"}`, "Idempotency-Key", key)
		require.Equal(t, http.StatusNotFound, got.status, got.body)
		require.Equal(t, reached, slices.Contains(b.world.Calls()[before:], "UpdateBlueprint"), key)
	}
}

// TestServer_RightsWithoutBody: only the service checks the right of a call without a body.
func TestServer_RightsWithoutBody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.world.Fail("DeleteBlueprint", domain.Errorf(domain.CodeForbidden, "It is somebody else's."))
	require.Equal(t, http.StatusForbidden, b.call(t, &b.world.Reader, http.MethodDelete, v1+"/discourse/blueprints/1", "").status)
	require.Equal(t, "DeleteBlueprint", b.world.Calls()[len(b.world.Calls())-1])
	require.NotContains(t, b.world.Calls(), "Relation blueprint")
}

// TestServer_RightsUnread: a right that cannot be read is not granted.
func TestServer_RightsUnread(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.world.Fail("Relation blueprint", domain.Errorf(domain.CodeUnavailable, "away"))
	require.Equal(t, http.StatusServiceUnavailable, b.call(t, &b.world.Owner, http.MethodPut, v1+"/discourse/blueprints/1",
		`{"name":"Mine"}`).status)
	require.NotContains(t, b.world.Calls(), "UpdateBlueprint")
}
