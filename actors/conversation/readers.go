package conversation

import (
	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/audience"
	"parley.dev/parley/internal/mailbox"
)

// reader is an admitted listener of a conversation.
type reader struct {
	door   mailbox.Door // of one of this node
	caller domain.Caller
}

// readers are the subscriptions of a conversation. Those of this node get their
// frames directly, those of another node through its fan-out: one message a node,
// and everything for a reader there goes the same way, so that it stays in order.
type readers struct {
	audience audience.Audience[reader]
	system   *actor.ActorSystem
	fanout   string
	self     *actor.PID
}

// few is how many readers of a conversation get their frames in its own turn; with more
// of them the others of the node would wait for all their sockets.
const few = 4

func newReaders(system *actor.ActorSystem, fanout string, self *actor.PID) readers {
	return readers{audience: audience.New[reader](self.Address), system: system, fanout: fanout, self: self}
}

func (r *readers) empty() bool { return r.audience.Empty() }

func placeOf(t *protocol.Target) audience.Place {
	return audience.Place{Address: t.GetAddress(), ID: t.GetId()}
}

// fanoutOf is the actor of another node through which its readers get everything.
func (r *readers) fanoutOf(address string) *actor.PID { return actor.NewPID(address, r.fanout) }

// ask notes a subscription when it arrives: what it waits for may take longer than its
// reader stays.
func (r *readers) ask(ctx actor.Context, t *protocol.Target, ticket uint64) {
	if r.audience.Ask(placeOf(t), ticket) {
		// The end of that node takes its readers with it.
		ctx.Watch(r.fanoutOf(t.GetAddress()))
	}
}

// asked tells whether the reader still wants what it asked for.
func (r *readers) asked(t *protocol.Target, ticket uint64) bool {
	return r.audience.Asked(placeOf(t), ticket)
}

// admit begins a subscription that still stands.
func (r *readers) admit(t *protocol.Target, ticket uint64, n reader) bool {
	if t.GetAddress() == r.self.Address {
		n.door = mailbox.DoorTo(r.system, actor.NewPID(t.GetAddress(), t.GetId()))
	}
	return r.audience.Admit(placeOf(t), ticket, n)
}

// leave ends a subscription, asked or admitted, unless there is a later one.
func (r *readers) leave(ctx actor.Context, p audience.Place, ticket uint64) {
	if r.audience.Leave(p, ticket) {
		ctx.Unwatch(r.fanoutOf(p.Address))
	}
}

// lost forgets the readers of a node that has gone.
func (r *readers) lost(who *actor.PID) bool {
	if who.Id != r.fanout || who.Address == r.self.Address {
		return false
	}
	r.audience.Lost(who.Address)
	return true
}

// publish shows entries to every reader. Events are kept for the next owner as well, and
// where readers of other nodes are or were it also says, on another way than that of
// the frames, how far the log now goes.
func (a *Actor) publish(ctx actor.Context, p *protocol.Publication) {
	a.readers.publish(ctx, p)
	a.abroad = a.abroad || a.readers.audience.AnyAway()
	var head int64
	for i := range p.Entries {
		if e := &p.Entries[i]; e.Seq > 0 {
			head = e.Seq
			a.retain(e)
		}
	}
	if head > 0 && a.abroad {
		a.c.Wrote(a.id, p.Epoch, head)
	}
}

// publish shows entries to every reader. They are encoded once, and all of it before
// the first one gets them: from then on nothing of them changes.
func (r *readers) publish(ctx actor.Context, p *protocol.Publication) {
	here := r.audience.Admitted(r.self.Address)
	if here == 0 && !r.audience.AnyAway() {
		return
	}
	p.Finish(here <= few)
	var out *protocol.Published
	r.audience.Away(func(address string) {
		if out == nil {
			out = &protocol.Published{Conversation: p.Conversation[:], Epoch: p.Epoch, Frames: frames(p.Conversation, p.Entries)}
		}
		ctx.Send(r.fanoutOf(address), out)
	})
	for i := range r.audience.Here() {
		if l := &r.audience.Here()[i]; l.Admitted() {
			l.Value.door.Send(p)
		}
	}
}

func frames(conversation uuid.UUID, entries []protocol.Entry) []*protocol.StreamFrame {
	out := make([]*protocol.StreamFrame, 0, len(entries))
	for i := range entries {
		if entries[i].Kind != protocol.EntryDelta {
			entries[i].Encode(conversation)
		}
		out = append(out, entries[i].Frame())
	}
	return out
}

// send brings one reader the answer to its subscription, on the way of its frames.
func (r *readers) send(ctx actor.Context, p audience.Place, s *protocol.Subscription) {
	if p.Address == r.self.Address {
		ctx.Send(actor.NewPID(p.Address, p.ID), s)
		return
	}
	ctx.Send(r.fanoutOf(p.Address), &protocol.Forward{Id: p.ID, Subscription: s})
}

// refuse answers a subscription that is not admitted, unless its reader has left.
func (r *readers) refuse(ctx actor.Context, msg *protocol.Subscribe, s *protocol.Subscription) {
	if r.asked(msg.Target, msg.Ticket) {
		r.leave(ctx, placeOf(msg.Target), msg.Ticket)
		r.send(ctx, placeOf(msg.Target), s)
	}
}

// move ends subscriptions in such a way that the readers subscribe again, from
// their own place, and their right is read again.
func (r *readers) move(ctx actor.Context, conversation uuid.UUID, which func(*reader) bool) {
	for _, l := range r.audience.All() {
		if l.Admitted() && which(&l.Value) {
			r.send(ctx, l.Place, &protocol.Subscription{
				Conversation: conversation[:], Ticket: l.Ticket(), Outcome: protocol.Subscription_MOVED,
			})
			r.leave(ctx, l.Place, l.Ticket())
		}
	}
}
