package main

// The faults of nodes that are lost with what they own, or without it: how soon the others have it, and when a node that
// is no longer a member stops to serve.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/internal/proxytest"
)

const (
	// takeoverMost is how long after the loss of a node something that it owned may be without another owner, and how
	// long its clients may wait.
	takeoverMost = 10 * time.Second
	// leaseMost is how long a node without Postgres may serve, and leaveMost until when its process has ended.
	leaseMost, leaveMost = 6 * time.Second, 7 * time.Second
	// cutFor is how long it is without Postgres.
	cutFor = 10 * time.Second
	// gatewayTalks is how many conversations are watched through a node that owns none of them.
	gatewayTalks = 3
)

// killGateway kills a node through which conversations are watched of which it owns none. Their answers go on, and their
// readers come back at another node and miss nothing.
func killGateway(ctx context.Context, l *load, random *rand.Rand) error {
	victim := l.members[random.IntN(len(l.members))]
	talks, err := l.watchedAt(ctx, victim, func(owner *member) bool { return owner != victim }, gatewayTalks)
	if err != nil {
		return err
	}
	wait(ctx, shortly(random))
	before, err := l.activations(ctx, talks)
	if err != nil {
		return err
	}
	for _, k := range talks {
		if m, err := l.ownerOf(ctx, k); err != nil || m == victim {
			return fmt.Errorf("%s has become the owner of what is watched there: %w", victim.name, err)
		}
	}
	from := l.now()
	err = kill(ctx, victim, 5*time.Second)
	until := l.now()
	after, failed := l.activations(ctx, talks)
	err = errors.Join(err, failed)
	lines := l.recorder.History().Lines
	for _, k := range talks {
		if before[k.id] != after[k.id] {
			err = errors.Join(err, fmt.Errorf("conversation %s has another owner, and its own was not killed", k.id))
		}
		for _, f := range k.more {
			a := agesOf(lines, f.name, l.began, from, until)
			if a.pieces == 0 {
				err = errors.Join(err, fmt.Errorf("%s was shown no text after its node was killed", f.name))
			}
			err = errors.Join(err, l.inTime("a reader at the killed node is shown text after", a.oldest, takeoverMost))
		}
	}
	cut := 0
	if failed := l.db.QueryRow(ctx, "SELECT count(*) FROM turn WHERE conversation_id = ANY($1) AND status <> 'running'", ids(talks)).
		Scan(&cut); failed != nil || cut > 0 {
		err = errors.Join(err, fmt.Errorf("%d answers have ended whose owner lives: %w", cut, failed))
	}
	return err
}

// watchedAt makes conversations with such owners, whose long answers are read at one node.
func (l *load) watchedAt(ctx context.Context, at *member, fits func(owner *member) bool, many int) (talks []*talk, err error) {
	for i := 0; len(talks) < many; i++ {
		if i == 20*many {
			return nil, fmt.Errorf("of %d conversations %d have such an owner", i, len(talks))
		}
		k, m, err := l.newOwned(ctx, i)
		if err != nil {
			return nil, err
		}
		if !fits(m) {
			continue
		}
		l.reader(k, l.numberOf(at))
		l.attach(k)
		if err := l.askStamped(ctx, k, l.numberOf(at), 30*time.Second); err != nil {
			return nil, err
		}
		talks = append(talks, k)
	}
	within, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	for _, k := range talks {
		// Its prompt, and the beginning of its answer.
		if !waitUntil(within, func() bool { return k.more[0].holds(2) }) {
			return nil, fmt.Errorf("%s is shown no answer", k.more[0].name)
		}
	}
	return talks, nil
}

// activations are the present owners of conversations.
func (l *load) activations(ctx context.Context, talks []*talk) (map[uuid.UUID]uuid.UUID, error) {
	all := map[uuid.UUID]uuid.UUID{}
	for _, k := range talks {
		var a uuid.UUID
		if err := l.db.QueryRow(ctx, "SELECT activation FROM conversation WHERE id = $1", k.id).Scan(&a); err != nil {
			return nil, fmt.Errorf("read an owner: %w", err)
		}
		all[k.id] = a
	}
	return all, nil
}

// process is the present process of a member, as the cluster names it.
func (w *world) process(ctx context.Context, m *member) (node string, err error) {
	err = w.db.QueryRow(ctx, "SELECT node FROM cluster_member WHERE name = $1 ORDER BY expires_at DESC LIMIT 1", m.name).Scan(&node)
	if err != nil {
		return "", fmt.Errorf("read the process of %s: %w", m.name, err)
	}
	return node, nil
}

// stand stops the owner for some time. The others take over what was running there, and when it goes on it leaves and
// comes back as another process.
func stand(d time.Duration) func(context.Context, *load, *rand.Rand) error {
	return func(ctx context.Context, l *load, _ *rand.Rand) error {
		owner, _, err := l.owner(ctx)
		if err != nil {
			return err
		}
		node, err := l.process(ctx, owner)
		if err != nil {
			return err
		}
		before, began := len(owner.ends()), time.Now()
		if err := owner.signal(syscall.SIGSTOP); err != nil {
			return err
		}
		err = l.takenOver(ctx, node, d)
		wait(ctx, d-time.Since(began))
		err = errors.Join(err, owner.signal(syscall.SIGCONT), expectEnd(ctx, owner, before, exitFenced), l.awaitReady(ctx))
		again, failed := l.process(ctx, owner)
		if failed == nil && again == node {
			failed = fmt.Errorf("%s is in the cluster as the process that has left", owner.name)
		}
		return errors.Join(err, failed)
	}
}

// takenOver waits until everything that was running on a process has another owner, for some time at most.
func (l *load) takenOver(ctx context.Context, node string, d time.Duration) error {
	began := time.Now()
	var running []uuid.UUID
	rows, err := l.db.Query(ctx, "SELECT c.id FROM conversation c WHERE c.node = $1 AND EXISTS (SELECT FROM turn t WHERE "+
		"t.conversation_id = c.id AND t.status = 'running')", node)
	if err != nil {
		return fmt.Errorf("read what runs on %s: %w", node, err)
	}
	for rows.Next() {
		var id uuid.UUID
		if err := rows.Scan(&id); err != nil {
			return fmt.Errorf("read what runs on %s: %w", node, err)
		}
		running = append(running, id)
	}
	if len(running) == 0 || rows.Err() != nil {
		return fmt.Errorf("nothing was running on %s: %w", node, rows.Err())
	}
	within, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	left := len(running)
	taken := waitUntil(within, func() bool {
		return l.db.QueryRow(within, "SELECT count(*) FROM conversation WHERE id = ANY($1) AND node = $2 AND deleted_at IS NULL", running, node).
			Scan(&left) == nil && left == 0
	})
	err = l.inTime("what was running has another owner after", time.Since(began), takeoverMost)
	if !taken && !l.overlapped {
		err = errors.Join(err, fmt.Errorf("%d of %d conversations had no other owner after %s", left, len(running), d))
	}
	return err
}

// cutOff cuts the owner from Postgres. It must not serve for longer than its lease, its process ends, and its clients
// are served elsewhere.
func cutOff(ctx context.Context, l *load, random *rand.Rand) error {
	owner, _, err := l.owner(ctx)
	if err != nil {
		return err
	}
	talks, err := l.watchedAt(ctx, owner, func(m *member) bool { return m == owner }, 1)
	if err != nil {
		return err
	}
	wait(ctx, shortly(random))
	k, before, cut := talks[0], len(owner.ends()), l.now()
	owner.database.Set(proxytest.Rules{Stall: true})
	var served atomic.Int64
	reading, stop := context.WithCancel(ctx)
	var readers sync.WaitGroup
	for _, path := range []string{"discourse/conversations/" + k.id.String(), "user/me"} {
		readers.Go(func() {
			for reading.Err() == nil {
				within, cancel := context.WithTimeout(reading, time.Second)
				status, _, err := l.try(within, k.owner, owner.url, http.MethodGet, path, "", nil)
				cancel()
				if err == nil && status == http.StatusOK {
					served.Store(l.now())
				}
				wait(reading, 50*time.Millisecond)
			}
		})
	}
	within, cancel := context.WithTimeout(ctx, cutFor)
	ended := waitUntil(within, func() bool { return len(owner.ends()) > before })
	gone := l.now()
	last := max(served.Load(), min(gone, l.lastHeard(owner.url)))
	cancel()
	stop()
	readers.Wait()
	wait(ctx, cutFor-time.Duration(l.now()-cut))
	owner.database.Set(proxytest.Rules{})
	if !ended {
		err = fmt.Errorf("%s has not ended %s after it was cut from Postgres", owner.name, cutFor)
	}
	err = errors.Join(
		err, expectEnd(ctx, owner, before, exitFenced),
		l.inTime("a node without Postgres serves for", time.Duration(max(0, last-cut)), leaseMost),
		l.inTime("its process has ended after", time.Duration(gone-cut), leaveMost),
	)
	moved := int64(0)
	for _, line := range l.recorder.History().Lines {
		switch {
		case moved != 0:
		case line.Frame != nil && line.Frame.Client == k.more[0].name && line.Frame.At > gone:
			moved = line.Frame.At
		case line.Place != nil && line.Place.Client == k.more[0].name && line.Place.At > gone:
			moved = line.Place.At
		}
	}
	if moved == 0 {
		return errors.Join(err, errors.New("a client of the node that was cut off is shown nothing elsewhere"))
	}
	return errors.Join(err, l.inTime("its clients are served elsewhere after", time.Duration(moved-cut), takeoverMost))
}
