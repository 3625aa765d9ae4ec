package main

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/startstop/startstoptest"
)

func TestChore(t *testing.T) {
	t.Parallel()
	startstoptest.Stress(t, 100, func(testing.TB) startstoptest.Subject {
		var c chore
		var begun, ended atomic.Int32
		ctx, cancel := context.WithCancel(context.Background())
		cancel() // the context of the start must not end the work
		return startstoptest.Subject{
			Start: func() error {
				return c.start(ctx, func(ctx context.Context) {
					begun.Add(1)
					<-ctx.Done()
					ended.Add(1)
				})
			},
			Stop: func() error { c.stop(); return nil },
			Ended: func(tb testing.TB) {
				tb.Helper()
				require.LessOrEqual(tb, begun.Load(), int32(1))
				require.Equal(tb, begun.Load(), ended.Load())
			},
		}
	})
}
