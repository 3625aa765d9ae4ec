package rebalance

import (
	"math/rand/v2"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/actors/node"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/internal/clock"
)

// most is how many owners are asked at once. Each one that moves costs a release, a claim and the reads
// of its readers.
const most = 100

// Config is what the actor needs. All fields are required.
type Config struct {
	Clock clock.Clock
	// Every is the time between two checks. It is longer than it takes until all nodes know what has
	// moved, so that a surplus is not given away twice.
	Every time.Duration
	// Surplus returns by how many conversations this node carries more than its share.
	Surplus func() int
	// List causes a node.Listed with the owners of this node to be sent to an actor.
	List func(to *actor.PID)
}

// Rebalance asks owners to move while this node has a surplus.
type Rebalance struct {
	node.Poller

	c Config
}

// New makes the actor. It makes the first check when it gets a node.LookAgain.
func New(c Config) *Rebalance {
	return &Rebalance{Poller: node.Poller{Clock: c.Clock, Every: c.Every}, c: c}
}

// Receive implements actor.Actor.
func (r *Rebalance) Receive(ctx actor.Context) {
	if msg, ok := ctx.Message().(*node.Listed); ok {
		r.ask(ctx, msg.PIDs)
		return
	}
	r.Poller.Receive(ctx, func(ctx actor.Context) {
		if r.c.Surplus() == 0 {
			r.Next(ctx)
			return
		}
		r.c.List(ctx.Self())
	})
}

// ask asks as many randomly chosen owners as the surplus of the node. Busy owners stay, so several checks
// may be needed until the surplus is gone; if more were asked, too many could move.
func (r *Rebalance) ask(ctx actor.Context, owners []*actor.PID) {
	defer r.Next(ctx)
	n := min(r.c.Surplus(), most, len(owners))
	for i := range n {
		j := i + rand.IntN(len(owners)-i) //nolint:gosec // which ones does not matter
		owners[i], owners[j] = owners[j], owners[i]
		ctx.Send(owners[i], &protocol.Yield{})
	}
}
