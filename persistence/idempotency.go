package persistence

import (
	"bytes"
	"context"
	"fmt"
	"strconv"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// What a key may make.
const (
	kindConversation = "conversation"
	kindDataSource   = "data-source"
	kindCredential   = "credential"
	kindFeedback     = "feedback"
	kindCopy         = "conversation-copy"
	kindComment      = "comment"
	kindMemory       = "memory"
	kindProjectLabel = "project-label"

	kindBlueprint      = "blueprint"
	kindBlueprintCopy  = "blueprint-copy"
	kindBlueprintFrom  = "blueprint-from-conversation"
	kindBlueprintStart = "blueprint-start"
	kindBlueprintStep  = "blueprint-step"
	kindTask           = "task"
	kindAnalyst        = "analyst"

	// kindChange makes nothing: it changes what is there.
	kindChange = "change"
	changed    = "changed"
)

// once takes a client's key inside the transaction that creates. It returns the
// result of the first request with the key, or empty when this is the first
// one, which then reports its result by finish. A request with the same key
// that is still under way is waited for. CodeInvalid for another body.
func (s *core) once(ctx context.Context, tx pgx.Tx, caller domain.Caller, kind string, key domain.IdempotencyKey) (string, error) {
	if key.Key == "" {
		return "", nil
	}
	taken, err := s.q.IdempotencyTake(ctx, tx, &dbsqlc.IdempotencyTakeParams{
		UserID: caller.UserID, Key: key.Key, OrgID: caller.OrganisationID, Kind: kind, Body: key.Body[:],
	})
	if err != nil || taken == 1 {
		return "", err
	}
	row, err := s.q.IdempotencyGet(ctx, tx, &dbsqlc.IdempotencyGetParams{UserID: caller.UserID, Key: key.Key})
	if err != nil {
		return "", err
	}
	return row.Result, sameRequest(row.Kind, row.Body, kind, key)
}

// made gives what a key has made already, and empty where that is nothing. Ask
// before looking at what a creation needs: a request that is repeated answers its
// first result, even if what it named has changed or gone meanwhile. Who asks
// may still have to wait in once for a request that is under way. CodeInvalid
// for another body.
func (s *core) made(ctx context.Context, caller domain.Caller, kind string, key domain.IdempotencyKey) (string, error) {
	if key.Key == "" {
		return "", nil
	}
	var row *dbsqlc.IdempotencyMadeRow
	err := s.read(ctx, caller.OrganisationID, func(r *reading) {
		r.IdempotencyMade(&dbsqlc.IdempotencyMadeParams{UserID: caller.UserID, Key: key.Key}, &row)
	})
	if err != nil || row == nil {
		return "", err
	}
	return row.Result, sameRequest(row.Kind, row.Body, kind, key)
}

// sameRequest refuses a key that came with another request first.
func sameRequest(kind string, body []byte, wantedKind string, key domain.IdempotencyKey) error {
	if kind != wantedKind || !bytes.Equal(body, key.Body[:]) {
		return domain.Invalid("Idempotency-Key", "This key was used for another request.")
	}
	return nil
}

// madeNumbered is made for what has a number; 0 is nothing.
func (s *core) madeNumbered(ctx context.Context, caller domain.Caller, kind string, key domain.IdempotencyKey) (int64, error) {
	return madeAs(ctx, s, caller, kind, key, parseNumber)
}

// madeNamed is made for what has a UUID; uuid.Nil is nothing.
func (s *core) madeNamed(ctx context.Context, caller domain.Caller, kind string, key domain.IdempotencyKey) (uuid.UUID, error) {
	return madeAs(ctx, s, caller, kind, key, uuid.Parse)
}

func madeAs[ID int64 | uuid.UUID](
	ctx context.Context, s *core, caller domain.Caller, kind string, key domain.IdempotencyKey, parse func(first string) (ID, error),
) (id ID, err error) {
	first, err := s.made(ctx, caller, kind, key)
	if err != nil || first == "" {
		return id, err
	}
	if id, err = parse(first); err != nil {
		return id, errUnreadableKey(err)
	}
	return id, nil
}

func parseNumber(first string) (int64, error) {
	return strconv.ParseInt(first, 10, 64) //nolint:wrapcheck // madeAs and createOnce say what cannot be read
}

func errUnreadableKey(cause error) error {
	return domain.Internal(cause, "What a key has made cannot be read.")
}

// createNumbered makes something with a number at most once for a key, in a
// transaction of the caller's request, and gives the number that it has: the
// first one's where the request is repeated. Without a key it always makes one.
func (s *core) createNumbered(
	ctx context.Context, caller domain.Caller, kind string, key domain.IdempotencyKey, create func(tx pgx.Tx) (int64, error),
) (int64, error) {
	return createOnce(ctx, s, caller, kind, key, parseNumber, create)
}

// createNamed is createNumbered for what has a UUID.
func (s *core) createNamed(
	ctx context.Context, caller domain.Caller, kind string, key domain.IdempotencyKey, create func(tx pgx.Tx) (uuid.UUID, error),
) (uuid.UUID, error) {
	return createOnce(ctx, s, caller, kind, key, uuid.Parse, create)
}

func createOnce[ID int64 | uuid.UUID](
	ctx context.Context, s *core, caller domain.Caller, kind string, key domain.IdempotencyKey,
	parse func(first string) (ID, error), create func(tx pgx.Tx) (ID, error),
) (id ID, err error) {
	err = s.write(ctx, caller.OrganisationID, func(tx pgx.Tx) error {
		first, err := s.once(ctx, tx, caller, kind, key)
		if err != nil {
			return err
		}
		if first != "" {
			id, err = parse(first)
			return err
		}
		if id, err = create(tx); err != nil {
			return err
		}
		return s.finish(ctx, tx, caller, key, fmt.Sprint(id))
	})
	return id, err
}

// change runs f as write does, and once for the key of the caller's request: where
// that is repeated because its answer was lost, f does not run again. Whoever
// calls answers what is there then.
func (s *core) change(ctx context.Context, caller domain.Caller, f func(tx pgx.Tx) error) error {
	return s.write(ctx, caller.OrganisationID, func(tx pgx.Tx) error {
		before, err := s.once(ctx, tx, caller, kindChange, caller.Change)
		if err != nil || before == changed {
			return err
		}
		if err := f(tx); err != nil {
			return err
		}
		return s.finish(ctx, tx, caller, caller.Change, changed)
	})
}

// finish notes what the key made, in the same transaction.
func (s *core) finish(ctx context.Context, tx pgx.Tx, caller domain.Caller, key domain.IdempotencyKey, result string) error {
	if key.Key == "" {
		return nil
	}
	return s.q.IdempotencyFinish(ctx, tx, &dbsqlc.IdempotencyFinishParams{Result: result, UserID: caller.UserID, Key: key.Key})
}
