package api

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"parley.dev/parley/domain"
)

func TestGate(t *testing.T) {
	t.Parallel()
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		g := newGate()
		var inside, most atomic.Int64
		var all errgroup.Group
		for range 50 {
			all.Go(func() error {
				leave, err := g.enter(t.Context(), 7)
				if err != nil {
					return err
				}
				defer leave()
				now := inside.Add(1)
				defer inside.Add(-1)
				for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
				}
				return nil
			})
		}
		require.NoError(t, all.Wait())
		require.LessOrEqual(t, most.Load(), int64(gateWidth))
		require.Empty(t, g.people, "nobody is remembered")
	})
	t.Run("OthersDoNotWait", func(t *testing.T) {
		t.Parallel()
		g := newGate()
		for range gateWidth {
			_, err := g.enter(t.Context(), 7)
			require.NoError(t, err)
		}
		leave, err := g.enter(t.Context(), 8)
		require.NoError(t, err)
		leave()
	})
	t.Run("ErrUnavailable", func(t *testing.T) {
		t.Parallel()
		g := newGate()
		leaves := make([]func(), gateWidth)
		for i := range leaves {
			var err error
			leaves[i], err = g.enter(t.Context(), 7)
			require.NoError(t, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := g.enter(ctx, 7)
		require.Equal(t, domain.CodeUnavailable, domain.CodeOf(err))
		for _, leave := range leaves {
			leave()
		}
		require.Empty(t, g.people)
	})
}
