package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/persistence/persistencetest"
)

const (
	// releaseProgram is an environment variable with the path of another release's program, with which
	// every second round of restarts is made (make test/release).
	releaseProgram = "PARLEY_TEST_RELEASE"
	// rollLimit is the most that one restart may take: an answer, the sockets, and the start.
	rollLimit = 2 * time.Minute
)

// nextRelease are a later release's migrations, one a line: they add. In the end the table of migrations has
// one that the running nodes do not know.
const nextRelease = `ALTER TABLE conversation ADD COLUMN next_release json, ADD COLUMN next_number bigint NOT NULL DEFAULT 7
ALTER TABLE message ADD COLUMN next_release text
ALTER TABLE turn ADD COLUMN next_release text NOT NULL DEFAULT 'x'
ALTER TABLE cluster_member ADD COLUMN next_release json
CREATE TABLE next_release (id bigint PRIMARY KEY, of text)
INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)`

// TestTrial_Rolling replaces the nodes of a cluster one by one while answers are streaming: two of three
// by SIGTERM, one by `parley cluster drain`. After the first replacement the database has the schema of
// a later release, and snapshots that only that release can read. No prompt fails after one retry, no
// turn is interrupted, and each node stops with exit code 0. PARLEY_TEST_ROLLS asks for more rounds, and
// PARLEY_TEST_ANSWER for answers of so many seconds (make chaos).
func TestTrial_Rolling(t *testing.T) { // G19, G21, F04, F05
	t.Parallel()
	rounds := setting(t, "PARLEY_TEST_ROLLS", 1)
	answer := time.Duration(setting(t, "PARLEY_TEST_ANSWER", 2)) * time.Second
	database := persistencetest.URL(t)
	servers := fleet(t, database, nil, "one", "two", "three")
	urls := urlsOf(servers)
	db, err := pgxpool.New(t.Context(), database)
	require.NoError(t, err)
	t.Cleanup(db.Close)

	trial := newApartTrial(settled + time.Duration(rounds*len(servers))*rollLimit)
	enough, rolled := make(chan struct{}), make(chan error, 1)
	trial.Answer, trial.Enough = answer, enough
	spoiled := 0
	roll := func() error {
		trial.awaitAnswers(t.Context())
		for round := range rounds {
			program := ""
			if round%2 == 0 {
				program = os.Getenv(releaseProgram)
			}
			for i, s := range servers {
				n, err := spoilSnapshots(t, db)
				spoiled += n
				// Another release may not know the command.
				byCommand := i == round%len(servers) && s.program == ""
				if err = errors.Join(err, s.replace(t, database, program, byCommand)); err != nil {
					return fmt.Errorf("round %d: %w", round, err)
				}
				if round == 0 && i == 0 {
					if err := migrateFurther(t, db); err != nil {
						return err
					}
				}
			}
		}
		return nil
	}
	go func() {
		defer close(enough)
		rolled <- roll()
	}()
	t.Cleanup(func() { <-enough })
	report := trial.run(t, urls)
	require.NoError(t, <-rolled)
	require.NotZero(t, spoiled, "no snapshot of a later release was there to be refused")
	require.Zero(t, report.Errors, "%s", report.Samples)
	require.NotZero(t, report.Prompts)
	require.LessOrEqual(t, report.Calls, int64(2), "a prompt failed after one retry")
	for _, status := range []string{"interrupted", "failed"} {
		require.Zero(t, report.Ends[status], "%v", report.Ends)
		var turns int
		require.NoError(t, db.QueryRow(t.Context(), "SELECT count(*) FROM turn WHERE status = $1", status).Scan(&turns))
		require.Zero(t, turns, status)
	}
	sound(t, database)
}

// migrateFurther applies the migrations of a later release as a node does: each waits for its lock for two
// seconds, and is tried again.
func migrateFurther(t *testing.T, db *pgxpool.Pool) error {
	t.Helper()
	for migration := range strings.SplitSeq(nextRelease, "\n") {
		var err error
		for range 5 {
			if _, err = db.Exec(t.Context(), "SET LOCAL lock_timeout = '2s'; "+migration); err == nil {
				break
			}
			t.Log(migration, err)
			wait(t.Context(), time.Second)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", migration, err)
		}
	}
	return nil
}

// replace drains a node and starts it again, as another process of its name, with a program of parley;
// empty means this one.
func (s *server) replace(t *testing.T, database, program string, byCommand bool) error {
	t.Helper()
	began := time.Now()
	if byCommand {
		if printed, err := view(t, database, "cluster", "drain", s.name, "--wait"); err != nil {
			return fmt.Errorf("%s%w", printed, err)
		}
	} else if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("stop %s: %w", s.name, err)
	}
	select {
	case <-s.ended:
	case <-time.After(rollLimit):
		return fmt.Errorf("%s does not end", s.name)
	}
	if code := s.cmd.ProcessState.ExitCode(); code != 0 {
		return fmt.Errorf("%s ended with %d: %s", s.name, code, s.log)
	}
	drained := time.Since(began)
	if s.program, s.worker = program, ""; program != "" {
		// A program only talks with the query worker of its own release, which is next to it.
		s.worker = filepath.Join(filepath.Dir(program), "parley-worker")
	}
	if err := s.run(); err != nil {
		return err
	}
	err := s.awaitReady(t)
	ready := time.Since(began) - drained
	t.Logf("%s: drained in %s, ready %s after that", s.name, drained.Round(time.Millisecond), ready.Round(time.Millisecond))
	return err
}

// spoilSnapshots makes all stored snapshots those of a later release, which this one cannot read. It
// returns how many there were.
func spoilSnapshots(t *testing.T, db *pgxpool.Pool) (int, error) {
	t.Helper()
	done, err := db.Exec(t.Context(), "UPDATE conversation_snapshot SET schema_version = 1000, body = 'of a later release' WHERE seq > 0")
	return int(done.RowsAffected()), err
}
