package persistence

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrate brings the schema up to date. Several nodes may call it at once: one
// works, the others wait.
func (s *Store) Migrate(ctx context.Context) error { return Migrate(ctx, s.cfg.URL) }

// Migrate brings the schema of a database up to date, as the login role of the
// URL. That role needs CREATEROLE, or the roles parley_app and parley_engine
// granted to it beforehand.
func Migrate(ctx context.Context, url string) error {
	cfg, err := pgx.ParseConfig(url)
	if err != nil {
		return fmt.Errorf("persistence: the database URL is not understood: %w", err)
	}
	db := stdlib.OpenDB(*cfg)
	defer db.Close()

	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return fmt.Errorf("persistence: read the migrations: %w", err)
	}
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return fmt.Errorf("persistence: make the lock of migrations: %w", err)
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithSessionLocker(locker),
		// Migrations are numbered by who wrote them first and may land in another order.
		goose.WithAllowOutofOrder(true))
	if err != nil {
		return fmt.Errorf("persistence: read the migrations: %w", err)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("persistence: migrate the database: %w", err)
	}
	return nil
}

// MigrationsKey stands for the content of the migrations: it changes whenever
// one of them does. Tests name their template databases by it.
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
