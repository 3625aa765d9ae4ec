package conversation

import (
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/actors/conversation/ledger"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// subscribe checks the right and answers where the reader's frames begin; from there on the
// reader gets everything. Nothing can happen in between, because both happen in one step of
// the actor. A reader that has left meanwhile gets nothing.
func (a *Actor) subscribe(ctx actor.Context, msg *protocol.Subscribe, sender *actor.PID) {
	if !a.readers.asked(msg.Target, msg.Ticket) {
		return
	}
	caller := msg.Caller.Domain()
	a.permission(ctx, caller, func(p domain.Permission, err error) {
		answer := &protocol.Subscription{Conversation: a.id[:], Ticket: msg.Ticket}
		switch {
		case err != nil:
			// The right could not be read: the reader gets nothing, and asks again.
			answer.Outcome = protocol.Subscription_MOVED
		case !domain.SeeConversation.May(caller, domain.Relation{Found: true, Permission: p}):
			answer.Outcome = protocol.Subscription_DENIED
		default:
			a.fill(ctx, answer, a.state.Resume(readCursor(msg.Cursor)))
			if a.readers.admit(msg.Target, msg.Ticket, sender, a.state.MayWrite(caller)) {
				a.readers.send(ctx, addressOf(msg.Target), answer)
			}
			return
		}
		a.readers.refuse(ctx, msg, answer)
	})
}

func (a *Actor) fill(ctx actor.Context, s *protocol.Subscription, r ledger.Resumed) {
	s.Outcome, s.Epoch, s.Generation, s.Head, s.From = r.Outcome, a.state.Epoch(), r.Generation, r.Head, r.From
	s.OwnerAddress, s.OwnerId = ctx.Self().Address, ctx.Self().Id
	for _, o := range r.Open {
		s.Open = append(s.Open, &protocol.Open{Message: o.Message[:], Offset: o.Offset})
	}
	s.Frames = frames(a.id, r.Entries)
}

func readCursor(c *protocol.Cursor) *domain.Cursor {
	if c == nil {
		return nil
	}
	return &domain.Cursor{Seq: c.Seq, Generation: c.Generation, Message: protocol.ID(c.Message), Offset: c.Offset}
}

// unsubscribe ends a subscription, admitted or not yet. It is handled in every phase, even
// before a Subscribe that arrived earlier and still waits.
func (a *Actor) unsubscribe(ctx actor.Context, msg *protocol.Unsubscribe) {
	at := addressOf(msg.Target)
	a.readers.leave(ctx, at, msg.Ticket)
	a.stash = slices.DeleteFunc(a.stash, func(s stashed) bool {
		sub, ok := s.message.(*protocol.Subscribe)
		return ok && addressOf(sub.Target) == at && sub.Ticket <= msg.Ticket
	})
}

// check tells a fan-out how far this owner's log goes, by the same route as the frames, so
// that a reader that has missed something notices it.
func (a *Actor) check(ctx actor.Context, msg *protocol.Check) {
	if a.phase != active {
		return
	}
	position := &protocol.Position{Conversation: a.id[:], Epoch: a.state.Epoch(), Head: a.state.Head()}
	for _, o := range a.state.OpenTexts() {
		position.Open = append(position.Open, &protocol.Open{Message: o.Message[:], Offset: o.Offset})
	}
	if a.readers.audience.Admitted(msg.Target.GetAddress()) == 0 {
		// The fan-out has readers that this owner does not know: they must subscribe again.
		position.Epoch = 0
	}
	ctx.Send(actor.NewPID(msg.Target.GetAddress(), a.c.Fanout), position)
}
