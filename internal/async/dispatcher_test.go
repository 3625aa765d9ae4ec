package async_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/fakes"
	"parley.dev/parley/internal/mailbox"
)

func TestDispatcher(t *testing.T) {
	t.Parallel()

	t.Run("InOrder", func(t *testing.T) {
		t.Parallel()
		d := async.NewDispatcher(1)
		var got []int
		done := make(chan struct{})
		gate := make(chan struct{})
		d.Schedule(func() { <-gate })
		for n := range 1000 {
			d.Schedule(func() {
				if got = append(got, n); n == 999 {
					close(done)
				}
			})
		}
		close(gate)
		<-done
		for n := range 1000 {
			require.Equal(t, n, got[n])
		}
	})

	t.Run("NoMoreThanItsWorkers", func(t *testing.T) {
		t.Parallel()
		const workers = 3
		d := async.NewDispatcher(workers)
		var now, most atomic.Int32
		var all sync.WaitGroup
		met := make(chan struct{}, 1000)
		for range 1000 {
			all.Add(1)
			d.Schedule(func() {
				defer all.Done()
				n := now.Add(1)
				for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
				}
				met <- struct{}{}
				now.Add(-1)
			})
		}
		all.Wait()
		require.Len(t, met, 1000)
		require.LessOrEqual(t, most.Load(), int32(workers))
	})

	t.Run("OthersRunWhenOneReschedulesItself", func(t *testing.T) {
		t.Parallel()
		d := async.NewDispatcher(1)
		stop := make(chan struct{})
		over := make(chan struct{})
		var again func()
		again = func() {
			select {
			case <-stop:
				close(over)
			default:
				d.Schedule(again)
			}
		}
		d.Schedule(again)
		d.Schedule(func() { close(stop) })
		<-over
	})
}

// An actor whose mailbox is never empty does not prevent other actors from running.
func TestDispatcher_AFloodedActor(t *testing.T) {
	t.Parallel()
	const flood = 10_000
	system := fakes.NewActorSystem()
	t.Cleanup(system.Shutdown)
	d := async.NewDispatcher(1)
	spawn := func(f actor.ReceiveFunc) *actor.PID {
		return system.Root.Spawn(actor.PropsFromFunc(f, actor.WithDispatcher(d),
			actor.WithMailbox(mailbox.Bounded(1000, func(*actor.PID, any) {}))))
	}
	served := false // one worker runs both
	other := spawn(func(ctx actor.Context) {
		if _, ok := ctx.Message().(string); ok {
			served = true
		}
	})
	over := make(chan bool)
	busy := spawn(func(ctx actor.Context) {
		n, ok := ctx.Message().(int)
		switch {
		case !ok:
		case n == flood || served:
			over <- served
		default:
			if n == 0 {
				ctx.Send(other, "work")
			}
			ctx.Send(ctx.Self(), n+1)
		}
	})
	system.Root.Send(busy, 0)
	require.True(t, <-over, "the other actor had no turn during %d messages", flood)
}

func TestDispatcher_Do(t *testing.T) {
	t.Parallel()

	t.Run("InItsTurn", func(t *testing.T) {
		t.Parallel()
		d := async.NewDispatcher(1)
		gate := make(chan struct{})
		d.Schedule(func() { <-gate })
		var before, ran, after atomic.Bool
		d.Schedule(func() { before.Store(true) })
		wait := d.Do(time.Hour, func() { ran.Store(before.Load()) })
		d.Schedule(func() { after.Store(ran.Load()) })
		caught := make(chan bool, 1)
		go func() {
			wait(context.Background())
			caught <- ran.Load()
		}()
		require.Empty(t, caught)
		close(gate)
		require.True(t, <-caught)
		d.Do(time.Hour, func() {})(t.Context())
		require.True(t, after.Load())
	})

	t.Run("NoLongerThanItsLimit", func(t *testing.T) {
		t.Parallel()
		d := async.NewDispatcher(1)
		gate := make(chan struct{})
		defer close(gate)
		d.Schedule(func() { <-gate })
		d.Do(time.Millisecond, func() {})(t.Context())
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		d.Do(time.Hour, func() {})(ended)
	})
}
