package actors

import (
	"context"
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
)

const (
	// sweepAtOnce is how many orphans one look takes.
	sweepAtOnce = 100
	// sweepRest is how many times as long as a look for orphans took, which found none,
	// they are not looked for again, and sweepRestMost the most of it. With 5,000 running
	// turns a look costs the database 40 ms.
	sweepRest     = 40
	sweepRestMost = 2 * time.Second
)

// sweeper looks for turns whose owner's lease has ended and wakes their
// conversations; the activation decides what becomes of them. It comes back to
// those whose owners on this node gave up (see gaveUp). It also looks for
// teams that have changed, and has rights that stand on them read again.
type sweeper struct {
	lookout

	node   string
	store  domain.ConversationStore
	log    *slog.Logger
	locate func(ctx context.Context, kind, identity string) *actor.PID

	// since is where the changes of teams go on; told are those above it that were
	// read already.
	since string
	told  map[domain.TeamChange]bool

	// rest is until when orphans are not looked for.
	rest time.Time
	// retries are the conversations whose owners here gave up.
	retries retries
}

// Receive implements actor.Actor.
func (s *sweeper) Receive(ctx actor.Context) {
	if msg, ok := ctx.Message().(*gaveUp); ok {
		s.retries.every = s.every
		s.retries.add(msg.conversation, s.clock.Now())
		return
	}
	s.receive(ctx, s.look)
}

func (s *sweeper) look(ctx actor.Context) {
	root, began := ctx.ActorSystem().Root, s.clock.Now()
	again, rests := s.retries.due(began), began.Before(s.rest)
	var orphans []uuid.UUID
	var took time.Duration
	async.Run(s.ctx, ctx, 0, func(c context.Context) (err error) {
		if !rests {
			orphans, err = s.store.Orphans(c, sweepAtOnce)
			took = s.clock.Now().Sub(began)
		}
		for _, id := range append(orphans, again...) {
			if pid := s.locate(c, kindConversation, id.String()); pid != nil {
				root.Send(pid, &protocol.Wake{})
			}
		}
		return err
	}, func(err error) {
		if err != nil && s.ctx.Err() == nil {
			s.log.LogAttrs(s.ctx, slog.LevelWarn, "orphaned turns could not be looked for", slog.Any("error", err))
		}
		if err == nil && !rests && len(orphans) == 0 {
			s.rest = s.clock.Now().Add(min(sweepRest*took, sweepRestMost))
		}
		s.teams(ctx)
	})
}

// teams looks for changes of teams, and then waits for the next look.
func (s *sweeper) teams(ctx actor.Context) {
	if s.ctx.Err() != nil {
		return
	}
	var found *domain.TeamChanges
	async.Run(s.ctx, ctx, 0, func(c context.Context) (err error) {
		found, err = s.store.TeamChanges(c, s.node, s.since)
		return err
	}, func(err error) {
		switch {
		case err == nil:
			s.tell(ctx, found)
		case s.ctx.Err() == nil:
			s.log.LogAttrs(s.ctx, slog.LevelWarn, "changes of teams could not be looked for", slog.Any("error", err))
		}
		s.next(ctx)
	})
}

// tell has what stands on a changed team looked at again, once for each change.
// It lives on this node: nobody is woken for it.
func (s *sweeper) tell(ctx actor.Context, found *domain.TeamChanges) {
	told := make(map[domain.TeamChange]bool, len(found.Changes))
	for _, c := range found.Changes {
		told[c] = true
		if s.told[c] {
			continue
		}
		name := kindConversation + "/" + c.Conversation.String()
		if c.Conversation == uuid.Nil {
			name = kindSession + "/" + c.User.String()
		}
		ctx.Send(actor.NewPID(ctx.Self().Address, name), &protocol.AccessChanged{})
	}
	s.since, s.told = found.Next, told
}
