package node_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/node"
	"parley.dev/parley/actors/node/heads"
	"parley.dev/parley/actors/node/ownership"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
)

// slowStore is a store in which checks take a while.
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

// When the database is slow for once, nodes lose contact with each other: the next check must
// not be delayed for long then.
func TestPoller_Rests(t *testing.T) { // G9
	t.Parallel()
	quiet := slog.New(slog.DiscardHandler)
	for name, produce := range map[string]func(*actor.ActorSystem, *slowStore) actor.Actor{
		"Ownership": func(system *actor.ActorSystem, s *slowStore) actor.Actor {
			return ownership.New(ownership.Config{Store: s, Node: "here", Clock: s.clock, Log: quiet, List: func(to *actor.PID) {
				system.Root.Send(to, &node.Listed{PIDs: []*actor.PID{actor.NewPID("", "conversation/"+domain.NewID().String())}})
			}, Owner: func(uuid.UUID) *actor.PID { return nil }})
		},
		"Heads": func(_ *actor.ActorSystem, s *slowStore) actor.Actor {
			return heads.New(heads.Config{Store: s, Clock: s.clock, Log: quiet})
		},
	} {
		for speed, c := range map[string]struct{ took, next time.Duration }{
			"Quick": {took: time.Millisecond, next: 2 * time.Second},
			"Many":  {took: 50 * time.Millisecond, next: 5 * time.Second},
			"Slow":  {took: 20 * time.Second, next: node.MaxRest},
		} {
			if name == "Ownership" {
				// Readers of an owner that was superseded wait for this check.
				c.next = min(c.next, 4*time.Second)
			}
			t.Run(name+speed, func(t *testing.T) {
				t.Parallel()
				system := fakes.NewActorSystem()
				t.Cleanup(system.Shutdown)
				now := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
				store := &slowStore{clock: now, took: c.took}
				pid := system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return produce(system, store) }))
				if name == "Heads" {
					system.Root.Send(pid, &heads.Follow{User: uuid.New(), PID: actor.NewPID("", "a connection")})
				}
				system.Root.Send(pid, &node.LookAgain{})
				require.Eventually(t, func() bool { return now.Waiting() == 1 }, patience, time.Millisecond)
				require.Zero(t, now.DueWithin(c.next-time.Millisecond))
				require.Equal(t, 1, now.DueWithin(c.next))
			})
		}
	}
}
