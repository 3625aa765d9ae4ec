package main

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWaitingHandler: a node whose database is unreachable is alive and not ready.
func TestWaitingHandler(t *testing.T) {
	t.Parallel()
	for path, status := range map[string]int{
		"/healthz": http.StatusOK, "/readyz": http.StatusServiceUnavailable,
		"/metrics": http.StatusNotFound,
	} {
		w := httptest.NewRecorder()
		waitingHandler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		require.Equal(t, status, w.Code, path)
	}
}

// TestNode_AwaitDatabase: the wait has a time limit, and with a limit of 0 the node does not wait.
func TestNode_AwaitDatabase(t *testing.T) {
	t.Parallel()
	unreachable := "postgres:///parley?host=" + url.QueryEscape(filepath.Join(t.TempDir(), "nowhere"))
	var output strings.Builder
	n := &node{c: &config{databaseWait: 1, operatorAddr: "127.0.0.1:0"}, out: &output}
	n.log = (&program{stderr: &output}).logger("warn", formatText)
	require.ErrorContains(t, n.awaitDatabase(t.Context(), unreachable), "did not come within 1s")
	require.Contains(t, output.String(), "waiting up to 1s for the database")
	n.c.databaseWait = 0
	require.NoError(t, n.awaitDatabase(t.Context(), unreachable))
}
