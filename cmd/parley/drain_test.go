package main

import (
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/provider/scripted"
	"parley.dev/parley/internal/demo"
	"parley.dev/parley/persistence/persistencetest"
)

// TestDrain_Process drains real processes while answers are being made, by SIGTERM and by `parley cluster drain`.
func TestDrain_Process(t *testing.T) { // G19, F04
	t.Parallel()
	database := persistencetest.URL(t)
	servers := fleet(t, database, []string{"PARLEY_DRAIN_SECONDS=6"}, "one", "two", "three", "four")
	db, err := pgxpool.New(t.Context(), database)
	require.NoError(t, err)
	t.Cleanup(db.Close)
	bearer, err := bearerOf(t.Context(), servers[0].url, demo.People()[0].Email, demoPassword)
	require.NoError(t, err)
	me := &caller{t, bearer}
	var agents struct {
		Results []struct {
			ID   int64  `json:"id"`
			Name string `json:"name"`
		} `json:"results"`
	}
	me.call(servers[0], http.MethodGet, "analyst/analysts?filter_enabled=false", nil, &agents)
	var agent int64
	for _, a := range agents.Results {
		if a.Name == loadAnalyst {
			agent = a.ID
		}
	}
	require.NotZero(t, agent)
	ask := func(through *server, id uuid.UUID, text string) {
		t.Helper()
		var sent map[string]any
		me.call(through, http.MethodPost, "discourse/user-text", map[string]any{
			"conversationId": id, "message": map[string]any{"id": uuid.New(), "text": text, "analystId": agent},
		}, &sent)
	}
	value := func(sql string, id uuid.UUID) (v string) {
		t.Helper()
		require.NoError(t, db.QueryRow(t.Context(), sql, id).Scan(&v))
		return v
	}
	const (
		owner = "SELECT coalesce(node, '') FROM conversation WHERE id = $1"
		begun = "SELECT count(*)::text FROM message_chunk k JOIN message m ON m.id = k.message_id WHERE m.conversation_id = $1"
		last  = "SELECT status FROM turn WHERE conversation_id = $1 ORDER BY started_at DESC LIMIT 1"
		said  = "SELECT text FROM message WHERE conversation_id = $1 AND role <> 'user' ORDER BY seq DESC LIMIT 1"
	)
	terminate := func(s *server) { require.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM)) }
	// drain starts an answer and stops the server that makes it; the other servers remain.
	drain := func(prompt string, stop func(*server)) (id uuid.UUID, drained *server) {
		t.Helper()
		var made struct {
			ID uuid.UUID `json:"id"`
		}
		me.call(servers[0], http.MethodPost, "discourse/conversations", map[string]any{"name": "Drain"}, &made)
		ask(servers[0], made.ID, prompt)
		require.True(t, waitUntil(t.Context(), func() bool { return value(begun, made.ID) != "0" }), "no text arrives")
		at := value(owner, made.ID)
		var left []*server
		for _, s := range servers {
			if strings.HasPrefix(at, s.name+"@") {
				drained = s
			} else {
				left = append(left, s)
			}
		}
		require.NotNil(t, drained, at)
		servers = left
		stop(drained)
		<-drained.ended
		return made.ID, drained
	}
	goesOn := func(id uuid.UUID) {
		t.Helper()
		ask(servers[0], id, "seed=5 tokens=3 rate=0")
		require.True(t, waitUntil(t.Context(), func() bool { return value(last, id) == "complete" }), "the conversation does not continue")
		require.Equal(t, scripted.Text(5, 3), value(said, id))
	}

	// The command drains a node as SIGTERM does, from any machine with the database.
	t.Run("ByCommand", func(t *testing.T) {
		var node string
		id, drained := drain("seed=2 tokens=30 rate=10", func(s *server) {
			printed, err := view(t, database, "cluster", "drain", s.name)
			require.NoError(t, err, printed)
			node, _, _ = strings.Cut(printed, " ")
			require.Contains(t, printed, node+" drains, 1 answer is running\n")
			_, err = view(t, database, "cluster", "drain", s.name)
			require.ErrorContains(t, err, node+" drains already")
			printed, err = view(t, database, "cluster", "drain", "--wait", s.name)
			require.NoError(t, err, printed)
			require.True(t, strings.HasSuffix(printed, node+" has left the cluster\n"), printed)
		})
		require.Equal(t, 0, drained.cmd.ProcessState.ExitCode(), "%s", drained.log)
		require.Contains(t, drained.log.String(), "parley cluster drain asks for it")
		require.Equal(t, "complete", value(last, id))
		require.Equal(t, scripted.Text(2, 30), value(said, id))
		var left int
		require.NoError(t, db.QueryRow(t.Context(), "SELECT count(*) FROM conversation WHERE node = $1", node).Scan(&left))
		require.Zero(t, left, "it has handed over what it owned")
		for _, name := range []string{drained.name, node} {
			_, err := view(t, database, "cluster", "drain", name)
			require.ErrorContains(t, err, "there is no node "+name)
		}
		goesOn(id)
	})

	t.Run("ShorterThanTheDrain", func(t *testing.T) {
		id, drained := drain("seed=3 tokens=20 rate=10", terminate)
		require.Equal(t, 0, drained.cmd.ProcessState.ExitCode(), "%s", drained.log)
		require.Equal(t, "complete", value(last, id))
		require.Equal(t, scripted.Text(3, 20), value(said, id))
		goesOn(id)
	})

	// An answer that takes longer than the drain is interrupted, and none of its text is lost.
	t.Run("LongerThanTheDrain", func(t *testing.T) {
		id, drained := drain("seed=4 tokens=4000 rate=10", terminate)
		require.Equal(t, exitFailed, drained.cmd.ProcessState.ExitCode(), "%s", drained.log)
		require.True(t, waitUntil(t.Context(), func() bool { return value(last, id) == "interrupted" }), "the turn has not ended")
		kept := value(said, id)
		require.NotEmpty(t, kept)
		require.True(t, strings.HasPrefix(scripted.Text(4, 4000), kept))
		goesOn(id)
	})
}
