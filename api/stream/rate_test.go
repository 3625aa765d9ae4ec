package stream

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/clock"
)

// The one rate of what a client sends: a burst, and a number of frames a second for longer.
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
	require.InDelta(t, 2*framesPerSecond, spent(), 1, "each frame that was refused has cost one, too")
	now.Advance(time.Hour)
	require.Equal(t, framesBurst, spent(), "what was not used is not kept")
}
