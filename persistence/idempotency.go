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

// The kinds of result that a key may represent.
const (
	kindConversation = "conversation"
	kindDataSource   = "data-source"
	kindCredential   = "credential"
	kindFeedback     = "feedback"
	kindCopy         = "conversation-copy"
	kindComment      = "comment"
	kindMemory       = "memory"
	kindProjectLabel = "project-label"
	kindCorrection   = "correction"

	kindBlueprint      = "blueprint"
	kindBlueprintCopy  = "blueprint-copy"
	kindBlueprintFrom  = "blueprint-from-conversation"
	kindBlueprintStart = "blueprint-start"
	kindBlueprintStep  = "blueprint-step"
	kindTask           = "task"
	kindAnalyst        = "analyst"

	// kindChange is a change of an existing object. It creates nothing, so its
	// result is always the word changed.
	kindChange = "change"
	changed    = "changed"
)

// beginOnce registers a client's idempotency key inside the transaction that creates
// something. It returns the result of the first request with the key, or an empty string
// if this is the first request; the caller then stores its result with finishOnce. If a
// request with the same key is still running, beginOnce waits for it. CodeInvalid if the
// key was used with another body.
func (s *core) beginOnce(ctx context.Context, tx pgx.Tx, caller domain.Caller, kind string, key domain.IdempotencyKey) (string, error) {
	if key.Key == "" {
		return "", nil
	}
	begun, err := s.q.IdempotencyBegin(ctx, tx, &dbsqlc.IdempotencyBeginParams{
		UserID: caller.UserID, Key: key.Key, OrgID: caller.OrganisationID, Kind: kind, Body: key.Body[:],
	})
	if err != nil || begun == 1 {
		return "", err
	}
	row, err := s.q.IdempotencyGet(ctx, tx, &dbsqlc.IdempotencyGetParams{UserID: caller.UserID, Key: key.Key})
	if err != nil {
		return "", err
	}
	return row.Result, sameRequest(row.Kind, row.Body, kind, key)
}

// resultOf returns the stored result of a key, or an empty string if it has none. Call it
// before reading what a creation needs: a repeated request gets the first result, even if
// what it refers to has changed or was deleted since. It does not wait for a running
// request with the same key; beginOnce does. CodeInvalid if the key was used with another body.
func (s *core) resultOf(ctx context.Context, caller domain.Caller, kind string, key domain.IdempotencyKey) (string, error) {
	if key.Key == "" {
		return "", nil
	}
	var row *dbsqlc.IdempotencyResultRow
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		r.IdempotencyResult(&dbsqlc.IdempotencyResultParams{UserID: caller.UserID, Key: key.Key}, &row)
	})
	if err != nil || row == nil {
		return "", err
	}
	return row.Result, sameRequest(row.Kind, row.Body, kind, key)
}

// sameRequest refuses a key that was used for another request before.
func sameRequest(kind string, body []byte, wantedKind string, key domain.IdempotencyKey) error {
	if kind != wantedKind || !bytes.Equal(body, key.Body[:]) {
		return domain.Invalid("Idempotency-Key", "This key was used for another request.")
	}
	return nil
}

// int64ResultOf is resultOf for objects with a numeric id; 0 means no result.
func (s *core) int64ResultOf(ctx context.Context, caller domain.Caller, kind string, key domain.IdempotencyKey) (int64, error) {
	return parsedResultOf(ctx, s, caller, kind, key, parseNumber)
}

// uuidResultOf is resultOf for objects with a UUID; uuid.Nil means no result.
func (s *core) uuidResultOf(ctx context.Context, caller domain.Caller, kind string, key domain.IdempotencyKey) (uuid.UUID, error) {
	return parsedResultOf(ctx, s, caller, kind, key, uuid.Parse)
}

func parsedResultOf[ID int64 | uuid.UUID](
	ctx context.Context, s *core, caller domain.Caller, kind string, key domain.IdempotencyKey, parse func(first string) (ID, error),
) (id ID, err error) {
	first, err := s.resultOf(ctx, caller, kind, key)
	if err != nil || first == "" {
		return id, err
	}
	if id, err = parse(first); err != nil {
		return id, errUnreadableKey(err)
	}
	return id, nil
}

func parseNumber(first string) (int64, error) {
	return strconv.ParseInt(first, 10, 64) //nolint:wrapcheck // parsedResultOf and createOnce name what cannot be read
}

func errUnreadableKey(cause error) error {
	return domain.Internal(cause, "The stored result of the key cannot be read.")
}

// createInt64 creates an object with a numeric id at most once for a key, in a transaction
// of the caller's organisation, and returns the id. A repeated request gets the id of the
// object that the first one created. Without a key it always creates one.
func (s *core) createInt64(
	ctx context.Context, caller domain.Caller, kind string, key domain.IdempotencyKey, create func(tx pgx.Tx) (int64, error),
) (int64, error) {
	return createOnce(ctx, s, caller, kind, key, parseNumber, create)
}

// createUUID is createInt64 for objects with a UUID.
func (s *core) createUUID(
	ctx context.Context, caller domain.Caller, kind string, key domain.IdempotencyKey, create func(tx pgx.Tx) (uuid.UUID, error),
) (uuid.UUID, error) {
	return createOnce(ctx, s, caller, kind, key, uuid.Parse, create)
}

func createOnce[ID int64 | uuid.UUID](
	ctx context.Context, s *core, caller domain.Caller, kind string, key domain.IdempotencyKey,
	parse func(first string) (ID, error), create func(tx pgx.Tx) (ID, error),
) (id ID, err error) {
	err = s.write(ctx, caller.OrganisationID, func(tx pgx.Tx) error {
		first, err := s.beginOnce(ctx, tx, caller, kind, key)
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
		return s.finishOnce(ctx, tx, caller, key, fmt.Sprint(id))
	})
	return id, err
}

// runOnce runs f as write does, and only once for the key of the caller's request. If the
// request is repeated because its answer was lost, f does not run again, and the caller
// returns the present state.
func (s *core) runOnce(ctx context.Context, caller domain.Caller, f func(tx pgx.Tx) error) error {
	return s.write(ctx, caller.OrganisationID, func(tx pgx.Tx) error {
		before, err := s.beginOnce(ctx, tx, caller, kindChange, caller.Idempotency)
		if err != nil || before == changed {
			return err
		}
		if err := f(tx); err != nil {
			return err
		}
		return s.finishOnce(ctx, tx, caller, caller.Idempotency, changed)
	})
}

// finishOnce stores the result of the key, in the same transaction.
func (s *core) finishOnce(ctx context.Context, tx pgx.Tx, caller domain.Caller, key domain.IdempotencyKey, result string) error {
	if key.Key == "" {
		return nil
	}
	return s.q.IdempotencyFinish(ctx, tx, &dbsqlc.IdempotencyFinishParams{Result: result, UserID: caller.UserID, Key: key.Key})
}
