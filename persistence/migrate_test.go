package persistence_test

import (
	"context"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/embedded/embeddedtest"
)

func TestMigrate_Locks(t *testing.T) {
	t.Parallel()

	first := fstest.MapFS{"migrations/00001_first.sql": {Data: []byte("-- +goose Up\nCREATE TABLE thing (id bigint);\nINSERT INTO thing " +
		"VALUES (1);\n")}}
	second := fstest.MapFS{
		"migrations/00001_first.sql":  first["migrations/00001_first.sql"],
		"migrations/00002_second.sql": {Data: []byte("-- +goose Up\nALTER TABLE thing ADD COLUMN name text;\n")},
	}
	connect := func(t *testing.T, url string) *pgx.Conn {
		t.Helper()
		c, err := pgx.Connect(t.Context(), url)
		require.NoError(t, err)
		t.Cleanup(func() { _ = c.Close(context.WithoutCancel(t.Context())) })
		return c
	}
	setup := func(t *testing.T) (url string, held pgx.Tx) {
		t.Helper()
		url = embeddedtest.Empty(t)
		require.NoError(t, persistence.MigrateFiles(t.Context(), url, first, time.Second, func(error) {}))
		held, err := connect(t, url).Begin(t.Context())
		require.NoError(t, err)
		_, err = held.Exec(t.Context(), "SELECT count(*) FROM thing")
		require.NoError(t, err)
		return url, held
	}

	t.Run("OKWhenTheLockIsGiven", func(t *testing.T) {
		t.Parallel()
		url, held := setup(t)
		reader, refused := connect(t, url), 0
		require.NoError(t, persistence.MigrateFiles(t.Context(), url, second, 20*time.Millisecond, func(err error) {
			require.ErrorContains(t, err, "lock timeout")
			// Between two tries others can read, although the lock is still held.
			var n int
			require.NoError(t, reader.QueryRow(t.Context(), "SELECT count(*) FROM thing").Scan(&n))
			if refused++; refused == 2 {
				require.NoError(t, held.Rollback(t.Context()))
			}
		}))
		require.Equal(t, 2, refused)
		_, err := reader.Exec(t.Context(), "SELECT name FROM thing")
		require.NoError(t, err)
	})

	t.Run("ErrWhenItsCallerGivesUp", func(t *testing.T) {
		t.Parallel()
		url, _ := setup(t)
		ctx, cancel := context.WithCancel(t.Context())
		err := persistence.MigrateFiles(ctx, url, second, 20*time.Millisecond, func(error) { cancel() })
		require.ErrorIs(t, err, context.Canceled)
	})

	t.Run("ErrOnceForAFault", func(t *testing.T) {
		t.Parallel()
		url, _ := setup(t)
		bad := fstest.MapFS{
			"migrations/00001_first.sql":  first["migrations/00001_first.sql"],
			"migrations/00002_second.sql": {Data: []byte("-- +goose Up\nALTER TABLE nothing ADD COLUMN name text;\n")},
		}
		err := persistence.MigrateFiles(t.Context(), url, bad, time.Second, func(error) { t.Error("it was tried again") })
		require.ErrorContains(t, err, "does not exist")
	})

	t.Run("ErrOutOfOrder", func(t *testing.T) {
		t.Parallel()
		url, held := setup(t)
		require.NoError(t, held.Rollback(t.Context()))
		third := fstest.MapFS{
			"migrations/00001_first.sql": first["migrations/00001_first.sql"],
			"migrations/00003_third.sql": {Data: []byte("-- +goose Up\nCREATE TABLE other (id bigint);\n")},
		}
		require.NoError(t, persistence.MigrateFiles(t.Context(), url, third, time.Second, func(error) {}))

		// All databases have the same order of migrations: a file that comes before an
		// applied one is refused.
		third["migrations/00002_second.sql"] = second["migrations/00002_second.sql"]
		err := persistence.MigrateFiles(t.Context(), url, third, time.Second, func(error) {})
		require.ErrorContains(t, err, "out-of-order")
	})
}

func TestOpen_ErrWithoutThePassword(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"postgres://parley:hunter2@localhost:port/x", "postgres://parley:hunter2@localhost:5432/x?connect_timeout=hunter2",
		"host=x password='hunter2",
		"postgres://parley:hunter2@localhost/x?sslmode=hunter2", "postgres://parley:hunter2%zz@localhost/x",
	} {
		_, err := persistence.Open(t.Context(), persistence.Config{URL: url})
		require.ErrorContains(t, err, "DATABASE_URL")
		require.NotContains(t, err.Error(), "hunter2")
		err = persistence.Migrate(t.Context(), url)
		require.ErrorContains(t, err, "DATABASE_URL")
		require.NotContains(t, err.Error(), "hunter2")
		err = persistence.Await(t.Context(), url, time.Second, func(error) { t.Error("nothing to wait for") })
		require.ErrorContains(t, err, "DATABASE_URL")
		require.NotContains(t, err.Error(), "hunter2")
	}
}
