package conversation

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/conversation/ledger"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
)

const patience = time.Minute

// alone is the owner of one conversation, without the other actors of a node.
type alone struct {
	t       *testing.T
	system  *actor.ActorSystem
	store   *fakes.Store
	journal *fakes.Journal
	id      uuid.UUID
	owner   domain.Caller
	actor   *Actor // for what in runs inside the actor
	pid     *actor.PID
	turns   chan protocol.StartTurn
	ended   chan struct{} // a turn's actor has stopped
	left    chan struct{}
}

func newAlone(t *testing.T, change ...func(*Config)) *alone {
	t.Helper()
	a := &alone{
		t: t, system: fakes.NewActorSystem(), store: fakes.NewStore(), id: domain.NewID(),
		owner: domain.Caller{UserID: 7, UserUUID: domain.NewID(), OrganisationID: 1, FullName: "Ada"},
		turns: make(chan protocol.StartTurn, 10), ended: make(chan struct{}, 10), left: make(chan struct{}, 1),
	}
	t.Cleanup(a.system.Shutdown)
	a.journal = fakes.NewJournal(a.store)
	a.store.AddUser(7, a.owner.UserUUID)
	a.store.AddConversation(a.id, 1, 7)
	c := a.config()
	for _, f := range change {
		f(&c)
	}
	produce := Producer(c)
	props := actor.PropsFromProducer(func() actor.Actor {
		made := produce()
		a.actor, _ = made.(*Actor)
		return made
	})
	var err error
	a.pid, err = a.system.Root.SpawnNamed(props, "conversation/"+a.id.String())
	require.NoError(t, err)
	return a
}

// config is that of an owner that no other one and no reader exists for.
func (a *alone) config() Config {
	return Config{
		Node: "node", Journal: a.journal, Store: a.store, Analysts: a.store, Clock: clock.NewFake(time.Unix(1_700_000_000, 0)),
		Logger: slog.New(slog.DiscardHandler), Turn: a.turn, Fanout: "fanout", SendUserEvents: func([]domain.UserEvent) {},
		Tails: noTails{}, Owns: func(uuid.UUID, int64, int64) {}, Wrote: func(uuid.UUID, int64, int64) {},
		Lives: func(*actor.PID) {}, Left: func(*actor.PID) { a.left <- struct{}{} }, GaveUp: func(uuid.UUID) {}, Yielded: func(uuid.UUID) {},
		Claimed: func() {}, Kept: func() {}, TookOver: func() {}, Silent: func() []string { return nil }, Fenced: func() {},
		TurnEnded: func(domain.TurnStatus) {},
		Idle:      time.Minute, Rest: time.Second, Stash: 1000, Limits: ledger.Limits{TurnText: 1 << 20},
	}
}

// turn makes the actor of a turn that writes nothing.
func (a *alone) turn(start protocol.StartTurn) *actor.Props {
	return actor.PropsFromFunc(func(ctx actor.Context) {
		switch ctx.Message().(type) {
		case *actor.Started:
			a.turns <- start
		case *actor.Stopped:
			a.ended <- struct{}{}
		}
	})
}

// in calls do inside the actor, and returns when that has ended.
func (a *alone) in(do func()) {
	a.t.Helper()
	done := make(chan struct{})
	a.system.Root.Send(a.pid, async.Again(func() { defer close(done); do() }))
	a.wait(done)
}

func (a *alone) wait(done <-chan struct{}) {
	a.t.Helper()
	select {
	case <-done:
	case <-time.After(patience):
		require.Fail(a.t, "what the test waits for does not happen")
	}
}

// ask sends a request and returns its answer.
func (a *alone) ask(request any) any {
	a.t.Helper()
	answer, err := a.system.Root.RequestFuture(a.pid, request, patience).Result()
	require.NoError(a.t, err)
	return answer
}

func (a *alone) prompt(text string) *protocol.SendPrompt {
	id := domain.NewID()
	return &protocol.SendPrompt{Caller: protocol.FromCaller(a.owner), Message: id[:], Text: text}
}

// reads subscribes a caller, and returns the answer.
func (a *alone) reads(caller domain.Caller, cursor *protocol.Cursor) *protocol.Subscription {
	a.t.Helper()
	got := make(chan *protocol.Subscription, 1)
	pid := a.system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
		if m, ok := ctx.Message().(*protocol.Subscription); ok {
			got <- m
		}
	}))
	a.system.Root.Send(a.pid, &protocol.Subscribe{
		Caller: protocol.FromCaller(caller), Target: protocol.NewTarget("node", pid.Address, pid.Id), Ticket: 1, Cursor: cursor,
	})
	select {
	case s := <-got:
		return s
	case <-time.After(patience):
		require.Fail(a.t, "a reader gets no answer")
		return nil
	}
}

// noTails keeps nothing.
type noTails struct{}

func (noTails) Keep(uuid.UUID, []byte)                   {}
func (noTails) Forget(uuid.UUID)                         {}
func (noTails) Tail(context.Context, uuid.UUID) [][]byte { return nil }
