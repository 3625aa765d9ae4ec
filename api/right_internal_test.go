package api

import (
	"net/http"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// TestNeed_into: a call that does not name its right prevents the server from starting.
func TestNeed_into(t *testing.T) {
	t.Parallel()
	op := func(path string) *huma.Operation {
		return &huma.Operation{Method: http.MethodPut, Path: path, Summary: "Change it; answers it"}
	}
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		made := op("/a/{id}")
		needs(domain.ChangeBlueprint).into(made)
		require.Equal(t, "Change it (its owner); answers it", made.Summary)
		require.Equal(t, map[string]any{"x-right": "blueprint.change"}, made.Extensions)
	})
	t.Run("OKNamedByBody", func(t *testing.T) {
		t.Parallel()
		require.NotPanics(t, func() { needs(domain.SendPrompt).by("conversationId").into(op("/a")) })
		require.NotPanics(t, func() { needs(domain.MakeBlueprint).into(op("/a")) })
	})
	t.Run("OKMayMiss", func(t *testing.T) {
		t.Parallel()
		require.True(t, needs(domain.SeeBlueprint).mayMiss("/a/{id}"))
		require.True(t, needs(domain.SendPrompt).by("conversationId").mayMiss("/a"))
		require.True(t, needs(domain.MakeStep).alsoOf("icebreaker").mayMiss("/a"))
		require.True(t, needs(domain.MakeMemory).mayMiss("/a"), "for people without the right, the call does not exist")
		require.False(t, needs(domain.MakeConversation).mayMiss("/a"))
	})
	t.Run("ErrNoRight", func(t *testing.T) {
		t.Parallel()
		require.PanicsWithValue(t, "api: PUT /a/{id} names no right; see domain/rights_action.go", func() { need{}.into(op("/a/{id}")) })
	})
	t.Run("ErrNothingNamed", func(t *testing.T) {
		t.Parallel()
		require.PanicsWithValue(t, "api: the path of PUT /a names its blueprint by {id}, or needs(…).by(…) says which field of the body does",
			func() {
				needs(domain.ChangeBlueprint).into(op("/a"))
			})
	})
}
