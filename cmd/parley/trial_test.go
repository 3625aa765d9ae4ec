package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/processtest"
	"parley.dev/parley/persistence/persistencetest"
)

// asServer is an environment variable that makes the test binary run as parley itself: as a node, or with 1 replaced by another
// command and its arguments.
const asServer = "PARLEY_TEST_SERVE"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) == "" {
		os.Exit(m.Run())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	p := &program{stdout: os.Stdout, stderr: os.Stderr, getenv: os.Getenv}
	args := []string{"serve"}
	if command := os.Getenv(asServer); command != "1" {
		args = strings.Fields(command)
	}
	err := p.main(ctx, args)
	stop()
	os.Exit(p.exit(err))
}

// trialTimeout bounds every wait of the trial.
const trialTimeout = 3 * time.Minute

// server is one process of a cluster.
type server struct {
	name          string
	url, operator string
	env           []string
	program       string   // another build of parley; empty means this one
	worker        string   // the query worker of that build; empty means the one of this tree
	inside        []string // what comes before the command, to run it in a namespace; usually nothing
	cmd           *exec.Cmd
	log           *bytes.Buffer // read when the process has ended
	ended         chan struct{}
}

// urlsOf returns where people reach processes.
func urlsOf(servers []*server) []string {
	urls := make([]string, len(servers))
	for i, s := range servers {
		urls[i] = s.url
	}
	return urls
}

// fleet starts processes of parley on one database, one after the other, as an operator
// would, with additional environment variables. They are stopped in an orderly way at the end
// of the test.
func fleet(t *testing.T, database string, env []string, names ...string) []*server {
	t.Helper()
	return fleetOf(t, database, func(string) []string { return env }, func(string, int) {}, names...)
}

// fleetOf is fleet with variables for each process, and is told each process's id.
func fleetOf(t *testing.T, database string, env func(name string) []string, started func(name string, pid int), names ...string) []*server {
	t.Helper()
	dir := t.TempDir()
	worker := processtest.Build(t, t.TempDir(), "parley-worker")
	servers := make([]*server, len(names))
	for i, name := range names {
		s := &server{
			name: name, url: "http://" + processtest.FreeAddress(t), operator: processtest.FreeAddress(t), log: &bytes.Buffer{},
		}
		s.env = append(s.environment(dir, database, worker), env(name)...)
		require.NoError(t, s.run())
		started(name, s.cmd.Process.Pid)
		t.Cleanup(func() { s.end(t) })
		require.NoError(t, s.awaitReady(t))
		servers[i] = s
	}
	return servers
}

// environment is the usual one of a process whose data are below a folder.
func (s *server) environment(dir, database, worker string) []string {
	return append(os.Environ(), asServer+"=1", "DATABASE_URL="+database, "PARLEY_NODE="+s.name,
		"PARLEY_ADDR="+strings.TrimPrefix(s.url, "http://"), "PARLEY_OPERATOR_ADDR="+s.operator, "PARLEY_CLUSTER_ADDR=127.0.0.1:0",
		"PARLEY_DATA="+filepath.Join(dir, s.name), "PARLEY_FILES=file://"+filepath.Join(dir, "files"), "PARLEY_WORKER="+worker,
		"PARLEY_SCRIPTED=true", "PARLEY_SENDS_PER_MINUTE=1000000", "PARLEY_SOCKETS_PER_USER=1000", "PARLEY_LOG=info")
}

// run starts the process, also again after its end.
func (s *server) run() error {
	// This program serves whatever its arguments are (TestMain).
	line := append(slices.Clone(s.inside), cmp.Or(s.program, os.Args[0]), "serve")
	cmd, ended := exec.Command(line[0], line[1:]...), make(chan struct{})
	cmd.Env, cmd.Stdout, cmd.Stderr = s.env, s.log, s.log
	if s.worker != "" {
		cmd.Env = append(slices.Clone(s.env), "PARLEY_WORKER="+s.worker)
	}
	s.cmd, s.ended = cmd, ended
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", s.name, err)
	}
	go func() {
		_ = cmd.Wait() // how it ended is checked by end
		close(ended)
	}()
	return nil
}

func (s *server) awaitReady(t *testing.T) error {
	t.Helper()
	if !waitUntil(t.Context(), func() bool { return s.hasEnded() || s.ready(t) }) {
		return fmt.Errorf("%s is not ready", s.name)
	}
	if s.hasEnded() {
		return fmt.Errorf("%s has ended: %s", s.name, s.log)
	}
	return nil
}

func (s *server) hasEnded() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

func (s *server) ready(t *testing.T) bool {
	t.Helper()
	return readyAt(context.WithoutCancel(t.Context()), s.operator)
}

// kill ends the process as kill -9 does.
func (s *server) kill(t *testing.T) {
	t.Helper()
	require.NoError(t, s.cmd.Process.Kill())
	<-s.ended
}

// end drains a process that still runs. The process must succeed, and the race detector must have found nothing.
func (s *server) end(t *testing.T) {
	t.Helper()
	killed := s.hasEnded()
	if !killed {
		require.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
	}
	select {
	case <-s.ended:
	case <-time.After(trialTimeout):
		_ = s.cmd.Process.Kill() // it hangs
		<-s.ended
	}
	if !killed {
		require.Equal(t, 0, s.cmd.ProcessState.ExitCode(), "%s", s.log)
	}
	require.NotContains(t, s.log.String(), "DATA RACE", "%s", s.log)
	if t.Failed() {
		t.Logf("%s", s.log)
	}
}

// TestTrial keeps answers streaming over three processes, with readers on other nodes
// than the owners, and compares at the end what was shown with what is stored. The
// processes use real network connections, and run with the race detector if the test does.
func TestTrial(t *testing.T) { // G1 to G8, F01, F40
	t.Parallel()
	database := persistencetest.URL(t)
	servers := fleet(t, database, nil, "one", "two", "three")
	db, err := pgxpool.New(t.Context(), database)
	require.NoError(t, err)
	t.Cleanup(db.Close)

	trial := func(t *testing.T, seconds int) {
		t.Helper()
		var out, progress bytes.Buffer
		p := &program{stdout: &out, stderr: &progress, getenv: func(string) string { return "" }}
		args := append(strings.Fields("loadtest --trial --people 6 --streams 18 --watchers 2 --ramp 1s --cut 1s"), "--duration",
			fmt.Sprintf("%ds", seconds))
		for _, s := range servers {
			args = append(args, "--url", s.url)
		}
		err := p.main(t.Context(), args)
		require.NoError(t, err, "%s%s", &progress, &out)
		t.Logf("%s", &out)
	}
	turns := func(t *testing.T) (n int) {
		t.Helper()
		require.NoError(t, db.QueryRow(t.Context(), "SELECT count(*) FROM turn").Scan(&n))
		return n
	}

	t.Run("AllServersRun", func(t *testing.T) {
		trial(t, 8)
		var nodes int
		require.NoError(t, db.QueryRow(t.Context(), "SELECT count(DISTINCT node) FROM conversation WHERE node <> ''").Scan(&nodes))
		require.Equal(t, len(servers), nodes, "each node owned some of the conversations")
	})

	// Changing the leases by as much as the database's clock may jump has the same effect as the
	// jump: by that clock every lease has ended.
	t.Run("TheDatabaseClockIsSetAhead", func(t *testing.T) { // F43
		life, over := context.WithCancel(t.Context())
		var setter sync.WaitGroup
		setter.Go(func() {
			for ahead := 7; life.Err() == nil; ahead *= 10 {
				wait(life, 1500*time.Millisecond)
				if _, err := db.Exec(life, "UPDATE cluster_member SET expires_at = expires_at - make_interval(secs => $1)", ahead); err != nil {
					return // the trial has ended
				}
			}
		})
		trial(t, 8)
		over()
		setter.Wait()
		for _, s := range servers {
			require.False(t, s.hasEnded(), "%s has left", s.name)
		}
		var interrupted int
		require.NoError(t, db.QueryRow(t.Context(), "SELECT count(*) FROM turn WHERE status = 'interrupted'").Scan(&interrupted))
		require.Zero(t, interrupted)
	})

	// harmed runs a trial of that many seconds and does harm in its middle: all streams have started, and some have started their
	// second answer. In the end no turn may be left running.
	harmed := func(t *testing.T, seconds int, harm func()) {
		t.Helper()
		before := turns(t)
		var hand sync.WaitGroup
		hand.Go(func() {
			if !waitUntil(t.Context(), func() bool { return turns(t) >= before+27 }) {
				t.Error("the streams did not start")
			}
			harm()
		})
		trial(t, seconds)
		hand.Wait()
		var running int
		require.NoError(t, db.QueryRow(t.Context(), "SELECT count(*) FROM turn WHERE status = 'running'").Scan(&running))
		require.Zero(t, running)
	}

	// After a crash of all of them the clients come back by themselves, and are told nothing twice.
	t.Run("AllServersKilled", func(t *testing.T) { // F03
		harmed(t, 16, func() {
			var errs []error
			for _, s := range servers {
				errs = append(errs, s.cmd.Process.Kill())
			}
			for _, s := range servers {
				<-s.ended
				errs = append(errs, s.run())
			}
			for _, s := range servers {
				errs = append(errs, s.awaitReady(t))
			}
			if err := errors.Join(errs...); err != nil {
				t.Error(err)
			}
		})
	})

	t.Run("OneServerKilled", func(t *testing.T) { // F01
		harmed(t, 12, func() { servers[1].kill(t) })
	})
}

// waitUntil polls until a condition holds. It returns false if the condition does not hold in time.
func waitUntil(ctx context.Context, holds func() bool) bool {
	ctx, cancel := context.WithTimeout(ctx, trialTimeout)
	defer cancel()
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	for !holds() {
		select {
		case <-poll.C:
		case <-ctx.Done():
			return false
		}
	}
	return true
}
