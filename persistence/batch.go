package persistence

import (
	"context"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// With beginRead all queries of one reading see the same snapshot, so that the head of a
// conversation and its messages belong together.
const beginRead = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

// reading is a group of queries that are sent to the server in one round trip.
type reading = dbsqlc.Batch

// asTenant runs queries for a person's request: row level security shows it one
// organisation. One round trip.
func (s *core) asTenant(ctx context.Context, organisation int64, queue func(r *reading)) error {
	return retryUnavailable(ctx, func() error {
		return s.sendTenants(ctx, func(r *reading) {
			enter(r, organisation)
			queue(r)
		})
	})
}

// sendTenants runs queries for people's requests in one round trip, once. Row level security shows each
// query the organisation that was entered before it.
func (s *core) sendTenants(ctx context.Context, queue func(r *reading)) error {
	return sendReading(ctx, s.app, func(r *reading) {
		r.Queue(beginRead)
		queue(r)
		r.Queue("COMMIT")
	})
}

func enter(r *reading, organisation int64) { r.TenantEnter(strconv.FormatInt(organisation, 10)) }

// asEngine runs queries of the engine, which sees all organisations. One round trip.
func (s *core) asEngine(ctx context.Context, queue func(r *reading)) error {
	return retryUnavailable(ctx, func() error { return sendReading(ctx, s.engine, queue) })
}

// sender is a pool, which runs a batch in a transaction of its own, or a transaction.
type sender interface {
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}

// sendReading runs queries in one round trip, once.
func sendReading(ctx context.Context, db sender, queue func(r *reading)) error {
	r := new(reading)
	queue(r)
	return db.SendBatch(ctx, &r.Batch).Close() //nolint:wrapcheck // translated by the callers
}

// retryUnavailable repeats the queries while the database is unavailable, for as long as
// the caller allows (domain.RetryTime). They must be safe to run twice.
func retryUnavailable(ctx context.Context, run func() error) error {
	left, pause := domain.RetryTime(ctx), firstPause
	for {
		err := translate(run())
		if domain.CodeOf(err) != domain.CodeUnavailable || left <= 0 || ctx.Err() != nil {
			return err
		}
		sleep(ctx, pause)
		left -= pause
		pause = min(2*pause, lastPause)
	}
}

// write runs f in a transaction of a person's request, in one organisation.
func (s *core) write(ctx context.Context, organisation int64, f func(tx pgx.Tx) error) error {
	return inTransaction(ctx, s.app, func(tx pgx.Tx) error {
		if err := s.q.TenantEnter(ctx, tx, strconv.FormatInt(organisation, 10)); err != nil {
			return err
		}
		return f(tx)
	})
}

// inTransaction runs f in a transaction: all of it is committed, or nothing.
func inTransaction(ctx context.Context, pool *pgxpool.Pool, f func(tx pgx.Tx) error) error {
	return translate(pgx.BeginFunc(ctx, pool, f))
}

// listOf turns the row of a query that returns at most one into a list.
func listOf[T any](row *T) []T {
	if row == nil {
		return nil
	}
	return []T{*row}
}

// utc is for every time that leaves this package.
func utc(t time.Time) time.Time { return t.UTC() }
