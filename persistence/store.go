package persistence

import (
	"context"
	"log/slog"

	"github.com/jackc/pgx/v5/pgxpool"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/envelope"
	"parley.dev/parley/internal/startstop"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

const (
	roleApp    = "parley_app"
	roleEngine = "parley_engine"

	// journalConnections are one for each group in flight (JournalConfig.Lanes, and one for
	// other writes), one to find out whether a group was committed, and one for each write
	// that is tried alone (JournalConfig.Alone).
	journalConnections = 8
	leaseConnections   = 2
	// keyedConnections are enough for one group of each gathered call, and two that are slow.
	keyedConnections = 10
)

// Config of a Store.
type Config struct {
	// URL of the database, of a login role that may take on the two roles. Required.
	URL string

	// Clock returns the times of rows and events. Nil means the machine's. Leases always
	// use the database's clock.
	Clock clock.Clock

	// Logger receives errors that are not returned to a caller. Nil discards them.
	Logger *slog.Logger

	// Quota limits what people upload. Zero: no limit.
	Quota Quota

	// SignIns bound how long people stay signed in. Zero fields mean domain's limits.
	SignIns SignInLimits

	// Operator is the name of the organisation that operates the server: its superusers see the
	// cluster. Empty: nobody does, as no organisation has an empty name.
	Operator string

	// Keys encrypt the secrets of connectors. Nil: no secret can be kept.
	Keys *envelope.Ring

	// AppConnections is the maximum number of connections for requests. 0 means 12.
	AppConnections int32

	// EngineConnections is the maximum number for claims, sessions and journals. 0 means 12.
	EngineConnections int32
}

// mustValidate sets defaults and panics if a required field is missing.
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

// Store is the database as the rest of the product sees it: one service for each noun. Each
// of them implements the interface of domain for its noun, and all of them use the same pools.
type Store struct {
	core *core
	life startstop.Guard

	// The services for people's requests.
	Analysts      Analysts
	Blueprints    Blueprints
	Conversations Conversations
	Credentials   Credentials
	DataSources   DataSources
	Facts         Facts
	Corrections   Corrections
	Feedback      Feedback
	Files         Files
	Memories      Memories
	ProjectLabels ProjectLabels
	Rights        Rights
	Samples       Samples
	SignIns       SignIns
	Tasks         Tasks
	Usage         Usage
	Users         Users

	// The services of the engine and the cluster.
	ConversationStore ConversationStore
	TaskStore         TaskStore
	Sessions          Sessions
	Members           Members
	Secrets           Secrets
}

// Open makes the pools. It does not need the schema: call Migrate next.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	cfg.mustValidate()
	c := &core{
		cfg: cfg, clock: cfg.Clock, logger: cfg.Logger, q: dbsqlc.New(), factsCache: newFactsCache(), taskTurns: newTaskTurns(),
	}
	s := newStore(c)

	var err error
	if c.app, err = openPool(ctx, cfg.URL, roleApp, cfg.AppConnections, anything); err != nil {
		return nil, err
	}
	for _, p := range []struct {
		pool **pgxpool.Pool
		most int32
		kind kind
	}{
		{&c.engine, cfg.EngineConnections, anything},
		{&c.journal, journalConnections, byKeyOnly},
		{&c.lease, leaseConnections, anything},
		{&c.keyed, keyedConnections, byKeyOnly},
	} {
		if *p.pool, err = openPool(ctx, cfg.URL, roleEngine, p.most, p.kind); err != nil {
			c.closePools()
			return nil, err
		}
	}
	c.gathered = newGathered(c)
	return s, s.life.Start(func() error { return nil })
}

func newStore(c *core) *Store {
	return &Store{
		core:     c,
		Analysts: Analysts{c}, Blueprints: Blueprints{c}, Conversations: Conversations{c}, Credentials: Credentials{c},
		DataSources: DataSources{c}, Facts: Facts{c}, Corrections: Corrections{c},
		Feedback: Feedback{c}, Files: Files{c}, Memories: Memories{c}, ProjectLabels: ProjectLabels{c}, Rights: Rights{c}, Samples: Samples{c},
		SignIns: SignIns{c}, Tasks: Tasks{c}, Usage: Usage{c}, Users: Users{c},
		ConversationStore: ConversationStore{c}, TaskStore: TaskStore{c}, Sessions: Sessions{c}, Members: Members{c}, Secrets: Secrets{c},
	}
}

// Close ends all connections. Stop the journals before.
func (s *Store) Close() {
	_ = s.life.Stop(func() error { // never fails
		s.core.closePools()
		return nil
	})
}

func (s *core) closePools() {
	for _, p := range []*pgxpool.Pool{s.app, s.engine, s.journal, s.lease, s.keyed} {
		if p != nil {
			p.Close()
		}
	}
}

// Ping reports whether the database answers, for readiness.
func (s *Store) Ping(ctx context.Context) error {
	if err := s.core.engine.Ping(ctx); err != nil {
		return unavailable(err)
	}
	return nil
}

// AnnounceTo sets the function that is called with user events that a service (not the
// journal) has committed: the engine's Announce. Call it before serving.
func (s *Store) AnnounceTo(f func([]domain.UserEvent)) { s.core.announcer.Store(&f) }

// WakeForFacts sets the function that is called when a file was stored, or links were asked for. It must not block. Call
// it before serving.
func (s *Store) WakeForFacts(f func()) { s.core.measurer.Store(&f) }
