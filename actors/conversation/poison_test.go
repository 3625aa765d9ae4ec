package conversation

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What failed long ago does not count: a message is set aside for failures that
// come together, and may be tried again a minute later.
func TestQuarantine(t *testing.T) { // G18
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var q quarantine
	for n := 1; n <= poisonTimes; n++ {
		require.False(t, q.barred("send", now))
		require.Equal(t, n, q.failed("send", now))
		now = now.Add(20 * time.Second)
	}
	now = now.Add(-20 * time.Second)
	require.True(t, q.barred("send", now))
	require.False(t, q.barred("stop", now), "another message is another message")
	now = now.Add(20 * time.Second)
	require.False(t, q.barred("send", now), "the first failure is a minute old")
	require.Equal(t, poisonTimes, q.failed("send", now))
	require.True(t, q.barred("send", now))
}
