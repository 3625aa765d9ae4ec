package conversation

import (
	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/mailbox"
)

// reader is one subscription.
type reader struct {
	door   mailbox.Door // of one of this node
	target *protocol.Target
	caller domain.Caller
	ticket uint64
	at     int // in readers.order
}

// readers are the subscriptions of a conversation. Those of this node get their
// frames directly, those of another node through its fan-out: one message a node,
// and everything for a reader there goes the same way, so that it stays in order.
type readers struct {
	order  []*reader // those of local
	local  map[string]*reader
	remote map[string]*remote
	system *actor.ActorSystem
	fanout string
	self   *actor.PID
}

// few is how many readers of a conversation get their frames in its own turn; with more
// of them the others of the node would wait for all their sockets.
const few = 4

// remote are the readers of one other node.
type remote struct {
	fanout  *actor.PID
	readers map[string]*reader
}

func newReaders(system *actor.ActorSystem, fanout string, self *actor.PID) readers {
	return readers{system: system, fanout: fanout, self: self}
}

func (r *readers) empty() bool { return len(r.local) == 0 && len(r.remote) == 0 }

func (r *readers) add(ctx actor.Context, n *reader) {
	if n.target.Address == r.self.Address {
		if r.local == nil {
			r.local = map[string]*reader{}
		}
		n.door = mailbox.DoorTo(r.system, actor.NewPID(n.target.Address, n.target.Id))
		if old := r.local[n.target.Id]; old != nil {
			r.drop(old)
		}
		n.at = len(r.order)
		r.local[n.target.Id], r.order = n, append(r.order, n)
		return
	}
	if r.remote == nil {
		r.remote = map[string]*remote{}
	}
	node := r.remote[n.target.Address]
	if node == nil {
		node = &remote{fanout: actor.NewPID(n.target.Address, r.fanout), readers: map[string]*reader{}}
		r.remote[n.target.Address] = node
		// The end of that node takes its readers with it.
		ctx.Watch(node.fanout)
	}
	node.readers[n.target.Id] = n
}

// remove takes a reader away unless it has subscribed again since.
func (r *readers) remove(ctx actor.Context, t *protocol.Target, ticket uint64) {
	if t.Address == r.self.Address {
		if n := r.local[t.Id]; n != nil && n.ticket <= ticket {
			r.drop(n)
		}
		return
	}
	node := r.remote[t.Address]
	if node == nil {
		return
	}
	if n := node.readers[t.Id]; n != nil && n.ticket <= ticket {
		delete(node.readers, t.Id)
	}
	if len(node.readers) == 0 {
		ctx.Unwatch(node.fanout)
		delete(r.remote, t.Address)
	}
}

// drop takes a reader of this node away.
func (r *readers) drop(n *reader) {
	last := len(r.order) - 1
	r.order[n.at] = r.order[last]
	r.order[n.at].at = n.at
	r.order[last] = nil
	r.order = r.order[:last]
	delete(r.local, n.target.Id)
}

// lost forgets the readers of a node that has gone.
func (r *readers) lost(who *actor.PID) bool {
	node := r.remote[who.Address]
	if node == nil || !node.fanout.Equal(who) {
		return false
	}
	delete(r.remote, who.Address)
	return true
}

// publish shows entries to every reader. They are encoded once, and all of it before
// the first one gets them: from then on nothing of them changes.
func (r *readers) publish(ctx actor.Context, p *protocol.Publication) {
	var out *protocol.Published
	if len(r.remote) > 0 {
		out = &protocol.Published{Conversation: p.Conversation[:], Epoch: p.Epoch, Frames: frames(p.Conversation, p.Entries)}
	}
	if len(r.order) > 0 {
		p.Finish(len(r.order) <= few)
	}
	for _, n := range r.order {
		n.door.Send(p)
	}
	for _, node := range r.remote {
		ctx.Send(node.fanout, out)
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
func (r *readers) send(ctx actor.Context, t *protocol.Target, s *protocol.Subscription) {
	if t.GetAddress() == r.self.Address {
		ctx.Send(actor.NewPID(t.Address, t.Id), s)
		return
	}
	ctx.Send(actor.NewPID(t.GetAddress(), r.fanout), &protocol.Forward{Id: t.GetId(), Subscription: s})
}

// move ends subscriptions in such a way that the readers subscribe again, from
// their own place, and are asked for their right anew.
func (r *readers) move(ctx actor.Context, conversation uuid.UUID, which func(*reader) bool) {
	r.each(func(n *reader) {
		if which(n) {
			r.send(ctx, n.target, &protocol.Subscription{
				Conversation: conversation[:], Ticket: n.ticket, Outcome: protocol.Subscription_MOVED,
			})
			r.remove(ctx, n.target, n.ticket)
		}
	})
}

func (r *readers) each(f func(*reader)) {
	for _, n := range r.local {
		f(n)
	}
	for _, node := range r.remote {
		for _, n := range node.readers {
			f(n)
		}
	}
}
