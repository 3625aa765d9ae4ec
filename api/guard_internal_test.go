package api

import (
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"
)

// TestGuardEverything: a call that changes something and that nobody has thought of
// who may make it keeps the server from starting.
func TestGuardEverything(t *testing.T) {
	t.Parallel()
	o := func(items map[string]*huma.PathItem) *huma.OpenAPI { return &huma.OpenAPI{Paths: items} }
	op := &huma.Operation{}
	guards := map[string]guard{"/a": everybody}
	require.NotPanics(t, func() {
		guardEverything(o(map[string]*huma.PathItem{"/a": {Post: op, Get: op}, "/b": {Get: op}}), guards)
	})
	for name, item := range map[string]*huma.PathItem{"Post": {Post: op}, "Put": {Put: op}, "Patch": {Patch: op}, "Delete": {Delete: op}} {
		t.Run("Err"+name, func(t *testing.T) {
			t.Parallel()
			require.PanicsWithValue(t, "api: "+map[string]string{"Post": "POST", "Put": "PUT", "Patch": "PATCH", "Delete": "DELETE"}[name]+
				" /new has no guard; see guard.go", func() {
				guardEverything(o(map[string]*huma.PathItem{"/a": {Post: op}, "/new": item}), guards)
			})
		})
	}
	t.Run("ErrWithoutCall", func(t *testing.T) {
		t.Parallel()
		require.PanicsWithValue(t, "api: there is a guard of /a, and no call that changes it", func() {
			guardEverything(o(map[string]*huma.PathItem{"/a": {Get: op}}), guards)
		})
	})
}
