package actors

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/fakes"
	"parley.dev/parley/internal/nodetest"
)

// nodes are two processes of a cluster from the point of view of actors: two actor systems on
// one network, and a table of where each owner lives.
type nodes struct {
	store     *fakes.Store
	network   *nodetest.Network
	one, two  *bundle
	addresses map[string]string
	// apart says that the nodes do not answer each other, and lapses counts how often they have
	// not.
	apart  atomic.Bool
	lapses atomic.Int64
	// deaf says that the nodes consider each other silent, although they answer.
	deaf atomic.Bool
	// mute says that the last question was not answered, which may be the only one.
	mute  atomic.Bool
	taken atomic.Int32
}

// view is Placement as one of the nodes sees it.
type view struct {
	*nodes

	from *bundle
}

// Locate implements Placement.
func (v view) Locate(kind, identity string) (pid *actor.PID, silent bool) {
	pid = v.place(kind, identity)
	if v.apart.Load() && pid != nil && pid.Address != v.from.system.c.ActorSystem.Address() {
		return nil, true
	}
	return pid, false
}

// Find implements Placement.
func (v view) Find(kind, identity string) (*actor.PID, bool) { return v.Locate(kind, identity) }

// Take implements Placement.
func (v view) Take(kind, identity string) bool {
	if !v.apart.Load() {
		return false
	}
	v.taken.Add(1)
	return v.from.system.spawn(kind, identity) != nil
}

// Silent implements Placement.
func (v view) Silent() []string {
	if v.apart.Load() || v.deaf.Load() {
		return []string{v.one.system.node, v.two.system.node}
	}
	return nil
}

// Lost implements Placement.
func (view) Lost() <-chan struct{} { return nil }

// Answers implements Placement.
func (v view) Answers(string) (int64, bool) {
	return v.lapses.Load(), !v.apart.Load() && !v.mute.Load()
}

// Forget implements Placement.
func (view) Forget(string, string) {}

// place returns where an owner lives: on the node that the row names, otherwise on the second
// node, unless that node drains or has died.
func (n *nodes) place(kind, identity string) *actor.PID {
	at := n.two
	if kind == kindConversation {
		if parsed, err := uuid.Parse(identity); err == nil {
			if home, err := n.store.Home(context.Background(), parsed); err == nil && home == n.one.system.node {
				at = n.one
			}
		}
	}
	if at.system.draining.On() || !n.store.Alive(at.system.node) {
		at = n.one
	}
	return at.system.spawn(kind, identity)
}

// owns activates the conversation on a node, and waits until the row names that node.
func (n *nodes) owns(t *testing.T, node *bundle) {
	t.Helper()
	require.NotNil(t, node.system.spawn(kindConversation, n.one.id.String()))
	require.Eventually(t, func() bool {
		home, err := n.store.Home(context.Background(), n.one.id)
		return err == nil && home == node.system.node
	}, patience, time.Millisecond)
}

func newNodes(t *testing.T, change ...func(*Config)) *nodes {
	t.Helper()
	n := &nodes{store: fakes.NewStore(), network: nodetest.New(t), addresses: map[string]string{}}
	owner := domain.Caller{UserID: 7, UserUUID: uuid.New(), OrganisationID: 1, FullName: "Ada"}
	reader := domain.Caller{UserID: 8, UserUUID: uuid.New(), OrganisationID: 1, FullName: "Bob"}
	n.store.AddUser(7, owner.UserUUID)
	n.store.AddUser(8, reader.UserUUID)
	id := domain.NewID()
	n.store.AddConversation(id, 1, 7)
	member := func(name string) *bundle {
		b := &bundle{t: t, store: n.store, journal: fakes.NewJournal(n.store), runner: &scripted{}, owner: owner, reader: reader, id: id}
		n.store.SetAlive(name, true)
		c := Config{
			ActorSystem: fakes.NewActorSystem(), Dispatcher: async.NewDispatcher(1), Journal: b.journal, Conversations: n.store, Sessions: n.store,
			Analysts: n.store, Runner: b.runner,
			Logger: quiet(), Address: func(node string) (string, bool) { a, ok := n.addresses[node]; return a, ok },
		}
		for _, f := range change {
			f(&c)
		}
		b.system = New(c)
		b.system.Attach(view{nodes: n, from: b}, name)
		return b
	}
	n.one, n.two = member("node-1"), member("node-2")
	for _, b := range []*bundle{n.one, n.two} {
		port := n.network.Port(b.system.node)
		require.NoError(t, port.Start(b.system.c.ActorSystem))
		n.addresses[b.system.node] = b.system.c.ActorSystem.Address()
		t.Cleanup(func() {
			b.runner.release()
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			_ = b.system.Shutdown(ctx)
			port.Stop()
			b.system.c.ActorSystem.Shutdown()
		})
	}
	require.NoError(t, n.one.system.Start(context.Background()))
	require.NoError(t, n.two.system.Start(context.Background()))
	return n
}

// TestNodes follows, from one node, a conversation that lives on the other.
func TestNodes(t *testing.T) {
	t.Parallel()
	n := newNodes(t)
	gate := n.two.runner.gate()
	n.two.runner.set(func(ctx context.Context, _ *analyst.Job, s analyst.Sink) error {
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
	require.True(t, again.Repeated, "the same send through another node")
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

	// The owner's node shuts down cleanly; the socket follows the conversation to the next
	// owner.
	require.NoError(t, n.two.system.Shutdown(context.Background()))
	require.Eventually(t, func() bool {
		p := n.one.prompt("and now?")
		_, err := n.one.system.Send(context.Background(), n.one.owner, p)
		return err == nil
	}, patience, time.Millisecond)
	s.waitFor(t, "the end on the remaining node", func(f protocol.Frame) bool {
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

// A request that waits for an owner whose node was killed is sent to the next owner as soon
// as there is one, and does not first wait for the time limit of the old one.
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
