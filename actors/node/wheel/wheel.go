package wheel

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/internal/clock"
)

// slotCount is how many seconds the wheel can look ahead.
const slotCount = 64

// Wheel is the node's one timer: ten thousand sockets need no ten thousand
// timers. An actor that armed it gets one Tick, to the second.
type Wheel struct {
	clock clock.Clock
	slots [slotCount][]*actor.PID
	now   int
	timer clock.Timer
	// began and turned keep the wheel in step with the clock.
	began  time.Time
	turned int
}

// New makes the actor.
func New(c clock.Clock) *Wheel { return &Wheel{clock: c} }

// Arm asks for a Tick of PID, once, after a time that is rounded up to whole seconds of the
// wheel's own, of which the current one has begun already: the Tick comes up to a second
// sooner, and not later. The least is 1 second, the most slotCount-1; what is below or
// beyond counts as that.
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

// turn gives the ticks of the seconds that have passed. One that cannot be given is
// taken out first: the wheel goes on with the next one.
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

// next has the wheel turned when the next second begins. There is one timer, also where
// an actor before this one, under the same name, has left a turn on its way.
func (w *Wheel) next(ctx actor.Context) {
	if w.timer != nil {
		w.timer.Stop()
	}
	root, self := ctx.ActorSystem().Root, ctx.Self()
	due := w.began.Add(time.Duration(w.turned+1) * time.Second)
	w.timer = w.clock.AfterFunc(max(due.Sub(w.clock.Now()), time.Millisecond), func() { root.Send(self, &turnWheel{}) })
}
