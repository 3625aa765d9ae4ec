package connection

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/logctx"
)

// ownerless is how long a reader searches for the owner before it reads the store. An
// owner may live on a node that this one cannot reach: then no other node takes over, but
// what the owner writes is in the store.
const ownerless = 2 * time.Second

// silent handles that the owner, on another node, does not answer. The subscription stays:
// frames that arrive from the owner later are checked against the place as always.
func (a *Actor) silent(ctx actor.Context, msg *protocol.Silent) {
	s := a.subs.Get(msg.Conversation)
	if a.phase == open && a.follows(ctx, msg.Conversation, s) && s.stage == live {
		a.fromStore(ctx, s, func() {})
	}
}

// stored is what was read from the store for a reader.
type stored struct {
	refused bool
	news    bool
	follows bool
	at      *protocol.Subscription // as an owner would answer
	entries []protocol.Entry
}

// fromStore sends a reader what is stored, and then restores its stage. It also checks the
// right to read, because no owner does so meanwhile.
func (a *Actor) fromStore(ctx actor.Context, s *subscription, then func()) {
	if s.stage == asking {
		// A late answer of an owner must not come in between.
		a.tickets++
		s.ticket = a.tickets
	}
	s.looks++
	stage, ticket, look := s.stage, s.ticket, s.looks
	from, place, answered := s.at(), s.place, s.answered
	place.open = slices.Clone(place.open)
	s.stage = reading
	var found *stored
	async.Run(context.Background(), ctx, readLimit, func(c context.Context) (err error) {
		found, err = a.lookUp(c, s, from, func(at *protocol.Position) bool { return !answered || place.behind(at) })
		return err
	}, func(err error) {
		if a.phase != open || a.subs.Get(s.id) != s || s.stage != reading || s.ticket != ticket || s.looks != look {
			return
		}
		s.stage = stage
		switch {
		case err != nil:
			a.c.Logger.LogAttrs(context.Background(), slog.LevelWarn, "a conversation whose owner is silent could not be read",
				slog.Any("error", err), logctx.Conversation(s.id))
		case found.refused:
			a.detach(ctx, s)
			a.deny(ctx, s)
			return
		case !found.news:
		case !found.follows:
			a.reset(s, found.at)
		default:
			a.catchUp(s, found.at, found.entries)
		}
		buffer := s.buffer
		s.stage, s.buffer, s.held = stage, nil, 0
		for _, p := range buffer {
			if s.stage == live {
				a.deliver(ctx, s, p)
			}
		}
		a.full(ctx)
		then()
	})
}

// lookUp reads the entries between a cursor and the stored head. It runs outside the actor.
func (a *Actor) lookUp(ctx context.Context, s *subscription, from *domain.Cursor, news func(*protocol.Position) bool) (*stored, error) {
	at, err := a.c.Store.Stored(ctx, s.id, a.in.Caller)
	switch {
	case err != nil:
		return nil, err
	case !domain.SeeConversation.May(a.in.Caller, domain.Relation{Found: true, Permission: at.Permission}):
		return &stored{refused: true}, nil
	}
	f := &stored{follows: true, at: &protocol.Subscription{
		Conversation: s.id[:], Epoch: at.Epoch, Generation: at.Generation, Head: at.Head, From: at.Head,
	}}
	for _, o := range at.Open {
		f.at.Open = append(f.at.Open, &protocol.Open{Message: o.Message[:], Offset: o.Length})
	}
	f.news = news(&protocol.Position{Conversation: s.id[:], Epoch: at.Epoch, Head: at.Head, Open: f.at.Open})
	switch {
	case !f.news:
	case from == nil:
		// The client asked for everything from now on, which begins with the text so far.
		for _, o := range at.Open {
			text, err := a.c.Store.OpenText(ctx, s.id, o.Message, 0)
			if err != nil {
				return nil, err
			}
			f.entries = append(f.entries, protocol.Entry{
				Kind: protocol.EntryDelta, Epoch: at.Epoch, Generation: at.Generation,
				Message: o.Message, Text: text[:min(int64(len(text)), o.Length)],
			})
		}
	case from.Seq > at.Head || from.Generation != at.Generation:
		f.follows = false
	default:
		f.at.From = from.Seq
		if f.entries, f.follows, err = replay(ctx, a.c.Store, s.id, from, f.at); err != nil {
			return nil, err
		}
	}
	for i := range f.entries {
		f.entries[i].Encode(s.id)
	}
	return f, nil
}
