package embeddedtest

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"parley.dev/parley/persistence/embedded"
)

const (
	testPrefix     = "test_"
	templatePrefix = "template_"

	// keptTemplates is how many templates a folder keeps for later runs.
	keptTemplates = 8
)

// templates creates each template once per binary.
var templates sync.Map //nolint:gochecknoglobals // belongs to the shared server: key to func() (string, error)

// Database returns the URL of a fresh database that only this test uses. It is
// a copy of an empty database that migrate has changed. The key represents the content
// of the migrations, such as a hash over their files: under the same key
// migrate is not called again, not even in later runs. Migrate must close what
// it opens.
func Database(tb testing.TB, key string, migrate func(ctx context.Context, url string) error) string {
	tb.Helper()

	server := Server(tb)
	once, _ := templates.LoadOrStore(key, sync.OnceValues(func() (string, error) {
		return makeTemplate(context.WithoutCancel(tb.Context()), server, key, migrate)
	}))

	template, err := once.(func() (string, error))() //nolint:forcetypeassert // nothing else is stored
	if err != nil {
		tb.Fatalf("embeddedtest: make the template: %v", err)
	}

	name := testPrefix + strings.ToLower(rand.Text())
	if err := admin(tb.Context(), server, create(name, template)); err != nil {
		tb.Fatalf("embeddedtest: make the database: %v", err)
	}

	tb.Cleanup(func() {
		if err := admin(context.WithoutCancel(tb.Context()), server, drop(name)); err != nil {
			tb.Errorf("embeddedtest: drop the database: %v", err)
		}
	})

	return server.DatabaseURL(name)
}

// Empty returns the URL of a fresh database without anything in it.
func Empty(tb testing.TB) string {
	tb.Helper()

	return Database(tb, "", func(context.Context, string) error { return nil })
}

// makeTemplate migrates a database and keeps it under a name that contains the key.
// Incomplete databases have another name; sweep drops them.
func makeTemplate(
	ctx context.Context, server *embedded.Server, key string, migrate func(ctx context.Context, url string) error,
) (string, error) {
	sum := sha256.Sum256([]byte(key))
	name := templatePrefix + hex.EncodeToString(sum[:12])

	found, err := names(ctx, server, name)
	if err != nil || len(found) == 1 {
		return name, err
	}

	making := testPrefix + "making_" + strings.ToLower(rand.Text())
	if err := admin(ctx, server, create(making, "template1")); err != nil {
		return "", err
	}

	if err := migrate(ctx, server.DatabaseURL(making)); err != nil {
		return "", fmt.Errorf("migrate: %w", err)
	}

	return name, admin(ctx, server,
		// A connection that migrate left open would prevent copies.
		"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '"+making+"'",
		"ALTER DATABASE "+making+" ALLOW_CONNECTIONS false",
		"ALTER DATABASE "+making+" RENAME TO "+name,
	)
}

// sweep drops what interrupted runs have left, and all templates when there are too many.
func sweep(ctx context.Context, server *embedded.Server) error {
	left, err := names(ctx, server, testPrefix+"%")
	if err != nil {
		return err
	}

	old, err := names(ctx, server, templatePrefix+"%")
	if err != nil {
		return err
	}

	if len(old) > keptTemplates {
		left = append(left, old...)
	}

	for _, name := range left {
		if err := admin(ctx, server, drop(name)); err != nil {
			return err
		}
	}

	return nil
}

// names lists the databases whose name is like pattern, without the databases of Postgres
// itself.
func names(ctx context.Context, server *embedded.Server, pattern string) ([]string, error) {
	connection, err := pgx.Connect(ctx, server.AdminURL("postgres"))
	if err != nil {
		return nil, fmt.Errorf("sign in: %w", err)
	}
	defer connection.Close(ctx)

	// Postgres's own are template0 and template1, without the underscore, which
	// LIKE would take for any character.
	rows, err := connection.Query(ctx, "SELECT datname FROM pg_database WHERE datname LIKE replace($1, '_', '\\_')", pattern)
	if err != nil {
		return nil, fmt.Errorf("list databases: %w", err)
	}

	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("list databases: %w", err)
	}

	return list, nil
}

func create(name, template string) string {
	return "CREATE DATABASE " + name + " OWNER parley TEMPLATE " + template + " STRATEGY FILE_COPY"
}

func drop(name string) string { return "DROP DATABASE " + name + " WITH (FORCE)" }

// admin runs statements one by one as the superuser. All names in them come from this file.
func admin(ctx context.Context, server *embedded.Server, statements ...string) error {
	connection, err := pgx.Connect(ctx, server.AdminURL("postgres"))
	if err != nil {
		return fmt.Errorf("sign in: %w", err)
	}
	defer connection.Close(ctx)

	for _, statement := range statements {
		if _, err := connection.Exec(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}

	return nil
}
