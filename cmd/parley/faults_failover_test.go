package main

// The faults of a failover: a claim that the new primary does not have.

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
)

// givenAgain says whether a fault gives an epoch of the conversation twice. Then the owners that the
// database shows prove nothing: what they write and show does.
func (w *world) givenAgain(id uuid.UUID) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.again[id]
}

// lostClaims lets the next claim of each of some conversations get the epoch that its owner has
// already, as after a failover to a server without the owner's claim. Only the activation's id then
// distinguishes the two owners.
func lostClaims(ctx context.Context, l *load, talks []*talk) (after func() error, err error) {
	var activations []string
	for _, k := range talks {
		var activation uuid.UUID
		if err := l.db.QueryRow(ctx, "SELECT activation FROM conversation WHERE id = $1", k.id).Scan(&activation); err != nil {
			return nil, fmt.Errorf("read an owner: %w", err)
		}
		activations = append(activations, "'"+activation.String()+"'")
		l.mu.Lock()
		if l.again == nil {
			l.again = map[uuid.UUID]bool{}
		}
		l.again[k.id] = true
		l.mu.Unlock()
	}
	const remove = "DROP TRIGGER IF EXISTS lost_claim ON conversation; DROP FUNCTION IF EXISTS lost_claim()"
	_, err = l.db.Exec(ctx, remove+`;
	  CREATE FUNCTION lost_claim() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.epoch := OLD.epoch; RETURN NEW; END';
	  CREATE TRIGGER lost_claim BEFORE UPDATE OF epoch ON conversation FOR EACH ROW
	    WHEN (NEW.activation IS NOT NULL AND NEW.activation <> OLD.activation AND OLD.activation IN (`+strings.Join(activations, ", ")+`))
	    EXECUTE FUNCTION lost_claim()`)
	if err != nil {
		return nil, fmt.Errorf("let claims be lost: %w", err)
	}
	return func() error {
		twice := 0
		err := l.db.QueryRow(ctx, "SELECT count(*) FROM conversation WHERE epoch > 0 AND id = ANY($1) AND activation <> ALL($2::uuid[])",
			ids(talks), "{"+strings.ReplaceAll(strings.Join(activations, ","), "'", "")+"}").Scan(&twice)
		if err == nil && twice == 0 {
			err = errors.New("no conversation was taken over")
		}
		_, removing := l.db.Exec(ctx, remove)
		return errors.Join(err, removing)
	}, nil
}

func ids(talks []*talk) (all []uuid.UUID) {
	for _, k := range talks {
		all = append(all, k.id)
	}
	return all
}
