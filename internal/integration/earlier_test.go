package integration_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/analysttest"
	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/persistencetest"
)

// listener is a model that records the requests that it receives.
type listener struct{ asked chan *analyst.Request }

func (listener) Name() string { return "builtin" }

func (l listener) Stream(_ context.Context, r *analyst.Request, emit func(analyst.Piece) error) (analyst.End, error) {
	l.asked <- r
	return analyst.End{}, emit(analyst.Piece{Text: "Yes."})
}

// earlierResults: the results of a turn are in the context of the next one, which reads them
// from the database and the file store.
func earlierResults(t *testing.T, n *node) {
	t.Helper()
	anna := n.as(t, persistencetest.Anna)
	d := anna.source("Earlier")
	id := anna.create()
	for range 2 {
		prompt := anna.prompt(id, `seed=1 tokens=1 rate=0 query="SELECT 1"`)
		prompt["dataSources"] = []int64{d.ID}
		anna.do("POST", "/discourse/user-text", prompt).into(t, 200, nil)
		require.Eventually(t, func() bool { return !anna.get(id).IsStreaming }, patience, 20*time.Millisecond)
	}
	messages, err := n.store.ConversationStore.Messages(t.Context(), id, 0)
	require.NoError(t, err)

	l := listener{make(chan *analyst.Request, 1)}
	pipeline := analyst.NewPipeline(analyst.Config{
		Providers: map[string]analyst.Provider{"builtin": l}, Workbench: oneRow{},
		DataSources: n.store.DataSources, Analysts: n.store.Analysts, Files: n.files, History: n.store.ConversationStore,
		Log: slog.New(slog.DiscardHandler),
	})
	caller := persistencetest.Caller(t, n.store, persistencetest.Anna)
	job := &analyst.Job{
		Turn: domain.Turn{ID: uuid.New(), ConversationID: id, UserID: caller.UserID, Attempt: 1}, Caller: caller,
		Prompt: domain.Message{ID: uuid.New(), ConversationID: id, Role: domain.RoleUser, Text: "and now?", Seq: 99},
	}
	require.NoError(t, pipeline.Run(t.Context(), job, &analysttest.Sink{}))
	asked := <-l.asked
	prompts := 0
	for _, m := range messages {
		if m.Role == domain.RoleUser {
			prompts++
			require.Contains(t, asked.System, fmt.Sprintf("result r%d_1, for %q: Scripted query: 1 row, 1 column.\nSQL: SELECT 1\nfirst "+
				"rows:\nn\n1\n", m.Seq, m.Text))
		}
	}
	require.Equal(t, 2, prompts)
	require.Len(t, asked.Turns, 5)
}
