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
	// sweepAtOnce is how many orphans one look takes, beside those that were woken a
	// moment ago and are still there; sweepMost is the most of both. Orphans that cannot
	// be claimed for now must not hide the others.
	sweepAtOnce = 100
	sweepMost   = 1000
	// locatesAtOnce is how many orphans are located at a time: a node that is silent, but
	// whose lease has not ended, lets each that may live there wait.
	locatesAtOnce = 16
	// wakeRest is when an orphan is woken again that is still one.
	wakeRest = 2 * time.Second
	// sweepRest is how many times as long as a look for orphans took, which found none,
	// they are not looked for again, and sweepRestMost the most of it. With 5,000 running
	// turns a look costs the database 40 ms.
	sweepRest     = 40
	sweepRestMost = 2 * time.Second
)

// sweeper looks for turns whose owner's lease has ended and wakes their
// conversations; the activation decides what becomes of them. It comes back to
// those whose owners on this node gave up (see gaveUp).
type sweeper struct {
	lookout

	store  domain.ConversationStore
	log    *slog.Logger
	locate func(ctx context.Context, kind, identity string) *actor.PID
	// took counts those that are woken because the node of their owner was lost.
	took func(from string)

	// rest is until when orphans are not looked for.
	rest time.Time
	// retries are the conversations whose owners here gave up.
	retries retries

	// waking says of conversations when they were woken; zero for those that are still
	// to be located. queue are those of which that has not begun, and locating counts
	// those of which it has.
	waking   map[uuid.UUID]time.Time
	queue    []uuid.UUID
	locating int
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
	began := s.clock.Now()
	for id, at := range s.waking {
		if !at.IsZero() && began.Sub(at) >= wakeRest {
			delete(s.waking, id)
		}
	}
	for _, id := range s.retries.due(began) {
		if at, ok := s.waking[id]; !ok || !at.IsZero() {
			s.wake(id)
		}
	}
	s.locateSome(ctx)
	if began.Before(s.rest) {
		s.next(ctx)
		return
	}
	limit := min(sweepAtOnce+len(s.waking), sweepMost)
	var orphans []uuid.UUID
	var took time.Duration
	async.Run(s.ctx, ctx, 0, func(c context.Context) (err error) {
		orphans, err = s.store.Orphans(c, limit)
		took = s.clock.Now().Sub(began)
		return err
	}, func(err error) {
		defer s.next(ctx)
		switch {
		case err != nil && s.ctx.Err() == nil:
			s.log.LogAttrs(s.ctx, slog.LevelWarn, "orphaned turns could not be looked for", slog.Any("error", err))
		case err == nil && len(orphans) == 0:
			s.rest = s.clock.Now().Add(min(sweepRest*took, sweepRestMost))
		}
		for _, id := range orphans {
			if _, ok := s.waking[id]; !ok {
				s.took(TakenFromLost)
				s.wake(id)
			}
		}
		s.locateSome(ctx)
	})
}

// wake has a conversation located and woken in its turn.
func (s *sweeper) wake(id uuid.UUID) {
	if s.waking == nil {
		s.waking = map[uuid.UUID]time.Time{}
	}
	s.waking[id] = time.Time{}
	s.queue = append(s.queue, id)
}

// locateSome locates as many as may be at a time. One that nobody can own now is free
// for the next look.
func (s *sweeper) locateSome(ctx actor.Context) {
	root := ctx.ActorSystem().Root
	for s.locating < locatesAtOnce && len(s.queue) > 0 && s.ctx.Err() == nil {
		id := s.queue[0]
		s.queue = s.queue[1:]
		s.locating++
		var pid *actor.PID
		async.Run(s.ctx, ctx, 0, func(c context.Context) error {
			pid = s.locate(c, kindConversation, id.String())
			return nil
		}, func(error) {
			s.locating--
			if pid == nil {
				delete(s.waking, id)
			} else {
				s.waking[id] = s.clock.Now()
				root.Send(pid, &protocol.Wake{})
			}
			s.locateSome(ctx)
		})
	}
}
