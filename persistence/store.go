package persistence

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/envelope"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

const (
	roleApp    = "parley_app"
	roleEngine = "parley_engine"

	// journalConnections are one for each group under way (JournalConfig.Lanes, and
	// one of other writes), one to ask what became of it, and one for each write that
	// is tried alone (JournalConfig.Alone).
	journalConnections = 8
	leaseConnections   = 2
)

// Config of a Store.
type Config struct {
	// URL of the database, of a login role that may take on the two roles. Required.
	URL string

	// Clock gives the times of rows and events. Nil means the machine's. Leases
	// always go by the database's clock.
	Clock clock.Clock

	// Logger gets what goes wrong without anybody to tell. Nil discards it.
	Logger *slog.Logger

	// Quota bounds what people upload. Zero: nothing does.
	Quota Quota

	// SignIns bounds how long people stay signed in. Zero fields mean domain's limits.
	SignIns SignIns

	// Keys encrypt the secrets of connectors. Nil: none can be kept.
	Keys *envelope.Ring

	// AppConnections is the most connections that requests use. 0 means 12.
	AppConnections int32

	// EngineConnections is the most that claims, sessions and journals use. 0 means 12.
	EngineConnections int32

	// Trace is told of each statement that a request runs, with its parameters,
	// before it runs. For measuring; it holds what people wrote. Nil: nobody is told.
	Trace func(sql string, args []any)
}

// mustValidate fills in the zero values and refuses what cannot work.
func (c *Config) mustValidate() {
	if c.URL == "" {
		panic("persistence: Config.URL is required")
	}
	if c.Clock == nil {
		c.Clock = clock.System{}
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.SignIns.Idle == 0 {
		c.SignIns.Idle = domain.SignInIdle
	}
	if c.SignIns.Absolute == 0 {
		c.SignIns.Absolute = domain.SignInAbsolute
	}
	if c.AppConnections == 0 {
		c.AppConnections = 12
	}
	if c.EngineConnections == 0 {
		c.EngineConnections = 12
	}
}

// Store implements the services of domain (conversations, people, agents, data
// sources) and the stores of the engine (conversations, sessions, members).
type Store struct {
	cfg    Config
	clock  clock.Clock
	logger *slog.Logger
	q      *dbsqlc.Queries

	// app and engine are the pools of the two roles. The journal and the lease, of
	// the engine's role too, have connections of their own: under a storm of claims
	// commits must not queue behind reads, and a late renewal costs the whole node.
	app, engine, journal, lease *pgxpool.Pool

	// announce is set once by AnnounceTo and read by every write that makes user events.
	announce atomic.Pointer[func([]domain.UserEvent)]
}

var (
	_ domain.ConversationService = (*Store)(nil)
	_ domain.ConversationStore   = (*Store)(nil)
	_ domain.SessionStore        = (*Store)(nil)
	_ domain.MemberStore         = (*Store)(nil)
	_ domain.DataSourceKeeper    = (*Store)(nil)
	_ domain.CredentialService   = (*Store)(nil)
	_ domain.AnalystKeeper       = (*Store)(nil)
	_ domain.UserService         = (*Store)(nil)
	_ domain.BlueprintService    = (*Store)(nil)
	_ domain.TaskService         = (*Store)(nil)
	_ domain.TaskStore           = (*Store)(nil)
	_ domain.FeedbackService     = (*Store)(nil)
	_ domain.MemoryService       = (*Store)(nil)
	_ domain.ProjectLabelService = (*Store)(nil)
	_ domain.Recaller            = (*Store)(nil)
)

// Open makes the pools. It does not need the schema: call Migrate next.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	cfg.mustValidate()
	s := &Store{cfg: cfg, clock: cfg.Clock, logger: cfg.Logger, q: dbsqlc.New()}

	var err error
	if s.app, err = openPool(ctx, cfg.URL, roleApp, cfg.AppConnections, anything, cfg.Trace); err != nil {
		return nil, err
	}
	for _, p := range []struct {
		pool **pgxpool.Pool
		most int32
		kind kind
	}{{&s.engine, cfg.EngineConnections, anything}, {&s.journal, journalConnections, journalWrites}, {&s.lease, leaseConnections, anything}} {
		if *p.pool, err = openPool(ctx, cfg.URL, roleEngine, p.most, p.kind, nil); err != nil {
			s.Close()
			return nil, err
		}
	}
	return s, nil
}

// byKey is for the journal, whose statements all find their rows by key: plans
// made while the tables were small, and kept, would read the whole of them.
const byKey = "; SET enable_seqscan = off"

// stillness ends a transaction whose node says nothing more. One that stands still,
// or whose machine is gone without a word, would keep its locks for as long as the
// server believes in the connection, and whoever takes over its conversations would
// wait for them. It is shorter than the lease, so that this wait is over by then.
//
// The timeout counts only while the server waits for the next statement. A connection
// that dies within a group of statements is one that the kernel must notice: what was
// sent and is not acknowledged for 5 s ends it, and so does silence to the questions that
// the kernel puts after 3 s, twice, a second apart. A Unix socket has none of this and
// takes the settings without a word.
const stillness = "; SET idle_in_transaction_session_timeout = '5s'; SET tcp_user_timeout = '5s'" +
	"; SET tcp_keepalives_idle = 3; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 2"

// longest ends a transaction of a group of writes that goes on for half a minute in
// spite of all that, on servers that can: 17 and later.
const longest = "; SET transaction_timeout = '30s'"

// settings is what a new connection sets, on a server of a version as it names itself.
// Every statement is prepared once and its plan kept: to plan them costs more than to
// run them.
func settings(role, version string, k kind) string {
	set := "SET ROLE " + role + "; SET plan_cache_mode = force_generic_plan" + stillness
	if k == journalWrites {
		set += byKey
		// "17.2 (Debian 17.2-1.pgdg120+1)", "17beta1"; one that is not understood counts as old.
		end := strings.IndexFunc(version+" ", func(r rune) bool { return r < '0' || r > '9' })
		if major, err := strconv.Atoi(version[:end]); err == nil && major >= 17 {
			set += longest
		}
	}
	return set
}

// kind is what a pool is for.
type kind uint8

const (
	anything kind = iota
	journalWrites
)

// openPool makes a pool whose connections work as role, for a kind of work.
// It connects at first use.
func openPool(ctx context.Context, url, role string, most int32, k kind, trace func(string, []any)) (*pgxpool.Pool, error) {
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, errURL
	}
	cfg.MaxConns = most
	if trace != nil {
		cfg.ConnConfig.Tracer = tracer{tell: trace}
	}
	cfg.MaxConnIdleTime = 5 * time.Minute
	cfg.ConnConfig.RuntimeParams["application_name"] = role
	// Truth is what the disk has: no server default may weaken it.
	cfg.ConnConfig.RuntimeParams["synchronous_commit"] = "on"
	cfg.AfterConnect = func(ctx context.Context, c *pgx.Conn) error {
		registerUUIDs(c.TypeMap())
		registerTexts(c.TypeMap())
		_, err := c.PgConn().Exec(ctx, settings(role, c.PgConn().ParameterStatus("server_version"), k)).ReadAll()
		if err != nil {
			return fmt.Errorf("take on the role %s: %w", role, err)
		}
		return nil
	}
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("persistence: open the pool of %s: %w", role, err)
	}
	return pool, nil
}

// Close ends all connections. Stop the journals before.
func (s *Store) Close() {
	for _, p := range []*pgxpool.Pool{s.app, s.engine, s.journal, s.lease} {
		if p != nil {
			p.Close()
		}
	}
}

// Ping tells whether the database answers, for readiness.
func (s *Store) Ping(ctx context.Context) error {
	if err := s.engine.Ping(ctx); err != nil {
		return unavailable(err)
	}
	return nil
}

// AnnounceTo names whom to tell of user events that a service (and not the
// journal) committed; the engine's Announce is meant. Call it before serving.
func (s *Store) AnnounceTo(f func([]domain.UserEvent)) { s.announce.Store(&f) }

// tell announces events, if anybody listens.
func (s *Store) tell(events []domain.UserEvent) {
	if f := s.announce.Load(); f != nil && len(events) > 0 {
		(*f)(events)
	}
}
