package connection

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A Tick comes up to a second early, and the next one a second later at the earliest.
func TestReached(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		passed, limit time.Duration
		want          bool
	}{
		{24 * time.Second, 25 * time.Second, true},
		{23*time.Second + 999*time.Millisecond, 25 * time.Second, false},
		{25 * time.Second, 25 * time.Second, true},
		{9 * time.Second, 10 * time.Second, true},
		{8*time.Second + 999*time.Millisecond, 10 * time.Second, false},
		{45 * time.Millisecond, 50 * time.Millisecond, true},
		{44 * time.Millisecond, 50 * time.Millisecond, false},
	} {
		require.Equal(t, c.want, reached(int64(c.passed), c.limit), "%s of %s", c.passed, c.limit)
	}
}
