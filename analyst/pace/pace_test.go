package pace_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/pace"
	"parley.dev/parley/internal/clock"
)

const tick = 10 * time.Millisecond

func setup(workers int) (*clock.Fake, *pace.Wheel) {
	c := clock.NewFake(time.Unix(1000, 0))
	return c, pace.NewWheel(pace.Config{Clock: c, Tick: tick, Workers: workers})
}

// once is a step that reports when it was made.
func once(made chan<- time.Time, c clock.Clock) pace.StepFunc {
	return func() (time.Time, bool) {
		made <- c.Now()
		return time.Time{}, false
	}
}

func TestWheel_Walk(t *testing.T) {
	t.Parallel()

	t.Run("WhatIsDueNeedsNoTick", func(t *testing.T) {
		t.Parallel()
		c, w := setup(1)
		made := make(chan time.Time, 1)
		require.NoError(t, w.Walk(t.Context(), c.Now(), once(made, c)))
		require.Equal(t, c.Now(), <-made)
	})

	t.Run("AtItsTickAndNotBefore", func(t *testing.T) {
		t.Parallel()
		for _, wait := range []time.Duration{time.Millisecond, tick, 333 * time.Millisecond, 7 * time.Second, time.Minute} {
			c, w := setup(1)
			at := c.Now().Add(wait)
			made, asked := make(chan time.Time, 1), make(chan struct{})
			done := make(chan error, 1)
			go func() {
				// The first step shows that the second one is in its slot.
				first := true
				done <- w.Walk(context.Background(), c.Now(), pace.StepFunc(func() (time.Time, bool) {
					if first {
						first = false
						close(asked)
						return at, true
					}
					return once(made, c)()
				}))
			}()
			<-asked
			for c.Now().Before(at) {
				require.Empty(t, made)
				c.Advance(tick)
			}
			// The step may have been put into its slot only now.
			for len(done) == 0 {
				c.Advance(tick)
			}
			require.NoError(t, <-done)
			require.False(t, (<-made).Before(at))
		}
	})

	t.Run("StepsOfOneWalkInOrder", func(t *testing.T) {
		t.Parallel()
		w := pace.NewWheel(pace.Config{Tick: time.Millisecond, Workers: 4})
		var all sync.WaitGroup
		for range 50 {
			all.Go(func() {
				count := 0 // without a lock: the race detector sees two steps at once
				require.NoError(t, w.Walk(context.Background(), w.Now(), pace.StepFunc(func() (time.Time, bool) {
					count++
					return w.Now().Add(time.Duration(count%3) * time.Millisecond), count < 40
				})))
				require.Equal(t, 40, count)
			})
		}
		all.Wait()
	})

	t.Run("ALateWheelServesAll", func(t *testing.T) {
		t.Parallel()
		c, w := setup(2)
		const n = 100
		done := make(chan error, n)
		made := make(chan time.Time, n)
		start := c.Now()
		for i := range n {
			go func() {
				done <- w.Walk(context.Background(), start.Add(time.Duration(i+1)*100*time.Millisecond), once(made, c))
			}()
		}
		for range n {
			for len(done) == 0 {
				c.Advance(time.Hour)
			}
			require.NoError(t, <-done)
		}
		require.Len(t, made, n)
	})

	t.Run("WaitingStepsBlockNobody", func(t *testing.T) {
		t.Parallel()
		w := pace.NewWheel(pace.Config{Tick: time.Millisecond, Workers: 1})
		hold := make(chan struct{})
		var held sync.WaitGroup
		for range 5 {
			held.Go(func() {
				require.NoError(t, w.Walk(context.Background(), w.Now(), pace.StepFunc(func() (time.Time, bool) {
					<-hold
					return time.Time{}, false
				})))
			})
		}
		made := make(chan time.Time, 20)
		var free sync.WaitGroup
		for range 20 {
			free.Go(func() { require.NoError(t, w.Walk(context.Background(), w.Now(), once(made, clock.System{}))) })
		}
		free.Wait()
		close(hold)
		held.Wait()
	})

	t.Run("TheEndOfTheContextEndsIt", func(t *testing.T) {
		t.Parallel()
		c, w := setup(1)
		ctx, cancel := context.WithCancel(t.Context())
		asked := make(chan struct{})
		done := make(chan error, 1)
		go func() {
			done <- w.Walk(ctx, c.Now(), pace.StepFunc(func() (time.Time, bool) {
				close(asked)
				return c.Now().Add(time.Hour), true
			}))
		}()
		<-asked
		cancel()
		require.ErrorIs(t, <-done, context.Canceled)
		c.Advance(2 * time.Hour) // passes the slot of the walk that is over
		require.ErrorIs(t, w.Walk(ctx, c.Now(), nil), context.Canceled)
	})

	t.Run("AStepUnderWayIsWaitedFor", func(t *testing.T) {
		t.Parallel()
		c, w := setup(1)
		ctx, cancel := context.WithCancel(t.Context())
		asked, hold := make(chan struct{}), make(chan struct{})
		steps := 0
		done := make(chan error, 1)
		go func() {
			done <- w.Walk(ctx, c.Now(), pace.StepFunc(func() (time.Time, bool) {
				steps++
				close(asked)
				<-hold
				return c.Now().Add(time.Hour), true
			}))
		}()
		<-asked
		cancel()
		require.Empty(t, done)
		close(hold)
		require.ErrorIs(t, <-done, context.Canceled)
		require.Equal(t, 1, steps)
	})

	t.Run("PanicsWhereItWasAsked", func(t *testing.T) {
		t.Parallel()
		c, w := setup(1)
		defer func() {
			crash, ok := recover().(error)
			require.True(t, ok)
			require.ErrorContains(t, crash, "a broken step")
			require.ErrorContains(t, crash, "pace_test.go", "the stack is that of the step")
		}()
		err := w.Walk(t.Context(), c.Now(), pace.StepFunc(func() (time.Time, bool) { panic(errors.New("a broken step")) }))
		require.NoError(t, err, "unreachable")
	})
}

func BenchmarkWheel5000StreamsOf20(b *testing.B) {
	w := pace.NewWheel(pace.Config{})
	var wg sync.WaitGroup
	for i := range 5000 {
		wg.Go(func() {
			at, n := w.Now().Add(time.Duration(i)*10*time.Microsecond), 0
			err := w.Walk(context.Background(), at, pace.StepFunc(func() (time.Time, bool) {
				n++
				at = at.Add(50 * time.Millisecond)
				return at, n < 40
			}))
			if err != nil {
				b.Error(err)
			}
		})
	}
	wg.Wait()
}
