package async_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/async"
)

// Each call has the room for itself, and finds it empty.
func TestScratch(t *testing.T) {
	t.Parallel()
	var s async.Scratch
	var all sync.WaitGroup
	for _, mine := range []string{"a", "b", strings.Repeat("c", 40_000)} {
		all.Go(func() {
			for range 500 {
				s.Lend(func(room []byte) []byte {
					if len(room) > 0 {
						t.Errorf("%d bytes of somebody else", len(room))
					}
					room = append(room, mine...)
					s.Lend(func(other []byte) []byte { return append(other, "other"...) })
					if string(room) != mine {
						t.Errorf("the room was written to by somebody else")
					}
					return room
				})
			}
		})
	}
	all.Wait()
	require.NotPanics(t, func() { s.Lend(func([]byte) []byte { return nil }) })
}
