package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/egress"
)

const (
	// checkDeadline and describeDeadline bound the calls other than Query.
	checkDeadline    = 20 * time.Second
	describeDeadline = 2 * time.Minute
)

// Config of a Connector.
type Config struct {
	// Guard makes the connections. Required.
	Guard *egress.Guard
	// OwnDatabase returns the identity of the product's database, in the form of Identity.
	// That database is refused under every address. Nil: there is no such database.
	OwnDatabase func(context.Context) (string, error)
	// Questions is how many calls run at once; further calls get CodeTooMany. 0 means 16.
	Questions int
	// Clock measures how long a query took; nil means the machine's.
	Clock clock.Clock
}

// Connector implements connectors.Warehouse.
type Connector struct {
	config Config
	// template is a connection's configuration without any input of a person.
	template *pgconn.Config
	calls    *connectors.Calls
}

var _ connectors.Warehouse = (*Connector)(nil)

// New makes the connector.
func New(c Config) *Connector {
	if c.Guard == nil {
		panic("postgres: Config.Guard is required")
	}
	if c.Clock == nil {
		c.Clock = clock.System{}
	}
	// The library creates a configuration only from a string, and also reads the
	// environment. This string and the method configuration set every value, so nothing is
	// left to the environment.
	template, err := pgconn.ParseConfig("host=unset.invalid port=5432 user=unset dbname=unset password=unset sslmode=disable")
	if err != nil {
		panic("postgres: the environment of this program breaks its configuration of connections: remove the variables PG*")
	}
	return &Connector{config: c, template: template, calls: connectors.NewCalls(c.Questions)}
}

// Type implements connectors.Warehouse.
func (c *Connector) Type() domain.DataSourceType { return domain.DataSourcePostgres }

// Check implements connectors.Warehouse.
func (c *Connector) Check(ctx context.Context, a connectors.Access) error {
	return c.within(ctx, a, checkDeadline, func(ctx context.Context, s *session) error {
		// Later it would not be noticed that a named schema does not exist.
		return s.checkSchemas(ctx)
	})
}

// Describe implements connectors.Warehouse.
func (c *Connector) Describe(ctx context.Context, a connectors.Access) (*domain.SourceDescription, error) {
	var out *domain.SourceDescription
	err := c.within(ctx, a, describeDeadline, func(ctx context.Context, s *session) error {
		err := s.checkSchemas(ctx)
		if err == nil {
			out, err = s.describe(ctx)
		}
		return err
	})
	return out, err
}

// Query implements connectors.Warehouse.
func (c *Connector) Query(ctx context.Context, a connectors.Access, sql string, caps connectors.Caps) (*domain.ResultSet, error) {
	if err := connectors.CheckStatement(sql); err != nil {
		return nil, err
	}
	caps = caps.WithDefaults()
	began := c.config.Clock.Now()
	var out *domain.ResultSet
	err := c.within(ctx, a, caps.Deadline, func(ctx context.Context, s *session) error {
		var err error
		out, err = s.query(ctx, sql, caps)
		return err
	})
	if err != nil {
		return nil, err
	}
	out.Elapsed = c.config.Clock.Now().Sub(began)
	return out, nil
}

type sessionWork func(context.Context, *session) error

// within runs work in a session, and turns its errors into errors for people.
func (c *Connector) within(ctx context.Context, a connectors.Access, deadline time.Duration, work sessionWork) error {
	release, err := c.calls.Acquire()
	if err != nil {
		return err
	}
	defer release()
	settings, err := settingsOf(a)
	if err != nil {
		return err
	}
	var s *session
	run := connectors.Session{
		Open: func(ctx context.Context) (err error) {
			s, err = c.open(ctx, settings, deadline)
			return err
		},
		Work:     func(ctx context.Context) error { return work(ctx, s) },
		Close:    func(ctx context.Context) { s.close(ctx) },
		Unopened: connectionFault,
		Failed:   faultOf,
	}
	return run.Run(ctx, deadline)
}
