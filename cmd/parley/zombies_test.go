package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/persistence/persistencetest"
)

const (
	// zombieTime is how long one of them may take: the rest of its lease, the takeover, its end and its
	// start. zombieWord is the limit of what people wait for meanwhile, as in the table of faults.
	zombieTime = time.Minute
	zombieWord = 15 * time.Second
)

// zombies counts what processes did that went on after the others had taken over what they owned.
type zombies struct {
	fenced int
	// taken are the turns that ran there when they were stopped, and that another node went on with or ended
	// before they were continued.
	taken int
}

// TestTrial_Zombies stops processes until the others have taken over what they own, and lets them go on,
// PARLEY_TEST_ZOMBIES times, one after the other. Each must end with the exit code of a fenced node, and
// show and store nothing: every reader has exactly the stored bytes, and the epochs of a log never fall.
// TestFaults_Short does the same once (F06), with the checker.
//
//nolint:paralleltest // its times are those of one cluster
func TestTrial_Zombies(t *testing.T) { // F06
	many := setting(t, "PARLEY_TEST_ZOMBIES", 0)
	if many == 0 {
		t.Skip("make chaos/network stops nodes for longer than their lease")
	}
	seed := setting(t, "PARLEY_TEST_SEED", rand.IntN(1_000_000))
	t.Logf("PARLEY_TEST_ZOMBIES=%d PARLEY_TEST_SEED=%d", many, seed)
	random := rand.New(rand.NewPCG(uint64(seed), 0))
	database := persistencetest.URL(t)
	servers := fleet(t, database, nil, "one", "two", "three")
	urls := urlsOf(servers)
	db, err := pgxpool.New(t.Context(), database)
	require.NoError(t, err)
	defer db.Close()

	var z zombies
	trial := newApartTrial(settled + time.Duration(many)*zombieTime)
	enough, done := make(chan struct{}), make(chan error, 1)
	trial.Enough = enough
	go func() {
		defer close(enough)
		trial.awaitAnswers(t.Context())
		for i := range many {
			if err := z.raise(t, db, servers[i%len(servers)], random); err != nil {
				done <- fmt.Errorf("zombie %d: %w", i+1, err)
				return
			}
		}
		done <- nil
	}()
	t.Cleanup(func() { <-enough })
	report := trial.run(t, urls)
	require.NoError(t, <-done)
	t.Logf("zombie %d of %d were fenced, %d running turns were taken over, %d errors of bytes, places or ends; text was shown after %s "+
		"at most, a prompt acknowledged after %s", z.fenced, many, z.taken, report.Errors, report.Oldest.Round(time.Millisecond),
		report.Longest.Round(time.Millisecond))
	require.Zero(t, report.Errors, "%s", report.Samples)
	require.NotZero(t, report.Prompts)
	require.Equal(t, many, z.fenced)
	require.NotZero(t, z.taken, "no turn ran on a node that was stopped")
	require.Less(t, report.Oldest, slower*zombieWord, "text was shown late")
	require.Less(t, report.Longest, slower*zombieWord, "a prompt was acknowledged late")
	sound(t, database)
}

// raise stops a process until nothing runs there any more, lets it go on, and starts it again when it has ended.
func (z *zombies) raise(t *testing.T, db *pgxpool.Pool, s *server, random *rand.Rand) error {
	t.Helper()
	ctx := t.Context()
	node, running := "", 0
	if err := db.QueryRow(ctx, "SELECT node FROM cluster_member WHERE name = $1", s.name).Scan(&node); err != nil {
		return fmt.Errorf("find the node: %w", err)
	}
	wait(ctx, time.Duration(random.Int64N(int64(time.Second))))
	if err := s.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		return fmt.Errorf("stop %s: %w", s.name, err)
	}
	const runs = "SELECT count(*) FROM turn t JOIN conversation c ON c.id = t.conversation_id WHERE t.status = 'running' AND c.node = $1"
	if err := db.QueryRow(ctx, runs, node).Scan(&running); err != nil {
		return fmt.Errorf("count what runs there: %w", err)
	}
	within, cancel := context.WithTimeout(ctx, zombieTime)
	defer cancel()
	lives, left := 1, 1
	if !waitUntil(within, func() bool {
		err := db.QueryRow(ctx, "SELECT count(*), ("+runs+") FROM cluster_member WHERE node = $1 AND expires_at > clock_timestamp()", node).
			Scan(&lives, &left)
		return err == nil && lives == 0 && left == 0
	}) {
		return fmt.Errorf("%d turns of %s were not taken over", left, s.name)
	}
	if err := s.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		return fmt.Errorf("continue %s: %w", s.name, err)
	}
	select {
	case <-s.ended:
	case <-time.After(zombieTime):
		return fmt.Errorf("%s does not end", s.name)
	}
	if code := s.cmd.ProcessState.ExitCode(); code != exitFenced {
		return fmt.Errorf("%s ended with %d instead of %d", s.name, code, exitFenced)
	}
	z.fenced++
	z.taken += running
	if err := s.run(); err != nil {
		return err
	}
	return s.awaitReady(t)
}
