package turnqueue

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fair"
)

// The limits of what waits. A scheduled run waits as well, so a thousand of one organisation that are due
// in the same second fit.
const (
	waitingMost             = 20_000
	waitingMostOrganisation = 5000
	waitingMostPerson       = 2000
)

// Config is what the actor needs. All fields are required.
type Config struct {
	Clock clock.Clock
	// Slots is how many turns run at the same time on this node.
	Slots int
	// Waiting is called with the number of turns that wait when it changes, Waited with how long a
	// turn has waited when it begins, and Refused for each turn that is refused.
	Waiting func(n int)
	Waited  func(time.Duration)
	Refused func()
}

// Messages of the queue.
type (
	// Ask asks for a slot for a turn; the answer is a protocol.TurnSlot. It may be sent again.
	Ask struct {
		PID                  *actor.PID
		Organisation, Person int64
	}
	// Leave gives a slot back, or withdraws the request for one.
	Leave struct{ PID *actor.PID }
)

// Essential lets it into a full mailbox: there is one for each turn at a time.
func (*Ask) Essential() {}

// Essential lets it into a full mailbox: a slot that is not given back is lost.
func (*Leave) Essential() {}

// IgnoreDeadLetterLogging says that the node may be ending.
func (*Leave) IgnoreDeadLetterLogging() {}

// TurnQueue owns the slots of the node.
type TurnQueue struct {
	c     Config
	queue *fair.Queue[string]
	// waiting are the turns that wait, by the names of their actors.
	waiting map[string]waiting
}

type waiting struct {
	pid   *actor.PID
	since time.Time
}

// New makes the actor.
func New(c Config) *TurnQueue {
	return &TurnQueue{c: c, waiting: map[string]waiting{}, queue: fair.New[string](fair.Limits{
		Slots: c.Slots, Waiting: waitingMost, WaitingOrganisation: waitingMostOrganisation, WaitingPerson: waitingMostPerson,
	})}
}

// Receive implements actor.Actor.
func (q *TurnQueue) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case *Ask:
		q.ask(ctx, msg)
	case *Leave:
		before := len(q.waiting)
		delete(q.waiting, msg.PID.Id)
		for _, id := range q.queue.End(msg.PID.Id) {
			next := q.waiting[id]
			delete(q.waiting, id)
			q.c.Waited(q.c.Clock.Now().Sub(next.since))
			ctx.Send(next.pid, &protocol.TurnSlot{})
		}
		if len(q.waiting) != before {
			q.c.Waiting(len(q.waiting))
		}
	}
}

func (q *TurnQueue) ask(ctx actor.Context, msg *Ask) {
	switch q.queue.Ask(msg.PID.Id, msg.Organisation, msg.Person) {
	case fair.Starts:
		ctx.Send(msg.PID, &protocol.TurnSlot{})
	case fair.Waits:
		if _, again := q.waiting[msg.PID.Id]; !again {
			q.waiting[msg.PID.Id] = waiting{pid: msg.PID, since: q.c.Clock.Now()}
			q.c.Waiting(len(q.waiting))
		}
	case fair.Refused:
		q.c.Refused()
		ctx.Send(msg.PID, &protocol.TurnSlot{Refused: true})
	}
}
