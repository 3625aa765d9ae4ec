package main

// The fault of one conversation whose row somebody has locked.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/internal/history"
)

// besideLock is how long a prompt to any other conversation may take meanwhile.
const besideLock = 3 * time.Second * slower

// lockedOne locks the row of one conversation. A prompt to it waits for the lock and is taken then; prompts to
// other conversations of all organizations, through all nodes, are taken as always.
func lockedOne(ctx context.Context, l *load, random *rand.Rand) error {
	var talks []*talk
	for i := range 1 + len(l.orgs) {
		k, err := l.guest(ctx, i)
		if err != nil {
			return err
		}
		talks = append(talks, k)
	}
	ask := func(k *talk, node int) (took time.Duration, outcome history.Outcome) {
		id, began := uuid.Must(uuid.NewV7()), time.Now()
		outcome = l.send(ctx, "lock", k.owner, node, k.id, id, fmt.Sprintf("%s key=%s seed=%d tokens=3 rate=100", canary(k.owner.org), id, node))
		return time.Since(began), outcome
	}
	tx, err := l.db.Begin(ctx)
	if err != nil {
		return fmt.Errorf("lock a conversation: %w", err)
	}
	_, err = tx.Exec(ctx, "SELECT 1 FROM conversation WHERE id = $1 FOR UPDATE", talks[0].id)
	var held sync.WaitGroup
	var heldFor time.Duration
	heldOutcome, locked := history.Unknown, time.Now()
	held.Go(func() { heldFor, heldOutcome = ask(talks[0], random.IntN(len(l.members))) })
	beside, most, taken := talks[1:], time.Duration(0), 0
	for i := 0; time.Since(locked) < lockTime; i++ {
		took, outcome := ask(beside[i%len(beside)], i/len(beside))
		most = max(most, took)
		if outcome == history.OK {
			taken++
		}
		wait(ctx, 100*time.Millisecond)
	}
	err = errors.Join(err, tx.Rollback(ctx))
	held.Wait()
	if heldOutcome != history.OK || heldFor < lockTime-time.Second {
		err = errors.Join(err, fmt.Errorf("the prompt to the locked conversation had the outcome %s after %s", heldOutcome, heldFor))
	}
	if most > besideLock || taken == 0 {
		err = errors.Join(err, fmt.Errorf("%d prompts to other conversations were taken, after %s at most", taken, most))
	}
	return err
}
