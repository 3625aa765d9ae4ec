package persistence

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// awaitPause is the time between two tries to reach a database that cannot be reached, and
// awaitTry the maximum time of one try.
const (
	awaitPause = time.Second
	awaitTry   = 5 * time.Second
)

// Await waits until the database at url accepts connections, but no longer than most. failed
// is called with the error of the first try that fails. An error that waiting cannot solve
// (a wrong password, a database that does not exist) is returned at once.
func Await(ctx context.Context, url string, most time.Duration, failed func(error)) error {
	cfg, err := pgx.ParseConfig(url)
	if err != nil {
		return errURL
	}
	ctx, cancel := context.WithTimeoutCause(ctx, most, errAwait)
	defer cancel()
	// Each round is one try of at most awaitTry.
	for reported := false; ; reported = true {
		err := try(ctx, cfg)
		if err == nil || !isAway(err) {
			return err
		}
		if !reported {
			failed(err)
		}
		pause := time.NewTimer(awaitPause)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			// The end of the wait is reported with the error of the last try, which says what is wrong
			// with the database.
			if errors.Is(context.Cause(ctx), errAwait) {
				return fmt.Errorf("persistence: the database did not come within %s: %w", most, err)
			}
			return fmt.Errorf("persistence: wait for the database: %w", context.Cause(ctx))
		}
	}
}

// errAwait distinguishes the end of the wait from the end of the caller's context.
var errAwait = errors.New("the wait is over")

// try connects once and closes the connection again. Nothing is read, so the right to connect is
// all it needs.
func try(ctx context.Context, cfg *pgx.ConnConfig) error {
	ctx, cancel := context.WithTimeout(ctx, awaitTry)
	defer cancel()
	c, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return fmt.Errorf("persistence: connect: %w", err)
	}
	if err := c.Close(ctx); err != nil {
		return fmt.Errorf("persistence: close a connection: %w", err)
	}
	return nil
}

// isAway reports whether the database may become available later, unlike one that refuses
// the connection. No answer at all counts as well: a server that starts has no socket yet.
func isAway(err error) bool {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return true
	}
	return isPassing(pg)
}
