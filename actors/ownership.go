package actors

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/actors/node"
	"parley.dev/parley/actors/node/roster"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
)

// ownershipEvery is the time between two looks, at least.
const ownershipEvery = 2 * time.Second

// ownership tells the owners of this node that are none any more. Two nodes may claim
// one conversation, for a moment after a node has joined or while the network between
// them is cut, and the last one is the owner. The other one hears of it when it writes;
// one that has nothing to write would keep its readers, who would see nothing for ever.
type ownership struct {
	node.Poller

	node   string
	store  domain.ConversationStore
	log    *slog.Logger
	roster *actor.PID
}

// doubted says that a node claims to own a conversation that has an owner here.
type doubted struct{ conversation uuid.UUID }

func (*doubted) IgnoreDeadLetterLogging() {}

// ask looks at one conversation, out of turn.
func (o *ownership) ask(ctx actor.Context, id uuid.UUID) {
	var found []domain.Superseded
	async.Run(o.Life(), ctx, askStep, func(c context.Context) (err error) {
		found, err = o.store.Superseded(c, o.node, []uuid.UUID{id})
		return err
	}, func(err error) {
		if err != nil && o.Life().Err() == nil {
			o.log.LogAttrs(o.Life(), slog.LevelWarn, "it could not be read who owns a conversation", slog.Any("error", err))
		}
		for _, s := range found {
			owner := actor.NewPID(ctx.Self().Address, kindConversation+"/"+s.Conversation.String())
			ctx.Send(owner, &protocol.Superseded{Epoch: s.Epoch, Deleted: s.Deleted})
		}
	})
}

// Receive implements actor.Actor.
func (o *ownership) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case *roster.Listed:
		o.compare(ctx, msg.PIDs)
		return
	case *doubted:
		o.ask(ctx, msg.conversation)
		return
	}
	o.Poller.Receive(ctx, func(ctx actor.Context) { ctx.Request(o.roster, &roster.ListAll{Kind: roster.Conversation}) })
}

func (o *ownership) compare(ctx actor.Context, pids []*actor.PID) {
	owners := make(map[uuid.UUID]*actor.PID, len(pids))
	ids := make([]uuid.UUID, 0, len(pids))
	for _, pid := range pids {
		if id, err := uuid.Parse(strings.TrimPrefix(pid.Id, kindConversation+"/")); err == nil {
			owners[id] = pid
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		o.Every = ownershipEvery
		o.Next(ctx)
		return
	}
	began := o.Clock.Now()
	var found []domain.Superseded
	async.Run(o.Life(), ctx, 0, func(c context.Context) (err error) {
		found, err = o.store.Superseded(c, o.node, ids)
		return err
	}, func(err error) {
		if err != nil && o.Life().Err() == nil {
			o.log.LogAttrs(o.Life(), slog.LevelWarn, "it could not be read who owns the conversations of this node", slog.Any("error", err))
		}
		for _, s := range found {
			ctx.Send(owners[s.Conversation], &protocol.Superseded{Epoch: s.Epoch, Deleted: s.Deleted})
		}
		o.Rest(ownershipEvery, o.Clock.Now().Sub(began))
		o.Next(ctx)
	})
}
