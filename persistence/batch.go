package persistence

import (
	"context"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// beginRead gives all queries of one reading the same moment, so that the head
// of a conversation and its messages belong together.
const beginRead = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

// reading is a group of queries that go to the server in one round trip.
type reading struct{ batch pgx.Batch }

// one takes the single row of a query; into stays nil when there is none.
func one[T any](r *reading, into **T, sql string, args ...any) {
	r.batch.Queue(sql, args...).Query(func(rows pgx.Rows) error {
		list, err := collect[T](rows)
		*into = nil
		if len(list) > 0 {
			*into = &list[0]
		}
		return err
	})
}

// many takes all rows of a query.
func many[T any](r *reading, into *[]T, sql string, args ...any) {
	r.batch.Queue(sql, args...).Query(func(rows pgx.Rows) error {
		list, err := collect[T](rows)
		*into = list
		return err
	})
}

// read runs queries as a person's request: row level security shows it one
// organisation. One round trip.
func (s *Store) read(ctx context.Context, organisation int64, queue func(r *reading)) error {
	return patiently(ctx, func() error {
		r := new(reading)
		r.batch.Queue(beginRead)
		r.batch.Queue(dbsqlc.TenantEnter, strconv.FormatInt(organisation, 10))
		queue(r)
		r.batch.Queue("COMMIT")
		return s.app.SendBatch(ctx, &r.batch).Close()
	})
}

// look runs queries of the engine, which sees all organisations. One round trip.
func (s *Store) look(ctx context.Context, queue func(r *reading)) error {
	return patiently(ctx, func() error {
		r := new(reading)
		queue(r)
		return s.engine.SendBatch(ctx, &r.batch).Close()
	})
}

// patiently reads again while the database is away, for as long as whoever asks
// has patience. What is read twice changes nothing.
func patiently(ctx context.Context, read func() error) error {
	left, pause := domain.Patience(ctx), firstPause
	for {
		err := translate(read())
		if domain.CodeOf(err) != domain.CodeUnavailable || left <= 0 || ctx.Err() != nil {
			return err
		}
		rest(ctx, pause)
		left -= pause
		pause = min(2*pause, lastPause)
	}
}

// write runs f in a transaction of a person's request, in one organisation.
func (s *Store) write(ctx context.Context, organisation int64, f func(tx pgx.Tx) error) error {
	return inTransaction(ctx, s.app, func(tx pgx.Tx) error {
		if err := s.q.TenantEnter(ctx, tx, strconv.FormatInt(organisation, 10)); err != nil {
			return err
		}
		return f(tx)
	})
}

// inTransaction commits what f did, or nothing of it.
func inTransaction(ctx context.Context, pool *pgxpool.Pool, f func(tx pgx.Tx) error) error {
	return translate(pgx.BeginFunc(ctx, pool, f))
}

// args spreads the parameters of a generated query in their order.
func args(params any) []any {
	v := reflect.ValueOf(params)
	list := make([]any, v.NumField())
	for i := range list {
		list[i] = v.Field(i).Interface()
	}
	return list
}

// collect reads rows into T by position: a plain value, or a generated struct
// whose fields (and those of structs embedded by sqlc) stand in the order of the
// columns. The addresses are worked out once for all rows, each of which is then
// copied; it starts empty, so that no two of them share what a field points to.
func collect[T any](rows pgx.Rows) ([]T, error) {
	var into, empty T
	to := []any{&into}
	if v := reflect.ValueOf(&into).Elem(); isRow(v.Type()) {
		to = places(v, nil)
	}
	list := []T{}
	for rows.Next() {
		into = empty
		if err := rows.Scan(to...); err != nil {
			return nil, err //nolint:wrapcheck // wrapped by the caller of the batch
		}
		list = append(list, into)
	}
	return list, rows.Err()
}

// places are the addresses of the fields, embedded ones spread.
func places(v reflect.Value, list []any) []any {
	for i := range v.NumField() {
		f := v.Field(i)
		if isRow(f.Type()) {
			list = places(f, list)
			continue
		}
		list = append(list, f.Addr().Interface())
	}
	return list
}

// isRow tells a generated struct from a value that happens to be a struct.
func isRow(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && strings.HasSuffix(t.PkgPath(), "/dbsqlc")
}

// value is what a pointer points to, or the zero value.
func value[T any](p *T) T {
	var zero T
	if p == nil {
		return zero
	}
	return *p
}

// utc is how times leave this room.
func utc(t time.Time) time.Time { return t.UTC() }
