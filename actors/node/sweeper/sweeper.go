package sweeper

import (
	"context"
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/actors/node"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/clock"
)

const (
	// atOnce is how many orphans one check reads, in addition to those that were woken a
	// moment ago and are still orphans; most is the maximum of both together. Orphans that
	// cannot be claimed for now must not hide the others.
	atOnce = 100
	most   = 1000
	// locatesAtOnce is how many orphans are located at a time: if a node is silent, but its
	// lease has not ended, locating each orphan that may live there takes a while.
	locatesAtOnce = 16
	// wakeRest is the pause before an orphan that is still one is woken again.
	wakeRest = 2 * time.Second
	// After a check that found no orphan and took d, the next one waits idleFactor × d, at
	// most maxIdle. With 5,000 running turns a check costs the database 40 ms.
	idleFactor = 40
	maxIdle    = 2 * time.Second
)

// Config is what a sweeper needs. All fields are required.
type Config struct {
	Store domain.ConversationStore
	Clock clock.Clock
	Log   *slog.Logger
	// Every is the pause between two checks.
	Every time.Duration
	// Locate returns the owner of a conversation, and activates it if necessary; it returns
	// nil if that is not possible now. It is called outside of the actor, by several
	// goroutines at once.
	Locate func(ctx context.Context, conversation uuid.UUID) *actor.PID
	// Found gets the number of orphans of each check, and for how long this node has known the
	// oldest of them.
	Found func(n int, known time.Duration)
}

// Sweeper looks for turns whose owner's lease has ended and wakes their conversations; the
// activation decides what becomes of them. It also wakes conversations whose owners on this
// node gave up (see GaveUp).
type Sweeper struct {
	node.Poller

	c Config

	// rest is the time until which no orphans are looked for.
	rest time.Time
	// retries are the conversations whose owners here gave up.
	retries retries

	// seen are the orphans of the last check, with the time at which each was found first.
	seen map[uuid.UUID]time.Time

	// waking has the time at which each conversation was woken; it is zero for those that
	// must still be located. queue are the conversations whose locating has not begun, and
	// locating counts those for which it has.
	waking   map[uuid.UUID]time.Time
	queue    []uuid.UUID
	locating int
}

// New makes the actor. It makes the first check when it gets a node.LookAgain.
func New(c Config) *Sweeper {
	return &Sweeper{Poller: node.Poller{Clock: c.Clock, Every: c.Every}, c: c, retries: retries{every: c.Every}}
}

// Receive implements actor.Actor.
func (s *Sweeper) Receive(ctx actor.Context) {
	if msg, ok := ctx.Message().(*GaveUp); ok {
		s.retries.add(msg.Conversation, s.Clock.Now())
		return
	}
	s.Poller.Receive(ctx, s.look)
}

func (s *Sweeper) look(ctx actor.Context) {
	began := s.Clock.Now()
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
		s.Next(ctx)
		return
	}
	limit := min(atOnce+len(s.waking), most)
	var orphans []uuid.UUID
	var took time.Duration
	async.Run(s.Life(), ctx, 0, func(c context.Context) (err error) {
		orphans, err = s.c.Store.Orphans(c, limit)
		took = s.Clock.Now().Sub(began)
		return err
	}, func(err error) {
		defer s.Next(ctx)
		switch {
		case err != nil && s.Life().Err() == nil:
			s.c.Log.LogAttrs(s.Life(), slog.LevelWarn, "orphaned turns could not be read", slog.Any("error", err))
		case err == nil && len(orphans) == 0:
			s.found(nil)
			s.rest = s.Clock.Now().Add(min(idleFactor*took, maxIdle))
		case err == nil:
			s.found(orphans)
		}
		for _, id := range orphans {
			if _, ok := s.waking[id]; !ok {
				s.wake(id)
			}
		}
		s.locateSome(ctx)
	})
}

// found remembers since when each orphan is known, and reports their number and the longest time.
func (s *Sweeper) found(orphans []uuid.UUID) {
	now := s.Clock.Now()
	before := s.seen
	s.seen = make(map[uuid.UUID]time.Time, len(orphans))
	var known time.Duration
	for _, id := range orphans {
		first, ok := before[id]
		if !ok {
			first = now
		}
		s.seen[id] = first
		known = max(known, now.Sub(first))
	}
	s.c.Found(len(orphans), known)
}

// wake adds a conversation to the queue of those that are located and woken.
func (s *Sweeper) wake(id uuid.UUID) {
	if s.waking == nil {
		s.waking = map[uuid.UUID]time.Time{}
	}
	s.waking[id] = time.Time{}
	s.queue = append(s.queue, id)
}

// locateSome locates as many conversations at a time as the limit allows. A conversation that
// no node can own now is left to the next check.
func (s *Sweeper) locateSome(ctx actor.Context) {
	root := ctx.ActorSystem().Root
	for s.locating < locatesAtOnce && len(s.queue) > 0 && s.Life().Err() == nil {
		id := s.queue[0]
		s.queue = s.queue[1:]
		s.locating++
		var pid *actor.PID
		async.Run(s.Life(), ctx, 0, func(c context.Context) error {
			pid = s.c.Locate(c, id)
			return nil
		}, func(error) {
			s.locating--
			if pid == nil {
				delete(s.waking, id)
			} else {
				s.waking[id] = s.Clock.Now()
				root.Send(pid, &protocol.Wake{})
			}
			s.locateSome(ctx)
		})
	}
}
