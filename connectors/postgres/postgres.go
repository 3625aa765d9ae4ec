package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/egress"
)

const (
	defaultQuestions = 16
	// checkDeadline and describeDeadline bound the other two calls.
	checkDeadline    = 20 * time.Second
	describeDeadline = 2 * time.Minute
	statementMax     = 64 << 10
	retrySoon        = 5 // seconds
)

// Config of a Connector.
type Config struct {
	// Guard makes the connections. Required.
	Guard *egress.Guard
	// OwnDatabase gives the identity of the product's database as Identity has it, which
	// is refused by whatever address it is reached. Nil: there is none.
	OwnDatabase func(context.Context) (string, error)
	// Questions is how many calls run at once; further ones get CodeTooMany. 0 means 16.
	Questions int
	// Clock tells how long a query took; nil means the machine's.
	Clock clock.Clock
}

// Connector implements connectors.Warehouse.
type Connector struct {
	config Config
	// template is a connection's configuration made of nothing that a person entered.
	template *pgconn.Config
	slots    chan struct{}
}

var _ connectors.Warehouse = (*Connector)(nil)

// New makes the connector.
func New(c Config) *Connector {
	if c.Guard == nil {
		panic("postgres: Config.Guard is required")
	}
	if c.Questions <= 0 {
		c.Questions = defaultQuestions
	}
	if c.Clock == nil {
		c.Clock = clock.System{}
	}
	// The library makes a configuration from a string only, and reads the environment
	// beside it. What is said here, and what connect sets, leaves nothing to it.
	template, err := pgconn.ParseConfig("host=unset.invalid port=5432 user=unset dbname=unset password=unset sslmode=disable")
	if err != nil {
		panic("postgres: the environment of this program breaks its configuration of connections: remove the variables PG*")
	}
	return &Connector{config: c, template: template, slots: make(chan struct{}, c.Questions)}
}

// Type implements connectors.Warehouse.
func (c *Connector) Type() domain.DataSourceType { return domain.DataSourcePostgres }

// Check implements connectors.Warehouse.
func (c *Connector) Check(ctx context.Context, a connectors.Access) error {
	return c.within(ctx, a, checkDeadline, func(ctx context.Context, s *session) error {
		// Nobody would notice later that a named schema does not exist.
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
	if len(sql) > statementMax {
		return nil, domain.Errorf(domain.CodeInvalid, "The query is longer than %d kB.", statementMax>>10)
	}
	caps = caps.WithDefaults()
	began := c.config.Clock.Now()
	var out *domain.ResultSet
	err := c.within(ctx, a, caps.Deadline, func(ctx context.Context, s *session) error {
		var err error
		out, err = s.query(ctx, sql, limits{rows: caps.Rows, bytes: caps.Bytes})
		return err
	})
	if err != nil {
		return nil, err
	}
	out.Elapsed = c.config.Clock.Now().Sub(began)
	return out, nil
}

// errLate is the cause of a context that ended by a deadline of ours.
var errLate = errors.New("the deadline of the call is over")

type sessionWork func(context.Context, *session) error

// within runs work in a session, and words its errors.
func (c *Connector) within(ctx context.Context, a connectors.Access, deadline time.Duration, work sessionWork) error {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	default:
		e := domain.Errorf(domain.CodeTooMany, "Too many queries are running. Try again in a few seconds.")
		e.RetryAfter = retrySoon
		return e
	}
	settings, err := settingsOf(a)
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeoutCause(ctx, deadline, errLate)
	defer cancel()
	s, err := c.open(limited, settings, deadline)
	opened := err == nil
	if opened {
		err = work(limited, s)
		s.close(limited)
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("ask a warehouse: %w", context.Cause(ctx))
	case !opened:
		return connectionFault(err)
	case errors.Is(context.Cause(limited), errLate):
		return lateError(deadline)
	}
	return faultOf(err)
}

func lateError(after time.Duration) error {
	return domain.Errorf(domain.CodeInvalid,
		"The query took longer than %s and was ended. Ask for less: filter earlier, group coarser or limit the rows.", after)
}
