package api_test

import (
	"net"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// A client may have opened connections on which it has asked nothing yet. A server that
// stops does not wait for their first request, which may be 30 s.
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
	// The server has accepted the earlier ones by now.
	require.Equal(t, http.StatusOK, b.send(t, http.MethodGet, "/config.json", http.NoBody).status)
	http.DefaultClient.CloseIdleConnections()
	require.NoError(t, b.server.Stop(t.Context()))
	for _, conn := range conns {
		_, err := conn.Read(make([]byte, 1))
		require.Error(t, err)
	}
}
