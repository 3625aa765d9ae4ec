package main

// The figure of nodes that join: how many of them the people notice, which must be none.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

const (
	// joinsEach is how often the node joins in one run of the checker: the history of a run is checked as a whole.
	joinsEach = 10
	// joinedFor is how long it is left in the cluster.
	joinedFor = 1500 * time.Millisecond
	// joinTalks is how many new conversations are asked each time that it has joined. They go to the nodes that
	// carry least, so to this one.
	joinTalks = 3
)

// joins counts what the joins of a run have met.
type joins struct {
	done int
	// moved are the conversations that the node owned when it left, and running are those of them with a turn.
	moved, running int
	// harmed are the turns that have not come to the end of their answer.
	harmed int
}

// TestFigures_Joins lets a fresh node join a cluster of three and leave it again, PARLEY_TEST_JOINS times,
// while answers are streaming on all of them (make chaos/figures). The checker must find no violation, in
// particular no event that two owners have written, and no answer may be interrupted.
//
//nolint:paralleltest // it uses the whole machine
func TestFigures_Joins(t *testing.T) { // F11
	many := setting(t, "PARLEY_TEST_JOINS", 0)
	if many == 0 {
		t.Skip("make chaos/figures measures")
	}
	seed := uint64(setting(t, "PARLEY_TEST_SEED", rand.IntN(1_000_000)))
	b := newBedOf(t, bedding{names: []string{"one", "two", "three", "fresh"}})
	var all joins
	twice, events := 0, 0
	for run := 0; all.done < many; run++ {
		own := seed + uint64(run)
		f := &fault{
			name: fmt.Sprintf("F11 joins from %d on", all.done+1), most: 10 * time.Second, leave: true,
			do: all.joinAndLeave(min(joinsEach, many-all.done)),
		}
		before := all.done
		o := runFaults(t, newWorld(t, b), []*fault{f}, own)
		for _, v := range o.verdict.Violations {
			if v.Invariant == "I3" || v.Invariant == "I4" {
				twice++
			}
		}
		events += len(o.history.Lines)
		if wrong := o.judge(); len(wrong) > 0 {
			o.keep(t, own)
			t.Errorf("%s, PARLEY_TEST_SEED=%d:\n%s", f.name, own, strings.Join(wrong, "\n"))
		}
		require.Greater(t, all.done, before, "the node did not join")
	}
	t.Logf("joins    all    : %d joins and leaves of a fresh node, %d conversations moved with it, %d of them streaming; %d double writes, "+
		"%d streams interrupted; %d records checked", all.done, all.moved, all.running, twice, all.harmed, events)
	require.Zero(t, twice)
	require.Zero(t, all.harmed)
	require.NotZero(t, all.moved, "the fresh node owned nothing when it left")
	require.NotZero(t, all.running, "no answer was streaming on it")
}

// joinAndLeave lets the last node leave and join again, so many times.
func (j *joins) joinAndLeave(times int) func(context.Context, *load, *rand.Rand) error {
	return func(ctx context.Context, l *load, random *rand.Rand) error {
		fresh, cut := l.members[len(l.members)-1], l.turns(ctx, domain.TurnInterrupted, domain.TurnFailed)
		for n := range times {
			before := len(fresh.ends())
			moved, running, err := l.ownedBy(ctx, fresh)
			if err != nil {
				return err
			}
			fresh.keepAway(true)
			err = errors.Join(fresh.signal(syscall.SIGTERM), expectEnd(ctx, fresh, before, 0))
			fresh.keepAway(false)
			if err = errors.Join(err, l.awaitReady(ctx)); err != nil {
				return err
			}
			j.moved, j.running, j.done = j.moved+moved, j.running+running, j.done+1
			for i := range joinTalks {
				k, err := l.guest(ctx, n*joinTalks+i)
				if err != nil {
					return err
				}
				id := uuid.Must(uuid.NewV7())
				// It is still streaming when the node is told to leave.
				l.send(ctx, "joins", k.owner, i, k.id, id, prompt(random, k.owner, id, 60))
			}
			wait(ctx, joinedFor)
		}
		n := l.turns(ctx, domain.TurnInterrupted, domain.TurnFailed) - cut
		j.harmed += n
		if n > 0 {
			return fmt.Errorf("%d turns were interrupted or have failed", n)
		}
		return nil
	}
}

// ownedBy counts the conversations that a node owns, and those of them with a running turn.
func (w *world) ownedBy(ctx context.Context, m *member) (all, running int, err error) {
	err = w.db.QueryRow(ctx, "SELECT count(*), count(*) FILTER (WHERE EXISTS (SELECT FROM turn t WHERE t.conversation_id = c.id AND "+
		"t.status = 'running')) FROM conversation c WHERE split_part(c.node, '@', 1) = $1", m.name).Scan(&all, &running)
	if err != nil {
		return 0, 0, fmt.Errorf("count what %s owns: %w", m.name, err)
	}
	return all, running, nil
}
