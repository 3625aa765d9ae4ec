package actors

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// gone is a Placement in which an owner's node is lost at some time; then the owner is found elsewhere.
type gone struct {
	Placement

	asked chan struct{}
	lost  chan struct{}
	after atomic.Bool
}

func (g *gone) Lost() <-chan struct{} { return g.lost }

func (g *gone) Find(kind, identity string) (*actor.PID, bool) {
	if kind != kindConversation || g.after.Load() {
		return g.Placement.Find(kind, identity)
	}
	select {
	case g.asked <- struct{}{}:
	default:
	}
	return nil, false
}

// A request that pauses between two tries continues as soon as a node is lost, and not only after the pause.
func TestSystem_NodeIsLost(t *testing.T) { // F01
	t.Parallel()
	b := setup(t, func(c *Config) { c.Clock = clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)) })
	g := &gone{Placement: b.system.placement, asked: make(chan struct{}, 1), lost: make(chan struct{})}
	b.system.placement = g
	result := make(chan error, 1)
	prompt := b.prompt("first")
	go func() {
		_, err := b.system.Send(context.Background(), b.owner, prompt)
		result <- err
	}()
	<-g.asked
	select {
	case err := <-result:
		require.Fail(t, "answered without an owner", "%v", err)
	case <-time.After(100 * time.Millisecond): // its clock stands still
	}
	g.after.Store(true)
	close(g.lost)
	require.NoError(t, <-result)
	b.turnStatus(b.taken(prompt).TurnID, domain.TurnComplete)
}
