package sweeper

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestRetries(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	r := retries{every: time.Second / 2}
	id := domain.NewID()
	for _, seconds := range []int{2, 4, 8, 16, 32, 60, 60} {
		rest := time.Duration(seconds) * time.Second
		r.add(id, now)
		require.Empty(t, r.due(now.Add(rest-1)))
		now = now.Add(rest)
		require.Len(t, r.due(now), 1)
		require.Empty(t, r.due(now), "it is woken once")
	}
	require.Empty(t, r.due(now.Add(2*time.Minute)))
	require.Empty(t, r.list, "a conversation whose owner has not given up again is forgotten")
	r.add(id, now)
	require.Len(t, r.due(now.Add(2*time.Second)), 1)
}
