package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api/wire"
)

func TestLabelIDs_UnmarshalJSON(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]wire.LabelIDs{
		`[]`:                                    {},
		`[2,1]`:                                 {2, 1},
		`[{"id":7,"name":"Launch","color":""}]`: {7},
		`[3,{"id":4}]`:                          {3, 4},
	} {
		var got wire.LabelIDs
		require.NoError(t, json.Unmarshal([]byte(raw), &got), raw)
		require.Equal(t, want, got, raw)
	}
	for _, raw := range []string{`7`, `["a"]`, `[{"id":"a"}]`, `[[1]]`} {
		var got wire.LabelIDs
		require.Error(t, json.Unmarshal([]byte(raw), &got), raw)
	}
}
