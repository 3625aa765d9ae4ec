package teams

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

// Config is what the actor needs. All fields are required.
type Config struct {
	Store domain.ConversationStore
	// Node is this process's id: only changes that affect what it owns are read.
	Node  string
	Clock clock.Clock
	Log   *slog.Logger
	// Every is the pause between two checks.
	Every time.Duration
	// Conversation and Session return the PID that the owner has on this node, if it lives
	// here.
	Conversation, Session func(id uuid.UUID) *actor.PID
}

// Teams looks for changes of teams and tells the conversations and sessions whose rights
// depend on them.
type Teams struct {
	node.Poller

	c Config

	// since is the position from which changes of teams are read; sent are the changes after
	// it that were sent already.
	since string
	sent  map[domain.TeamChange]bool
}

// New makes the actor. It makes the first check when it gets a node.LookAgain.
func New(c Config) *Teams { return &Teams{Poller: node.Poller{Clock: c.Clock, Every: c.Every}, c: c} }

// Receive implements actor.Actor.
func (s *Teams) Receive(ctx actor.Context) { s.Poller.Receive(ctx, s.look) }

func (s *Teams) look(ctx actor.Context) {
	var found *domain.TeamChanges
	async.Run(s.Life(), ctx, 0, func(c context.Context) (err error) {
		found, err = s.c.Store.TeamChanges(c, s.c.Node, s.since)
		return err
	}, func(err error) {
		defer s.Next(ctx)
		switch {
		case err == nil:
			s.notify(ctx, found)
		case s.Life().Err() == nil:
			s.c.Log.LogAttrs(s.Life(), slog.LevelWarn, "changes of teams could not be read", slog.Any("error", err))
		}
	})
}

// notify causes everything that depends on a changed team to be checked again, once for each
// change. The message is only sent to actors on this node, and activates none.
func (s *Teams) notify(ctx actor.Context, found *domain.TeamChanges) {
	sent := make(map[domain.TeamChange]bool, len(found.Changes))
	for _, c := range found.Changes {
		sent[c] = true
		if s.sent[c] {
			continue
		}
		pid := s.c.Session(c.User)
		if c.Conversation != uuid.Nil {
			pid = s.c.Conversation(c.Conversation)
		}
		ctx.Send(pid, &protocol.AccessChanged{})
	}
	s.since, s.sent = found.Next, sent
}
