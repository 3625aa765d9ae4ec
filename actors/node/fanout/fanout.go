package fanout

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/actors/node"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/internal/clock"
)

const (
	// CheckEvery is how often owners on other nodes are asked for their position. If an owner
	// has not answered until the next time, its readers read the store. If nothing has
	// arrived from it for silentFor, they search for the owner again.
	CheckEvery = 2 * time.Second
	silentFor  = 3 * CheckEvery
	// overtaking is how much earlier than its frames a hint of an event may arrive, and how
	// long an owner has to answer a question about an event that has not arrived.
	overtaking = 200 * time.Millisecond
)

// Fanout passes what owners on other nodes publish to the connections of this node.
// Everything for a connection is sent through it, including answers, so that it arrives in
// the owner's order.
type Fanout struct {
	node  string
	clock clock.Clock
	read  map[uuid.UUID]*followed
	timer clock.Timer
	// report gets the figures of each check.
	report func(conversations int, silence time.Duration)
}

// New makes the actor of a node. Its questions to owners contain the name of the node. At each check
// it reports how many conversations are followed, and how long the most silent owner has sent nothing.
func New(node string, c clock.Clock, report func(conversations int, silence time.Duration)) *Fanout {
	return &Fanout{node: node, clock: c, report: report}
}

// Position is the position of an owner on another node: its epoch and how far its log goes. It
// is from a hint, which takes another route than the frames.
type Position struct {
	Conversation uuid.UUID
	Epoch, Head  int64
}

// IgnoreDeadLetterLogging says that the node may be ending.
func (*Position) IgnoreDeadLetterLogging() {}

// MissedHints says that hints may have been missed: all owners are asked.
type MissedHints struct{}

// IgnoreDeadLetterLogging says that the node may be ending.
func (*MissedHints) IgnoreDeadLetterLogging() {}

// followed is a conversation on another node that connections here read.
type followed struct {
	owner       *actor.PID
	connections map[string]*actor.PID
	// heard is when the last message of the owner arrived, asked is when it was asked last.
	heard, asked time.Time
	// epoch and head are the owner's position according to the frames that were sent through
	// here, hinted is the head that hints have named, and late says what is done about the
	// difference.
	epoch, head, hinted int64
	late                lateness
}

// lateness is what a fan-out waits for if a hint has named more events than have arrived.
type lateness uint8

const (
	inTime lateness = iota
	frames          // they may still arrive
	answer          // the owner was asked for its position
)

// overdue says that the time to wait for frames, or for an answer, has ended.
type overdue struct{ conversation uuid.UUID }

func (*overdue) Essential()               {}
func (*overdue) IgnoreDeadLetterLogging() {}

type checkOwners struct{}

func (*checkOwners) Essential()               {}
func (*checkOwners) IgnoreDeadLetterLogging() {}

// Receive implements actor.Actor.
func (f *Fanout) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case *actor.Started:
		f.read = map[uuid.UUID]*followed{}
		f.next(ctx)
	case *protocol.Published:
		f.publish(ctx, msg)
	case *protocol.Forward:
		f.forward(ctx, msg)
	case *protocol.Position:
		if r := f.read[protocol.ID(msg.Conversation)]; r != nil {
			r.heard = f.clock.Now()
			r.head = max(r.head, msg.Head)
			r.send(ctx, msg)
		}
	case *protocol.Dropped:
		f.drop(msg.Conversation, msg.Connection)
	case *node.Behind:
		ctx.Send(msg.To, msg.Message)
	case *checkOwners:
		f.next(ctx)
		f.check(ctx)
	case *MissedHints:
		for _, r := range f.read {
			f.ask(ctx, r)
		}
	case *Position:
		f.hinted(ctx, msg)
	case *overdue:
		f.overdue(ctx, msg.conversation)
	case *actor.Stopping:
		f.timer.Stop()
	}
}

func (f *Fanout) publish(ctx actor.Context, msg *protocol.Published) {
	id := protocol.ID(msg.Conversation)
	r := f.read[id]
	if r == nil {
		return
	}
	r.heard = f.clock.Now()
	r.epoch = max(r.epoch, msg.Epoch)
	for _, frame := range msg.Frames {
		r.head = max(r.head, frame.Seq)
	}
	p := &protocol.Publication{Conversation: id, Epoch: msg.Epoch, Entries: make([]protocol.Entry, 0, len(msg.Frames))}
	for _, frame := range msg.Frames {
		p.Entries = append(p.Entries, frame.Entry(id, msg.Epoch))
	}
	r.send(ctx, p)
}

func (r *followed) send(ctx actor.Context, message any) {
	for _, pid := range r.connections {
		ctx.Send(pid, message)
	}
}

func (f *Fanout) forward(ctx actor.Context, msg *protocol.Forward) {
	s := msg.Subscription
	if s == nil {
		return // nothing to pass on
	}
	id := protocol.ID(s.GetConversation())
	pid := actor.NewPID(ctx.Self().Address, msg.Id)
	switch s.GetOutcome() {
	case protocol.Subscription_DENIED, protocol.Subscription_MOVED:
		f.drop(id, msg.Id)
	default:
		r := f.read[id]
		if r == nil {
			r = &followed{connections: map[string]*actor.PID{}}
			f.read[id] = r
		}
		r.owner, r.heard = actor.NewPID(s.OwnerAddress, s.OwnerId), f.clock.Now()
		r.epoch, r.head = max(r.epoch, s.Epoch), max(r.head, s.Head)
		r.connections[msg.Id] = pid
	}
	ctx.Send(pid, s)
}

// hinted handles a hint of an owner's position. Readers of an earlier owner are sent to the
// new one at once. If the hint is from the same owner, its frames get some time to arrive.
func (f *Fanout) hinted(ctx actor.Context, msg *Position) {
	r := f.read[msg.Conversation]
	if r == nil || msg.Epoch < r.epoch {
		return
	}
	if msg.Epoch > r.epoch {
		r.epoch, r.head, r.hinted = msg.Epoch, msg.Head, msg.Head
		r.send(ctx, &protocol.Position{Conversation: msg.Conversation[:], Epoch: msg.Epoch, Head: msg.Head})
		return
	}
	r.hinted = max(r.hinted, msg.Head)
	if r.hinted > r.head && r.late == inTime {
		f.await(ctx, msg.Conversation, r, frames)
	}
}

func (f *Fanout) await(ctx actor.Context, conversation uuid.UUID, r *followed, what lateness) {
	r.late = what
	root, self := ctx.ActorSystem().Root, ctx.Self()
	f.clock.AfterFunc(overtaking, func() { root.Send(self, &overdue{conversation}) })
}

// overdue asks the owner about an event that a hint has named and that has not arrived: the
// answer follows the frames, and readers that have missed some ask for them. If there is no
// answer, the readers read the store. The regular check would do both, but up to four seconds
// later.
func (f *Fanout) overdue(ctx actor.Context, conversation uuid.UUID) {
	r := f.read[conversation]
	switch {
	case r == nil:
	case r.hinted <= r.head:
		r.late = inTime
	case r.late == frames && !r.heard.Before(r.asked):
		r.asked = f.clock.Now()
		f.ask(ctx, r)
		f.await(ctx, conversation, r, answer)
	default:
		r.late, r.head = inTime, r.hinted
		r.send(ctx, &protocol.Silent{Conversation: conversation})
	}
}

func (f *Fanout) drop(conversation uuid.UUID, connection string) {
	r := f.read[conversation]
	if r == nil {
		return
	}
	delete(r.connections, connection)
	if len(r.connections) == 0 {
		delete(f.read, conversation)
	}
}

// dropEnded drops the connections that have ended. A connection may end while the answer to
// its subscription is being sent; this answer then arrives here after its Dropped.
func (f *Fanout) dropEnded(ctx actor.Context, conversation uuid.UUID, r *followed) {
	for connection := range r.connections {
		if _, lives := ctx.ActorSystem().ProcessRegistry.GetLocal(connection); !lives {
			f.drop(conversation, connection)
		}
	}
}

// check asks every owner for its position. An owner that does not answer has ended or cannot
// be reached. Its readers are notified each time, until they have found the owner: a reader
// that is reading the store at that moment handles it the next time.
func (f *Fanout) check(ctx actor.Context) {
	now := f.clock.Now()
	var silence time.Duration
	for id, r := range f.read {
		f.dropEnded(ctx, id, r)
		if len(r.connections) == 0 {
			continue
		}
		silence = max(silence, now.Sub(r.heard))
		switch {
		case now.Sub(r.heard) > silentFor:
			r.send(ctx, &protocol.Position{Conversation: id[:]})
		case r.heard.Before(r.asked):
			r.send(ctx, &protocol.Silent{Conversation: id})
		}
		r.asked = now
		f.ask(ctx, r)
	}
	f.report(len(f.read), silence)
}

func (f *Fanout) ask(ctx actor.Context, r *followed) {
	ctx.Send(r.owner, &protocol.Check{Target: protocol.NewTarget(f.node, ctx.Self().Address, ctx.Self().Id)})
}

func (f *Fanout) next(ctx actor.Context) {
	root, self := ctx.ActorSystem().Root, ctx.Self()
	f.timer = f.clock.AfterFunc(CheckEvery, func() { root.Send(self, &checkOwners{}) })
}
