package wheel

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
)

const patience = time.Minute

// turned is a wheel with a clock that the test moves.
type turned struct {
	t      *testing.T
	system *actor.ActorSystem
	clock  *clock.Fake
	wheel  *actor.PID
}

func setup(t *testing.T, read func(*clock.Fake) clock.Clock) *turned {
	t.Helper()
	w := &turned{t: t, system: fakes.NewActorSystem(), clock: clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))}
	t.Cleanup(w.system.Shutdown)
	c := read(w.clock)
	w.wheel = w.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return New(c) }))
	w.settle(w.wheel)
	return w
}

func plain(c *clock.Fake) clock.Clock { return c }

// settle waits until an actor has handled what it was sent before.
func (w *turned) settle(pid *actor.PID) {
	w.t.Helper()
	_, err := w.system.Root.RequestFuture(pid, &actor.Touch{}, patience).Result()
	require.NoError(w.t, err)
}

// pass moves the clock, and waits until the wheel has turned. Timers that are due within d
// fire at its end, so that the wheel reads a clock that does not move.
func (w *turned) pass(d time.Duration) {
	w.t.Helper()
	w.clock.Advance(d)
	w.settle(w.wheel)
}

func (w *turned) arm(pid *actor.PID, after time.Duration) {
	w.t.Helper()
	w.system.Root.Send(w.wheel, &Arm{PID: pid, After: after})
	w.settle(w.wheel)
}

// armed is an actor that counts its ticks.
type armed struct {
	pid   *actor.PID
	ticks *atomic.Int32
}

func (w *turned) spawn() armed {
	a := armed{ticks: &atomic.Int32{}}
	a.pid = w.system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
		if _, ok := ctx.Message().(*protocol.Tick); ok {
			a.ticks.Add(1)
		}
	}))
	return a
}

// had returns how many ticks an actor has received so far.
func (w *turned) had(a armed) int {
	w.t.Helper()
	w.settle(a.pid)
	return int(a.ticks.Load())
}

func TestWheel_Arm(t *testing.T) {
	t.Parallel()

	t.Run("OKToTheSecond", func(t *testing.T) {
		t.Parallel()
		w := setup(t, plain)
		due := map[time.Duration]int{ // in which second the tick arrives
			-time.Hour: 1, 0: 1, time.Nanosecond: 1, time.Second: 1,
			time.Second + 1: 2, 2 * time.Second: 2, 30 * time.Second: 30,
			(slotCount-1)*time.Second - 1: slotCount - 1, (slotCount - 1) * time.Second: slotCount - 1,
			slotCount * time.Second: slotCount - 1, 24 * time.Hour: slotCount - 1,
		}
		all := map[time.Duration]armed{}
		for after := range due {
			all[after] = w.spawn()
			w.arm(all[after].pid, after)
		}
		// This is longer than one full turn of the wheel: no tick may arrive again.
		for second := 1; second <= 2*slotCount+1; second++ {
			w.pass(time.Second - 1)
			for after, a := range all {
				require.Equal(t, due[after] < second, w.had(a) == 1, "%s, before second %d", after, second)
			}
			w.pass(1)
			for after, a := range all {
				require.Equal(t, due[after] <= second, w.had(a) == 1, "%s, in second %d", after, second)
			}
		}
		for after, a := range all {
			require.Equal(t, 1, w.had(a), "%s: one tick for each arm", after)
		}
	})

	t.Run("OKWithinASecond", func(t *testing.T) {
		t.Parallel()
		w := setup(t, plain)
		a := w.spawn()
		w.pass(900 * time.Millisecond)
		w.arm(a.pid, 2*time.Second)
		w.pass(100 * time.Millisecond)
		w.pass(time.Second - 1)
		require.Zero(t, w.had(a))
		w.pass(1)
		require.Equal(t, 1, w.had(a), "up to a second earlier, and not later")
	})

	t.Run("OKAgain", func(t *testing.T) {
		t.Parallel()
		w := setup(t, plain)
		a := w.spawn()
		for n := range 3 * slotCount {
			w.arm(a.pid, time.Second)
			w.pass(time.Second)
			require.Equal(t, n+1, w.had(a))
		}
	})

	t.Run("OKManyOnOneTimer", func(t *testing.T) {
		t.Parallel()
		w := setup(t, plain)
		const seconds, each = 60, 500
		a := w.spawn()
		for range each {
			for s := 1; s <= seconds; s++ {
				w.system.Root.Send(w.wheel, &Arm{PID: a.pid, After: time.Duration(s) * time.Second})
			}
		}
		w.settle(w.wheel)
		for s := 1; s <= seconds; s++ {
			require.Equal(t, 1, w.clock.Waiting())
			w.pass(time.Second)
			require.Equal(t, s*each, w.had(a))
		}
	})

	t.Run("OKOneThatHasEnded", func(t *testing.T) {
		t.Parallel()
		w := setup(t, plain)
		gone, stays := w.spawn(), w.spawn()
		w.arm(gone.pid, time.Second)
		w.arm(stays.pid, time.Second)
		require.NoError(t, w.system.Root.PoisonFuture(gone.pid).Wait())
		w.pass(time.Second)
		require.Equal(t, 1, w.had(stays))
		require.Zero(t, gone.ticks.Load())
	})
}

// backward is a clock whose time may be set back; its timers do not follow.
type backward struct {
	*clock.Fake
	by atomic.Int64
}

func (b *backward) Now() time.Time { return b.Fake.Now().Add(-time.Duration(b.by.Load())) }

func TestWheel_BadClock(t *testing.T) {
	t.Parallel()

	// After a machine was suspended for an hour, all ticks that were due arrive at once, each
	// of them once, and from then on the wheel is synchronous again.
	t.Run("OKAhead", func(t *testing.T) {
		t.Parallel()
		w := setup(t, plain)
		soon, late := w.spawn(), w.spawn()
		w.arm(soon.pid, time.Second)
		w.arm(late.pid, time.Hour)
		w.clock.Advance(time.Hour)
		// A turn may have begun while the clock jumped, and the next one may then wait for a
		// second.
		for range 1100 {
			w.pass(time.Millisecond)
		}
		require.Equal(t, 1, w.had(soon))
		require.Equal(t, 1, w.had(late))
		w.pass(900 * time.Millisecond)
		a := w.spawn()
		w.arm(a.pid, 2*time.Second)
		w.pass(time.Second)
		require.Zero(t, w.had(a))
		w.pass(time.Second)
		require.Equal(t, 1, w.had(a))
		require.Equal(t, 1, w.clock.Waiting())
	})

	// If the time is set back, the wheel does not turn back: no tick arrives twice, and none
	// gets lost.
	t.Run("OKBack", func(t *testing.T) {
		t.Parallel()
		var b backward
		w := setup(t, func(c *clock.Fake) clock.Clock { b.Fake = c; return &b })
		first, second := w.spawn(), w.spawn()
		w.arm(first.pid, time.Second)
		w.arm(second.pid, 3*time.Second)
		w.pass(time.Second)
		require.Equal(t, 1, w.had(first))
		b.by.Store(int64(10 * time.Second))
		for range 10 {
			w.pass(time.Second)
			require.Zero(t, w.had(second))
		}
		for range 2 {
			w.pass(time.Second)
		}
		require.Equal(t, 1, w.had(second), "the clock has caught up")
		require.Equal(t, 1, w.had(first))
		require.Equal(t, 1, w.clock.Waiting())
	})
}

func TestWheel_Life(t *testing.T) {
	t.Parallel()

	t.Run("OKStopped", func(t *testing.T) {
		t.Parallel()
		w := setup(t, plain)
		a := w.spawn()
		w.arm(a.pid, time.Second)
		require.NoError(t, w.system.Root.PoisonFuture(w.wheel).Wait())
		require.Zero(t, w.clock.Waiting(), "it stops its timer when it ends")
		w.clock.Advance(patience)
		require.Zero(t, w.had(a))
	})

	// In the product the wheel is guarded and is not restarted. If the library restarts it,
	// it is empty, and there is still only one timer.
	t.Run("OKStartedAgain", func(t *testing.T) {
		t.Parallel()
		w := setup(t, plain)
		before, after := w.spawn(), w.spawn()
		w.arm(before.pid, 3*time.Second)
		w.system.Root.Send(w.wheel, &Arm{PID: nil, After: time.Second})
		w.pass(time.Second) // a tick that cannot be sent
		require.Eventually(t, func() bool { return w.clock.Waiting() > 0 }, patience, time.Millisecond)
		w.settle(w.wheel)
		w.arm(after.pid, 3*time.Second)
		for range 5 {
			w.pass(time.Second)
			require.Equal(t, 1, w.clock.Waiting())
		}
		require.Equal(t, 1, w.had(after))
		require.Zero(t, w.had(before))
	})
}
