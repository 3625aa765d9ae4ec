package main

// The faults of a failover: to a server that has everything, and to one that has lost a claim.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"parley.dev/parley/internal/proxytest"
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

// standby is a second server of Postgres, to which each commit is copied before it is acknowledged.
type standby struct {
	socket string
	db     *pgx.Conn
}

// newStandby copies the primary, starts the copy, and lets the primary wait for it from then on. It
// ends with the test.
func (b *bed) newStandby(ctx context.Context) (*standby, error) {
	programs := map[string]string{}
	for _, name := range []string{"postgres", "pg_basebackup"} {
		path, err := exec.LookPath(name)
		if err != nil {
			return nil, fmt.Errorf("find a program of Postgres: %w", err)
		}
		programs[name] = path
	}
	owner, err := os.Stat(b.postgres)
	if err != nil {
		return nil, fmt.Errorf("find the owner of Postgres: %w", err)
	}
	account := owner.Sys().(*syscall.Stat_t)
	home := filepath.Join(b.dir, "standby")
	if err := errors.Join(os.Mkdir(home, 0o700), os.Chown(home, int(account.Uid), int(account.Gid))); err != nil {
		return nil, fmt.Errorf("make the folder of the standby: %w", err)
	}
	run := func(ctx context.Context, name string, args ...string) *exec.Cmd {
		c := exec.CommandContext(ctx, programs[name], args...)
		c.Dir = "/"
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: account.Uid, Gid: account.Gid}}
		return c
	}
	data := filepath.Join(home, "data")
	source := "host=" + b.postgres + " port=5432 user=postgres application_name=standby"
	out, err := run(ctx, "pg_basebackup", "-d", source, "-D", data, "-R", "-X", "stream", "-c", "fast", "--no-sync").CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("copy the primary: %w: %s", err, out)
	}
	args := []string{"-D", data}
	for _, setting := range []string{
		"listen_addresses=", "port=5432", "unix_socket_directories=" + home, "max_connections=200", "wal_level=replica", "max_wal_senders=4",
		"shared_buffers=128MB", "fsync=off", "full_page_writes=off", "autovacuum=off", "hot_standby=on", "timezone=UTC", "jit=off",
	} {
		args = append(args, "-c", setting)
	}
	server := run(context.WithoutCancel(ctx), "postgres", args...)
	if err := server.Start(); err != nil {
		return nil, fmt.Errorf("start the standby: %w", err)
	}
	b.whenEnded = append(b.whenEnded, func() {
		_ = server.Process.Signal(syscall.SIGQUIT) // what it has is not needed any more
		_ = server.Wait()
	})
	s := &standby{socket: filepath.Join(home, ".s.PGSQL.5432")}
	if !waitUntil(ctx, func() bool {
		s.db, err = pgx.Connect(ctx, "host="+home+" port=5432 user=postgres dbname=postgres")
		return err == nil
	}) {
		return nil, fmt.Errorf("the standby does not start: %w", err)
	}
	for _, sql := range []string{"ALTER SYSTEM SET synchronous_standby_names = 'standby'", "SELECT pg_reload_conf()"} {
		if _, err := b.db.Exec(ctx, sql); err != nil {
			return nil, fmt.Errorf("let the primary wait for the standby: %w", err)
		}
	}
	if !waitUntil(ctx, func() bool {
		state := ""
		return b.db.QueryRow(ctx, "SELECT sync_state FROM pg_stat_replication").Scan(&state) == nil && state == "sync"
	}) {
		return nil, errors.New("the standby does not follow")
	}
	return s, nil
}

// failover takes the primary away from everybody, makes the standby the primary, and lets everybody
// reach that one. The earlier primary lives on, and nobody can reach it.
func failover(ctx context.Context, l *load, random *rand.Rand) error {
	s, err := l.newStandby(ctx)
	if err != nil {
		return err
	}
	defer s.db.Close(context.WithoutCancel(ctx))
	wait(ctx, 3*time.Second+time.Duration(random.IntN(2000))*time.Millisecond)
	proxies := []*proxytest.Proxy{l.admin}
	for _, m := range l.members {
		proxies = append(proxies, m.database)
	}
	for _, p := range proxies {
		p.Set(proxytest.Rules{Refuse: true})
	}
	wait(ctx, time.Duration(random.IntN(3000))*time.Millisecond)
	promoted := false
	if err := s.db.QueryRow(ctx, "SELECT pg_promote(true, 60)").Scan(&promoted); err != nil || !promoted {
		return fmt.Errorf("promote the standby: %t %w", promoted, err)
	}
	for _, p := range proxies {
		p.Move("unix", s.socket)
		p.Set(proxytest.Rules{})
	}
	return nil
}
