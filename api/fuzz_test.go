package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
)

// fuzzRoute sends any input to a route: the answer is always one of the documented answers,
// an error of the client is a problem document, and the server continues to run.
func fuzzRoute(f *testing.F, name string) {
	f.Helper()
	var route jsonRoute
	for _, r := range jsonRoutes() {
		if r.name == name {
			route = r
		}
	}
	require.NotEmpty(f, route.path)
	for _, seed := range []string{
		route.body, "{}", "[]", "null", `{"a":`, `{"` + append(route.required, route.optional...)[0] + `":[{}]}`,
		strings.Repeat("[", 40),
	} {
		f.Add(seed)
	}
	b := setup(f, func(c *api.Config) { c.Limits.SendsPerMinute = -1 })
	f.Fuzz(func(t *testing.T, body string) {
		got := b.call(t, &b.world.Owner, route.method, route.path, body, "Content-Type", "application/json")
		require.Contains(t, []int{200, 201, 204, 400, 404, 413, 422, 429}, got.status, got.body)
		if got.status >= http.StatusBadRequest {
			require.NotEmpty(t, got.code(t))
		}
	})
}

func FuzzCreateConversation(f *testing.F) { fuzzRoute(f, "create") }
func FuzzChangeConversation(f *testing.F) { fuzzRoute(f, "change") }
func FuzzFavorite(f *testing.F)           { fuzzRoute(f, "favorite") }
func FuzzStatus(f *testing.F)             { fuzzRoute(f, "status") }
func FuzzRewind(f *testing.F)             { fuzzRoute(f, "rewind") }
func FuzzActors(f *testing.F)             { fuzzRoute(f, "actors") }
func FuzzUserText(f *testing.F)           { fuzzRoute(f, "user-text") }
func FuzzStop(f *testing.F)               { fuzzRoute(f, "stop") }

// FuzzEveryRoute is the target of the others: each route of the table is a seed.
func FuzzEveryRoute(f *testing.F) {
	routes := jsonRoutes()
	for i, route := range routes {
		for _, seed := range []string{route.body, "{}", "null", `{"` + append(append([]string{}, route.required...), route.optional...)[0] +
			`":[{}]}`, `{"name":"\ud800"}`} {
			f.Add(uint8(i), seed)
		}
	}
	b := setup(f, func(c *api.Config) { c.Limits.SendsPerMinute = -1 })
	f.Fuzz(func(t *testing.T, which uint8, body string) {
		route := routes[int(which)%len(routes)]
		got := b.call(t, &b.world.Root, route.method, route.path, body, "Content-Type", "application/json")
		require.Contains(t, []int{200, 201, 204, 400, 403, 404, 409, 413, 422, 429}, got.status, "%s: %s", route.name, got.body)
		if got.status >= http.StatusBadRequest {
			require.NotEmpty(t, got.code(t))
		}
	})
}
