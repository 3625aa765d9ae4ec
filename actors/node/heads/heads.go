package heads

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
	"parley.dev/parley/internal/few"
)

// lookEvery is the minimum time between two checks.
const lookEvery = 2 * time.Second

// Config is what the actor needs. All fields are required.
type Config struct {
	Store domain.SessionStore
	Clock clock.Clock
	Log   *slog.Logger
}

// Heads compares the logs that are followed on this node with the stored ones, all of
// them in one query.
type Heads struct {
	node.Poller

	c     Config
	users map[uuid.UUID]*followers
}

// followers are the actors that follow the log of one person.
type followers struct {
	known domain.SessionHead
	pids  few.Map[string, *actor.PID]
}

// New makes the actor. It makes the first check when it gets a node.LookAgain.
func New(c Config) *Heads {
	return &Heads{Poller: node.Poller{Clock: c.Clock, Every: lookEvery}, c: c, users: map[uuid.UUID]*followers{}}
}

// Follow says that PID follows the log of a person, or with Ends that it does not follow it
// any more.
type Follow struct {
	User uuid.UUID
	PID  *actor.PID
	Ends bool
}

// Essential lets it into a full mailbox: if it was lost, lost events would not be noticed.
func (*Follow) Essential() {}

// IgnoreDeadLetterLogging says that the node may be ending.
func (*Follow) IgnoreDeadLetterLogging() {}

// Receive implements actor.Actor.
func (h *Heads) Receive(ctx actor.Context) {
	if msg, ok := ctx.Message().(*Follow); ok {
		h.follow(msg)
		return
	}
	h.Poller.Receive(ctx, h.look)
}

func (h *Heads) follow(msg *Follow) {
	f := h.users[msg.User]
	if msg.Ends {
		if f != nil {
			f.pids.Delete(msg.PID.Id)
			if f.pids.Len() == 0 {
				delete(h.users, msg.User)
			}
		}
		return
	}
	if f == nil {
		f = &followers{}
		h.users[msg.User] = f
	}
	f.pids.Set(msg.PID.Id, msg.PID)
	// It is not known how far the new follower is, so the next check notifies all followers.
	f.known = domain.SessionHead{User: msg.User, Head: -1}
}

func (h *Heads) look(ctx actor.Context) {
	known := make([]domain.SessionHead, 0, len(h.users))
	for _, f := range h.users {
		known = append(known, f.known)
	}
	if len(known) == 0 {
		h.Every = lookEvery
		h.Next(ctx)
		return
	}
	began := h.Clock.Now()
	var news []domain.SessionHead
	async.Run(h.Life(), ctx, 0, func(c context.Context) (err error) {
		news, err = h.c.Store.SessionHeads(c, known)
		return err
	}, func(err error) {
		if err != nil && h.Life().Err() == nil {
			h.c.Log.LogAttrs(h.Life(), slog.LevelWarn, "it could not be read how far people's logs have come", slog.Any("error", err))
		}
		for _, x := range news {
			f := h.users[x.User]
			if f == nil {
				continue
			}
			f.known = x
			for _, pid := range f.pids.All() {
				ctx.Send(pid, &protocol.UserHead{Seq: x.Head, Home: x.Node})
			}
		}
		h.Rest(lookEvery, node.MaxRest, h.Clock.Now().Sub(began))
		h.Next(ctx)
	})
}
