package main

// The bed of the faults: three processes, a Postgres and a Redis of their own, a proxy in front of
// each dependency of each process, and supervisors that start a process again whenever it ends.

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/partitiontest"
	"parley.dev/parley/internal/processtest"
	"parley.dev/parley/internal/proxytest"
	"parley.dev/parley/internal/redistest"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/embedded"
)

// bed is a cluster that faults can harm.
type bed struct {
	t        *testing.T
	names    []string
	members  []*member
	network  *partitiontest.Network
	redis    *redistest.Server
	postgres string // the folder of its socket
	// other is another build of the processes, for a fault that replaces them.
	other string
	// dir is a folder that Postgres can reach.
	dir string
	db  *pgxpool.Pool
	// admin is the proxy through which db goes, so that it follows a failover as the processes do.
	admin *proxytest.Proxy
	// began is the zero of all times of the history.
	began time.Time
	// whenEnded stops what the processes need until their own end.
	whenEnded []func()
}

// member is a process with what restarts it.
type member struct {
	name, url string
	database  *proxytest.Proxy
	redis     *redistest.Proxy
	// env is the environment of its first process.
	env []string
	// out says that people do not come to it, as behind a balancer that has found it not ready.
	out atomic.Bool

	// mu guards the fields below, and of the server its command and its end.
	mu     sync.Mutex
	server *server
	// codes are the exit codes of its processes, -1 for one that was killed.
	codes   []int
	closing bool
	// away keeps it from being started again.
	away bool
}

// bedding is what is different in the bed of some faults.
type bedding struct {
	// names are those of the processes; nil means three.
	names []string
	// env are further variables of their environment.
	env []string
	// direct says that the processes reach each other, Postgres and Redis without the proxies of the faults, which
	// take as much of the processor as the processes.
	direct bool
	// further are settings of Postgres.
	further [][2]string
	// prepare is called before the database has tables.
	prepare func(t *testing.T, b *bed, server *embedded.Server)
	// migrated is called when it has them, and before the processes start.
	migrated func(t *testing.T, b *bed)
}

// newBed starts a cluster. It ends with the test.
func newBed(t *testing.T) *bed {
	t.Helper()
	return newBedOf(t, bedding{})
}

func newBedOf(t *testing.T, of bedding) *bed {
	t.Helper()
	if redistest.Binary() == "" {
		t.Skip(redistest.ErrNone.Error())
	}
	if of.names == nil {
		of.names = []string{"one", "two", "three"}
	}
	b := &bed{t: t, names: of.names, network: partitiontest.New(t), redis: redistest.Start(t), began: time.Now()}
	// Postgres runs under another account, which cannot reach the temporary folder of a test.
	dir, err := os.MkdirTemp("/tmp", "parley-faults-") //nolint:usetesting // see above
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o711))
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	b.dir = dir
	postgres, err := embedded.Start(t.Context(), embedded.Config{
		DataDir: filepath.Join(dir, "data"), BinDir: os.Getenv("PG_BIN"), ModulesDir: "../../web", Throwaway: true, Further: of.further,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, postgres.Stop(context.Background())) })
	if of.prepare != nil {
		of.prepare(t, b, postgres)
	}
	require.NoError(t, persistence.Migrate(t.Context(), postgres.URL()))
	address, err := url.Parse(postgres.URL())
	require.NoError(t, err)
	b.postgres = address.Query().Get("host")
	socket := filepath.Join(b.postgres, ".s.PGSQL."+address.Query().Get("port"))
	b.admin = proxytest.New(t, "unix", socket)
	b.db, err = pgxpool.New(t.Context(), "postgres://postgres@"+b.admin.Addr+"/parley?sslmode=disable")
	require.NoError(t, err)
	t.Cleanup(b.db.Close)
	if of.migrated != nil {
		of.migrated(t, b)
	}

	proxies := map[string]*proxytest.Proxy{}
	redis := map[string]*redistest.Proxy{}
	servers := fleetOf(t, postgres.URL(), func(name string) []string {
		proxies[name], redis[name] = proxytest.New(t, "unix", socket), redistest.NewProxy(t, b.redis.Addr)
		through := url.URL{Scheme: "postgres", User: address.User, Host: proxies[name].Addr, Path: address.Path, RawQuery: "sslmode=disable"}
		// The group of text is one statement without a transaction (persistence/journal_wire.go).
		proxies[name].Commits("journal_text")
		own, env := processtest.FreeAddress(t), append(b.ownEnv(name), of.env...)
		if of.direct {
			return append([]string{
				"REDIS_URL=" + redistest.URL(b.redis.Addr, 0), "PARLEY_CLUSTER_ADDR=" + own, "PARLEY_SIGN_INS_PER_MINUTE=100000",
			}, env...)
		}
		return append([]string{
			"DATABASE_URL=" + through.String(), "REDIS_URL=" + redistest.URL(redis[name].Addr, 0), "PARLEY_CLUSTER_ADDR=" + own,
			"PARLEY_CLUSTER_ADVERTISE=" + b.network.Proxy(name, own), "PARLEY_SOCKETS_PER_ADDRESS=10000",
			"PARLEY_SIGN_INS_PER_MINUTE=100000",
		}, env...)
	}, b.network.Know, b.names...)
	var supervisors sync.WaitGroup
	for _, s := range servers {
		m := &member{name: s.name, url: s.url, database: proxies[s.name], redis: redis[s.name], env: s.env, server: s}
		b.members = append(b.members, m)
		supervisors.Go(func() { b.supervise(m) })
	}
	t.Cleanup(func() {
		for _, m := range b.members {
			m.mu.Lock()
			m.closing = true
			m.mu.Unlock()
			m.database.Set(proxytest.Rules{})
			m.server.end(t)
		}
		supervisors.Wait()
		for _, stop := range b.whenEnded {
			stop()
		}
	})
	return b
}

// supervise starts a process again after each end, as an operator's supervisor does.
func (b *bed) supervise(m *member) {
	for {
		m.mu.Lock()
		ended := m.server.ended
		m.mu.Unlock()
		<-ended
		m.mu.Lock()
		m.codes = append(m.codes, m.server.cmd.ProcessState.ExitCode())
		m.mu.Unlock()
		for {
			m.mu.Lock()
			closing, away := m.closing, m.away
			if !closing && !away {
				err := m.server.run()
				if err == nil {
					b.network.Know(m.name, m.server.cmd.Process.Pid)
				} else {
					b.t.Error(err)
					closing = true
				}
			}
			m.mu.Unlock()
			if closing {
				return
			}
			if !away {
				break
			}
			<-time.After(50 * time.Millisecond)
		}
	}
}

// signal sends a signal to the process.
func (m *member) signal(s os.Signal) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.server.cmd.Process.Signal(s); err != nil {
		return fmt.Errorf("signal %s: %w", m.name, err)
	}
	return nil
}

// keepAway keeps the process from being started again, or permits it.
func (m *member) keepAway(away bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.away = away
}

// ends is how often the process has ended so far.
func (m *member) ends() []int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]int(nil), m.codes...)
}

// awaitEnd waits for the end of the process that ran when there were so many ends, and returns its
// exit code.
func (m *member) awaitEnd(ctx context.Context, before int) (int, error) {
	if !waitUntil(ctx, func() bool { return len(m.ends()) > before }) {
		return 0, fmt.Errorf("%s has not ended", m.name)
	}
	return m.ends()[before], nil
}

// awaitReady waits until all processes are ready.
func (b *bed) awaitReady(ctx context.Context) error {
	for _, m := range b.members {
		ok := waitUntil(ctx, func() bool { return readyAt(ctx, m.server.operator) })
		if !ok {
			return fmt.Errorf("%s is not ready again", m.name)
		}
	}
	return nil
}

// readyAt asks an operator's port whether its process serves people.
func readyAt(ctx context.Context, operator string) bool {
	return answersOK(ctx, "http://"+operator+"/readyz")
}

// answersOK reports whether a URL answers 200 within 2 s.
func answersOK(ctx context.Context, url string) bool {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return false
	}
	_ = response.Body.Close() // its status is all that counts
	return response.StatusCode == http.StatusOK
}

// now is the time of the history.
func (b *bed) now() int64 { return int64(time.Since(b.began)) }

// owner is the member that owns most conversations with a running turn, and others are the rest.
func (b *bed) owner(ctx context.Context) (owner *member, others []*member, err error) {
	rows, err := b.db.Query(ctx, "SELECT split_part(c.node, '@', 1) FROM conversation c JOIN turn t ON t.conversation_id = c.id "+
		"WHERE t.status = 'running' AND c.node <> '' GROUP BY 1 ORDER BY count(*) DESC LIMIT 1")
	if err != nil {
		return nil, nil, fmt.Errorf("find the owner: %w", err)
	}
	name := ""
	for rows.Next() {
		if err := rows.Scan(&name); err != nil {
			return nil, nil, fmt.Errorf("find the owner: %w", err)
		}
	}
	for _, m := range b.members {
		if m.name == name {
			owner = m
		} else {
			others = append(others, m)
		}
	}
	if owner == nil {
		// No turn runs at this moment, so any will do.
		owner, others = b.members[0], b.members[1:]
	}
	return owner, others, rows.Err()
}

// postmaster is the process of Postgres: the first line of the lock beside its socket.
func (b *bed) postmaster() (*os.Process, error) {
	locks, err := filepath.Glob(filepath.Join(b.postgres, ".s.PGSQL.*.lock"))
	if err != nil || len(locks) != 1 {
		return nil, fmt.Errorf("find the lock of Postgres: %v %w", locks, err)
	}
	text, err := os.ReadFile(locks[0])
	if err != nil {
		return nil, fmt.Errorf("read the lock of Postgres: %w", err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(line)
	if err != nil {
		return nil, fmt.Errorf("read the lock of Postgres: %w", err)
	}
	return os.FindProcess(pid)
}
