package textcode_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/textcode"
)

func TestUTF16(t *testing.T) {
	t.Parallel()
	for start, want := range map[string][2]bool{
		"a\x00,\x00b\x00\n\x00":            {false, true},
		"\x00a\x00,\x00b\x00\n":            {true, true},
		"a\x00,\x00b\x00":                  {false, false},
		"a,b\n1,2\n":                       {false, false},
		"\x00\x00\x00\x00\x00\x00\x00\x00": {false, false},
		"":                                 {false, false},
	} {
		big, ok := textcode.UTF16([]byte(start))
		require.Equal(t, want[1], ok, "%q", start)
		require.Equal(t, want[0], ok && big, "%q", start)
	}
}
