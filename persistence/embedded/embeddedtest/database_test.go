package embeddedtest_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/leaktest"
	"parley.dev/parley/persistence/embedded/embeddedtest"
)

func TestMain(m *testing.M) {
	leaktest.Main(m, embeddedtest.LeakOptions()...)
}

func run(ctx context.Context, url, statement string) error {
	connection, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}

	_, err = connection.Exec(ctx, statement)

	return errors.Join(err, connection.Close(ctx))
}

func migrate(ctx context.Context, url string) error {
	return run(ctx, url, "CREATE TABLE noun (id int PRIMARY KEY); INSERT INTO noun VALUES (1)")
}

func TestDatabase(t *testing.T) {
	t.Parallel()

	t.Run("EachTestHasItsOwn", func(t *testing.T) {
		t.Parallel()

		for range 4 {
			t.Run("Writer", func(t *testing.T) {
				t.Parallel()

				url := embeddedtest.Database(t, t.Name(), migrate)
				require.NoError(t, run(t.Context(), url, "INSERT INTO noun VALUES (2)"))
			})
		}
	})

	t.Run("MigratesOncePerKey", func(t *testing.T) {
		t.Parallel()

		var calls atomic.Int32
		counted := func(ctx context.Context, url string) error {
			calls.Add(1)
			return migrate(ctx, url)
		}

		key := t.Name()
		first := embeddedtest.Database(t, key, counted)
		second := embeddedtest.Database(t, key, counted)

		require.NotEqual(t, first, second)
		require.LessOrEqual(t, calls.Load(), int32(1), "not called if an earlier run has made the template")
		require.NoError(t, run(t.Context(), first, "DROP TABLE noun"))
		require.NoError(t, run(t.Context(), second, "DROP TABLE noun"))
	})

	t.Run("Empty", func(t *testing.T) {
		t.Parallel()

		require.NoError(t, run(t.Context(), embeddedtest.Empty(t), "CREATE TABLE noun (id int)"))
	})

	t.Run("DroppedWithTheTest", func(t *testing.T) {
		t.Parallel()

		var url string
		t.Run("Inner", func(t *testing.T) { url = embeddedtest.Empty(t) })
		require.ErrorContains(t, run(t.Context(), url, "SELECT 1"), "does not exist")
	})
}

func BenchmarkDatabase(b *testing.B) {
	for b.Loop() {
		embeddedtest.Database(b, "benchmark", migrate)
	}
}
