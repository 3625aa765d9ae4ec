package session

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
)

const patience = time.Minute

// heldClaims is a store whose claims wait until the test releases them.
type heldClaims struct {
	domain.SessionStore
	came, open chan struct{}
}

func (s *heldClaims) ClaimSession(ctx context.Context, id uuid.UUID, node string) (head, userID int64, err error) {
	s.came <- struct{}{}
	<-s.open
	return s.SessionStore.ClaimSession(ctx, id, node)
}

// alone is one session, and what it sends to its connections.
type alone struct {
	t      *testing.T
	system *actor.ActorSystem
	store  *fakes.Store
	claims *heldClaims
	clock  *clock.Fake
	pid    *actor.PID
	left   chan struct{}
	got    chan any // what connections receive
}

func newAlone(t *testing.T) *alone {
	t.Helper()
	a := &alone{
		t: t, system: fakes.NewActorSystem(), store: fakes.NewStore(), clock: clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)),
		left: make(chan struct{}, 1), got: make(chan any, 2*waitingMax),
	}
	t.Cleanup(a.system.Shutdown)
	user := uuid.New()
	a.store.AddUser(7, user)
	a.claims = &heldClaims{SessionStore: a.store, came: make(chan struct{}, 10), open: make(chan struct{})}
	produce := Producer(Config{
		Node: "node", Store: a.claims, Clock: a.clock, Logger: slog.New(slog.DiscardHandler), Arm: func(*actor.PID, time.Duration) {},
		Lives: func(*actor.PID) {}, Left: func(*actor.PID) { a.left <- struct{}{} },
		Follow: func(uuid.UUID, *actor.PID) {}, Unfollow: func(uuid.UUID, *actor.PID) {},
	})
	var err error
	a.pid, err = a.system.Root.SpawnNamed(actor.PropsFromProducer(produce), "session/"+user.String())
	require.NoError(t, err)
	<-a.claims.came
	return a
}

// connection starts an actor that receives what a session sends.
func (a *alone) connection() *actor.PID {
	return a.system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
		switch m := ctx.Message().(type) {
		case *protocol.Joined, *protocol.Leave, *protocol.Busy:
			a.got <- m
		}
	}))
}

func target(pid *actor.PID) *protocol.Target { return protocol.NewTarget("node", pid.Address, pid.Id) }

func (a *alone) join(pid *actor.PID) {
	a.system.Root.RequestWithCustomSender(a.pid, &protocol.Join{Target: target(pid)}, pid)
}

func (a *alone) leave(pid *actor.PID) {
	a.system.Root.Send(a.pid, &protocol.Leave{Target: target(pid)})
}

// idles moves the clock when everything that was sent is handled, and lets the session check
// the time.
func (a *alone) idles() {
	a.t.Helper()
	_, err := a.system.Root.RequestFuture(a.pid, &actor.Touch{}, patience).Result()
	require.NoError(a.t, err)
	a.clock.Advance(idle)
	a.system.Root.Send(a.pid, &protocol.Tick{})
}

func receive[T any](a *alone) T {
	a.t.Helper()
	select {
	case m := <-a.got:
		got, ok := m.(T)
		require.True(a.t, ok, "%T", m)
		return got
	case <-time.After(patience):
		var none T
		require.Fail(a.t, "nothing was received", "%T", none)
		return none
	}
}

func (a *alone) gone() {
	a.t.Helper()
	select {
	case <-a.left:
	case <-time.After(patience):
		require.Fail(a.t, "a session without connections is still held")
	}
	a.store.LookUser(7, func(u *fakes.User) { require.Empty(a.t, u.Home) })
}

// A connection that leaves while the session is being claimed is not a member of it.
func TestActor_Leave(t *testing.T) {
	t.Parallel()
	t.Run("WhileClaiming", func(t *testing.T) {
		t.Parallel()
		a := newAlone(t)
		for range 100 {
			c := a.connection()
			a.join(c)
			a.leave(c)
		}
		close(a.claims.open)
		c := a.connection()
		a.join(c)
		receive[*protocol.Joined](a)
		a.leave(c)
		a.idles()
		a.gone()
		require.Empty(t, a.got)
	})
	t.Run("WhileClaimingAndComesAgain", func(t *testing.T) {
		t.Parallel()
		a := newAlone(t)
		c := a.connection()
		a.join(c)
		a.leave(c)
		a.join(c)
		a.join(c)
		close(a.claims.open)
		receive[*protocol.Joined](a)
		require.Empty(t, a.got, "a connection that asked twice has joined once")
		a.idles()
		other := a.connection()
		a.join(other)
		receive[*protocol.Joined](a) // a member keeps the session
		a.leave(c)
		a.leave(other)
		a.idles()
		a.gone()
	})
	t.Run("AsMember", func(t *testing.T) {
		t.Parallel()
		a := newAlone(t)
		close(a.claims.open)
		c := a.connection()
		a.join(c)
		receive[*protocol.Joined](a)
		a.leave(c)
		a.idles()
		a.gone()
	})
}

// The number of joins that wait for a claim is limited, and they are notified if the session
// ends before the claim does.
func TestActor_Waiting(t *testing.T) { // G17
	t.Parallel()
	a := newAlone(t)
	for range waitingMax {
		a.join(a.connection())
	}
	a.join(a.connection())
	receive[*protocol.Busy](a)
	a.system.Root.Stop(a.pid)
	for range waitingMax {
		receive[*protocol.Leave](a)
	}
	close(a.claims.open)
}
