package workbench

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// handClock fires its timers when a test says so.
type handClock struct {
	clock.System
	timers chan func()
}

func newHandClock() *handClock { return &handClock{timers: make(chan func(), 10)} }

func (c *handClock) AfterFunc(_ time.Duration, f func()) clock.Timer {
	c.timers <- f
	return stopped{}
}

type stopped struct{}

func (stopped) Stop() bool { return true }

func TestSlots_Take(t *testing.T) {
	t.Parallel()
	t.Run("OKAfterARelease", func(t *testing.T) {
		t.Parallel()
		c, s := newHandClock(), newSlots(1, 1)
		release, err := s.acquire(t.Context(), c, time.Second)
		require.NoError(t, err)
		got := make(chan error, 1)
		go func() {
			again, err := s.acquire(t.Context(), c, time.Second)
			if err == nil {
				again()
			}
			got <- err
		}()
		<-c.timers // it waits now
		release()
		require.NoError(t, <-got)
	})
	t.Run("ErrQueueFull", func(t *testing.T) {
		t.Parallel()
		c, s := newHandClock(), newSlots(1, 1)
		_, err := s.acquire(t.Context(), c, time.Second)
		require.NoError(t, err)
		got := make(chan error, 1)
		go func() {
			_, err := s.acquire(t.Context(), c, time.Second)
			got <- err
		}()
		late := <-c.timers
		_, err = s.acquire(t.Context(), c, time.Second)
		require.Equal(t, domain.CodeTooMany, domain.CodeOf(err))
		var known *domain.Error
		require.ErrorAs(t, err, &known)
		require.Positive(t, known.RetryAfter)
		late()
		require.Equal(t, domain.CodeUnavailable, domain.CodeOf(<-got))
	})
	t.Run("ErrCanceled", func(t *testing.T) {
		t.Parallel()
		c, s := newHandClock(), newSlots(1, 1)
		_, err := s.acquire(t.Context(), c, time.Second)
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		got := make(chan error, 1)
		go func() {
			_, err := s.acquire(ctx, c, time.Second)
			got <- err
		}()
		<-c.timers
		cancel()
		require.ErrorIs(t, <-got, context.Canceled)
	})
	t.Run("ErrClosed", func(t *testing.T) {
		t.Parallel()
		c, s := newHandClock(), newSlots(1, 1)
		_, err := s.acquire(t.Context(), c, time.Second)
		require.NoError(t, err)
		got := make(chan error, 1)
		go func() {
			_, err := s.acquire(t.Context(), c, time.Second)
			got <- err
		}()
		<-c.timers
		s.close()
		require.Equal(t, domain.CodeUnavailable, domain.CodeOf(<-got))
		_, err = s.acquire(t.Context(), c, time.Second)
		require.Equal(t, domain.CodeUnavailable, domain.CodeOf(err))
	})
}
