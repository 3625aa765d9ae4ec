package actors

import (
	"context"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/fakes"
)

// gate holds each caller of pass until the gate is opened, and signals that a caller has
// arrived.
type gate struct{ came, open chan struct{} }

func newGate() *gate { return &gate{came: make(chan struct{}, 100), open: make(chan struct{})} }

func (g *gate) pass() {
	g.came <- struct{}{}
	<-g.open
}

// heldClaims is a store whose claims wait at a gate.
type heldClaims struct {
	domain.ConversationStore
	gate *gate
}

func (s heldClaims) Claim(ctx context.Context, id, activation uuid.UUID, node string, silent []string) (*domain.Claim, error) {
	s.gate.pass()
	return s.ConversationStore.Claim(ctx, id, activation, node, silent)
}

// listener sends messages to a conversation as a connection does, one at a time.
type listener struct {
	b     *bundle
	owner *actor.PID
	self  *actor.PID
	got   chan any
}

func (b *bundle) listener() *listener {
	l := &listener{b: b, owner: b.system.spawn(kindConversation, b.id.String()), got: make(chan any, 1000)}
	l.self = b.system.root().Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
		switch m := ctx.Message().(type) {
		case *protocol.Subscription, *protocol.Publication, *protocol.Done:
			l.got <- m
		}
	}))
	return l
}

func (l *listener) target() *protocol.Target {
	return protocol.NewTarget("node-1", l.self.Address, l.self.Id)
}

func (l *listener) subscribe(ticket uint64) {
	l.b.system.root().RequestWithCustomSender(l.owner, &protocol.Subscribe{
		Caller: protocol.FromCaller(l.b.reader), Target: l.target(), Ticket: ticket,
	}, l.self)
}

func (l *listener) unsubscribe(ticket uint64) {
	l.b.system.root().Send(l.owner, &protocol.Unsubscribe{Target: l.target(), Ticket: ticket})
}

// woken waits until the owner has handled everything that was sent before.
func (l *listener) woken(t *testing.T) {
	t.Helper()
	l.b.system.root().RequestWithCustomSender(l.owner, &protocol.Wake{}, l.self)
	fakes.Next[*protocol.Done](t, l.got)
}

// A reader that leaves while its subscription waits for the claim or for its right gets
// nothing: the conversation is passivated when no one uses it.
func TestSystem_ReaderLeavesEarly(t *testing.T) { // G15, G17
	t.Parallel()
	const idle = 20 * time.Millisecond
	t.Run("WhileClaiming", func(t *testing.T) {
		t.Parallel()
		g := newGate()
		b := setup(t, func(c *Config) {
			c.Limits.ConversationIdle = idle
			c.Conversations = heldClaims{c.Conversations, g}
		})
		l := b.listener()
		<-g.came
		for ticket := range uint64(100) {
			l.subscribe(ticket + 1)
			l.unsubscribe(ticket + 1)
		}
		close(g.open)
		b.gone()
		require.Empty(t, l.got, "a subscription that its reader has left gets no answer")
	})
	t.Run("WhileClaimingAndComesAgain", func(t *testing.T) {
		t.Parallel()
		g := newGate()
		b := setup(t, func(c *Config) {
			c.Limits.ConversationIdle = idle
			c.Conversations = heldClaims{c.Conversations, g}
		})
		b.store.Grant(b.id, b.reader.UserID, domain.PermissionRead)
		l := b.listener()
		<-g.came
		l.subscribe(1)
		l.unsubscribe(1)
		l.subscribe(2)
		close(g.open)
		answer := fakes.Next[*protocol.Subscription](t, l.got)
		require.Equal(t, uint64(2), answer.Ticket)
		require.Equal(t, protocol.Subscription_LIVE, answer.Outcome)
		require.NoError(t, b.system.Change(t.Context(), b.owner, b.id, domain.ConversationUpdate{Name: ptr("Read")}))
		fakes.Next[*protocol.Publication](t, l.got)
		l.unsubscribe(2)
		b.gone()
		require.Empty(t, l.got)
	})
	t.Run("WhileItsRightIsRead", func(t *testing.T) {
		t.Parallel()
		g := newGate()
		b := setup(t, func(c *Config) { c.Limits.ConversationIdle = idle })
		b.store.Grant(b.id, b.reader.UserID, domain.PermissionRead)
		b.store.AfterAccess = g.pass
		l := b.listener()
		l.subscribe(1)
		<-g.came
		l.unsubscribe(1)
		l.woken(t)
		close(g.open)
		b.gone()
		require.Empty(t, l.got)
	})
	t.Run("Closes", func(t *testing.T) {
		t.Parallel()
		g := newGate()
		b := setup(t, func(c *Config) { c.Limits.ConversationIdle = idle })
		b.store.Grant(b.id, b.reader.UserID, domain.PermissionRead)
		b.store.AfterAccess = g.pass
		s, c := b.connect(b.reader, hello)
		c.Receive(b.subscribeFrame(""))
		<-g.came
		c.Close(domain.Disconnect{Code: 1000})
		s.waitClosed(t, 1000)
		close(g.open)
		b.gone()
	})
}
