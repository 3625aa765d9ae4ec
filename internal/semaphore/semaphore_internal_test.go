package semaphore

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"parley.dev/parley/domain"
)

const width = 2

func TestPerPerson(t *testing.T) {
	t.Parallel()
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		s := New(width)
		var inside, most atomic.Int64
		var all errgroup.Group
		for range 50 {
			all.Go(func() error {
				release, err := s.Acquire(t.Context(), 7)
				if err != nil {
					return err
				}
				defer release()
				now := inside.Add(1)
				defer inside.Add(-1)
				for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
				}
				return nil
			})
		}
		require.NoError(t, all.Wait())
		require.LessOrEqual(t, most.Load(), int64(width))
		require.Empty(t, s.people, "no entries remain")
	})
	t.Run("OthersDoNotWait", func(t *testing.T) {
		t.Parallel()
		s := New(width)
		for range width {
			_, err := s.Acquire(t.Context(), 7)
			require.NoError(t, err)
		}
		release, err := s.Acquire(t.Context(), 8)
		require.NoError(t, err)
		release()
	})
	t.Run("ErrUnavailable", func(t *testing.T) {
		t.Parallel()
		s := New(width)
		releases := make([]func(), width)
		for i := range releases {
			var err error
			releases[i], err = s.Acquire(t.Context(), 7)
			require.NoError(t, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := s.Acquire(ctx, 7)
		require.Equal(t, domain.CodeUnavailable, domain.CodeOf(err))
		for _, release := range releases {
			release()
		}
		require.Empty(t, s.people)
	})
}
