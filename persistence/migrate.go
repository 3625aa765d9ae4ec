package persistence

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations/*.sql
var migrations embed.FS

const (
	// migrationLockTimeout is how long a migration waits for a table's lock. Later statements on the
	// table, also reads of other nodes, wait behind it meanwhile.
	migrationLockTimeout = 2 * time.Second
	// migrationTries is how often a migration that gets no lock is tried, with pauses that
	// grow from firstMigrationPause to lastMigrationPause: six minutes in all.
	migrationTries      = 25
	firstMigrationPause = time.Second
	lastMigrationPause  = 15 * time.Second
)

// errURL does not wrap the parser's error, which may contain the password.
var errURL = errors.New("persistence: DATABASE_URL is not the URL of a Postgres database, postgres://user:password@host:port/name")

// Migrate brings the schema up to date. Several nodes may call it at once: one
// works, the others wait.
func (s *Store) Migrate(ctx context.Context) error {
	refused := func(err error) {
		s.core.cfg.Logger.LogAttrs(ctx, slog.LevelWarn, "a migration waits for a lock that others hold, and is tried again",
			slog.Any("error", err))
	}
	return migrator{
		url: s.core.cfg.URL, files: migrations, lockTimeout: migrationLockTimeout, pause: firstMigrationPause, refused: refused,
	}.run(ctx)
}

// Migrate brings the schema of a database up to date, as the login role of the
// URL. That role needs CREATEROLE, or the roles parley_app and parley_engine
// granted to it beforehand.
func Migrate(ctx context.Context, url string) error {
	return migrator{
		url: url, files: migrations, lockTimeout: migrationLockTimeout, pause: firstMigrationPause, refused: func(error) {},
	}.run(ctx)
}

// migrator applies the files of a folder migrations to a database that is in use. The
// package's comment has the rules for such files.
type migrator struct {
	url   string
	files fs.FS
	// lockTimeout bounds the wait for a lock, and pause is the first one between two tries.
	lockTimeout, pause time.Duration
	// refused is called after each try that got no lock.
	refused func(err error)
}

// run tries until it gets the locks. Files that an earlier try has applied stay applied.
func (m migrator) run(ctx context.Context) error {
	pause := m.pause
	for try := 1; ; try++ {
		err := m.up(ctx)
		if err == nil || !isLockWait(err) || try == migrationTries {
			return err
		}
		m.refused(err)
		sleep(ctx, pause)
		if ctx.Err() != nil {
			return fmt.Errorf("persistence: migrate the database: %w", context.Cause(ctx))
		}
		pause = min(2*pause, lastMigrationPause)
	}
}

func (m migrator) up(ctx context.Context) error {
	cfg, err := pgx.ParseConfig(m.url)
	if err != nil {
		return errURL
	}
	cfg.RuntimeParams["lock_timeout"] = strconv.FormatInt(m.lockTimeout.Milliseconds(), 10)
	db := stdlib.OpenDB(*cfg)
	defer db.Close()

	files, err := fs.Sub(m.files, "migrations")
	if err != nil {
		return fmt.Errorf("persistence: read the migrations: %w", err)
	}
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return fmt.Errorf("persistence: make the lock of migrations: %w", err)
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithSessionLocker(locker))
	if err != nil {
		return fmt.Errorf("persistence: read the migrations: %w", err)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("persistence: migrate the database: %w", err)
	}
	return nil
}

// MigrationsKey is a hash of the migrations: it changes whenever one of them does. Tests name
// their template databases by it.
func MigrationsKey() string {
	sum := sha256.New()
	// An embedded folder is always readable.
	entries, err := migrations.ReadDir("migrations")
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		body, err := migrations.ReadFile("migrations/" + e.Name())
		if err != nil {
			panic(err)
		}
		sum.Write([]byte(e.Name()))
		sum.Write(body)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
