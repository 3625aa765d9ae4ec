package connection

import (
	"context"
	"slices"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
)

type stage uint8

const (
	asking stage = iota
	reading
	live
	leaving // refused; the store is asked whether the conversation was deleted
)

// subscription is one conversation of the socket.
type subscription struct {
	id     uuid.UUID
	ticket uint64
	stage  stage
	owner  *actor.PID
	// from is the client's cursor; after the first answer place is used instead.
	from     *domain.Cursor
	answered bool
	// attends says that the node was notified that the conversation is open here.
	attends bool
	place   place
	tries   int
	// sought is when the search for the owner began, in nanoseconds; 0 while the owner is
	// known.
	sought int64
	// looks counts the reads of the store, so that only the result of the latest one is used.
	looks int
	// buffer holds the publications that arrive while the store is read.
	buffer []*protocol.Publication
	held   int
}

// at returns the cursor to continue from.
func (s *subscription) at() *domain.Cursor {
	if s.answered {
		return s.place.cursor()
	}
	return s.from
}

// subscribe begins a subscription, or begins it again from another place.
func (a *Actor) subscribe(ctx actor.Context, name string, from *domain.Cursor) {
	id, err := uuid.Parse(name)
	if err != nil || len(name) != 36 {
		a.outbox.raw(deniedFrame(name))
		return
	}
	if old := a.subs.Get(id); old != nil {
		a.forget(ctx, old)
	} else if a.subs.Len() >= subscriptionsMax {
		a.outbox.raw(deniedFrame(name))
		return
	}
	s := &subscription{id: id, from: from}
	a.subs.Set(id, s)
	a.ask(ctx, s)
}

// ask locates the owner and subscribes there from this connection's place.
func (a *Actor) ask(ctx actor.Context, s *subscription) {
	if a.phase != open || a.subs.Get(s.id) != s {
		return
	}
	a.detach(ctx, s)
	a.tickets++
	ticket := a.tickets
	s.stage, s.ticket, s.buffer, s.held = asking, ticket, nil, 0
	if s.sought == 0 {
		s.sought = a.moment()
	}
	var pid *actor.PID
	async.Run(context.Background(), ctx, answerTimeout, func(c context.Context) error {
		pid = a.c.Locate(c, kindConversation, s.id.String())
		return nil
	}, func(error) {
		switch {
		case a.phase != open || a.subs.Get(s.id) != s || s.ticket != ticket:
		case pid == nil:
			a.retry(ctx, s)
		default:
			s.owner = pid
			lapses := a.lapses(ctx, pid) // before the request is sent
			ctx.Request(pid, &protocol.Subscribe{
				Caller: protocol.FromCaller(a.in.Caller), Target: a.target(ctx), Ticket: ticket, Cursor: cursorOf(s.at()),
			})
			a.watch(ctx, pid)
			if pid.Address == ctx.Self().Address {
				a.later(ctx, answerTimeout, func() { a.askAgain(ctx, s, ticket) })
			} else {
				a.await(ctx, s, ticket, lapses, answerTimeout)
			}
		}
	})
}

func (a *Actor) askAgain(ctx actor.Context, s *subscription, ticket uint64) {
	if s.stage == asking && s.ticket == ticket {
		a.retry(ctx, s)
	}
}

// lapses returns how often an owner's node has not answered, for a request that is sent now. If it
// does not answer now the number is one less, because the request may be lost as well.
func (a *Actor) lapses(ctx actor.Context, owner *actor.PID) int64 {
	if owner.Address == ctx.Self().Address {
		return 0
	}
	lapses, now := a.c.Answers(owner.Address)
	if !now {
		lapses--
	}
	return lapses
}

// await limits the wait for the answer of an owner on another node. If that node has not
// answered since the owner was asked, the request or its answer may be lost.
func (a *Actor) await(ctx actor.Context, s *subscription, ticket uint64, lapses int64, left time.Duration) {
	a.later(ctx, reachCheck, func() {
		if s.stage != asking || s.ticket != ticket || s.owner == nil {
			return
		}
		if since, _ := a.c.Answers(s.owner.Address); since != lapses || left <= reachCheck {
			a.askAgain(ctx, s, ticket)
			return
		}
		a.await(ctx, s, ticket, lapses, left-reachCheck)
	})
}

func cursorOf(c *domain.Cursor) *protocol.Cursor {
	if c == nil {
		return nil
	}
	out := &protocol.Cursor{Seq: c.Seq, Generation: c.Generation, Offset: c.Offset}
	if c.Message != uuid.Nil {
		out.Message = c.Message[:]
	}
	return out
}

// retry calls ask after a pause that grows. A reader that has searched for the owner for a
// while reads the store first.
func (a *Actor) retry(ctx actor.Context, s *subscription) {
	s.tries++
	s.stage = asking
	if s.sought > 0 && time.Duration(a.moment()-s.sought) >= ownerless {
		a.fromStore(ctx, s, func() { a.askLater(ctx, s) })
		return
	}
	a.askLater(ctx, s)
}

func (a *Actor) askLater(ctx actor.Context, s *subscription) {
	ticket := s.ticket
	a.later(ctx, backoff(s.tries), func() {
		if s.ticket == ticket {
			a.ask(ctx, s)
		}
	})
}

// detach ends the subscription at its owner.
func (a *Actor) detach(ctx actor.Context, s *subscription) {
	if s.owner == nil {
		return
	}
	a.unwatch(ctx, s.owner)
	ctx.Send(s.owner, &protocol.Unsubscribe{Target: a.target(ctx), Ticket: s.ticket})
	if s.owner.Address != ctx.Self().Address {
		a.c.Fanout(&protocol.Dropped{Conversation: s.id, Connection: ctx.Self().Id})
	}
	s.owner = nil
}

func (a *Actor) forget(ctx actor.Context, s *subscription) {
	a.detach(ctx, s)
	a.depart(ctx, s)
	s.ticket = 0
	a.latest = nil
}

// answered handles an owner's answer.
func (a *Actor) answered(ctx actor.Context, msg *protocol.Subscription) {
	id := protocol.ID(msg.Conversation)
	s := a.subs.Get(id)
	if a.phase != open || s == nil || s.ticket != msg.Ticket {
		if msg.OwnerAddress != ctx.Self().Address {
			a.follows(ctx, id, s)
		}
		return
	}
	switch msg.Outcome {
	case protocol.Subscription_DENIED:
		a.detach(ctx, s)
		a.deny(ctx, s)
	case protocol.Subscription_MOVED:
		a.detach(ctx, s)
		a.retry(ctx, s)
	case protocol.Subscription_BEHIND:
		s.tries, s.sought = 0, 0
		a.attend(ctx, s)
		a.read(ctx, s, msg)
	case protocol.Subscription_RESET:
		s.tries, s.sought = 0, 0
		a.attend(ctx, s)
		a.reset(s, msg)
	case protocol.Subscription_LIVE:
		s.tries, s.sought = 0, 0
		a.attend(ctx, s)
		entries := make([]protocol.Entry, len(msg.Frames))
		for i, f := range msg.Frames {
			entries[i] = f.Entry(s.id, msg.Epoch)
		}
		a.catchUp(s, msg, entries)
		a.full(ctx)
	}
}

// catchUp sends the entries from the client's place to the owner's head. Entries that are
// larger than the outbox would close the socket, now and each time that the client comes
// back: then the client must fetch the conversation, or, if it asked for everything
// from now on, it subscribes again when it needs the text so far.
func (a *Actor) catchUp(s *subscription, msg *protocol.Subscription, entries []protocol.Entry) {
	size := a.outbox.size()
	for i := range entries {
		size += entries[i].Weight()
	}
	switch {
	case size <= a.c.Outbox/2:
	case s.at() == nil:
		entries = nil
	default:
		a.reset(s, msg)
		return
	}
	a.announce(s, msg)
	for i := range entries {
		a.outbox.entry(s.id, &entries[i])
	}
	a.settle(s, msg)
}

// announce tells a client that has subscribed where its stream begins. A client whose
// subscription only moved to another owner gets no message.
func (a *Actor) announce(s *subscription, msg *protocol.Subscription) {
	if !s.answered {
		a.outbox.raw(protocol.EncodePosition(protocol.FrameSubscribed, s.id, msg.From, msg.Epoch, msg.Generation))
	}
}

// settle sets the place to the owner's and goes live.
func (a *Actor) settle(s *subscription, msg *protocol.Subscription) {
	if s.answered {
		a.c.Resubscribed()
	}
	s.stage, s.answered, s.from = live, true, nil
	s.place = place{epoch: msg.Epoch, generation: msg.Generation, seq: msg.Head}
	for _, o := range msg.Open {
		s.place.open = append(s.place.open, opened{message: protocol.ID(o.Message), offset: o.Offset})
	}
}

// reset tells the client to fetch the conversation; the stream continues at the head.
func (a *Actor) reset(s *subscription, msg *protocol.Subscription) {
	a.c.Reset()
	a.outbox.raw(protocol.EncodePosition(protocol.FrameReset, s.id, msg.Head, msg.Epoch, msg.Generation))
	a.settle(s, msg)
}

// publication sends or queues committed frames, as far as they follow the client's
// place.
func (a *Actor) publication(ctx actor.Context, p *protocol.Publication) {
	s := a.latest
	if s == nil || s.id != p.Conversation {
		s = a.subs.Get(p.Conversation)
		a.latest = s
	}
	if a.phase != open || s == nil {
		return
	}
	switch s.stage {
	case asking, leaving:
	case reading:
		s.buffer = append(s.buffer, p)
		for i := range p.Entries {
			s.held += p.Entries[i].Weight()
		}
		if s.held > a.c.Outbox {
			a.close(ctx, domain.DisconnectSlow)
		}
	case live:
		a.deliver(ctx, s, p)
	}
}

// deliver is publication for a live subscription.
func (a *Actor) deliver(ctx actor.Context, s *subscription, p *protocol.Publication) {
	for i := range p.Entries {
		e := &p.Entries[i]
		switch s.place.advance(e) {
		case forward:
			if len(p.Entries) > 1 || !a.direct(ctx, s, e) {
				a.outbox.entry(s.id, e)
			}
		case gap:
			a.ask(ctx, s)
			return
		case skip:
		}
	}
	a.full(ctx)
}

// position compares the place with the owner's, so that frames that got lost between nodes
// are noticed.
func (a *Actor) position(ctx actor.Context, msg *protocol.Position) {
	id := protocol.ID(msg.Conversation)
	s := a.subs.Get(id)
	if a.phase == open && a.follows(ctx, id, s) && s.stage == live && s.place.behind(msg) {
		a.ask(ctx, s)
	}
}

// follows reports whether this connection reads the conversation through the fan-out, from an
// owner on another node. If not, an answer has arrived after the connection had left or had
// asked another owner, and follows tells this to the fan-out. A later subscription is sent
// after that message.
func (a *Actor) follows(ctx actor.Context, conversation uuid.UUID, s *subscription) bool {
	if s != nil && s.owner != nil && s.owner.Address != ctx.Self().Address {
		return true
	}
	a.c.Fanout(&protocol.Dropped{Conversation: conversation, Connection: ctx.Self().Id})
	return false
}

// terminated subscribes at the next owner, from this connection's place.
func (a *Actor) terminated(ctx actor.Context, who *actor.PID) {
	if a.phase != open || who == nil {
		return
	}
	if a.user.session != nil && a.user.session.Equal(who) {
		a.rejoin(ctx)
	}
	for _, s := range a.subs.All() {
		if s.owner != nil && s.owner.Equal(who) {
			a.detach(ctx, s)
			a.retry(ctx, s)
		}
	}
}

// busy repeats what a full mailbox refused.
func (a *Actor) busy(ctx actor.Context) {
	if a.user.asking {
		a.rejoin(ctx)
	}
	for _, s := range a.subs.All() {
		if s.stage == asking {
			a.retry(ctx, s)
		}
	}
}

// openAt returns the client's offset in an open message, as its cursor says.
func openAt(c *domain.Cursor, message uuid.UUID) int64 {
	if c != nil && c.Message == message {
		return c.Offset
	}
	return 0
}

// names reports whether the cursor's message is one of these.
func names(c *domain.Cursor, ids []uuid.UUID) bool {
	return c == nil || c.Message == uuid.Nil || slices.Contains(ids, c.Message)
}
