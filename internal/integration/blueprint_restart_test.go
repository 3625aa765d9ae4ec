package integration_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/nodetest"
	"parley.dev/parley/persistence/persistencetest"
)

// TestNodes_StartBlueprint crashes a node that has begun the turn of one conversation started
// from a blueprint, and has not yet begun the turn of another.
func TestNodes_StartBlueprint(t *testing.T) {
	t.Parallel()
	url, dir := persistencetest.URL(t), t.TempDir()
	network := nodetest.New(t)
	one, two := start(t, network, url, dir, "one", 0), start(t, network, url, dir, "two", 0)
	anna := one.as(t, persistencetest.Anna)
	caller := persistencetest.Caller(t, one.store, persistencetest.Anna)
	b := anna.blueprint(map[string]any{
		"name":  "Slow",
		"steps": []map[string]any{{"name": "S", "detailedInstructions": "seed=5 tokens=3 rate=1"}},
	})
	begin := func(n *node) domain.BlueprintStarted {
		started, err := n.store.Blueprints.StartBlueprint(t.Context(), caller, b.ID, domain.BlueprintStart{AnalystID: anna.scriptedAgent()})
		require.NoError(t, err)
		return *started
	}
	// The first turn is begun on the node that will crash.
	var begun domain.BlueprintStarted
	for home := ""; home != one.id; {
		begun = begin(one)
		one.engine.Wake(context.Background(), begun.Conversation)
		require.Eventually(t, func() bool {
			events, err := two.store.ConversationStore.Events(context.Background(), begun.Conversation, 2, 10)
			return err == nil && len(events) > 0
		}, patience, patience/300)
		var err error
		home, err = two.store.ConversationStore.Home(t.Context(), begun.Conversation)
		require.NoError(t, err)
	}
	waiting := begin(one)
	one.crash()
	for _, c := range []domain.BlueprintStarted{begun, waiting} {
		two.settle(t, c.Conversation)
		two.begun(t, c.Conversation, 1)
		got, err := two.store.Conversations.Conversation(context.Background(), caller, c.Conversation)
		require.NoError(t, err)
		require.False(t, got.IsStreaming)
		for _, m := range got.Messages {
			// Text that the lost node has already shown is kept; such a message stays interrupted.
			if c == waiting || m.Status != domain.MessageInterrupted {
				require.Equal(t, domain.MessageComplete, m.Status, m.Text)
			}
		}
	}
}
