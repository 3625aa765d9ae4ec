package cluster

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"
)

// weighed starts a node that carries what lives on it, and some more.
func (w *world) weighed(t *testing.T, name string, more int64) (*Node, *atomic.Int64) {
	t.Helper()
	var lives atomic.Int64
	lives.Store(more)
	n := w.start(t, name, func(c *Config) {
		echoes := c.Kinds["thing"]
		c.Kinds = map[string]*actor.Props{"thing": echoes.Clone(actor.WithReceiverMiddleware(func(next actor.ReceiverFunc) actor.ReceiverFunc {
			return func(ctx actor.ReceiverContext, e *actor.MessageEnvelope) {
				if _, ok := e.Message.(*actor.Started); ok {
					lives.Add(1)
				}
				next(ctx, e)
			}
		}))}
		c.Load, c.Balanced = func() float64 { return float64(lives.Load()) }, []string{"thing"}
	})
	return n, &lives
}

// report makes nodes report what they carry, and read what the others have reported.
func report(t *testing.T, nodes ...*Node) {
	t.Helper()
	for range 2 {
		for _, n := range nodes {
			require.True(t, n.membership.renew(t.Context()))
		}
	}
	for _, n := range nodes {
		n.membership.reach.wait()
	}
}

func TestNodes_PlacedByLoad(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, _ := w.weighed(t, "a", 100)
	b, _ := w.weighed(t, "b", 100)
	c, carried := w.weighed(t, "c", 0)
	meet(t, a, b, c)
	report(t, a, b, c)

	t.Run("Surplus", func(t *testing.T) {
		require.Equal(t, 33, a.Surplus())
		require.Equal(t, 33, b.Surplus())
		require.Zero(t, c.Surplus())
	})

	t.Run("TheEmptyNodeGetsWhatIsNew", func(t *testing.T) {
		for i := range 60 {
			if i%10 == 0 {
				report(t, a, b, c)
			}
			id := fmt.Sprint("new-", i)
			require.Equal(t, c.ID(), where(t, []*Node{a, b, c}[i%3], id))
			w.setHome(id, c.ID())
		}
		require.EqualValues(t, 60, carried.Load())
	})

	t.Run("AllWhoAskForOneAtOnceGetOneOwner", func(t *testing.T) {
		var all sync.WaitGroup
		found := make([][3]string, 40)
		for i := range found {
			for j, n := range []*Node{a, b, c} {
				all.Go(func() { found[i][j] = where(t, n, fmt.Sprint("at-once-", i)) })
			}
		}
		all.Wait()
		for _, f := range found {
			require.Equal(t, f[0], f[1])
			require.Equal(t, f[0], f[2])
		}
	})

	t.Run("WhoDrainsGetsNothing", func(t *testing.T) {
		c.Drain()
		for i := range 10 {
			require.NotEqual(t, c.ID(), where(t, a, fmt.Sprint("before-its-report-", i)))
		}
		report(t, a, b, c)
		require.Zero(t, c.Surplus())
		for i := range 10 {
			require.NotEqual(t, c.ID(), where(t, []*Node{a, b, c}[i%3], fmt.Sprint("after-", i)))
		}
	})
}

// A member that carries nothing and does not answer gets nothing either.
func TestNodes_PlacedByLoad_Silent(t *testing.T) { // F13
	t.Parallel()
	w := newWorld(t)
	a, _ := w.weighed(t, "a", 100)
	b, _ := w.weighed(t, "b", 100)
	c, _ := w.weighed(t, "c", 0)
	meet(t, a, b, c)
	report(t, a, b, c)
	w.network.Apart("a", "c")
	w.network.Apart("b", "c")
	looks(t, silentAfter, a, b)
	for i := range 10 {
		require.NotEqual(t, c.ID(), where(t, []*Node{a, b}[i%2], fmt.Sprint("away-", i)))
	}
}
