package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/persistence/persistencetest"
)

// The canaries are written into everything that is no id.
const (
	canaryText   = "canary-of-a-prompt"
	canarySecret = "canary-of-a-key"
)

// asker makes calls as one of the demo people.
type asker struct {
	caller

	server        *server
	conversation  uuid.UUID
	prompt        uuid.UUID
	request, turn string
}

func newAsker(t *testing.T, s *server) *asker {
	t.Helper()
	var out bytes.Buffer
	home := t.TempDir()
	p := &program{stdout: &out, stderr: io.Discard, getenv: func(name string) string { return map[string]string{"HOME": home}[name] }}
	require.NoError(t, p.main(t.Context(), []string{"token", "--user", "mara@meridian.example", "--url", s.url}))
	return &asker{caller: caller{t, strings.TrimSpace(out.String())}, server: s}
}

// call makes a call of the asker's node, and returns its request's id.
func (c *asker) call(method, path string, body, into any) string {
	c.t.Helper()
	return c.caller.call(c.server, method, path, body, into).Get("X-Request-Id")
}

// ask sends a prompt in a new conversation, and waits for the end of its answer, whose status it
// returns.
func (c *asker) ask(text string, sources ...int64) string {
	c.t.Helper()
	var made struct{ ID uuid.UUID }
	c.call(http.MethodPost, "discourse/conversations", map[string]any{"name": text, "dataSources": sources}, &made)
	c.conversation, c.prompt = made.ID, uuid.Must(uuid.NewV7())
	var sent struct{ TurnID string }
	c.request = c.call(http.MethodPost, "discourse/user-text", map[string]any{
		"conversationId": made.ID, "dataSources": sources, "message": map[string]any{"id": c.prompt, "text": text},
	}, &sent)
	var read struct {
		IsStreaming bool
		MessageSet  []struct{ Status string }
	}
	require.True(c.t, waitUntil(c.t.Context(), func() bool {
		c.call(http.MethodGet, "discourse/conversations/"+made.ID.String(), nil, &read)
		return !read.IsStreaming && len(read.MessageSet) > 1
	}))
	c.turn = sent.TurnID
	return read.MessageSet[len(read.MessageSet)-1].Status
}

// TestLog_IDsAndNoContents (J08) fails a turn on purpose, with a model that sends back everything
// that it was told, at the level at which most is logged.
func TestLog_IDsAndNoContents(t *testing.T) {
	t.Parallel()
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // a short one only makes the echo shorter
		w.WriteHeader(http.StatusBadRequest)
		_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]string{
			"message": r.Header.Get("Authorization") + " " + string(body), "code": canaryText, "type": canaryText,
		}})
	}))
	defer model.Close()
	s := fleet(t, persistencetest.URL(t), []string{
		"PARLEY_LOG=debug", "PARLEY_LOG_FORMAT=json", "OPENAI_BASE_URL=" + model.URL, "OPENAI_API_KEY=" + canarySecret, "OPENAI_MODEL=m",
	}, "one")[0]
	c := newAsker(t, s)
	require.Equal(t, "failed", c.ask("What is "+canaryText+"?"))
	s.end(t)

	text := s.log.String()
	for _, secret := range []string{canaryText, canarySecret, c.bearer, "SELECT "} {
		require.NotContains(t, text, secret)
	}
	var ended bool
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "{") {
			continue // what the process says to a person who watches it start
		}
		var entry struct{ Msg, Node, Request, Conversation, Turn string }
		require.NoError(t, json.Unmarshal([]byte(line), &entry), line)
		require.Equal(t, "one", entry.Node, line)
		switch entry.Msg {
		case "request":
			require.NotEmpty(t, entry.Request, line)
		case "a turn did not complete":
			ended = true
			require.Equal(t, c.request, entry.Request, line)
			require.Equal(t, c.conversation.String(), entry.Conversation, line)
			require.Equal(t, c.turn, entry.Turn, line)
		}
	}
	require.True(t, ended, "the line about the turn is there")
}
