package integration_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
)

// described returns the calls of the published API description, by path and method.
func described(t *testing.T) map[string]map[string]json.RawMessage {
	t.Helper()
	raw, err := api.OpenAPI()
	require.NoError(t, err)
	var description struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	require.NoError(t, json.Unmarshal(raw, &description))
	return description.Paths
}

// published returns the calls of the published API description.
func published(t *testing.T) []string {
	t.Helper()
	var calls []string
	for path, item := range described(t) {
		for method := range item {
			switch method = strings.ToUpper(method); method {
			case http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
				calls = append(calls, method+" "+path)
			default:
				require.Equal(t, "PARAMETERS", method, "of %s", path)
			}
		}
	}
	require.Greater(t, len(calls), 80)
	return calls
}

// TestRights_EveryCall checks that each published call has a row in the table of rights.
func TestRights_EveryCall(t *testing.T) {
	t.Parallel()
	calls := published(t)
	written := map[string]bool{}
	for _, r := range rights() {
		require.Contains(t, calls, r.call, "a row of the table of rights has no published call")
		require.False(t, written[r.call+" "+r.when], "%s has two rows", r.call)
		written[r.call+" "+r.when] = true
		for a, status := range r.may {
			require.NotZero(t, status, "%s %s", r.call, actor(a))
		}
	}
	for _, call := range calls {
		has := slices.ContainsFunc(rights(), func(r right) bool { return r.call == call })
		require.True(t, has, "%s has no row in the table of rights: add one in rights_table_test.go", call)
	}
}

// tableOfRights tests every row with every actor. Its parts run one after the other: the first
// must not be disturbed, and later parts read what earlier ones created.
func tableOfRights(t *testing.T, n *node) {
	t.Helper()
	w := newWorld(t, n)
	t.Run("B11", func(t *testing.T) { nothingOfOthers(t, w) })
	t.Run("Rows", func(t *testing.T) {
		for _, r := range rights() {
			t.Run(strings.TrimSpace(r.call+" "+r.when), func(t *testing.T) {
				t.Parallel()
				r.try(t, w)
			})
		}
	})
	t.Run("B07", func(t *testing.T) { foreignBodies(t, w) })
	t.Run("B07Stored", func(t *testing.T) { nothingForged(t, w) })
	t.Run("Attacks", func(t *testing.T) { attacksOnRights(t, w) })
	t.Run("B18", func(t *testing.T) {
		rowsOfTenants(t, w)
	})
	t.Run("Once", func(t *testing.T) { effectsOnce(t, w) })
	t.Run("Repeated", func(t *testing.T) { changesOnce(t, w) })
	t.Run("Shapes", func(t *testing.T) { rightsBeforeShapes(t, w) })
}

// try makes the call as every actor: first as those who are refused, on one object that must
// not change, then as the others, each with a new object if the call changes it.
func (r *right) try(t *testing.T, w *world) {
	t.Helper()
	one := func() *object {
		if r.on == nil {
			return &object{}
		}
		return r.on(t, w)
	}
	if r.shared {
		w.turns.Lock()
		defer w.turns.Unlock()
	}
	o := one()
	before := w.state(t, o)
	for a := range actorCount {
		if r.may[a] >= 400 {
			r.expect(t, w, a, o)
			require.Equal(t, before, w.state(t, o), "%s changed something", a)
		}
	}
	fresh := true
	for a := range actorCount {
		if r.may[a] >= 400 {
			continue
		}
		if !fresh && r.on != nil && r.method() != http.MethodGet {
			o = one()
		}
		fresh = false
		r.expect(t, w, a, o)
	}
}

// expect makes the call as one actor and checks the response.
func (r *right) expect(t *testing.T, w *world, a actor, o *object) {
	t.Helper()
	words := w.words[a.foreign()]
	path := fill(strings.ReplaceAll(r.path(), "{id}", "<id>"), o.places)
	send := fill(r.send, o.places, words)
	var got answer
	switch {
	case r.form != nil:
		fields := make([]string, len(r.form))
		for i := range r.form {
			fields[i] = fill(r.form[i], o.places, words)
		}
		got = w.upload(t, a, r.method(), path, fields...)
	case strings.HasPrefix(send, "?"):
		got = w.call(t, a, r.method(), path+send, "")
	default:
		got = w.ask(t, a, r.method(), path, strings.NewReader(send), "application/json", r.requestOptions)
	}
	require.Equal(t, r.may[a], got.status, "%s: %s", a, got.body)
	checkNoLeak(t, a, got)
}

// checkNoLeak checks that a response does not contain the word of the other organisation, and that
// an error does not contain the word of the own one either.
func checkNoLeak(t *testing.T, a actor, got answer) {
	t.Helper()
	all := strings.ToLower(fmt.Sprint(got.header) + string(got.body))
	require.NotContains(t, all, strings.ToLower(a.secret()), "%s reads the word of the other organisation", a)
	if got.status >= 400 {
		require.NotContains(t, all, strings.ToLower(a.word()), "an error for %s names an object", a)
		require.Equal(t, "application/problem+json", got.header.Get("Content-Type"))
	}
}
