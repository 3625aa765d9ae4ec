package main

// The faults that need a bed of their own: a failover, a full disk, a clock that is wrong, and others.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/history"
	"parley.dev/parley/persistence/embedded"
)

const (
	// smallDisk is the disk of the tables; what is written before a commit is on another one.
	smallDisk = "size=160m,mode=755"
)

func faultsOfServers() []*fault {
	return []*fault{
		{
			name: "F05 rolling restart to another schema of snapshots, 3 times", most: 15 * time.Second, leave: true, do: replaced,
			bed: func(t *testing.T) *bed {
				t.Helper()
				const old, other = "const snapshotSchema = 1", "const snapshotSchema = 2"
				next := plant{name: "another schema", edits: []edit{{"actors/conversation/ledger/snapshot.go", old, other}}}
				program := next.build(t, t.TempDir())
				b := newBed(t)
				b.other = program
				return b
			},
		},
		{
			name: "F21 failover to the synchronous standby", most: 30 * time.Second, leave: true, do: failover,
			bed: func(t *testing.T) *bed {
				t.Helper()
				return newBedOf(t, bedding{further: [][2]string{{"wal_level", "replica"}, {"max_wal_senders", "4"}}})
			},
		},
		{
			name: "F23 the disk of the tables is full", most: 30 * time.Second, do: fullDisk,
			bed: func(t *testing.T) *bed {
				t.Helper()
				return newBedOf(t, bedding{prepare: onSmallDisk})
			},
		},
		{name: "F24 every connection for requests waits for 10 s", most: 20 * time.Second, unharmed: true, do: exhausted},
		{
			name: "F42 a node's clock is an hour ahead, then an hour behind", most: 10 * time.Second, leave: true, do: clocksApart, bed: clockBed,
		},
		{
			name: "F43 the database's clock is set ahead, then back", most: 10 * time.Second, do: clockMoves,
			bed: func(t *testing.T) *bed {
				t.Helper()
				return newBedOf(t, bedding{migrated: func(t *testing.T, b *bed) {
					t.Helper()
					require.NoError(t, b.setClock(t.Context(), 0))
					_, err := b.db.Exec(t.Context(), `GRANT USAGE ON SCHEMA shadow TO PUBLIC;
					  ALTER DATABASE parley SET search_path = "$user", public, shadow, pg_catalog`)
					require.NoError(t, err)
				}})
			},
		},
		{
			name: "F08 the owner is over its limit of memory", most: 10 * time.Second, leave: true, do: overMemory,
			bed: func(t *testing.T) *bed {
				t.Helper()
				if _, err := os.Stat(memoryGroups); err != nil {
					t.Skip("needs groups of processes with a limit of memory")
				}
				return newBed(t)
			},
		},
	}
}

func small(b *bed) string { return filepath.Join(b.dir, "small") }

// onSmallDisk puts the tables on a disk of their own.
func onSmallDisk(t *testing.T, b *bed, server *embedded.Server) {
	t.Helper()
	require.NoError(t, os.Mkdir(small(b), 0o755))
	if err := syscall.Mount("none", small(b), "tmpfs", 0, smallDisk); err != nil {
		t.Skip("needs the right to mount a small file system")
	}
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(small(b), syscall.MNT_DETACH)) })
	tables := filepath.Join(small(b), "tables")
	require.NoError(t, os.Mkdir(tables, 0o700))
	db, err := pgx.Connect(t.Context(), server.AdminURL("postgres"))
	require.NoError(t, err)
	defer db.Close(context.WithoutCancel(t.Context()))
	home := ""
	require.NoError(t, db.QueryRow(t.Context(), "SHOW data_directory").Scan(&home))
	info, err := os.Stat(home)
	require.NoError(t, err)
	owner := info.Sys().(*syscall.Stat_t)
	require.NoError(t, os.Chown(tables, int(owner.Uid), int(owner.Gid)))
	for _, sql := range []string{"CREATE TABLESPACE small LOCATION '" + tables + "'", "ALTER DATABASE parley SET TABLESPACE small"} {
		_, err := db.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
}

// fullDisk fills the disk of the tables. Prompts are refused with a reason meanwhile, readings work,
// and afterwards all is well without a restart.
func fullDisk(ctx context.Context, l *load, random *rand.Rand) (err error) {
	var talks []*talk
	for i := range 3 {
		k, err := l.guest(ctx, i)
		if err != nil {
			return err
		}
		talks = append(talks, k)
	}
	fill := filepath.Join(small(l.bed), "fill")
	f, err := os.Create(fill)
	if err != nil {
		return fmt.Errorf("fill the disk: %w", err)
	}
	block := make([]byte, 64<<10)
	for err == nil {
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("fill the disk: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(fill)) }()
	// A prompt waits for room as long as a request may take, and is refused then.
	var sends sync.WaitGroup
	errs := make([]error, len(talks))
	for i, k := range talks {
		own := rand.New(rand.NewPCG(random.Uint64(), 0))
		sends.Go(func() { errs[i] = l.sendLong(ctx, own, k, i%len(l.members)) })
	}
	over := make(chan struct{})
	go func() {
		sends.Wait()
		close(over)
	}()
	for i := 0; ; i++ {
		select {
		case <-over:
			return errors.Join(errs...)
		case <-time.After(200 * time.Millisecond):
		}
		k := talks[i%len(talks)]
		status, body, failed := l.try(ctx, k.owner, l.members[i%len(l.members)].url, http.MethodGet,
			"discourse/conversations/"+k.id.String(), "", nil)
		if failed != nil || status != http.StatusOK {
			sends.Wait()
			return fmt.Errorf("a conversation could not be read: %d %s %w", status, body, failed)
		}
	}
}

// sendLong sends a long prompt once, for which the database has no room. It must be refused with a
// reason.
func (l *load) sendLong(ctx context.Context, random *rand.Rand, k *talk, node int) error {
	id := uuid.Must(uuid.NewV7())
	var long strings.Builder
	for range 2000 {
		fmt.Fprintf(&long, " %x", random.Uint64())
	}
	op := l.world.begin("full", k.owner, history.Send, k.id)
	op.Message = id
	body, err := json.Marshal(map[string]any{"conversationId": k.id, "message": map[string]any{
		"id": id, "text": prompt(random, k.owner, id, 5) + long.String(), "analystId": k.owner.agent,
	}})
	if err != nil {
		return fmt.Errorf("encode a prompt: %w", err)
	}
	status, answer, err := l.try(ctx, k.owner, l.members[node].url, http.MethodPost, "discourse/user-text", "", body)
	op.Return, op.Outcome = l.now(), answered{status: status, err: err}.outcome()
	l.recorder.Add(history.Line{Op: op})
	var told struct {
		Message string `json:"message"`
		Detail  string `json:"detail"`
	}
	if err != nil || status != http.StatusServiceUnavailable || json.Unmarshal(answer, &told) != nil || told.Message+told.Detail == "" {
		return fmt.Errorf("a prompt without room was answered with %d %s %w", status, answer, err)
	}
	return nil
}

const (
	// manyReads is how many readings wait at the same time, more than there are connections.
	manyReads = 120
	lockTime  = 10 * time.Second
)

// exhausted lets so many readings of one table wait for a lock that every connection for requests of
// every node is taken.
func exhausted(ctx context.Context, l *load, _ *rand.Rand) error {
	tx, err := l.db.Begin(ctx)
	if err != nil {
		return fmt.Errorf("lock a table: %w", err)
	}
	_, err = tx.Exec(ctx, "LOCK TABLE blueprint IN ACCESS EXCLUSIVE MODE")
	within, cancel := context.WithTimeout(ctx, lockTime)
	defer cancel()
	var all sync.WaitGroup
	for i := range manyReads {
		all.Go(func() {
			h, m := l.humans[i%len(l.humans)], l.members[i%len(l.members)]
			_, _, _ = l.try(within, h, m.url, http.MethodGet, "discourse/blueprints", "", nil) // it waits as long as it can
		})
	}
	all.Wait()
	return errors.Join(err, tx.Rollback(ctx))
}

// setClock lets the database's clock differ from this machine's. The processes find this function
// before the server's own.
func (b *bed) setClock(ctx context.Context, ahead time.Duration) error {
	_, err := b.db.Exec(ctx, fmt.Sprintf(`CREATE SCHEMA IF NOT EXISTS shadow;
	  CREATE OR REPLACE FUNCTION shadow.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
	    AS 'SELECT pg_catalog.clock_timestamp() + interval ''%d s'''`, int(ahead.Seconds())))
	if err != nil {
		return fmt.Errorf("set the database's clock: %w", err)
	}
	return nil
}

const (
	// clockAhead is less than a sign-in may be idle, which the same clock decides.
	clockAhead, clockBehind = 3 * time.Hour, -time.Hour
	wrongFor                = 6 * time.Second
	dueTasks                = 50
)

// clockMoves sets the database's clock ahead, and then back. Meanwhile nothing fires; what was due
// fires once afterwards, and what is due later does not.
func clockMoves(ctx context.Context, l *load, _ *rand.Rand) error {
	later, _, err := l.makeTasks(ctx, dueTasks, 2*time.Hour)
	if err != nil {
		return err
	}
	soon, due, err := l.makeTasks(ctx, dueTasks, dueIn)
	if err != nil {
		return err
	}
	runs := func() (n int, err error) {
		err = l.db.QueryRow(ctx, "SELECT count(*) FROM task_run r JOIN scheduled_task t ON t.id = r.task_id WHERE t.blueprint_id IN ($1, $2)",
			later, soon).Scan(&n)
		return n, err
	}
	for _, ahead := range []time.Duration{clockAhead, clockBehind} {
		err := l.setClock(ctx, ahead)
		wait(ctx, wrongFor)
		if n, failed := runs(); err == nil && (failed != nil || n > 0) {
			err = fmt.Errorf("%d tasks have run while the clock was wrong by %s %w", n, ahead, failed)
		}
		if err != nil {
			return errors.Join(err, l.setClock(ctx, 0))
		}
	}
	err = errors.Join(l.setClock(ctx, 0), l.awaitRuns(ctx, soon, dueTasks))
	// How late they are is how long the clock was wrong.
	_, failed := l.keepTasks(ctx, soon, due)
	err = errors.Join(err, failed)
	if n, failed := runs(); err == nil && (failed != nil || n != dueTasks) {
		err = fmt.Errorf("%d tasks have run, and %d were due %w", n, dueTasks, failed)
	}
	return err
}

const (
	// memoryGroups are the kernel's groups of processes whose memory is limited.
	memoryGroups = "/sys/fs/cgroup/memory"
	// littleMemory is how much more a process may use than it has already: it needs that soon.
	littleMemory = "8388608"
)

// overMemory lets the kernel kill the owner, because it needs more memory than its limit.
func overMemory(ctx context.Context, l *load, _ *rand.Rand) (err error) {
	owner, _, err := l.owner(ctx)
	if err != nil {
		return err
	}
	group := filepath.Join(memoryGroups, "parley-faults-"+uuid.NewString())
	if err := os.Mkdir(group, 0o755); err != nil {
		return fmt.Errorf("limit the memory: %w", err)
	}
	// The group is empty when its process has ended.
	defer func() { err = errors.Join(err, os.Remove(group)) }()
	before := len(owner.ends())
	owner.keepAway(true)
	defer owner.keepAway(false)
	owner.mu.Lock()
	pid := strconv.Itoa(owner.server.cmd.Process.Pid)
	owner.mu.Unlock()
	for _, setting := range [][2]string{{"memory.limit_in_bytes", littleMemory}, {"cgroup.procs", pid}} {
		if err := os.WriteFile(filepath.Join(group, setting[0]), []byte(setting[1]), 0o600); err != nil {
			return fmt.Errorf("limit the memory: %w", err)
		}
	}
	err = expectEnd(ctx, owner, before, killed)
	wait(ctx, 5*time.Second)
	return err
}

// replaced replaces the processes one by one, by another build, by this one, and by the other again,
// so that both serve side by side.
func replaced(ctx context.Context, l *load, _ *rand.Rand) error {
	cut := l.interrupted(ctx)
	for _, program := range []string{l.other, "", l.other} {
		for _, m := range l.members {
			before := len(m.ends())
			m.mu.Lock()
			m.server.program = program
			m.mu.Unlock()
			if err := errors.Join(m.signal(syscall.SIGTERM), expectEnd(ctx, m, before, 0), l.awaitReady(ctx)); err != nil {
				return err
			}
		}
	}
	if n := l.interrupted(ctx) - cut; n > 0 {
		return fmt.Errorf("%d turns were interrupted", n)
	}
	return nil
}
