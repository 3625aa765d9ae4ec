package actors

import (
	"context"
	"log/slog"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/actors/node"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
)

// teams looks for teams that have changed, and has rights that stand on them read
// again (G15). It waits for nobody and for no other look: who has lost a right gets
// nothing more within a second.
type teams struct {
	node.Poller

	node  string
	store domain.ConversationStore
	log   *slog.Logger

	// since is where the changes of teams go on; told are those above it that were
	// read already.
	since string
	told  map[domain.TeamChange]bool
}

// Receive implements actor.Actor.
func (s *teams) Receive(ctx actor.Context) { s.Poller.Receive(ctx, s.look) }

func (s *teams) look(ctx actor.Context) {
	var found *domain.TeamChanges
	async.Run(s.Life(), ctx, 0, func(c context.Context) (err error) {
		found, err = s.store.TeamChanges(c, s.node, s.since)
		return err
	}, func(err error) {
		defer s.Next(ctx)
		switch {
		case err == nil:
			s.tell(ctx, found)
		case s.Life().Err() == nil:
			s.log.LogAttrs(s.Life(), slog.LevelWarn, "changes of teams could not be looked for", slog.Any("error", err))
		}
	})
}

// tell has what stands on a changed team looked at again, once for each change.
// It lives on this node: nobody is woken for it.
func (s *teams) tell(ctx actor.Context, found *domain.TeamChanges) {
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
