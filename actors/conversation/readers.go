package conversation

import (
	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/internal/audience"
	"parley.dev/parley/internal/mailbox"
)

// reader is an admitted reader of a conversation.
type reader struct {
	door mailbox.Door // for a reader on this node
	// owns says that the reader is the conversation's owner, whose right never changes.
	owns bool
}

// readers are the subscriptions of a conversation. Readers on this node get their frames
// directly. Readers on another node get them through its fan-out: one message for each node,
// and everything for a reader there takes the same route, so that it stays in order.
type readers struct {
	audience audience.Audience[reader]
	system   *actor.ActorSystem
	fanout   string
	self     *actor.PID
}

// inlineMax is the maximum number of readers that get their frames in the conversation's own
// goroutine. With more readers, other actors of the node would wait for all those sockets.
const inlineMax = 4

func newReaders(system *actor.ActorSystem, fanout string, self *actor.PID) readers {
	return readers{audience: audience.New[reader](self.Address), system: system, fanout: fanout, self: self}
}

func (r *readers) empty() bool { return r.audience.Empty() }

func addressOf(t *protocol.Target) audience.Address {
	return audience.Address{Host: t.GetAddress(), ID: t.GetId()}
}

// fanoutOf returns the actor of another node through which its readers get everything.
func (r *readers) fanoutOf(address string) *actor.PID { return actor.NewPID(address, r.fanout) }

// ask records a subscription when it arrives: its reader may leave before it is admitted.
func (r *readers) ask(ctx actor.Context, t *protocol.Target, ticket uint64) {
	if r.audience.Ask(addressOf(t), ticket) {
		// When that node is lost its readers are removed.
		ctx.Watch(r.fanoutOf(t.GetAddress()))
	}
}

// asked reports whether the reader still wants what it asked for.
func (r *readers) asked(t *protocol.Target, ticket uint64) bool {
	return r.audience.Asked(addressOf(t), ticket)
}

// admit begins a subscription, if its reader has not left meanwhile. sender is the sender of
// the request: a reader on this node, whose own PID is then used instead of a copy.
func (r *readers) admit(t *protocol.Target, ticket uint64, sender *actor.PID, owns bool) bool {
	n := reader{owns: owns}
	if t.GetAddress() == r.self.Address {
		if sender == nil || sender.Id != t.GetId() {
			sender = actor.NewPID(t.GetAddress(), t.GetId())
		}
		n.door = mailbox.DoorTo(r.system, sender)
	}
	return r.audience.Admit(addressOf(t), ticket, n)
}

// leave ends a subscription, admitted or not yet, unless there is a later one.
func (r *readers) leave(ctx actor.Context, at audience.Address, ticket uint64) {
	if r.audience.Leave(at, ticket) {
		ctx.Unwatch(r.fanoutOf(at.Host))
	}
}

// lost removes the readers of a lost node.
func (r *readers) lost(who *actor.PID) bool {
	if who.Id != r.fanout || who.Address == r.self.Address {
		return false
	}
	r.audience.Lost(who.Address)
	return true
}

// publish shows entries to every reader. It also keeps events for the next owner, and, if
// there are, or were, readers on other nodes, sends a hint that says how far the log now
// goes, in case their frames get lost.
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

// publish sends entries to every reader. All of them are encoded before the first reader
// gets one, and do not change afterwards.
func (r *readers) publish(ctx actor.Context, p *protocol.Publication) {
	here := r.audience.Admitted(r.self.Address)
	if here == 0 && !r.audience.AnyAway() {
		return
	}
	p.Finish(here <= inlineMax)
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

// send sends a reader the answer to its subscription, by the same route as its frames.
func (r *readers) send(ctx actor.Context, at audience.Address, s *protocol.Subscription) {
	if at.Host == r.self.Address {
		ctx.Send(actor.NewPID(at.Host, at.ID), s)
		return
	}
	ctx.Send(r.fanoutOf(at.Host), &protocol.Forward{Id: at.ID, Subscription: s})
}

// refuse answers a subscription that is not admitted, unless its reader has left.
func (r *readers) refuse(ctx actor.Context, msg *protocol.Subscribe, s *protocol.Subscription) {
	if r.asked(msg.Target, msg.Ticket) {
		r.leave(ctx, addressOf(msg.Target), msg.Ticket)
		r.send(ctx, addressOf(msg.Target), s)
	}
}

// dismiss ends all subscriptions, also those that are not admitted yet, because the actor
// ends: the readers of this node do not watch it.
func (r *readers) dismiss(ctx actor.Context, conversation uuid.UUID) {
	for _, l := range r.audience.All() {
		r.send(ctx, l.Address, &protocol.Subscription{
			Conversation: conversation[:], Ticket: l.Latest(), Outcome: protocol.Subscription_MOVED,
		})
		r.leave(ctx, l.Address, l.Latest())
	}
}

// move ends subscriptions, so that the readers subscribe again from their place and their
// right is checked again.
func (r *readers) move(ctx actor.Context, conversation uuid.UUID, which func(*reader) bool) {
	for _, l := range r.audience.All() {
		if l.Admitted() && which(&l.Value) {
			r.send(ctx, l.Address, &protocol.Subscription{
				Conversation: conversation[:], Ticket: l.Ticket(), Outcome: protocol.Subscription_MOVED,
			})
			r.leave(ctx, l.Address, l.Ticket())
		}
	}
}
