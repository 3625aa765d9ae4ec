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

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Error(err) // require may not end a test from another goroutine
	}
}

func TestSlots_Take(t *testing.T) {
	t.Parallel()
	t.Run("OKAfterARelease", func(t *testing.T) {
		t.Parallel()
		c, s := newHandClock(), newSlots(1, 1)
		release, err := s.acquire(t.Context(), c, time.Second, 1)
		require.NoError(t, err)
		got := make(chan error, 1)
		go func() {
			again, err := s.acquire(t.Context(), c, time.Second, 1)
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
		_, err := s.acquire(t.Context(), c, time.Second, 1)
		require.NoError(t, err)
		got := make(chan error, 1)
		go func() {
			_, err := s.acquire(t.Context(), c, time.Second, 1)
			got <- err
		}()
		late := <-c.timers
		_, err = s.acquire(t.Context(), c, time.Second, 1)
		require.Equal(t, domain.CodeTooMany, domain.CodeOf(err))
		var known *domain.Error
		require.ErrorAs(t, err, &known)
		require.Positive(t, known.RetryAfter)
		late()
		require.Equal(t, domain.CodeUnavailable, domain.CodeOf(<-got))
	})
	// An organisation floods the queue: the next free slot is another one's, and the flood leaves room to wait.
	t.Run("FairToOrganisations", func(t *testing.T) {
		t.Parallel()
		c, s := newHandClock(), newSlots(1, 4)
		running, err := s.acquire(t.Context(), c, time.Second, 1)
		require.NoError(t, err)
		type slot struct {
			organisation int64
			release      func()
		}
		got := make(chan slot)
		wait := func(organisation int64) {
			refused := make(chan error, 1)
			go func() {
				release, err := s.acquire(t.Context(), c, time.Second, organisation)
				if err != nil {
					refused <- err
					return
				}
				got <- slot{organisation, release}
			}()
			select {
			case <-c.timers: // it waits now
			case err := <-refused:
				require.NoError(t, err)
			}
		}
		for range 3 {
			wait(1)
		}
		_, err = s.acquire(t.Context(), c, time.Second, 1)
		require.Equal(t, domain.CodeTooMany, domain.CodeOf(err), "a quarter of the queue is for others")
		wait(2)
		_, err = s.acquire(t.Context(), c, time.Second, 3)
		require.Equal(t, domain.CodeTooMany, domain.CodeOf(err), "the queue is full")
		var order []int64
		for range 4 {
			running()
			next := <-got
			order, running = append(order, next.organisation), next.release
		}
		require.Equal(t, []int64{2, 1, 1, 1}, order)
	})
	// Requests whose organisation is not known wait in the order in which they come, and use all slots.
	t.Run("InOrderWithoutAnOrganisation", func(t *testing.T) {
		t.Parallel()
		c, s := newHandClock(), newSlots(8, 4)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		releases := make([]func(), 8)
		for i := range releases {
			release, err := s.acquire(ctx, c, time.Second, 0)
			require.NoError(t, err)
			releases[i] = release
		}
		got := make(chan int)
		for i := range 4 {
			go func() {
				_, err := s.acquire(ctx, c, time.Second, 0)
				noError(t, err)
				got <- i
			}()
			<-c.timers
		}
		for i := range 4 {
			releases[i]()
			require.Equal(t, i, <-got)
		}
	})
	// A slot that is given at the moment in which its request leaves goes to the next one.
	t.Run("NoSlotIsLost", func(t *testing.T) {
		t.Parallel()
		s := newSlots(1, 4)
		for range 1000 {
			release, err := s.acquire(t.Context(), clock.System{}, time.Minute, 1)
			require.NoError(t, err)
			ctx, cancel := context.WithCancel(t.Context())
			left := make(chan struct{})
			go func() {
				defer close(left)
				if again, err := s.acquire(ctx, clock.System{}, time.Minute, 2); err == nil {
					again()
				}
			}()
			go cancel()
			release()
			<-left
		}
	})
	t.Run("ErrCanceled", func(t *testing.T) {
		t.Parallel()
		c, s := newHandClock(), newSlots(1, 1)
		_, err := s.acquire(t.Context(), c, time.Second, 1)
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		got := make(chan error, 1)
		go func() {
			_, err := s.acquire(ctx, c, time.Second, 1)
			got <- err
		}()
		<-c.timers
		cancel()
		require.ErrorIs(t, <-got, context.Canceled)
	})
	t.Run("ErrClosed", func(t *testing.T) {
		t.Parallel()
		c, s := newHandClock(), newSlots(1, 1)
		_, err := s.acquire(t.Context(), c, time.Second, 1)
		require.NoError(t, err)
		got := make(chan error, 1)
		go func() {
			_, err := s.acquire(t.Context(), c, time.Second, 1)
			got <- err
		}()
		<-c.timers
		s.close()
		require.Equal(t, domain.CodeUnavailable, domain.CodeOf(<-got))
		_, err = s.acquire(t.Context(), c, time.Second, 1)
		require.Equal(t, domain.CodeUnavailable, domain.CodeOf(err))
	})
}
