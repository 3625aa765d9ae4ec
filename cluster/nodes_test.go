package cluster

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/nodetest"
)

func (s *table) home(_ context.Context, id string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.homes[id], nil
}

func (s *table) setHome(id, node string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.homes[id] = node
}

// echo answers every request with the node that it is on.
type echo struct{ node string }

func (e *echo) Receive(ctx actor.Context) {
	if _, ok := ctx.Message().(*wrapperspb.StringValue); ok {
		ctx.Respond(wrapperspb.String(e.node))
	}
}

// world is a table of members and a network between them.
type world struct {
	*table
	network *nodetest.Network
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return &world{table: newTable(), network: nodetest.New(t)}
}

// start runs a node of the name, on the world's network unless it is changed.
func (w *world) start(t *testing.T, name string, change ...func(*Config)) *Node {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	system := NewSystem(log)
	c := Config{
		Name: name, Members: w, Logger: log, Lease: time.Minute, Transport: w.network.Port(name),
		Kinds:    map[string]*actor.Props{"thing": actor.PropsFromProducer(func() actor.Actor { return &echo{node: system.ID} })},
		Homes:    map[string]HomeFunc{"thing": w.home},
		OnFenced: func(reason string) { t.Errorf("%s was fenced: %s", name, reason) },
	}
	for _, f := range change {
		f(&c)
	}
	n, err := New(t.Context(), system, c)
	require.NoError(t, err)
	require.NoError(t, n.Start(t.Context()))
	t.Cleanup(func() { require.NoError(t, n.Stop()) })
	return n
}

// where asks the owner of an identity, through a node, on which node it is.
func where(t *testing.T, through *Node, id string) string {
	t.Helper()
	var answer any
	require.Eventually(t, func() bool {
		pid, _ := through.Find("thing", id)
		if pid == nil {
			return false
		}
		var err error
		answer, err = through.system.Root.RequestFuture(pid, wrapperspb.String("where"), time.Minute).Result()
		if err != nil {
			through.Forget("thing", id)
		}
		return err == nil
	}, time.Minute, 20*time.Millisecond)
	return answer.(*wrapperspb.StringValue).GetValue()
}

// meet makes nodes read the members.
func meet(t *testing.T, nodes ...*Node) {
	t.Helper()
	for _, n := range nodes {
		require.NoError(t, n.membership.refresh(t.Context()))
		require.Len(t, n.Members(), len(nodes))
	}
	for _, n := range nodes {
		n.membership.reach.wait()
	}
}

func TestNodes(t *testing.T) {
	t.Parallel()
	s := newWorld(t)
	a, b := s.start(t, "a"), s.start(t, "b")
	meet(t, a, b)

	t.Run("OneOwnerSeenFromEveryNode", func(t *testing.T) {
		owners := map[string]bool{}
		for _, id := range identities() {
			w := where(t, a, id)
			require.Equal(t, w, where(t, b, id))
			owners[w] = true
		}
		require.Len(t, owners, 2, "both nodes own some")
	})

	t.Run("HomeRowWinsOverHash", func(t *testing.T) {
		for _, id := range []string{"h1", "h2", "h3", "h4"} {
			s.setHome(id, a.ID())
			require.Equal(t, a.ID(), where(t, b, id))
		}
	})

	t.Run("HomeOnADeadNodeIsPlacedAgain", func(t *testing.T) {
		s.setHome("dead", "gone@0")
		require.Contains(t, []string{a.ID(), b.ID()}, where(t, b, "dead"))
	})

	// A node that was paused for long does not forward calls to the owners that it remembers: they may
	// have moved meanwhile.
	t.Run("ANodeWithoutAFreshLeaseFindsNobody", func(t *testing.T) { // F06
		pid, _ := a.Find("thing", "h1")
		require.NotNil(t, pid)
		renewed := a.membership.renewed.Load()
		a.membership.renewed.Store(renewed - int64(time.Minute))
		pid, silent := a.Find("thing", "h1")
		require.Nil(t, pid)
		require.False(t, silent)
		a.membership.renewed.Store(renewed)
	})

	t.Run("DrainingNodeTakesNoNewOwner", func(t *testing.T) {
		a.Drain()
		s.setHome("late", a.ID())
		pid, silent := b.Locate("thing", "late")
		require.Nil(t, pid)
		require.False(t, silent)
	})

	t.Run("AnIdentityWithoutOwnerGoesToTheNextNode", func(t *testing.T) { // G19
		for i := range 20 {
			require.Equal(t, b.ID(), where(t, b, fmt.Sprintf("new-%d", i)))
		}
		require.Equal(t, b.ID(), where(t, a, "asked-by-the-one-that-goes"))
	})

	t.Run("AnOwnerOnADrainingNodeIsLocated", func(t *testing.T) { // G19
		pid, _ := b.Locate("thing", "h1")
		require.NotNil(t, pid)
		require.Equal(t, a.system.Address(), pid.Address)
	})

	t.Run("AReadingFindsTheLostNode", func(t *testing.T) { // G7
		_, gone := listening(t)
		require.NoError(t, s.Join(t.Context(), domain.Member{Node: "c@1", Name: "c", Address: gone}, time.Second))
		require.NoError(t, b.membership.refresh(t.Context()))
		members, err := s.Members(t.Context())
		require.NoError(t, err)
		for _, m := range append(members, b.Members()...) {
			require.NotEqual(t, "c@1", m.Node)
		}
	})
}

// identities are enough for each of two nodes to own some, whatever the nodes' names are.
func identities() []string {
	ids := make([]string, 64)
	for i := range ids {
		ids[i] = fmt.Sprint(i)
	}
	return ids
}

// ownedBy finds an identity that belongs to the node by its home row.
func ownedBy(t *testing.T, n *Node) string {
	t.Helper()
	for _, id := range identities() {
		if where(t, n, id) == n.ID() {
			return id
		}
	}
	t.Fatal("the node owns nothing")
	return ""
}
