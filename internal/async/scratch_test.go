package async_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/async"
)

// Each call has a buffer of its own, which is empty.
func TestScratch(t *testing.T) {
	t.Parallel()
	var s async.Scratch
	var all sync.WaitGroup
	for _, mine := range []string{"a", "b", strings.Repeat("c", 40_000)} {
		all.Go(func() {
			for range 500 {
				s.Lend(func(buffer []byte) []byte {
					if len(buffer) > 0 {
						t.Errorf("%d bytes of another call", len(buffer))
					}
					buffer = append(buffer, mine...)
					s.Lend(func(other []byte) []byte { return append(other, "other"...) })
					if string(buffer) != mine {
						t.Errorf("another call has written to the buffer")
					}
					return buffer
				})
			}
		})
	}
	all.Wait()
	require.NotPanics(t, func() { s.Lend(func([]byte) []byte { return nil }) })
}
