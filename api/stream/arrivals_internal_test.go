package stream

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// full returns arrivals whose places are all taken.
func full(t *testing.T) (a *arrivals, c *clock.Fake, taken []*place) {
	t.Helper()
	c = clock.NewFake(time.Unix(1, 0))
	a = newArrivals(c)
	for range arrivalsAtOnce {
		p, err := a.request(t.Context())
		require.NoError(t, err)
		taken = append(taken, p)
	}
	return a, c, taken
}

type entered struct {
	who string
	p   *place
	err error
}

// waits starts a request or a hello and returns when it waits.
func waits(
	ctx context.Context, t *testing.T, a *arrivals, who string, enter func(context.Context) (*place, error), out chan<- entered,
) {
	t.Helper()
	length := func() int {
		a.mu.Lock()
		defer a.mu.Unlock()
		return len(a.hellos) + len(a.requests) + len(a.departures)
	}
	before := length()
	go func() {
		p, err := enter(ctx)
		out <- entered{who, p, err}
	}()
	require.Eventually(t, func() bool { return length() == before+1 }, 10*time.Second, time.Millisecond)
}

func TestArrivals(t *testing.T) {
	t.Parallel()
	t.Run("HellosFirst", func(t *testing.T) {
		t.Parallel()
		a, _, taken := full(t)
		out := make(chan entered, 5)
		departs := func(ctx context.Context) (*place, error) {
			a.depart(ctx)
			return nil, nil //nolint:nilnil // it has left already
		}
		waits(t.Context(), t, a, "departure", departs, out)
		waits(t.Context(), t, a, "request 1", a.request, out)
		waits(t.Context(), t, a, "request 2", a.request, out)
		waits(t.Context(), t, a, "hello 1", a.hello, out)
		waits(t.Context(), t, a, "hello 2", a.hello, out)
		for i, who := range []string{"hello 1", "hello 2", "request 1", "request 2", "departure"} {
			require.Empty(t, out)
			taken[i].leave()
			taken[i].leave() // leaving twice lets only one in
			got := <-out
			require.NoError(t, got.err)
			require.Equal(t, who, got.who)
		}
	})
	t.Run("SlowOnesHoldUpNobody", func(t *testing.T) {
		t.Parallel()
		a, c, taken := full(t)
		out := make(chan entered, 1)
		waits(t.Context(), t, a, "request", a.request, out)
		c.Advance(arrivalHold)
		require.NoError(t, (<-out).err)
		for _, p := range taken {
			p.leave() // its place was passed on before
		}
		require.Equal(t, arrivalsAtOnce-1, a.free)
	})
	t.Run("ErrUnavailable", func(t *testing.T) {
		t.Parallel()
		a, _, taken := full(t)
		out := make(chan entered, 1)
		ctx, cancel := context.WithCancel(t.Context())
		waits(ctx, t, a, "request", a.request, out)
		cancel()
		require.Equal(t, domain.CodeUnavailable, domain.CodeOf((<-out).err))
		require.Empty(t, a.requests)
		taken[0].leave()
		require.Equal(t, 1, a.free)
	})
	t.Run("ErrPatience", func(t *testing.T) {
		t.Parallel()
		c := clock.NewFake(time.Unix(1, 0))
		a := &arrivals{clock: c} // nobody ever leaves
		out := make(chan entered, 1)
		waits(t.Context(), t, a, "hello", a.hello, out)
		require.Eventually(t, func() bool { return c.Waiting() == 1 }, 10*time.Second, time.Millisecond)
		c.Advance(arrivalPatience)
		require.Equal(t, domain.CodeUnavailable, domain.CodeOf((<-out).err))
	})
	t.Run("GivenUpTooLate", func(t *testing.T) {
		t.Parallel()
		a, _, taken := full(t)
		mine := make(chan struct{})
		a.requests = append(a.requests, mine)
		taken[0].leave()
		<-mine // it has a place, but its request has ended at the same time
		a.giveUp(&a.requests, mine)
		require.Equal(t, 1, a.free)
	})
}
