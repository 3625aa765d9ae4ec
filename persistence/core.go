package persistence

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/pointer"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// core is the base of every service: the pools, the ways to read (asTenant, asEngine)
// and to write (write), at most once for a key (idempotency.go), and the events that a
// change makes for people. A service is a core and nothing else, so a service that needs
// another one within its own transaction makes it from its core.
type core struct {
	cfg    Config
	clock  clock.Clock
	logger *slog.Logger
	q      *dbsqlc.Queries

	// app and engine are the pools of the two roles. The journal and the lease, of
	// the engine's role too, have separate connections: under a storm of claims
	// commits must not queue behind reads, and a late renewal costs the whole node.
	// keyed is for the calls of arriving clients, whose statements find all their rows by key.
	app, engine, journal, lease, keyed *pgxpool.Pool

	// gathered makes these calls together.
	gathered *gathered

	// taskTurns are those of tasks that are claimed or fired.
	taskTurns taskTurns

	// factsCache keeps facts of files that were read.
	factsCache *factsCache

	// announcer is set once by AnnounceTo and read by every write that makes user events.
	announcer atomic.Pointer[func([]domain.UserEvent)]

	// measurer is set once by WakeForFacts and read when there may be something to measure.
	measurer atomic.Pointer[func()]
}

// The services of other nouns, for use within the same transaction.
func (s *core) blueprints() Blueprints       { return Blueprints{s} }
func (s *core) conversations() Conversations { return Conversations{s} }
func (s *core) credentials() Credentials     { return Credentials{s} }
func (s *core) dataSources() DataSources     { return DataSources{s} }
func (s *core) files() Files                 { return Files{s} }
func (s *core) memories() Memories           { return Memories{s} }
func (s *core) projectLabels() ProjectLabels { return ProjectLabels{s} }
func (s *core) rights() Rights               { return Rights{s} }
func (s *core) secrets() Secrets             { return Secrets{s} }
func (s *core) tasks() Tasks                 { return Tasks{s} }

// now is the time of a change, in milliseconds as the API shows it.
func (s *core) now() time.Time { return s.clock.Now().UTC().Truncate(time.Millisecond) }

// authorize checks the caller's right to an action on one object against the table of rights, in
// the transaction that performs it, for services that have not read the object's row.
func (s *core) authorize(ctx context.Context, tx pgx.Tx, caller domain.Caller, action domain.Action, key domain.Key) error {
	right, _ := action.Right()
	relation, err := relationOf(caller, right.Noun, key, func(queue func(r *reading)) error { return sendReading(ctx, tx, queue) })
	if err != nil {
		return err
	}
	return action.Authorize(caller, relation)
}

// authorizeFirst checks the same before the transaction, which must check again: until then,
// people without the right learn nothing about errors in the body.
func (s *core) authorizeFirst(ctx context.Context, caller domain.Caller, action domain.Action, key domain.Key) error {
	right, _ := action.Right()
	relation, err := s.rights().Relation(ctx, caller, right.Noun, key)
	if err != nil {
		return err
	}
	return action.Authorize(caller, relation)
}

// addUserEvent appends to the caller's own log. It locks the caller's row, so rows that come
// before it in the order of locks must not be locked afterwards.
func (s *core) addUserEvent(
	ctx context.Context, tx pgx.Tx, caller domain.Caller, t domain.EventType, data json.RawMessage, at time.Time,
) (*domain.UserEvent, error) {
	place, err := s.q.UserNextSeq(ctx, tx, caller.UserID)
	if err != nil {
		return nil, err
	}
	err = s.q.UserEventInsert(ctx, tx, &dbsqlc.UserEventInsertParams{
		UserID: caller.UserID, Seq: place.Seq, OrgID: caller.OrganisationID, Type: string(t), Data: data, At: at,
	})
	if err != nil {
		return nil, err
	}
	return &domain.UserEvent{
		UserID: caller.UserID, UserUUID: place.Uuid, Seq: place.Seq, Type: t, Data: data, At: at, Home: pointer.Value(place.SessionNode),
	}, nil
}

// announce passes events to the function of AnnounceTo, if AnnounceTo was called.
func (s *core) announce(events []domain.UserEvent) {
	if f := s.announcer.Load(); f != nil && len(events) > 0 {
		(*f)(events)
	}
}

// wakeMeasurer calls the function of WakeForFacts, if it was set. Call it after the commit.
func (s *core) wakeMeasurer() {
	if f := s.measurer.Load(); f != nil {
		(*f)()
	}
}
