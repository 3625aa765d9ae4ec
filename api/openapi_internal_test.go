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
		require.Equal(t, text, o.Paths[path][strings.ToLower(method)].Description, call)
	}
}
