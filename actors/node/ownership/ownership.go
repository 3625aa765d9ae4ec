package ownership

import (
	"context"
	"log/slog"
	"strings"
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
	// lookEvery is the minimum time between two checks.
	lookEvery = 2 * time.Second
	// lookMost is the maximum. While the network between two nodes is cut, the readers of an
	// owner that was superseded see nothing new until the next check, and they must see it
	// within 10 s: so it is shorter than that of other checks, even if the database is slow.
	lookMost = 4 * time.Second
	// doubtLimit is how long the check of one conversation may take.
	doubtLimit = 10 * time.Second
)

// Config is what the actor needs. All fields are required.
type Config struct {
	Store domain.ConversationStore
	// Node is this process's id, which the rows of its conversations name.
	Node  string
	Clock clock.Clock
	Log   *slog.Logger
	// List causes a node.Listed with the owners of this node to be sent to an actor.
	List func(to *actor.PID)
	// Owner returns the PID that the owner of a conversation has on this node, if it lives
	// here.
	Owner func(conversation uuid.UUID) *actor.PID
}

// Ownership compares the conversations that have an owner here with their rows, all of
// them in one query.
type Ownership struct {
	node.Poller

	c Config
}

// New makes the actor. It makes the first check when it gets a node.LookAgain.
func New(c Config) *Ownership {
	return &Ownership{Poller: node.Poller{Clock: c.Clock, Every: lookEvery}, c: c}
}

// Doubted says that another node claims to own a conversation that has an owner here: it
// is checked at once.
type Doubted struct{ Conversation uuid.UUID }

// IgnoreDeadLetterLogging says that the node may be ending.
func (*Doubted) IgnoreDeadLetterLogging() {}

// Receive implements actor.Actor.
func (o *Ownership) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case *node.Listed:
		o.compareAll(ctx, msg.PIDs)
	case *Doubted:
		o.compare(ctx, []uuid.UUID{msg.Conversation}, doubtLimit, func() {})
	default:
		o.Poller.Receive(ctx, func(ctx actor.Context) { o.c.List(ctx.Self()) })
	}
}

// compareAll compares all owners that live here, and arranges the next check.
func (o *Ownership) compareAll(ctx actor.Context, owners []*actor.PID) {
	ids := make([]uuid.UUID, 0, len(owners))
	for _, pid := range owners {
		_, name, _ := strings.Cut(pid.Id, "/")
		if id, err := uuid.Parse(name); err == nil {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		o.Every = lookEvery
		o.Next(ctx)
		return
	}
	began := o.Clock.Now()
	o.compare(ctx, ids, 0, func() {
		o.Rest(lookEvery, lookMost, o.Clock.Now().Sub(began))
		o.Next(ctx)
	})
}

// compare reads the rows of conversations, outside of the actor and within the limit (0 for
// no limit), tells the owners that were superseded, and then calls after.
func (o *Ownership) compare(ctx actor.Context, ids []uuid.UUID, limit time.Duration, after func()) {
	var found []domain.Superseded
	began := o.Clock.Now()
	async.Run(o.Life(), ctx, limit, func(c context.Context) (err error) {
		found, err = o.c.Store.Superseded(c, o.c.Node, ids)
		return err
	}, func(err error) {
		if err != nil && o.Life().Err() == nil {
			o.c.Log.LogAttrs(o.Life(), slog.LevelWarn, "it could not be read who owns the conversations of this node", slog.Any("error", err))
		}
		for _, s := range found {
			ctx.Send(o.c.Owner(s.Conversation), &protocol.Superseded{Epoch: s.Epoch, Deleted: s.Deleted, Read: began})
		}
		after()
	})
}
