package integration_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/nodetest"
	"parley.dev/parley/persistence/persistencetest"
)

// TestNodes_ScheduledTasks: G13, F49. Many tasks are due in the same second on two nodes, one
// of which crashes while they run: each task runs once, and completes.
func TestNodes_ScheduledTasks(t *testing.T) {
	t.Parallel()
	const many = 60
	url, dir := persistencetest.URL(t), t.TempDir()
	network := nodetest.New(t)
	one, two := start(t, network, url, dir, "one", 0), start(t, network, url, dir, "two", 0)
	ben := one.as(t, persistencetest.Ben)
	// A turn is interrupted if the crashed node has already shown text. The gate keeps the node
	// from showing any, so that every turn can complete.
	first := one.gates.close("first")
	b := ben.blueprint(map[string]any{
		"name": "Words", "steps": []map[string]any{
			{"name": "First", "detailed_instructions": "seed=1 tokens=20 rate=20 gate=first", "analyst": ben.scriptedAgent()},
			{"name": "Second", "detailed_instructions": "seed=2 tokens=20 rate=20", "analyst": ben.scriptedAgent()},
		},
	})
	tasks := make([]task, many)
	for i := range tasks {
		tasks[i] = ben.schedule(b, "name", fmt.Sprintf("Task %d", i))
	}
	makeDue(t, url, tasks...)
	first.wait(t)
	one.crash()

	away := two.as(t, persistencetest.Ben)
	conversations := map[uuid.UUID]bool{}
	for _, made := range tasks {
		var runs []taskRun
		require.Eventually(t, func() bool {
			runs = away.runs(made)
			return len(runs) == 1 && runs[0].EndedAt != nil
		}, 2*patience, patience/1000)
		require.Equal(t, "complete", runs[0].Status, runs[0].Reason)
		conversations[*runs[0].ConversationID] = true
		c := away.get(*runs[0].ConversationID)
		prompts := 0
		for _, m := range c.MessageSet {
			if m.Role == "user" {
				prompts++
			}
		}
		require.Equal(t, 1, prompts)
		require.False(t, c.IsStreaming)
	}
	require.Len(t, conversations, many)
}
