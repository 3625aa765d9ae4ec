package persistence

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestTaskTurns(t *testing.T) { // F49
	t.Parallel()
	turns := newTaskTurns()
	var ends []func()
	for range taskTurnsMost {
		end, err := turns.take(t.Context())
		require.NoError(t, err)
		ends = append(ends, end)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := turns.take(over)
	require.Equal(t, domain.CodeUnavailable, domain.CodeOf(err), "all turns are taken")

	ends[0]()
	end, err := turns.take(t.Context())
	require.NoError(t, err)
	end()
}
