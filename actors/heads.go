package actors

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
)

// headsEvery is the time between two looks, at least.
const headsEvery = 2 * time.Second

// heads tells those of this node who follow a person's log, sessions and connections,
// when the stored one has gone on. Nearly always they have heard of it: what a commit
// tells goes to the session at once, and from there to its connections. But the news may
// get lost with the node or the link that carried it, and then nothing else comes.
type heads struct {
	node.Poller

	store domain.SessionStore
	log   *slog.Logger
	users map[uuid.UUID]*followers
}

// followers are those of one person.
type followers struct {
	known domain.SessionHead
	pids  map[string]*actor.PID
}

// follow says that somebody follows a person's log, or does so no more.
type follow struct {
	user uuid.UUID
	pid  *actor.PID
	ends bool
}

func (*follow) Essential()               {}
func (*follow) IgnoreDeadLetterLogging() {}

// Receive implements actor.Actor.
func (h *heads) Receive(ctx actor.Context) {
	if msg, ok := ctx.Message().(*follow); ok {
		h.follow(msg)
		return
	}
	h.Poller.Receive(ctx, h.look)
}

func (h *heads) follow(msg *follow) {
	f := h.users[msg.user]
	if msg.ends {
		if f != nil {
			delete(f.pids, msg.pid.Id)
			if len(f.pids) == 0 {
				delete(h.users, msg.user)
			}
		}
		return
	}
	if f == nil {
		if h.users == nil {
			h.users = map[uuid.UUID]*followers{}
		}
		f = &followers{pids: map[string]*actor.PID{}}
		h.users[msg.user] = f
	}
	f.pids[msg.pid.Id] = msg.pid
	// Where the new one stands is not known here: the next look tells all.
	f.known = domain.SessionHead{User: msg.user, Head: -1}
}

func (h *heads) look(ctx actor.Context) {
	known := make([]domain.SessionHead, 0, len(h.users))
	for _, f := range h.users {
		known = append(known, f.known)
	}
	if len(known) == 0 {
		h.Every = headsEvery
		h.Next(ctx)
		return
	}
	began := h.Clock.Now()
	var news []domain.SessionHead
	async.Run(h.Life(), ctx, 0, func(c context.Context) (err error) {
		news, err = h.store.SessionHeads(c, known)
		return err
	}, func(err error) {
		if err != nil && h.Life().Err() == nil {
			h.log.LogAttrs(h.Life(), slog.LevelWarn, "it could not be read how far people's logs have come", slog.Any("error", err))
		}
		for _, x := range news {
			f := h.users[x.User]
			if f == nil {
				continue
			}
			f.known = x
			for _, pid := range f.pids {
				ctx.Send(pid, &protocol.UserHead{Seq: x.Head, Home: x.Node})
			}
		}
		h.Rest(headsEvery, h.Clock.Now().Sub(began))
		h.Next(ctx)
	})
}
