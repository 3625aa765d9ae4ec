//go:build !race

// Two remotes in one process race in the library: each sets the global logger of
// grpc while the other one serves. Everything else here runs with the detector.

package actors

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	protocluster "github.com/asynkron/protoactor-go/cluster"
	"github.com/asynkron/protoactor-go/remote"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/fakes"
)

// nodes are two processes of a cluster as far as actors can tell: two actor
// systems that speak over the loopback, and a table of who lives where.
type nodes struct {
	store     *fakes.Store
	one, two  *bundle
	addresses map[string]string
}

// place is the cluster's lookup: the row's home, else the preferred node.
type place struct {
	nodes  *nodes
	prefer *bundle
}

func (p *place) Get(id *protocluster.ClusterIdentity) *actor.PID {
	at := p.prefer
	if id.Kind == kindConversation {
		if parsed, err := uuid.Parse(id.Identity); err == nil {
			if home, err := p.nodes.store.Home(context.Background(), parsed); err == nil && home == p.nodes.two.system.node {
				at = p.nodes.two
			} else if err == nil && home == p.nodes.one.system.node {
				at = p.nodes.one
			}
		}
	}
	if at.system.draining.On() || !p.nodes.store.Alive(at.system.node) {
		at = p.nodes.one
	}
	kind := at.system.cluster.GetClusterKind(id.Kind)
	_, err := at.system.root().SpawnNamed(protocluster.WithClusterIdentity(kind.Props, id), id.AsKey())
	if err != nil && !errors.Is(err, actor.ErrNameExists) {
		return nil
	}
	return actor.NewPID(at.system.c.ActorSystem.Address(), id.AsKey())
}
func (*place) RemovePid(*protocluster.ClusterIdentity, *actor.PID) {}
func (*place) Setup(*protocluster.Cluster, []string, bool)         {}
func (*place) Shutdown()                                           {}

type noProvider struct{}

func (noProvider) StartMember(*protocluster.Cluster) error { return nil }
func (noProvider) StartClient(*protocluster.Cluster) error { return nil }
func (noProvider) Shutdown(bool) error                     { return nil }

func newNodes(t *testing.T) *nodes {
	t.Helper()
	n := &nodes{store: fakes.NewStore(), addresses: map[string]string{}}
	owner := domain.Caller{UserID: 7, UserUUID: uuid.New(), OrganisationID: 1, FullName: "Ada"}
	n.store.AddUser(7, owner.UserUUID)
	id := domain.NewID()
	n.store.AddConversation(id, 1, 7)
	member := func(name string) *bundle {
		b := &bundle{t: t, store: n.store, journal: fakes.NewJournal(n.store), runner: &scripted{}, owner: owner, id: id}
		n.store.SetAlive(name, true)
		b.system = New(Config{
			ActorSystem: fakes.NewActorSystem(), Dispatcher: async.NewDispatcher(1), Journal: b.journal, Conversations: n.store, Sessions: n.store, Analysts: n.store, Runner: b.runner,
			Logger: quiet(), Address: func(node string) (string, bool) { a, ok := n.addresses[node]; return a, ok },
		})
		b.system.node = name
		return b
	}
	n.one, n.two = member("node-1"), member("node-2")
	for _, b := range []*bundle{n.one, n.two} {
		config := protocluster.Configure("test", noProvider{}, &place{nodes: n, prefer: n.two}, remote.Configure("127.0.0.1", 0),
			protocluster.WithKinds(b.system.Kinds()...))
		cluster := protocluster.New(b.system.c.ActorSystem, config)
		b.system.Attach(cluster, b.system.node)
		cluster.StartMember()
		n.addresses[b.system.node] = b.system.c.ActorSystem.Address()
		t.Cleanup(func() {
			b.runner.release()
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			_ = b.system.Shutdown(ctx)
			cluster.Shutdown(false)
		})
	}
	require.NoError(t, n.one.system.Start(context.Background()))
	require.NoError(t, n.two.system.Start(context.Background()))
	return n
}

// TestNodes follows from one node a conversation that lives on the other.
func TestNodes(t *testing.T) {
	t.Parallel()
	n := newNodes(t)
	gate := n.two.runner.gate()
	n.two.runner.set(func(ctx context.Context, _ analyst.Job, s analyst.Sink) error {
		id, err := s.Open(ctx, analyst.Draft{Role: domain.RoleAssistant})
		if err != nil {
			return err
		}
		if err := s.Delta(ctx, id, "größere "); err != nil {
			return err
		}
		if err := pass(ctx, gate); err != nil {
			return err
		}
		if err := s.Delta(ctx, id, "Zahlen"); err != nil {
			return err
		}
		return s.Close(ctx, id)
	})
	s, c := n.one.connect(n.one.owner, hello)
	c.Receive(n.one.subscribeFrame(""))
	s.waitType(t, protocol.FrameSubscribed)
	s.waitType(t, protocol.FrameSessionReady)

	p := n.one.prompt("from the other node")
	sent, err := n.one.system.Send(context.Background(), n.one.owner, p)
	require.NoError(t, err)
	again, err := n.two.system.Send(context.Background(), n.one.owner, p)
	require.NoError(t, err)
	require.True(t, again.Repeated, "the same send by way of another node")
	s.waitType(t, protocol.FrameDelta)
	home, err := n.store.Home(context.Background(), n.one.id)
	require.NoError(t, err)
	require.Equal(t, "node-2", home)
	close(gate)
	s.waitFor(t, "the end", func(f protocol.Frame) bool {
		return f.Type == "conversation.streaming-complete" && f.Stream == n.one.id.String()
	})
	n.one.turnStatus(sent.TurnID, domain.TurnComplete)
	answer := n.one.answer()
	require.Equal(t, "größere Zahlen", answer.Text)
	text, ok := s.text(answer.ID)
	require.True(t, ok)
	require.Equal(t, answer.Text, text)
	s.waitFor(t, "the list's note", func(f protocol.Frame) bool {
		return f.Stream == protocol.UserStream && f.Type == "conversation.streaming-complete"
	})

	// The owner's node goes away in good order; the socket follows to the next one.
	require.NoError(t, n.two.system.Shutdown(context.Background()))
	require.Eventually(t, func() bool {
		p := n.one.prompt("and now?")
		_, err := n.one.system.Send(context.Background(), n.one.owner, p)
		return err == nil
	}, patience, time.Millisecond)
	s.waitFor(t, "the end at home", func(f protocol.Frame) bool {
		return f.Type == "conversation.streaming-complete" && f.Stream == n.one.id.String() && f.Epoch > 1
	})
	last := n.one.answer()
	require.Equal(t, "and now? ", last.Text)
	require.Eventually(t, func() bool { text, ok := s.text(last.ID); return ok && text == last.Text }, patience, time.Millisecond)
	want := int64(2)
	for _, f := range s.all() {
		if f.Stream == n.one.id.String() && f.Seq > 0 && f.Type != protocol.FrameSubscribed {
			require.Equal(t, want, f.Seq, "a gap or a repeat at %s", f.Type)
			want++
		}
	}
	require.Empty(t, n.store.Violations())
}

// A request that waits for an owner whose node was killed goes to the next owner as
// soon as there is one; nobody waits until the old one has had its time.
func TestNodes_OwnerKilledBeforeItAnswers(t *testing.T) { // G7, G10
	t.Parallel()
	n := newNodes(t)
	n.one.system.step = time.Hour
	gate := n.two.runner.gate()
	n.two.runner.set(half(gate))
	sent, err := n.one.system.Send(context.Background(), n.one.owner, n.one.prompt("why?"))
	require.NoError(t, err)
	require.Eventually(t, func() bool { m := n.one.answer(); return m != nil && n.store.Text(m.ID) == "half" }, patience, time.Millisecond)
	n.two.journal.Hold()
	t.Cleanup(n.two.journal.Go)
	type end struct {
		result *domain.StopResult
		err    error
	}
	ends := make(chan end, 1)
	go func() {
		r, err := n.one.system.Stop(context.Background(), n.one.owner, n.one.id)
		ends <- end{r, err}
	}()
	// The old owner has the request, and cannot commit.
	require.Eventually(t, func() bool { return n.two.journal.Waiting() > 0 }, patience, time.Millisecond)
	n.store.SetAlive("node-2", false)
	e := <-ends
	require.NoError(t, e.err)
	require.Equal(t, domain.TurnInterrupted, e.result.End)
	n.one.turnStatus(sent.TurnID, domain.TurnInterrupted)
}
