package actors

import (
	"context"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/node"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
)

// changedTeam is a store that tells one change of a team again and again.
type changedTeam struct {
	domain.ConversationStore
	team domain.TeamChange
}

func (s *changedTeam) TeamChanges(context.Context, string, string) (*domain.TeamChanges, error) {
	return &domain.TeamChanges{Next: "1", Changes: []domain.TeamChange{s.team}}, nil
}

// Changes of teams wait for no orphan.
func TestTeams(t *testing.T) { // G15
	t.Parallel()
	system := fakes.NewActorSystem()
	t.Cleanup(system.Shutdown)
	now := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	conversation := domain.NewID()
	store := &changedTeam{team: domain.TeamChange{ID: "1", Conversation: conversation}}
	told := make(chan struct{}, 10)
	_, err := system.Root.SpawnNamed(actor.PropsFromFunc(func(ctx actor.Context) {
		if _, ok := ctx.Message().(*protocol.AccessChanged); ok {
			told <- struct{}{}
		}
	}), kindConversation+"/"+conversation.String())
	require.NoError(t, err)
	pid := system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor {
		return &teams{Poller: node.Poller{Clock: now, Every: time.Second}, node: "here", store: store, log: quiet()}
	}))
	system.Root.Send(pid, &node.LookAgain{})
	<-told
	for range 3 {
		require.Eventually(t, func() bool { return now.Waiting() == 1 }, patience, time.Millisecond)
		now.Advance(time.Second)
	}
	require.Eventually(t, func() bool { return now.Waiting() == 1 }, patience, time.Millisecond)
	require.Empty(t, told, "each change is told once")
}
