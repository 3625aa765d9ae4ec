package teams

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/node"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
)

const patience = time.Minute

// changedTeam is a store that returns the same changes of a team each time.
type changedTeam struct {
	domain.ConversationStore
	changes []domain.TeamChange
}

func (s *changedTeam) TeamChanges(context.Context, string, string) (*domain.TeamChanges, error) {
	return &domain.TeamChanges{Next: "1", Changes: s.changes}, nil
}

// Changes of teams do not wait for the handling of orphans.
func TestTeams(t *testing.T) { // G15
	t.Parallel()
	system := fakes.NewActorSystem()
	t.Cleanup(system.Shutdown)
	now := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	conversation, person := domain.NewID(), domain.NewID()
	store := &changedTeam{changes: []domain.TeamChange{{ID: "1", Conversation: conversation}, {ID: "1", User: person}}}
	sent := make(chan string, 10)
	hears := func(kind string) func(uuid.UUID) *actor.PID {
		pids := map[uuid.UUID]*actor.PID{}
		for _, id := range []uuid.UUID{conversation, person} {
			pids[id] = system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
				if _, ok := ctx.Message().(*protocol.AccessChanged); ok {
					sent <- kind + id.String()
				}
			}))
		}
		return func(id uuid.UUID) *actor.PID { return pids[id] }
	}
	config := Config{
		Store: store, Node: "here", Clock: now, Log: slog.New(slog.DiscardHandler), Every: time.Second,
		Conversation: hears("conversation "), Session: hears("session "),
	}
	pid := system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return New(config) }))
	system.Root.Send(pid, &node.LookAgain{})
	require.ElementsMatch(t, []string{"conversation " + conversation.String(), "session " + person.String()}, []string{<-sent, <-sent})
	for range 3 {
		require.Eventually(t, func() bool { return now.Waiting() == 1 }, patience, time.Millisecond)
		now.Advance(time.Second)
	}
	require.Eventually(t, func() bool { return now.Waiting() == 1 }, patience, time.Millisecond)
	require.Empty(t, sent, "each change is sent once")
}
