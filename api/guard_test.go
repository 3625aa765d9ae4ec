package api_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
	"parley.dev/parley/api/internal/fakes"
	"parley.dev/parley/domain"
)

// TestServer_Guards: who may do what is read where a request is not valid, and
// nothing is written to learn it. What is not there is answered as what one may not see.
func TestServer_Guards(t *testing.T) {
	t.Parallel()
	spec, err := api.OpenAPI()
	require.NoError(t, err)
	var o struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	require.NoError(t, json.Unmarshal(spec, &o))
	writes := regexp.MustCompile(`^(Create|Update|Set|Delete|Archive|Copy|Resync|Give|Add|Mark|Use[A-Z]|Start|Change|Send|Rewind|Stop)`)
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
						continue // it takes no body, so that nothing is wrong with it
					}
					require.Contains(t, []int{400, 403, 404, 415, 422}, got.status, "%s %s: %s", method, path, got.body)
					for _, call := range b.world.Calls()[before:] {
						asked++
						require.NotRegexp(t, writes, call, "%s %s", method, path)
					}
				}
			}
		}
	}
	require.Greater(t, asked, 50, "guards were asked")
}
