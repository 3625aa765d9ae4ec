package persistence_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/startstop/startstoptest"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// A store works as soon as it is open.
func TestStore_Close(t *testing.T) {
	t.Parallel()
	url := persistencetest.URL(t)
	startstoptest.Stress(t, 10, func(tb testing.TB) startstoptest.Subject {
		tb.Helper()
		s, err := persistence.Open(tb.Context(), persistence.Config{URL: url})
		require.NoError(tb, err)
		require.NoError(tb, s.Ping(tb.Context()))
		return startstoptest.Subject{
			Stop:  func() error { s.Close(); return nil },
			Ended: func(tb testing.TB) { tb.Helper(); require.Error(tb, s.Ping(tb.Context())) },
		}
	})
}
