package main

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/proxytest"
	"parley.dev/parley/persistence/persistencetest"
)

// watcher is a process of `parley status --watch`, as somebody has it in a terminal.
type watcher struct {
	t               *testing.T
	cmd             *exec.Cmd
	out, complaints printed
}

// printed is what a process has written so far.
type printed struct {
	mu  sync.Mutex
	all bytes.Buffer
}

// Write implements io.Writer.
func (p *printed) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.all.Write(b)
}

func (p *printed) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.all.String()
}

// awaitLine waits until what is printed from now on has a text.
func (w *watcher) awaitLine(what string) {
	w.t.Helper()
	from := len(w.out.text())
	require.True(w.t, waitUntil(w.t.Context(), func() bool { return strings.Contains(w.out.text()[from:], what) }), "%q is not printed", what)
}

// interrupt is Ctrl-C; the command has then succeeded.
func (w *watcher) interrupt() {
	w.t.Helper()
	require.NoError(w.t, w.cmd.Process.Signal(os.Interrupt))
	require.NoError(w.t, w.cmd.Wait(), "%s", w.complaints.text())
}

func watchStatus(t *testing.T, database string, args ...string) *watcher {
	t.Helper()
	w := &watcher{t: t, cmd: exec.CommandContext(t.Context(), os.Args[0])}
	w.cmd.Env = append(os.Environ(), asServer+"=status --watch --every 100ms "+strings.Join(args, " "), "DATABASE_URL="+database,
		"PARLEY_DATA="+t.TempDir())
	w.cmd.Stdout, w.cmd.Stderr = &w.out, &w.complaints
	require.NoError(t, w.cmd.Start())
	return w
}

// proxied puts a proxy in front of the server of a database.
func proxied(t *testing.T, database string) (*proxytest.Proxy, string) {
	t.Helper()
	return proxiedAt(t, "127.0.0.1", database)
}

// proxiedAt is proxied at another address of this machine.
func proxiedAt(t *testing.T, at, database string) (*proxytest.Proxy, string) {
	t.Helper()
	c, err := pgx.ParseConfig(database)
	require.NoError(t, err)
	network, address := pgconn.NetworkAddress(c.Host, c.Port)
	proxy := proxytest.NewAt(t, at, network, address)
	through := url.URL{
		Scheme: "postgres", User: url.UserPassword(c.User, c.Password), Host: proxy.Addr, Path: c.Database, RawQuery: "sslmode=disable",
	}
	return proxy, through.String()
}

// Who watches sees a node stand still, leave and come back, and the database go away and come back. Only
// Ctrl-C ends it, with success.
func TestStatus_Watch(t *testing.T) {
	t.Parallel()
	database := persistencetest.URL(t)
	proxy, through := proxied(t, database)
	servers := fleet(t, database, nil, "one", "two")
	table, documents := watchStatus(t, through), watchStatus(t, database, "--json")
	table.awaitLine("2 members\n")

	// A process that stands still is told by the other one, until that one has ended its lease.
	require.NoError(t, servers[1].cmd.Process.Signal(syscall.SIGSTOP))
	table.awaitLine("! two: does not answer one\n")
	table.awaitLine("1 members\n")
	require.NoError(t, servers[1].cmd.Process.Signal(syscall.SIGCONT))
	<-servers[1].ended // it was fenced
	require.NoError(t, servers[1].run())
	require.NoError(t, servers[1].awaitReady(t))
	table.awaitLine("2 members\n")

	// Its address refuses connections as long as its row is there. The other one stands still meanwhile, because it would end the
	// lease at once.
	require.NoError(t, servers[0].cmd.Process.Signal(syscall.SIGSTOP))
	servers[1].kill(t)
	table.awaitLine("does not accept a connection from this machine (refused)\n")
	require.NoError(t, servers[0].cmd.Process.Signal(syscall.SIGCONT))
	table.awaitLine("1 members\n")

	proxy.Set(proxytest.Rules{Refuse: true})
	require.True(t, waitUntil(t.Context(), func() bool {
		return strings.Contains(table.complaints.text(), "parley: read the members from the database")
	}), "the database is away, and nobody is told")
	proxy.Set(proxytest.Rules{})
	table.awaitLine("1 members\n")

	table.interrupt()
	documents.interrupt()
	require.NotContains(t, table.out.text(), "parley:", "errors are no part of the table")
	require.Empty(t, documents.complaints.text())
	members := map[int]bool{}
	for line := range strings.Lines(documents.out.text()) {
		var s clusterStatus
		require.NoError(t, json.Unmarshal([]byte(line), &s), "one document a line: %s", line)
		members[len(s.Members)] = true
	}
	require.Equal(t, map[int]bool{1: true, 2: true}, members)
}
