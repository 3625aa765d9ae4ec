package connection

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	t.Parallel()
	nested := func(n int) string {
		return `{"type":"ping","x":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}"
	}
	for frame, ok := range map[string]bool{
		`{"type":"ping"}`:                          true,
		`{"type":"ping","x":"[[[{{{\"[[["}`:        true,
		nested(depthMax - 1):                       true,
		nested(depthMax):                           false,
		nested(1000):                               false,
		`{"type":"ping","x":"` + "\x00" + `"}`:     false,
		`{"type":"ping","x":"` + "\xff" + `"}`:     false,
		`[{"type":"ping"}]`:                        false,
		`{"type":""}`:                              false,
		"":                                         false,
		`{"type":"ping"}{"type":"ping"}`:           false,
		`{"type":"hello","cursor":{"user":1e400}}`: true,
	} {
		_, got := parse([]byte(frame))
		require.Equal(t, ok, got, "%.60q", frame)
	}
}
