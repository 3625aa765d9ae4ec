package api_test

import (
	"context"
	"net"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
	"parley.dev/parley/internal/startstop/startstoptest"
)

// A client may have opened connections on which it has sent nothing yet. A server that stops
// does not wait for their first request, which may be 30 s.
func TestServer_Stop(t *testing.T) { // G19
	t.Parallel()
	b := setup(t)
	var conns []net.Conn
	for range 20 {
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", b.server.Address())
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		conns = append(conns, conn)
	}
	// When this is answered, the server has accepted the earlier ones.
	require.Equal(t, http.StatusOK, b.send(t, http.MethodGet, "/config.json", http.NoBody).status)
	http.DefaultClient.CloseIdleConnections()
	require.NoError(t, b.server.Stop(t.Context()))
	for _, conn := range conns {
		_, err := conn.Read(make([]byte, 1))
		require.Error(t, err)
	}
}

func TestServer_StartStop(t *testing.T) {
	t.Parallel()
	startstoptest.Stress(t, 20, func(tb testing.TB) startstoptest.Subject {
		tb.Helper()
		server := unstarted(tb).server
		return startstoptest.Subject{
			Start: func() error { return server.Start(context.Background()) },
			Stop:  func() error { return server.Stop(context.Background()) },
			Ended: func(tb testing.TB) { tb.Helper(); require.True(tb, server.Closed()) },
		}
	})
	t.Run("ErrOperatorAddressTaken", func(t *testing.T) {
		t.Parallel()
		taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, taken.Close()) })
		b := unstarted(t, func(c *api.Config) { c.OperatorAddr = taken.Addr().String() })
		require.ErrorContains(t, b.server.Start(t.Context()), "cannot be opened")
		require.Empty(t, b.server.Address())
		require.NoError(t, b.server.Stop(t.Context()))
	})
}
