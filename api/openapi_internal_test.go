package api

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCallDescriptions finds a row that no call uses.
func TestCallDescriptions(t *testing.T) {
	t.Parallel()
	spec, err := OpenAPI()
	require.NoError(t, err)
	var o struct {
		Paths map[string]map[string]struct {
			Description string `json:"description"`
		} `json:"paths"`
	}
	require.NoError(t, json.Unmarshal(spec, &o))
	for call, text := range callDescriptions() {
		method, path, _ := strings.Cut(call, " ")
		got, allowed, _ := strings.Cut(o.Paths[path][strings.ToLower(method)].Description, " Allowed for ")
		require.Equal(t, text, got, call)
		require.NotContains(t, allowed, "everybody.", call)
	}
}
