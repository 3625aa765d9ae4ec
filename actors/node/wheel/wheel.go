package wheel

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/internal/clock"
)

// slotCount is the number of slots, one for each second; a Tick can be armed for at most
// slotCount-1 seconds.
const slotCount = 64

// Wheel is the node's only timer, so that ten thousand sockets do not need ten thousand
// timers. An actor that armed it gets one Tick, with a precision of one second.
type Wheel struct {
	clock clock.Clock
	slots [slotCount][]*actor.PID
	now   int
	timer clock.Timer
	// began and turned keep the wheel synchronous with the clock.
	began  time.Time
	turned int
}

// New makes the actor.
func New(c clock.Clock) *Wheel { return &Wheel{clock: c} }

// Arm asks for one Tick for PID, after a time that is rounded up to whole seconds of the
// wheel. The current second has already begun, so the Tick arrives up to a second earlier,
// and not later. The minimum is 1 second and the maximum slotCount-1; other values are set to
// these limits.
type Arm struct {
	PID   *actor.PID
	After time.Duration
}

// Essential lets it into a full mailbox: without its Tick an actor waits for ever.
func (*Arm) Essential() {}

type turnWheel struct{}

func (*turnWheel) Essential()               {}
func (*turnWheel) IgnoreDeadLetterLogging() {}

// Receive implements actor.Actor.
func (w *Wheel) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case *actor.Started:
		w.began = w.clock.Now()
		w.next(ctx)
	case *Arm:
		ahead := int((msg.After + time.Second - 1) / time.Second)
		slot := (w.now + min(max(ahead, 1), slotCount-1)) % slotCount
		w.slots[slot] = append(w.slots[slot], msg.PID)
	case *turnWheel:
		w.turn(ctx)
	case *actor.Stopping:
		w.timer.Stop()
	}
}

// turn sends the ticks of the seconds that have passed. Each is removed before it is sent, so
// that after a panic the wheel continues with the next one.
func (w *Wheel) turn(ctx actor.Context) {
	defer w.next(ctx)
	for passed := int(w.clock.Now().Sub(w.began) / time.Second); w.turned < passed; w.turned++ {
		slot := (w.now + 1) % slotCount
		for len(w.slots[slot]) > 0 {
			pid := w.slots[slot][0]
			w.slots[slot] = w.slots[slot][1:]
			ctx.Send(pid, &protocol.Tick{})
		}
		w.slots[slot] = nil
		w.now = slot
	}
}

// next arranges the next turn, when the next second begins. There is only one timer, even if
// an earlier actor under the same name has left a turnWheel that still arrives.
func (w *Wheel) next(ctx actor.Context) {
	if w.timer != nil {
		w.timer.Stop()
	}
	root, self := ctx.ActorSystem().Root, ctx.Self()
	due := w.began.Add(time.Duration(w.turned+1) * time.Second)
	w.timer = w.clock.AfterFunc(max(due.Sub(w.clock.Now()), time.Millisecond), func() { root.Send(self, &turnWheel{}) })
}
