package stream

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/clock"
)

// A client may send a burst of frames, and in the long run a number of frames per second.
func TestSocket_Spend(t *testing.T) { // G17, F37
	t.Parallel()
	now := clock.NewFake(time.Unix(1, 0))
	s := &socket{server: &Server{clock: now}}
	spent := func() (n int) {
		for s.spend() {
			n++
		}
		return n
	}
	require.Equal(t, framesBurst, spent())
	now.Advance(2 * time.Second)
	require.InDelta(t, 2*framesPerSecond, spent(), 1, "a refused frame has cost one, too")
	now.Advance(time.Hour)
	require.Equal(t, framesBurst, spent(), "unused frames do not add up beyond the burst")
}
