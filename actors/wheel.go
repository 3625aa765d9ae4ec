package actors

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/internal/clock"
)

// wheelSlots are the seconds that the wheel can look ahead.
const wheelSlots = 64

// wheel is the node's one timer: ten thousand sockets need no ten thousand
// timers. An actor that armed it gets one Tick, to the second.
type wheel struct {
	clock clock.Clock
	slots [wheelSlots][]*actor.PID
	now   int
	timer clock.Timer
	// began and turned keep the wheel in step with the clock.
	began  time.Time
	turned int
}

// arm asks for a Tick.
type arm struct {
	pid   *actor.PID
	after time.Duration
}

func (*arm) Essential() {}

type turnWheel struct{}

func (*turnWheel) Essential()               {}
func (*turnWheel) IgnoreDeadLetterLogging() {}

// Receive implements actor.Actor.
func (w *wheel) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case *actor.Started:
		w.began = w.clock.Now()
		w.next(ctx)
	case *arm:
		ahead := int((msg.after + time.Second - 1) / time.Second)
		slot := (w.now + min(max(ahead, 1), wheelSlots-1)) % wheelSlots
		w.slots[slot] = append(w.slots[slot], msg.pid)
	case *turnWheel:
		w.turn(ctx)
	case *actor.Stopping:
		w.timer.Stop()
	}
}

// turn gives the ticks of the seconds that have passed. One that cannot be given is
// taken out first: the wheel goes on with the next one.
func (w *wheel) turn(ctx actor.Context) {
	defer w.next(ctx)
	for passed := int(w.clock.Now().Sub(w.began) / time.Second); w.turned < passed; w.turned++ {
		slot := (w.now + 1) % wheelSlots
		for len(w.slots[slot]) > 0 {
			pid := w.slots[slot][0]
			w.slots[slot] = w.slots[slot][1:]
			ctx.Send(pid, &protocol.Tick{})
		}
		w.slots[slot] = nil
		w.now = slot
	}
}

func (w *wheel) next(ctx actor.Context) {
	root, self := ctx.ActorSystem().Root, ctx.Self()
	due := w.began.Add(time.Duration(w.turned+1) * time.Second)
	w.timer = w.clock.AfterFunc(max(due.Sub(w.clock.Now()), time.Millisecond), func() { root.Send(self, &turnWheel{}) })
}
