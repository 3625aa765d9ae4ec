package actors

import (
	"context"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/node"
	"parley.dev/parley/actors/node/roster"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
)

// Two nodes that see different members for a moment may both claim a conversation. The
// readers of the one that lost it follow the other one, although nothing is written.
func TestNodes_TwoOwners(t *testing.T) { // G8, G9
	t.Parallel()
	n := newNodes(t)
	owns := func(node *bundle) {
		t.Helper()
		require.NotNil(t, node.system.spawn(kindConversation, n.one.id.String()))
		require.Eventually(t, func() bool {
			home, err := n.store.Home(context.Background(), n.one.id)
			return err == nil && home == node.system.node
		}, patience, time.Millisecond)
	}
	owns(n.one)
	s, c := n.one.connect(n.one.owner, hello)
	c.Receive(n.one.subscribeFrame(""))
	s.waitType(t, protocol.FrameSubscribed)

	owns(n.two)
	_, err := n.two.system.Send(context.Background(), n.one.owner, n.one.prompt("who is it?"))
	require.NoError(t, err)
	s.waitFor(t, "the end", func(f protocol.Frame) bool {
		return f.Type == "conversation.streaming-complete" && f.Stream == n.one.id.String()
	})
	require.Empty(t, n.store.Violations())
}

// slowStore is a store in which looks take a while.
type slowStore struct {
	domain.ConversationStore
	domain.SessionStore
	clock *clock.Fake
	took  time.Duration
}

func (s *slowStore) Superseded(context.Context, string, []uuid.UUID) ([]domain.Superseded, error) {
	s.clock.Advance(s.took)
	return nil, nil
}

func (s *slowStore) SessionHeads(context.Context, []domain.SessionHead) ([]domain.SessionHead, error) {
	s.clock.Advance(s.took)
	return nil, nil
}

// A database that is slow for once is when nodes lose each other: it must not put the
// next look off for long.
func TestPoller_Rests(t *testing.T) { // G9
	t.Parallel()
	for name, produce := range map[string]func(*slowStore, *actor.PID) actor.Actor{
		"Ownership": func(s *slowStore, list *actor.PID) actor.Actor {
			return &ownership{Poller: node.Poller{Clock: s.clock}, node: "here", store: s, log: quiet(), roster: list}
		},
		"Heads": func(s *slowStore, _ *actor.PID) actor.Actor {
			return &heads{Poller: node.Poller{Clock: s.clock}, store: s, log: quiet()}
		},
	} {
		for speed, c := range map[string]struct{ took, next time.Duration }{
			"Quick": {took: time.Millisecond, next: 2 * time.Second},
			"Many":  {took: 50 * time.Millisecond, next: 5 * time.Second},
			"Slow":  {took: 20 * time.Second, next: node.MaxRest},
		} {
			t.Run(name+speed, func(t *testing.T) {
				t.Parallel()
				system := fakes.NewActorSystem()
				t.Cleanup(system.Shutdown)
				now := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
				list := system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
					if _, ok := ctx.Message().(*roster.ListAll); ok {
						ctx.Respond(&roster.Listed{PIDs: []*actor.PID{actor.NewPID("", kindConversation+"/"+domain.NewID().String())}})
					}
				}))
				store := &slowStore{clock: now, took: c.took}
				pid := system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return produce(store, list) }))
				if name == "Heads" {
					system.Root.Send(pid, &follow{user: uuid.New(), pid: list})
				}
				system.Root.Send(pid, &node.LookAgain{})
				require.Eventually(t, func() bool { return now.Waiting() == 1 }, patience, time.Millisecond)
				require.Zero(t, now.DueWithin(c.next-time.Millisecond))
				require.Equal(t, 1, now.DueWithin(c.next))
			})
		}
	}
}

// Who waits for an owner that has been superseded is told at once, and asks the next one;
// what waits for its journal would else wait until its time is over.
func TestNodes_SupersededAnswersWhoWaits(t *testing.T) { // G4, G10
	t.Parallel()
	n := newNodes(t)
	n.one.system.step = time.Hour
	_, err := n.one.store.Claim(t.Context(), n.one.id, uuid.New(), n.one.system.node)
	require.NoError(t, err)
	n.one.journal.Hold()
	type answer struct {
		sent *domain.SendResult
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		sent, err := n.one.system.Send(context.Background(), n.one.owner, n.one.prompt("why?"))
		answers <- answer{sent, err}
	}()
	require.Eventually(t, func() bool { return n.one.journal.Waiting() > 0 }, patience, time.Millisecond)
	require.NotNil(t, n.two.system.spawn(kindConversation, n.one.id.String()))
	got := <-answers
	require.NoError(t, got.err)
	n.one.turnStatus(got.sent.TurnID, domain.TurnComplete)
	n.one.journal.Go()
	require.Empty(t, n.store.Violations())
}
