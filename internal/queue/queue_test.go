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
	// It grows while its head stands anywhere in the ring.
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

func TestQueue_At(t *testing.T) {
	t.Parallel()
	var q queue.Queue[int]
	for i := range 100 {
		q.Push(i)
	}
	for range 90 {
		q.Pop()
	}
	for i := 100; i < 130; i++ {
		q.Push(i) // over the ring's end
	}
	for n := range q.Len() {
		got, ok := q.At(n)
		require.True(t, ok)
		require.Equal(t, 90+n, got)
	}
	_, ok := q.At(q.Len())
	require.False(t, ok)
}
