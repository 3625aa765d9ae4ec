package integration_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors"
	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/provider/builtin"
	"parley.dev/parley/api"
	"parley.dev/parley/api/stream"
	"parley.dev/parley/cluster"
	"parley.dev/parley/cmd/parley/warehouses"
	"parley.dev/parley/connectors"
	"parley.dev/parley/connectors/intake"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/envelope"
	"parley.dev/parley/internal/nodetest"
	"parley.dev/parley/internal/semaphore"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/blob"
	"parley.dev/parley/persistence/persistencetest"
	"parley.dev/parley/shared"
)

// patience is how long anything may take before a test gives up on it.
const patience = 2 * time.Minute

// node is one server with the parts that it is made of.
type node struct {
	store *persistence.Store
	files *blob.Store
	// dir is the folder of files.
	dir    string
	engine *actors.System
	shared *shared.Space
	// metrics has the metrics of shared.
	metrics *prometheus.Registry
	url     string
	// database is the address of the database, for tests that connect to it as an administrator.
	database string
	id       string // in the table of members
	// desk queries databases on this machine; a query of files returns one fixed row.
	desk *connectors.Desk
	// gates can delay the answers of the scripted agent.
	gates *gates
	// crash ends the node like the loss of a machine: nothing is handed over. It may be
	// called twice, and is called at the end of the test.
	crash func()
	// leave ends the node as an operator does: it drains and hands over. crash does nothing then.
	leave func()
	// serve starts another API server on the same engine, whose configuration may differ,
	// and returns its address.
	serve func(*testing.T, api.Limits, ...func(*api.Config)) string
}

// start runs a node of the network on the database at url, with its files in dir. A lease of 0
// is the product's default, for tests in which other nodes take over after a crash.
func start(t *testing.T, network *nodetest.Network, url, dir, name string, lease time.Duration) *node {
	t.Helper()
	return startWithRedis(t, network, url, dir, name, lease, shared.Config{})
}

// startWithRedis is start with a configuration of Redis, and with changes of the engine's.
func startWithRedis(
	t *testing.T, network *nodetest.Network, url, dir, name string, lease time.Duration, redis shared.Config, change ...func(*actors.Config),
) *node {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	ctx := context.Background()
	keys, err := envelope.NewRing(bytes.Repeat([]byte{9}, 32))
	require.NoError(t, err)
	n := &node{database: url, dir: dir, gates: newGates(), metrics: prometheus.NewRegistry()}
	n.store, err = persistence.Open(ctx, persistence.Config{URL: url, Keys: keys, Operator: ourWord + " Works"})
	require.NoError(t, err)
	t.Cleanup(n.store.Close)
	require.NoError(t, n.store.Samples.Seed(ctx, persistencetest.World()))
	n.files, err = blob.Open(ctx, blob.Config{URL: "file://" + dir})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, n.files.Close()) })

	redis.Keys, redis.Metrics, redis.Logger = keys, n.metrics, log
	n.shared, err = shared.Open(ctx, redis)
	require.NoError(t, err)
	t.Cleanup(n.shared.Close)
	all := warehouses.All(warehouses.Config{Guard: allowLoopback(t), OwnDatabase: n.store.Credentials.Identity})
	n.desk = connectors.NewDesk(oneRow{}, all, n.store.Credentials, connectors.Caps{Deadline: patience})
	dispatcher := async.NewDispatcher(1)
	journal := n.store.NewJournal(persistence.JournalConfig{
		Deliver: func(portion func()) func(context.Context) { return dispatcher.Do(time.Minute, portion) },
	})
	require.NoError(t, journal.Start(ctx))
	system := cluster.NewSystem(log)
	var member *cluster.Node
	var lives atomic.Int64 // conversations
	engineConfig := actors.Config{
		Surplus: func() int { return member.Surplus() },
		Meter: actors.Meter{Lives: func(kind string, n int) {
			if kind == "conversation" {
				lives.Store(int64(n))
			}
		}},
		ActorSystem: system, Dispatcher: dispatcher, Hints: n.shared.Hints, Tails: n.shared.Tails, Presence: n.shared.Presence,
		Journal: journal, Conversations: n.store.ConversationStore, Sessions: n.store.Sessions, Analysts: n.store.Analysts,
		Tasks: n.store.TaskStore, Logger: log,
		Address: func(node string) (string, bool) { return member.AddressOf(node) },
		Runner: analyst.NewPipeline(analyst.Config{
			Providers: map[string]analyst.Provider{"scripted": n.gates, "builtin": builtin.New(builtin.Config{})},
			Prices:    map[string]analyst.Price{"scripted": {Input: 1, Output: 4}},
			Workbench: n.desk, DataSources: n.store.DataSources, Analysts: n.store.Analysts, Files: n.files, History: n.store.ConversationStore,
			Memories: n.store.Memories, Facts: n.store.Facts, Corrections: n.store.Corrections, Log: log,
		}),
	}
	for _, f := range change {
		f(&engineConfig)
	}
	engine := actors.New(engineConfig)
	n.engine = engine
	n.store.AnnounceTo(engine.Announce)
	member, err = cluster.New(ctx, system, cluster.Config{
		Name: name, Members: n.store.Members, Kinds: engine.Kinds(), Logger: log, OnFenced: func(string) {}, Lease: lease,
		Load: func() float64 { return float64(lives.Load()) }, Balanced: []string{"conversation"},
		Transport: network.Port(name),
		Homes: map[string]cluster.HomeFunc{
			"conversation": cluster.ByID(n.store.ConversationStore.Home),
			"session":      cluster.ByID(n.store.Sessions.SessionHome), "task": cluster.ByID(n.store.TaskStore.TaskHome),
		},
	})
	require.NoError(t, err)
	n.id = member.ID()
	engine.Attach(member, n.id)
	require.NoError(t, member.Start(t.Context()))
	require.NoError(t, engine.Start(ctx))

	// mu guards servers: tests that run in parallel append to it.
	var mu sync.Mutex
	var servers []*api.Server
	n.serve = func(t *testing.T, limits api.Limits, change ...func(*api.Config)) string {
		t.Helper()
		space := n.shared
		if redis.URL == "" { // a space of its own, so that the sockets of other tests are not counted
			var err error
			space, err = shared.Open(ctx, shared.Config{Logger: log})
			require.NoError(t, err)
			t.Cleanup(space.Close)
		}
		c := api.Config{
			Shared: api.Shared{Rates: space.Rates, Seats: space.Seats, Hints: space.Hints},
			Addr:   "127.0.0.1:0", OperatorAddr: "127.0.0.1:0", URL: "http://parley.test", Hosts: []string{"127.0.0.1", "x"},
			Services: api.Services{
				Users:         n.store.Users,
				Rights:        n.store.Rights,
				SignIns:       n.store.SignIns,
				Conversations: n.store.Conversations,
				Engine:        engine,
				DataSources:   n.store.DataSources,
				Facts:         n.store.Facts,
				Corrections:   n.store.Corrections,
				Meaning: analyst.Meanings{
					DataSources: n.store.DataSources, Facts: n.store.Facts, Corrections: n.store.Corrections, Clock: clock.System{},
				},
				Credentials:   n.store.Credentials,
				Analysts:      n.store.Analysts,
				Feedback:      n.store.Feedback,
				Memories:      n.store.Memories,
				ProjectLabels: n.store.ProjectLabels,
				Blueprints:    n.store.Blueprints,
				Tasks:         n.store.Tasks,
				Usage:         n.store.Usage,
				Cluster:       n.store.Members,
			},
			Models: []domain.AgentModel{{Provider: "scripted", Model: "scripted"}},
			Files:  n.files, Intake: n.newIntake(t, nil, refuseFiles{}), Streams: stream.Engine{System: engine}, Workbench: n.desk,
			Warehouses: n.desk, Questions: builtin.New(builtin.Config{}),
			Tokens: byEmail{}, LinkKey: bytes.Repeat([]byte{7}, 32), TempDir: t.TempDir(), Logger: log,
			Browser: api.BrowserConfig{Issuer: "http://issuer.test", ClientID: "web"},
			Limits:  limits,
		}
		for _, f := range change {
			f(&c)
		}
		server, err := api.New(c)
		require.NoError(t, err)
		require.NoError(t, server.Start(ctx))
		mu.Lock()
		defer mu.Unlock()
		servers = append(servers, server)
		return "http://" + server.Address()
	}
	n.url = n.serve(t, api.Limits{SendsPerMinute: -1, UploadsPerHour: -1, SocketsPerUser: -1, SocketsPerAddress: -1})

	ended := false
	n.crash = func() {
		if ended {
			return
		}
		ended = true
		// The store is closed first: what is not committed is lost, as with a lost machine,
		// and the node cannot give up its lease, which has to expire.
		journal.Stop()
		n.store.Close()
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		mu.Lock()
		defer mu.Unlock()
		for _, server := range servers {
			_ = server.Stop(ctx) // closes its streams
		}
		_ = member.Stop() // and its actors with it
	}
	n.leave = func() {
		require.False(t, ended)
		ended = true
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		member.Drain()
		require.NoError(t, engine.Shutdown(ctx))
		mu.Lock()
		defer mu.Unlock()
		for _, server := range servers {
			require.NoError(t, server.Stop(ctx))
		}
		journal.Stop()
		require.NoError(t, member.Stop())
		n.store.Close()
	}
	t.Cleanup(n.crash)
	return n
}

// byEmail is an identity provider whose bearer tokens are e-mail addresses, optionally
// followed by # and the name of the sign-in.
type byEmail struct{}

func (byEmail) Verify(_ context.Context, token string) (domain.Identity, error) {
	if token == "" {
		return domain.Identity{}, domain.Errorf(domain.CodeUnauthenticated, "Your session has expired")
	}
	email, session, _ := strings.Cut(token, "#")
	return domain.Identity{
		//nolint:forbidigo // the server checks the expiry with the system clock
		Issuer: "http://issuer.test", Subject: email, Email: email, EmailVerified: true, Session: session, Expires: time.Now().Add(time.Hour),
	}, nil
}

// oneRow answers every query with the same table.
type oneRow struct{}

func (oneRow) Query(context.Context, []domain.DataSource, string) (*domain.ResultSet, error) {
	return &domain.ResultSet{Columns: []domain.Column{{Name: "n", Type: domain.ColumnInteger}}, Rows: [][]any{{int64(1)}}}, nil
}

// newIntake returns the intake of files for a server of this node.
func (n *node) newIntake(t *testing.T, quota domain.QuotaService, readers ...connectors.FileReader) domain.IntakeService {
	t.Helper()
	return intake.New(intake.Config{
		Files: n.files, Account: n.store.Files.FileIntake(n.id), Readers: connectors.FilesByType(readers...), Quota: quota,
		Readings: semaphore.New(domain.FilesAtOnce), TempDir: t.TempDir(),
	})
}

// refuseFiles refuses all files: other tests read files.
type refuseFiles struct{}

var errRefused = domain.Invalid("file", "Please provide a valid file")

func (refuseFiles) Type() domain.DataSourceType { return domain.DataSourceCSV }

func (refuseFiles) Inspect(context.Context, string, string, domain.FileOptions) (*domain.FileInfo, error) {
	return nil, errRefused
}

func (refuseFiles) Prepare(context.Context, string, string, string, domain.FileOptions) (*domain.FileInfo, error) {
	return nil, errRefused
}
