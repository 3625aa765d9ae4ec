package connectors

import (
	"context"
	"time"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

const (
	// checkDeadline and describeDeadline bound the calls other than Query.
	checkDeadline    = 20 * time.Second
	describeDeadline = 2 * time.Minute
)

// RemoteSession is one connection to a warehouse, for one call. Its errors need not be for
// people: Fault makes them so.
type RemoteSession interface {
	// Check refuses what Open does not refuse, because it costs more or matters only once.
	Check(ctx context.Context) error
	Describe(ctx context.Context) (*domain.SourceDescription, error)
	// Query gets a statement of at most 64 kB and caps without zero fields.
	Query(ctx context.Context, sql string, caps Caps) (*domain.ResultSet, error)
	// Close ends the connection. The context may have ended; the server must hear of the end
	// nevertheless, and within a time limit.
	Close(ctx context.Context)
	// Fault turns an error of the other methods into one for people.
	Fault(err error) error
}

// RemoteConfig of a Remote.
type RemoteConfig struct {
	Type domain.DataSourceType
	// Open checks an access, connects, and refuses what must not be queried: every call of a
	// warehouse goes through it, also those without a Check before. The deadline is that of
	// the call, for the limits that the database itself watches. After an error nothing is
	// open. Required.
	Open func(ctx context.Context, a Access, deadline time.Duration) (RemoteSession, error)
	// Unopened turns an error of Open into one for people. Required.
	Unopened func(err error) error
	// AtOnce is how many calls run at once; further calls get CodeTooMany. 0 means 16.
	AtOnce int
	// Clock measures how long a query took; nil means the machine's.
	Clock clock.Clock
}

// Remote implements Warehouse by sessions of its kind: it limits how many calls run and how long
// each takes, and lets no error through that is not for people.
type Remote struct {
	config RemoteConfig
	calls  *Calls
}

var _ Warehouse = (*Remote)(nil)

// NewRemote makes a warehouse.
func NewRemote(c RemoteConfig) *Remote {
	if c.Open == nil || c.Unopened == nil {
		panic("connectors: RemoteConfig.Open and RemoteConfig.Unopened are required")
	}
	if c.Clock == nil {
		c.Clock = clock.System{}
	}
	return &Remote{config: c, calls: NewCalls(c.AtOnce)}
}

// Type implements Warehouse.
func (r *Remote) Type() domain.DataSourceType { return r.config.Type }

// Check implements Warehouse.
func (r *Remote) Check(ctx context.Context, a Access) error {
	return r.within(ctx, a, checkDeadline, func(ctx context.Context, s RemoteSession) error { return s.Check(ctx) })
}

// Describe implements Warehouse.
func (r *Remote) Describe(ctx context.Context, a Access) (*domain.SourceDescription, error) {
	var out *domain.SourceDescription
	err := r.within(ctx, a, describeDeadline, func(ctx context.Context, s RemoteSession) error {
		err := s.Check(ctx)
		if err == nil {
			out, err = s.Describe(ctx)
		}
		return err
	})
	return out, err
}

// Query implements Warehouse.
func (r *Remote) Query(ctx context.Context, a Access, sql string, caps Caps) (*domain.ResultSet, error) {
	if err := CheckStatement(sql); err != nil {
		return nil, err
	}
	caps = caps.WithDefaults()
	began := r.config.Clock.Now()
	var out *domain.ResultSet
	err := r.within(ctx, a, caps.Deadline, func(ctx context.Context, s RemoteSession) (err error) {
		out, err = s.Query(ctx, sql, caps)
		return err
	})
	if err != nil {
		return nil, err
	}
	out.Elapsed = r.config.Clock.Now().Sub(began)
	return out, nil
}

// within runs work in a session, and turns its errors into errors for people.
func (r *Remote) within(ctx context.Context, a Access, deadline time.Duration, work func(context.Context, RemoteSession) error) error {
	release, err := r.calls.Acquire()
	if err != nil {
		return err
	}
	defer release()
	var s RemoteSession
	run := Session{
		Open: func(ctx context.Context) (err error) {
			s, err = r.config.Open(ctx, a, deadline)
			return err
		},
		Work:     func(ctx context.Context) error { return work(ctx, s) },
		Close:    func(ctx context.Context) { s.Close(ctx) },
		Unopened: r.config.Unopened,
		Failed:   func(err error) error { return s.Fault(err) },
	}
	return run.Run(ctx, deadline)
}
