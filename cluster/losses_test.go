package cluster

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A loss wakes everything that waits for it, and nothing that waits for the next one.
func TestLosses(t *testing.T) {
	t.Parallel()
	isClosed := func(c <-chan struct{}) bool {
		select {
		case <-c:
			return true
		default:
			return false
		}
	}
	var l losses
	l.wake()
	first, second := l.wait(), l.wait()
	require.False(t, isClosed(first))
	l.wake()
	require.True(t, isClosed(first))
	require.True(t, isClosed(second))
	require.False(t, isClosed(l.wait()))
}
