package main

// The command serve: the parts of a node, the order in which they start, and the order in which
// they end. Each step of start needs the ones before it; close ends the parts in an order that
// keeps two promises: no committed text is lost, and no turn shorter than PARLEY_DRAIN_SECONDS is
// interrupted (G19).

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"parley.dev/parley/actors"
	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/provider/builtin"
	"parley.dev/parley/analyst/provider/scripted"
	"parley.dev/parley/api"
	"parley.dev/parley/api/stream"
	"parley.dev/parley/cluster"
	"parley.dev/parley/connectors"
	"parley.dev/parley/connectors/csv"
	"parley.dev/parley/connectors/hyper"
	"parley.dev/parley/connectors/intake"
	"parley.dev/parley/connectors/measuring"
	"parley.dev/parley/connectors/ppt"
	"parley.dev/parley/connectors/pptx"
	"parley.dev/parley/connectors/workbench"
	"parley.dev/parley/connectors/xlsx"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/commandline"
	"parley.dev/parley/internal/devidp"
	"parley.dev/parley/internal/logctx"
	"parley.dev/parley/internal/semaphore"
	"parley.dev/parley/internal/telemetry"
	"parley.dev/parley/internal/throwaway"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/blob"
	"parley.dev/parley/persistence/embedded"
	"parley.dev/parley/shared"
)

// speakingPace is the time between two words of the builtin planner. The planner has its
// whole answer at once; at this pace people can read along.
const speakingPace = 20 * time.Millisecond

// deliveryTimeout is the longest time for which new commits wait until actors have handled the
// answers to earlier commits: an actor that hangs must not block the others.
const deliveryTimeout = time.Second

// node is one running server: everything that serve has started.
type node struct {
	c      *config
	getenv func(string) string
	log    *slog.Logger
	out    io.Writer

	postgres *embedded.Server
	store    *persistence.Store
	files    *blob.Store
	bench    *workbench.Bench
	desk     *connectors.Desk
	journal  *persistence.Journal
	identity *devidp.Provider
	engine   *actors.System
	member   *cluster.Node
	server   *api.Server
	shared   *shared.Space
	registry *prometheus.Registry
	meter    *meter
	tracer   *telemetry.Tracer // nil: no traces
	// uploads is the folder of uploads that are being checked.
	uploads string

	// fenced receives the reason when this node must exit at once.
	fenced chan string
	// asked receives a value when an operator has asked this node to drain.
	asked chan struct{}
	// pruning removes deleted and expired data, sweeping the pieces of ended answers, learning
	// asks the issuer for its servers, collecting tunes the garbage collector, and measuring
	// measures files.
	pruning, sweeping, learning, collecting, measuring chore

	// running is what close stops.
	running parts
}

// serve starts a node and runs it until ctx ends or the cluster fences it.
func serve(ctx context.Context, p *program, args []string) error {
	if err := commandline.Parse(p.flags("serve"), args); err != nil {
		return err
	}
	c, err := loadConfig(p.getenv)
	if err != nil {
		return commandline.Usage(err)
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	n := &node{
		c: c, getenv: p.getenv, log: p.logger(c.logLevel, c.logFormat, logctx.Node(c.nodeName)), out: p.stdout, fenced: make(chan string, 1),
		asked:    make(chan struct{}, 1),
		registry: registry, meter: newMeter(registry),
	}
	if err := n.tuneCollector(ctx, p.getenv); err != nil {
		return err
	}
	if c.profiling {
		// Samples one of a hundred lock contentions, and one blocking event for each second of
		// blocking: a higher rate would cost a node with thousands of answers several per cent
		// of its CPU time.
		runtime.SetMutexProfileFraction(100)
		runtime.SetBlockProfileRate(int(time.Second))
	}
	if err := n.start(ctx); err != nil {
		if ctx.Err() != nil {
			err = nil // Ctrl-C during the start is not a failure
		}
		return errors.Join(err, n.close()) //nolint:contextcheck // stopping must continue when ctx has ended
	}
	select {
	case <-n.databaseGone():
		return errors.Join(fmt.Errorf("the private Postgres ended: %w", n.postgres.Err()), n.close()) //nolint:contextcheck // as above
	case <-ctx.Done():
		n.say("stopping: running answers get %d s to end", c.drainSeconds)
		return n.close() //nolint:contextcheck // as above
	case <-n.asked:
		n.say("stopping, because parley cluster drain asks for it: running answers get %d s to end", c.drainSeconds)
		return n.close() //nolint:contextcheck // as above
	case reason := <-n.fenced:
		// Other nodes may own what this node owned: it must exit without a goodbye call or any further write.
		return fmt.Errorf("%w: %s", errFenced, reason)
	}
}

// databaseGone returns a channel that is closed when the private Postgres has stopped and
// will not restart. For any other database it is nil, which blocks for ever.
func (n *node) databaseGone() <-chan struct{} {
	if n.postgres == nil {
		return nil
	}
	return n.postgres.Done()
}

// say prints a line about the progress for the person at the terminal.
func (n *node) say(format string, args ...any) { fmt.Fprintf(n.out, "▸ "+format+"\n", args...) }

// start starts all parts of the node; each step needs the steps before it. After an error,
// close stops the parts that were started.
func (n *node) start(ctx context.Context) error {
	for _, step := range []func(context.Context) error{
		n.checkPorts, n.startTraces, n.openDatabase, n.openFiles, n.openShared, n.openIdentity, n.seedDemo, n.makeEngine, n.makeServer,
		n.startEngine, n.startMeasuring, n.startServer, n.startPruning, n.startSweeping,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	n.greet()
	return nil
}

// checkPorts finds a port that is in use before anything else is started.
// The check does not reserve the ports; it only makes the usual mistake, a node that runs already,
// an early and clear error.
func (n *node) checkPorts(ctx context.Context) error {
	for name, addr := range map[string]string{
		"PARLEY_ADDR": n.c.addr, "PARLEY_OPERATOR_ADDR": n.c.operatorAddr, "PARLEY_CLUSTER_ADDR": n.c.clusterAddr,
	} {
		var lc net.ListenConfig
		l, err := lc.Listen(ctx, "tcp", addr)
		if err != nil {
			// The inner error says only which address; the outer one names the variable that an
			// operator can change.
			return fmt.Errorf("%s is not free: stop what uses it, or set %s to another address (%w)", addr, name, errors.Unwrap(err))
		}
		if err := l.Close(); err != nil {
			return fmt.Errorf("try %s: %w", addr, err)
		}
	}
	return nil
}

// openDatabase connects to the configured Postgres or starts a private one, and migrates it.
func (n *node) openDatabase(ctx context.Context) error {
	// The data folder is needed with an external database as well: for the files, the key and the
	// workbench.
	if err := writable(n.c.dataDir); err != nil {
		return err
	}
	url := n.c.databaseURL
	if url == "" {
		n.say("starting a private Postgres in %s", n.c.dataDir)
		var err error
		n.postgres, err = embedded.Start(ctx, embedded.Config{
			DataDir: filepath.Join(n.c.dataDir, "postgres"), Logger: n.log, BinDir: n.c.pgBin, ModulesDir: filepath.Join(n.c.webDir, ".."),
		})
		if err != nil {
			return err
		}
		n.running.started("stop Postgres", n.postgres.Stop)
		url = n.postgres.URL()
		n.log.LogAttrs(ctx, slog.LevelDebug, "the private database takes connections", slog.String("url", url))
	} else if err := n.awaitDatabase(ctx, url); err != nil {
		return err
	}
	// The keys decrypt the secrets of connectors; the store needs them before anything else is
	// opened.
	keys, err := n.c.keys()
	if err != nil {
		return err
	}
	if n.store, err = persistence.Open(ctx, persistence.Config{
		URL: url, Logger: n.log, Operator: n.c.operator, Keys: keys, Quota: persistence.Quota{
			Person: int64(n.c.quotaPerson) << 20, Organisation: int64(n.c.quotaOrg) << 20,
		}, SignIns: persistence.SignInLimits{
			Idle: time.Duration(n.c.sessionIdle) * time.Minute, Absolute: time.Duration(n.c.sessionMost) * time.Minute,
		},
	}); err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	n.running.started("close the database", quietly(n.store.Close))
	// Other nodes may serve requests meanwhile (persistence/doc.go, Migrations).
	if err := n.store.Migrate(ctx); err != nil {
		return fmt.Errorf("migrate the database: %w", err)
	}
	return nil
}

// writable creates the data folder and checks that it can be written to.
func writable(dir string) error {
	if err := os.MkdirAll(dir, 0o711); err != nil { //nolint:gosec // Postgres, as another user, must pass through
		return fmt.Errorf("the data folder cannot be made: %w; set PARLEY_DATA to one that can", err)
	}
	f, err := os.CreateTemp(dir, ".try-*")
	if err != nil {
		return fmt.Errorf("the data folder cannot be written: %w; set PARLEY_DATA to one that can", err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// openFiles opens the file store and the workbench that reads data sources from it.
func (n *node) openFiles(ctx context.Context) error {
	var err error
	if n.files, err = blob.Open(ctx, blob.Config{URL: n.c.filesURL, CacheDir: filepath.Join(n.c.dataDir, "cache")}); err != nil {
		return fmt.Errorf("open the files: %w", err)
	}
	n.running.started("close the files", func(context.Context) error { return n.files.Close() })
	n.bench = workbench.New(workbench.Config{
		// The folder has the port in its name, so that several nodes can share a data folder.
		Files: n.files, Dir: filepath.Join(n.c.dataDir, "workbench", n.c.port()), Worker: n.c.workerPath, RequireWalls: n.c.requireWalls,
		Log:        n.log,
		Converters: map[domain.DataSourceType]string{domain.DataSourceHyper: n.c.hyperProgram, domain.DataSourcePPT: n.c.pptProgram},
	})
	if err := n.bench.Start(ctx); err != nil {
		return fmt.Errorf("start the workbench: %w", err)
	}
	n.running.started("stop the workbench", quietly(n.bench.Stop))
	n.desk = n.newDesk()
	return nil
}

// makeEngine makes the journal, the system of actors and the node's membership in the cluster.
func (n *node) makeEngine(ctx context.Context) error {
	// One dispatcher runs the mailboxes of conversations and connections (ADR 8), and the answers
	// of the journal.
	dispatcher := async.NewDispatcher(0)
	n.meter.crowd(dispatcher)
	n.journal = n.store.NewJournal(persistence.JournalConfig{
		Observe: observeJournal(n.registry), MaxDelivering: dispatcher.Workers() + 1,
		Deliver: func(portion func()) func(context.Context) { return dispatcher.Do(deliveryTimeout, portion) },
	})
	system := cluster.NewSystem(n.log)
	n.engine = actors.New(actors.Config{
		ActorSystem: system, Journal: n.journal, Conversations: n.store.ConversationStore, Sessions: n.store.Sessions, Analysts: n.analysts(),
		Tasks:  n.store.TaskStore,
		Runner: counted{n.pipeline(), &n.meter.running}, Dispatcher: dispatcher, Hints: n.shared.Hints, Tails: n.shared.Tails,
		Presence: n.shared.Presence, Tracer: n.tracer, Logger: n.log, Meter: n.meter.engine(),
		Address: func(node string) (string, bool) { return n.member.AddressOf(node) },
		Surplus: func() int { return n.member.Surplus() },
		Limits: actors.Limits{
			Drain: time.Duration(n.c.drainSeconds) * time.Second, FirstByte: n.c.silence(), Stall: n.c.silence(), Turns: n.c.slots(),
		},
	})
	// From here on a change that the store makes by itself reaches the people's open pages.
	n.store.AnnounceTo(n.engine.Announce)
	var err error
	n.member, err = cluster.New(ctx, system, cluster.Config{
		Name: n.c.nodeName, Address: n.c.clusterAddr, Advertise: n.c.clusterSeen, Members: n.store.Members, Kinds: n.engine.Kinds(),
		Logger: n.log,
		// The cluster asks these functions where an actor lives that has a row in the database (ADR
		// 1).
		Homes: map[string]cluster.HomeFunc{
			"conversation": cluster.ByID(n.store.ConversationStore.Home), "session": cluster.ByID(n.store.Sessions.SessionHome),
			"task": cluster.ByID(n.store.TaskStore.TaskHome),
		},
		// The channel has room for one reason, and serve reads only one: the process ends after it.
		OnFenced: func(reason string) { n.fenced <- reason },
		OnDrain:  func() { n.asked <- struct{}{} },
		Load:     n.meter.load,
		Balanced: []string{"conversation"},
		Report:   n.meter.report,
	})
	if err != nil {
		return fmt.Errorf("prepare to join the cluster: %w", err)
	}
	n.meter.cluster(n.member)
	n.meter.pools(n.store)
	// The engine and the cluster know each other, so one of them gets the other after it was made.
	n.engine.Attach(n.member, n.member.ID())
	return nil
}

// startEngine joins the cluster and starts the actors.
func (n *node) startEngine(ctx context.Context) error {
	n.say("joining the cluster as %s", n.c.nodeName)
	if err := n.member.Start(ctx); err != nil {
		return err
	}
	n.running.started("leave the cluster", func(context.Context) error {
		return n.member.Stop() //nolint:contextcheck,nolintlint // it has its own limit, which the linter only sees in some orders of packages
	})
	// The journal must outlive the context: when it ends, running turns still commit their text. It
	// is stopped before the lease is given up, so that no other node claims a conversation that this
	// one still writes.
	if err := n.journal.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("start the journal: %w", err)
	}
	n.running.started("stop the journal", quietly(n.journal.Stop))
	// The server starts later. It is stopped before the journal, so that no new call can wait for
	// that, and after the engine, so that readers see the ends of their answers.
	n.running.started("stop the server", n.server.Stop)
	// The engine looks for orphans before it returns, so they are picked up before requests are
	// accepted.
	if err := n.engine.Start(ctx); err != nil {
		return err
	}
	n.running.started("stop the engine", func(ctx context.Context) error {
		// No new conversation comes to this node from here on; the engine hands over what it has.
		n.member.Drain()
		return n.engine.Shutdown(ctx)
	})
	return nil
}

// analysts returns the agents of the store; the default agent has the configured model.
func (n *node) analysts() domain.AnalystService {
	if n.c.openAIURL == "" {
		return n.store.Analysts
	}
	return configured{n.store.Analysts, n.c.openAIModel}
}

// pipeline makes the pipeline that produces answers.
func (n *node) pipeline() *analyst.Pipeline {
	providers := map[string]analyst.Provider{}
	prices := map[string]analyst.Price{}
	add := func(p analyst.Provider, price analyst.Price) { providers[p.Name()], prices[p.Name()] = p, price }
	price := analyst.Price{Input: n.c.creditsInput, Output: n.c.creditsOutput}
	planner := builtin.New(builtin.Config{Pace: speakingPace})
	add(planner, price)
	// Without PARLEY_SCRIPTED an agent with this provider says that it is not set up.
	if n.c.scripted {
		add(scripted.New(scripted.Config{Calls: n.scriptedCalls()}), price)
	}
	for _, v := range vendors(n.c, "") {
		add(v, price)
	}
	return analyst.NewPipeline(analyst.Config{
		Providers: providers, Prices: prices, Workbench: n.desk, DataSources: n.store.DataSources, Analysts: n.analysts(), Files: n.files,
		// Files of a turn's objects are due some minutes after the turn's end, whichever node it
		// ends on.
		Intake: n.store.Files.FileIntake(""), History: n.store.ConversationStore,
		Memories: n.store.Memories, Facts: n.store.Facts, Corrections: n.store.Corrections, Credits: n.store.Usage,
		MaxCredits: n.c.creditsTurn, Log: n.log, Checked: observeChecks(n.registry),
		// The planner also suggests them after a model's answers, because it needs no call of a model for them.
		FollowUps:        planner,
		FirstByteTimeout: n.c.silence(), StallTimeout: n.c.silence(),
	})
}

// readers returns the readers of uploaded files. Old presentations (.ppt) are accepted only
// if a converter is configured; extracts of Tableau can be kept unread without one.
func (n *node) readers() map[domain.DataSourceType]connectors.FileReader {
	all := []connectors.FileReader{csv.New(n.bench), xlsx.New(n.bench), pptx.New(n.bench), hyper.New(n.bench)}
	if n.bench.Converts(domain.DataSourcePPT) {
		all = append(all, ppt.New(n.bench))
	}
	return connectors.FilesByType(all...)
}

// uploadFolder creates this node's own folder for uploads that are being checked, and removes
// the folders of nodes that were killed, because they hold people's data.
func uploadFolder(dataDir, port string) (string, error) {
	all := filepath.Join(dataDir, "uploads")
	if err := os.MkdirAll(all, 0o700); err != nil {
		return "", fmt.Errorf("make the folder of uploads: %w", err)
	}
	// Earlier versions named the folder after the port, which this node uses now, and did not remove it.
	if err := os.RemoveAll(filepath.Join(all, port)); err != nil {
		return "", fmt.Errorf("clear the folder of uploads: %w", err)
	}
	dir, err := throwaway.Folder(all, "node-")
	if err != nil {
		return "", fmt.Errorf("make the folder of uploads: %w", err)
	}
	return dir, nil
}

// makeServer makes the server.
func (n *node) makeServer(ctx context.Context) error {
	key, err := n.linkKey(ctx)
	if err != nil {
		return err
	}
	if n.uploads, err = uploadFolder(n.c.dataDir, n.c.port()); err != nil {
		return err
	}
	n.running.started("remove the folder of uploads", func(context.Context) error { return os.RemoveAll(n.uploads) })
	// One limit for uploads, readings and exports of a person together, since all of them are work
	// for the same child processes.
	readings := semaphore.New(domain.FilesAtOnce)
	conf := api.Config{
		Addr: n.c.addr, OperatorAddr: n.c.operatorAddr, Profiling: n.c.profiling, URL: n.c.publicURL, Origins: n.c.origins(),
		Hosts: n.c.hosts, Proxies: n.c.proxies, ProxyHeader: n.c.proxyHeader,
		Services: api.Services{
			Users:         n.store.Users,
			Rights:        n.store.Rights,
			SignIns:       n.store.SignIns,
			Conversations: n.store.Conversations,
			Engine:        n.engine,
			DataSources:   n.store.DataSources,
			Facts:         n.store.Facts,
			Corrections:   n.store.Corrections,
			Meaning: analyst.Meanings{
				DataSources: n.store.DataSources, Facts: n.store.Facts, Corrections: n.store.Corrections, Clock: clock.System{},
			},
			Credentials:   n.store.Credentials,
			Analysts:      n.analysts(),
			Feedback:      n.store.Feedback,
			Memories:      n.store.Memories,
			ProjectLabels: n.store.ProjectLabels,
			Blueprints:    n.store.Blueprints,
			Tasks:         n.store.Tasks,
			Usage:         n.store.Usage,
			Cluster:       n.store.Members,
		},
		Shared: api.Shared{Rates: n.shared.Rates, Seats: n.shared.Seats, Hints: n.shared.Hints},
		Models: n.models(),
		Files:  n.files,
		Intake: intake.New(intake.Config{
			Files: n.files, Account: n.store.Files.FileIntake(n.member.ID()), Readers: n.readers(), Quota: n.store.Files,
			Readings: readings, TempDir: n.uploads, Logger: n.log,
		}),
		Readings:   readings,
		Questions:  builtin.New(builtin.Config{}),
		Workbench:  n.desk,
		Warehouses: n.desk,
		Exporter:   n.bench,
		Streams:    stream.Engine{System: n.engine},
		Tokens:     n.verifier(), LinkKey: key, Browser: n.browser(), TempDir: n.uploads,
		Limits: api.Limits{
			SocketsPerUser: n.c.socketsUser, SocketsPerAddress: n.c.socketsAddr, SendsPerMinute: n.c.sendsPerMin,
			UploadsPerHour: n.c.uploadsHour,
		},
		Ready: []api.ReadyCheck{
			{Name: "database", Check: n.store.Ping},
			{Name: "clock", Check: n.clockAgrees},
			{Name: "cluster", Check: n.inCluster, Note: func() string { return unanswered(n.member.SilentNames()) }},
		},
		Metrics: n.registry, Tracer: n.tracer, Logger: n.log,
	}
	if n.identity != nil {
		conf.Identity = n.identity.Handler()
	}
	if _, err := os.Stat(filepath.Join(n.c.webDir, "index.html")); err == nil {
		conf.Web = os.DirFS(n.c.webDir)
	} else {
		n.say("no web pages in %s: only the API is served (make build builds them)", n.c.webDir)
	}
	if n.server, err = api.New(conf); err != nil {
		return fmt.Errorf("make the server: %w", err)
	}
	return nil
}

// startServer starts to accept requests.
func (n *node) startServer(ctx context.Context) error {
	// It comes before the start of the server, so that the first page has the right policy.
	if err := n.learnOrigins(ctx); err != nil {
		return err
	}
	if err := n.server.Start(ctx); err != nil {
		return fmt.Errorf("start the server: %w", err)
	}
	return nil
}

// inCluster is the check of /readyz: a node whose lease is not fresh may be fenced at any moment, and
// must get no new requests. A node that the others do not know yet is not ready either, so that a rolling
// restart does not stop the next one before there is a node for what that one owns.
func (n *node) inCluster(context.Context) error {
	switch {
	case !n.member.Trusted():
		return errors.New("the lease is not fresh")
	case !n.member.Known():
		return errors.New("the other nodes do not know this one yet")
	default:
		return nil
	}
}

const (
	// purgeEvery is the interval at which data that people have deleted is removed.
	purgeEvery = time.Minute
	// pruneEvery is the interval at which expired rows are removed.
	pruneEvery = time.Hour
)

// startPruning removes deleted data at once and then every minute, and expired rows at once and then every hour.
func (n *node) startPruning(ctx context.Context) error {
	n.running.started("stop pruning", quietly(n.pruning.stop))
	return n.pruning.start(ctx, func(ctx context.Context) {
		for round := 0; ; round++ {
			err := n.purge(ctx)
			// Expired rows are removed every hour, in the same loop, so that the two never run at
			// the same time.
			if round%int(pruneEvery/purgeEvery) == 0 {
				err = errors.Join(err, n.prune(ctx))
			}
			if err != nil && ctx.Err() == nil {
				n.log.LogAttrs(ctx, slog.LevelWarn, "what has served its time could not all be cleared", slog.Any("error", err))
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(purgeEvery):
			}
		}
	})
}

// startSweeping removes the pieces of answers that have ended.
func (n *node) startSweeping(ctx context.Context) error {
	n.running.started("stop sweeping", quietly(n.sweeping.stop))
	return n.sweeping.start(ctx, n.store.NewChunkSweep().Run)
}

// startMeasuring measures files in the background. It starts before the server, so that the first upload already wakes it,
// and is stopped before the workbench.
func (n *node) startMeasuring(ctx context.Context) error {
	service := measuring.New(measuring.Config{Queue: n.store.Facts, Bench: n.bench, Logger: n.log})
	n.store.WakeForFacts(service.Wake)
	n.running.started("stop measuring", quietly(n.measuring.stop))
	return n.measuring.start(ctx, service.Run)
}

// purge removes data that people have deleted, rows before files.
// Rows go first, because a file is removed only when nothing refers to it.
func (n *node) purge(ctx context.Context) error {
	_, rows := n.store.Conversations.PurgeConversations(ctx)
	_, files := n.store.Files.PruneFiles(ctx, n.files)
	return errors.Join(rows, files)
}

// prune removes expired rows, and encrypts secrets with the first key if a new key was put in
// front of theirs.
func (n *node) prune(ctx context.Context) error {
	rows := n.store.Prune(ctx)
	_, _, secrets := n.store.Credentials.RewrapCredentials(ctx)
	return errors.Join(rows, secrets)
}

// close stops the parts that were started. Running answers have PARLEY_DRAIN_SECONDS to end;
// everything else has a minute more.
func (n *node) close() error {
	// The minute is the rest of the shutdown. What ends the process from outside must wait longer
	// (docs/operating.md).
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(n.c.drainSeconds)*time.Second+time.Minute)
	defer cancel()
	return n.running.stop(ctx)
}
