package queue_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/queue"
)

func TestQueue(t *testing.T) {
	t.Parallel()
	var q queue.Queue[int]
	_, ok := q.Pop()
	require.False(t, ok)
	next, want := 0, 0
	// The ring grows while its head is at various indexes.
	for round := range 300 {
		for range round {
			q.Push(next)
			next++
		}
		for range round / 2 {
			got, ok := q.Pop()
			require.True(t, ok)
			require.Equal(t, want, got)
			want++
		}
		require.Equal(t, next-want, q.Len())
	}
	for want < next {
		got, ok := q.Pop()
		require.True(t, ok)
		require.Equal(t, want, got)
		want++
	}
	require.Zero(t, q.Len())
}
