package persistence

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"parley.dev/parley/domain"
)

// translate turns an error of the database into one of domain. The database's text is only
// in the cause, which is logged and not shown.
func translate(err error) error {
	if err == nil {
		return nil
	}
	var known *domain.Error
	if errors.As(err, &known) {
		return known
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		// No answer of the server at all, unless our own scan of the rows has failed.
		if errors.Is(err, pgx.ErrNoRows) || strings.HasPrefix(err.Error(), "can't scan") {
			return domain.Internal(err, "The store could not be read.")
		}
		return unavailable(err)
	}
	switch {
	case isConflict(pg):
		return domain.Errorf(domain.CodeConflict, "This exists already or has changed meanwhile.").WithCause(err)
	case isPassing(pg), isFull(pg):
		return unavailable(err)
	case pg.Code == "22021" || pg.Code == "22P05":
		return domain.Errorf(domain.CodeInvalid, "The text contains characters that cannot be stored.").WithCause(err)
	}
	return domain.Internal(err, "The store failed.")
}

// unavailable is the answer while the database cannot be reached.
func unavailable(cause error) error {
	e := domain.Errorf(domain.CodeUnavailable, "The store cannot be reached at the moment. Please try again.")
	e.RetryAfter = 2
	return e.WithCause(cause)
}

// isConflict reports whether a key or a constraint was violated: the same write would fail again.
func isConflict(pg *pgconn.PgError) bool { return strings.HasPrefix(pg.Code, "23") }

// isPassing reports whether a failure may not occur at the next try: connections, shutdown and
// recovery, deadlocks, serialization, a lock's timeout, and a transaction that was idle for
// too long.
func isPassing(pg *pgconn.PgError) bool {
	switch pg.Code {
	case "25P03", "40001", "40P01", "55P03", "53300", "57P01", "57P02", "57P03", "57P04":
		return true
	}
	return strings.HasPrefix(pg.Code, "08")
}

// isFull reports whether the server has run out of disk or memory.
func isFull(pg *pgconn.PgError) bool { return strings.HasPrefix(pg.Code, "53") }

// isLockWait reports whether a statement has given up waiting for a lock.
func isLockWait(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "55P03"
}
