package async

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHolders(t *testing.T) {
	t.Parallel()
	var h Holders
	require.False(t, h.Done(), "nobody was counted")
	h.Begin()
	h.Add(2)
	require.False(t, h.Done())
	require.False(t, h.Done())
	require.True(t, h.Done())
	require.False(t, h.Done(), "there is one last")
}

func TestSpares(t *testing.T) {
	t.Parallel()
	var s Spares[int]
	require.Zero(t, *s.Get())
	for n := range 100 {
		v := n + 1
		s.Put(&v)
	}
	seen := make(map[int]bool)
	for range 200 {
		if v := s.Get(); *v != 0 {
			require.False(t, seen[*v], "each is given once")
			seen[*v] = true
		}
	}
	require.NotEmpty(t, seen)
}
