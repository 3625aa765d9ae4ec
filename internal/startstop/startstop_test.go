package startstop_test

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/startstop"
	"parley.dev/parley/internal/startstop/startstoptest"
)

func TestGuard(t *testing.T) {
	t.Parallel()
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		startstoptest.Stress(t, 100, func(testing.TB) startstoptest.Subject {
			var (
				guard         startstop.Guard
				started, ends atomic.Int32
			)
			return startstoptest.Subject{
				Start: func() error { return guard.Start(func() error { started.Add(1); return nil }) },
				Stop:  func() error { return guard.Stop(func() error { ends.Add(1); return nil }) },
				Ended: func(tb testing.TB) {
					tb.Helper()
					require.LessOrEqual(tb, started.Load(), int32(1))
					require.Equal(tb, started.Load(), ends.Load())
				},
			}
		})
	})
	t.Run("OKRunning", func(t *testing.T) {
		t.Parallel()
		// A type that runs as soon as it is made has the part of the contract that is about Stop.
		startstoptest.Stress(t, 20, func(tb testing.TB) startstoptest.Subject {
			tb.Helper()
			var guard startstop.Guard
			var ends atomic.Int32
			require.NoError(tb, guard.Start(func() error { return nil }))
			return startstoptest.Subject{
				Stop:  func() error { return guard.Stop(func() error { ends.Add(1); return nil }) },
				Ended: func(tb testing.TB) { tb.Helper(); require.Equal(tb, int32(1), ends.Load()) },
			}
		})
	})
	t.Run("ErrStartIsFinal", func(t *testing.T) {
		t.Parallel()
		var guard startstop.Guard
		no := errors.New("no")
		require.ErrorIs(t, guard.Start(func() error { return no }), no)
		require.ErrorIs(t, guard.Start(func() error { return nil }), startstop.ErrStopped)
		require.NoError(t, guard.Stop(func() error { return errors.New("nothing has started") }))
	})
	t.Run("ErrStopForAll", func(t *testing.T) {
		t.Parallel()
		var guard startstop.Guard
		no := errors.New("no")
		require.NoError(t, guard.Start(func() error { return nil }))
		require.ErrorIs(t, guard.Stop(func() error { return no }), no)
		require.ErrorIs(t, guard.Stop(func() error { return nil }), no)
	})
}
