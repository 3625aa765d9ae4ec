package persistence_test

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

func TestAwait(t *testing.T) {
	t.Parallel()
	away := "postgres:///parley?host=" + url.QueryEscape(filepath.Join(t.TempDir(), "nowhere"))
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		require.NoError(t, persistence.Await(t.Context(), persistencetest.URL(t), time.Minute, func(err error) { require.NoError(t, err) }))
	})
	t.Run("OKWhenItComes", func(t *testing.T) {
		t.Parallel()
		real, err := url.Parse(persistencetest.URL(t))
		require.NoError(t, err)
		host := real.Query().Get("host")
		if host == "" {
			t.Skip("the test database is reached by a network address")
		}
		// The socket does not exist yet, like that of a server that starts.
		late := filepath.Join(t.TempDir(), ".s.PGSQL.5432")
		query := real.Query()
		query.Set("host", filepath.Dir(late))
		query.Set("port", "5432")
		front := *real
		front.RawQuery = query.Encode()
		told := make(chan error, 1)
		done := make(chan error, 1)
		go func() {
			done <- persistence.Await(t.Context(), front.String(), 5*time.Minute, func(err error) { told <- err })
		}()
		require.Error(t, <-told)
		port := cmp.Or(real.Query().Get("port"), "5432")
		listen, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", late)
		require.NoError(t, err)
		t.Cleanup(func() { _ = listen.Close() })
		go forward(listen, filepath.Join(host, ".s.PGSQL."+port))
		require.NoError(t, <-done)
	})
	t.Run("ErrItDoesNotCome", func(t *testing.T) {
		t.Parallel()
		told := 0
		err := persistence.Await(t.Context(), away, 10*time.Millisecond, func(error) { told++ })
		require.ErrorContains(t, err, "did not come within 10ms")
		require.Equal(t, 1, told)
	})
	t.Run("ErrCanceled", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancelCause(t.Context())
		stopped := errors.New("stopped")
		err := persistence.Await(ctx, away, time.Hour, func(error) { cancel(stopped) })
		require.ErrorIs(t, err, stopped)
	})
	t.Run("ErrRefused", func(t *testing.T) {
		t.Parallel()
		real, err := url.Parse(persistencetest.URL(t))
		require.NoError(t, err)
		real.Path = "/no-such-database"
		err = persistence.Await(t.Context(), real.String(), time.Hour, func(err error) { require.NoError(t, err) })
		require.ErrorContains(t, err, "no-such-database")
	})
}

// forward connects the connections of a listener to another socket until the listener is closed.
func forward(listen net.Listener, to string) {
	for {
		front, err := listen.Accept()
		if err != nil {
			return
		}
		go func() {
			defer func() { _ = front.Close() }()
			back, err := (&net.Dialer{}).Dial("unix", to)
			if err != nil {
				return
			}
			defer func() { _ = back.Close() }()
			go func() { _, _ = io.Copy(back, front) }() // ends with the connections
			_, _ = io.Copy(front, back)
		}()
	}
}
