package fanout

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/internal/clock"
)

const (
	// CheckEvery is how often owners on other nodes are asked where they stand. The
	// readers of one that has not answered until the next time read the store; after
	// silentFor without a word from one they look for it again.
	CheckEvery = 2 * time.Second
	silentFor  = 3 * CheckEvery
	// overtaking is how much earlier than its frames a hint of an event may come, and how
	// long an owner has to answer for one that has not come.
	overtaking = 200 * time.Millisecond
)

// Fanout hands what owners on other nodes publish to the connections of this
// one. Everything for a connection goes through it, answers included, so that
// the order is that of the owner.
type Fanout struct {
	node  string
	clock clock.Clock
	read  map[uuid.UUID]*followed
	timer clock.Timer
}

// New makes the actor of a node, whose name it has for its questions.
func New(node string, c clock.Clock) *Fanout { return &Fanout{node: node, clock: c} }

// Stands says, by a hint that came on another way than the frames, where the owner of a
// conversation on another node stands.
type Stands struct {
	Conversation uuid.UUID
	Epoch, Head  int64
}

// IgnoreDeadLetterLogging says that the node may be ending.
func (*Stands) IgnoreDeadLetterLogging() {}

// MissedHints says that hints may not have come: all owners are asked.
type MissedHints struct{}

// IgnoreDeadLetterLogging says that the node may be ending.
func (*MissedHints) IgnoreDeadLetterLogging() {}

// followed is a conversation of another node that connections here read.
type followed struct {
	owner       *actor.PID
	connections map[string]*actor.PID
	// heard is when the owner said something last, asked when it was asked last.
	heard, asked time.Time
	// epoch and head are the owner's as far as its frames have come through here, told
	// the head that hints speak of, and late what is done about the difference.
	epoch, head, told int64
	late              lateness
}

// lateness is what a fan-out waits for where a hint has spoken of more than has come.
type lateness uint8

const (
	inTime lateness = iota
	frames          // they may still come
	answer          // the owner was asked where it stands
)

// overdue is the end of such a time.
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
	case *protocol.Standing:
		if r := f.read[protocol.ID(msg.Conversation)]; r != nil {
			r.heard = f.clock.Now()
			r.head = max(r.head, msg.Head)
			r.tell(ctx, msg)
		}
	case *protocol.Dropped:
		f.drop(msg.Conversation, msg.Connection)
	case *protocol.Behind:
		ctx.Send(msg.To, msg.Message)
	case *checkOwners:
		f.next(ctx)
		f.check(ctx)
	case *MissedHints:
		for _, r := range f.read {
			f.ask(ctx, r)
		}
	case *Stands:
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
	r.tell(ctx, p)
}

func (r *followed) tell(ctx actor.Context, message any) {
	for _, pid := range r.connections {
		ctx.Send(pid, message)
	}
}

func (f *Fanout) forward(ctx actor.Context, msg *protocol.Forward) {
	s := msg.Subscription
	if s == nil {
		return // nothing to hand on
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

// hinted hears where an owner stands. Readers of an earlier owner go to the new one at
// once; what the same owner has sent gets the time in which it may still come.
func (f *Fanout) hinted(ctx actor.Context, msg *Stands) {
	r := f.read[msg.Conversation]
	if r == nil || msg.Epoch < r.epoch {
		return
	}
	if msg.Epoch > r.epoch {
		r.epoch, r.head, r.told = msg.Epoch, msg.Head, msg.Head
		r.tell(ctx, &protocol.Standing{Conversation: msg.Conversation[:], Epoch: msg.Epoch, Head: msg.Head})
		return
	}
	r.told = max(r.told, msg.Head)
	if r.told > r.head && r.late == inTime {
		f.await(ctx, msg.Conversation, r, frames)
	}
}

func (f *Fanout) await(ctx actor.Context, conversation uuid.UUID, r *followed, what lateness) {
	r.late = what
	root, self := ctx.ActorSystem().Root, ctx.Self()
	f.clock.AfterFunc(overtaking, func() { root.Send(self, &overdue{conversation}) })
}

// overdue asks the owner for an event that was spoken of and has not come: the answer
// comes behind its frames, and readers that miss some ask for them. Where there is no
// answer they read the store. The next look would do both, up to four seconds later.
func (f *Fanout) overdue(ctx actor.Context, conversation uuid.UUID) {
	r := f.read[conversation]
	switch {
	case r == nil:
	case r.told <= r.head:
		r.late = inTime
	case r.late == frames && !r.heard.Before(r.asked):
		r.asked = f.clock.Now()
		f.ask(ctx, r)
		f.await(ctx, conversation, r, answer)
	default:
		r.late, r.head = inTime, r.told
		r.tell(ctx, &protocol.Silent{Conversation: conversation})
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

// dropEnded drops the connections that are no more. One may end while the answer to its
// subscription is under way, which then comes here behind its Dropped.
func (f *Fanout) dropEnded(ctx actor.Context, conversation uuid.UUID, r *followed) {
	for connection := range r.connections {
		if _, lives := ctx.ActorSystem().ProcessRegistry.GetLocal(connection); !lives {
			f.drop(conversation, connection)
		}
	}
}

// check asks every owner where it stands. One that says nothing has gone or cannot be
// reached. Its readers are told so each time, until they have found the owner: one that
// reads the store just then hears it the next time.
func (f *Fanout) check(ctx actor.Context) {
	now := f.clock.Now()
	for id, r := range f.read {
		f.dropEnded(ctx, id, r)
		if len(r.connections) == 0 {
			continue
		}
		switch {
		case now.Sub(r.heard) > silentFor:
			r.tell(ctx, &protocol.Standing{Conversation: id[:]})
		case r.heard.Before(r.asked):
			r.tell(ctx, &protocol.Silent{Conversation: id})
		}
		r.asked = now
		f.ask(ctx, r)
	}
}

func (f *Fanout) ask(ctx actor.Context, r *followed) {
	ctx.Send(r.owner, &protocol.Check{Target: protocol.NewTarget(f.node, ctx.Self().Address, ctx.Self().Id)})
}

func (f *Fanout) next(ctx actor.Context) {
	root, self := ctx.ActorSystem().Root, ctx.Self()
	f.timer = f.clock.AfterFunc(CheckEvery, func() { root.Send(self, &checkOwners{}) })
}
