package api_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
)

// rawStatus sends the head of a request unchanged and returns the status of the answer.
func rawStatus(t *testing.T, address, head string) int {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close()) }()
	_, err = io.WriteString(conn, head+"\r\n\r\n")
	require.NoError(t, err)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}

func TestServer_Host(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *api.Config) {
		c.URL, c.Hosts, c.Origins = "https://Parley.example", []string{"inside.example:8080"}, []string{"https://old.example"}
		c.Identity = http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	})
	get := func(t *testing.T, host, more string) int {
		t.Helper()
		return rawStatus(t, b.server.Address(), "GET /config.json HTTP/1.1\r\nHost: "+host+more)
	}
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		for _, host := range []string{
			"parley.example", "parley.example:443", "PARLEY.example.", "inside.example", "inside.example:1",
			"old.example",
		} {
			require.Equal(t, http.StatusOK, get(t, host, ""), host)
		}
	})
	t.Run("ErrAnotherServersName", func(t *testing.T) {
		t.Parallel()
		for _, host := range []string{
			"evil.example", "parley.example.evil.example", "evil-parley.example", "localhost", "127.0.0.1", "[::1]",
			"", "parley.example@evil.example",
		} {
			require.Equal(t, http.StatusBadRequest, get(t, host, ""), host)
		}
		for _, path := range []string{"/", "/dex/token", "/api/v1/user/me", "/nothing.js"} {
			require.Equal(t, http.StatusBadRequest, rawStatus(t, b.server.Address(), "GET "+path+" HTTP/1.1\r\nHost: evil.example"), path)
		}
		require.Equal(t, http.StatusBadRequest, rawStatus(t, b.server.Address(), "GET /config.json HTTP/1.0"))
	})
	t.Run("ErrTwoNames", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, http.StatusBadRequest, get(t, "parley.example", "\r\nHost: evil.example"))
		require.Equal(t, http.StatusBadRequest, get(t, "evil.example", "\r\nHost: parley.example"))
		for target, host := range map[string]string{
			"http://evil.example/config.json":   "parley.example",
			"http://parley.example/config.json": "evil.example",
		} {
			require.Equal(t, http.StatusBadRequest, rawStatus(t, b.server.Address(), "GET "+target+" HTTP/1.1\r\nHost: "+host), target)
		}
	})
	t.Run("OKForThisMachineWhereTheURLIsItsOwn", func(t *testing.T) {
		t.Parallel()
		own := setup(t, func(c *api.Config) { c.URL, c.Hosts = "http://localhost:8080", nil })
		for _, host := range []string{"localhost", "127.0.0.1:8080", "[::1]:8080"} {
			require.Equal(t, http.StatusOK, rawStatus(t, own.server.Address(), "GET /config.json HTTP/1.1\r\nHost: "+host), host)
		}
		require.Equal(t, http.StatusBadRequest, rawStatus(t, own.server.Address(), "GET /config.json HTTP/1.1\r\nHost: 192.0.2.1"))
	})
	t.Run("OperatorPort", func(t *testing.T) {
		t.Parallel()
		for _, path := range []string{"/metrics", "/healthz"} {
			for host, want := range map[string]int{
				"localhost": 200, "127.0.0.1:8081": 200, "192.0.2.1:8081": 200, "[2001:db8::1]": 200, "inside.example:8081": 200, "parley.example": 200,
				"evil.example": 400, "localhost.evil.example": 400,
			} {
				require.Equal(t, want, rawStatus(t, b.server.OperatorAddress(), fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %s", path, host)), host)
			}
		}
	})
}

// Behind a trusted proxy each client has its own seats; the address that a client claims
// itself is never trusted.
func TestServer_SeatsBehindAProxy(t *testing.T) {
	t.Parallel()
	open := func(b *bundle, from string) int {
		return b.dialWith(t, http.Header{"Authorization": {"Bearer " + b.token(t, &b.world.Owner)}, "X-Forwarded-For": {from}})
	}
	limit := func(c *api.Config) { c.Limits.SocketsPerUser, c.Limits.SocketsPerAddress = -1, 2 }
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		b := setup(t, limit, func(c *api.Config) { c.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")} })
		_, response := b.hold(t, "203.0.113.9")
		require.Equal(t, 101, response)
		_, response = b.hold(t, "198.51.100.7, 203.0.113.9")
		require.Equal(t, 101, response)
		require.Equal(t, http.StatusTooManyRequests, open(b, "203.0.113.9"))
		require.Equal(t, http.StatusTooManyRequests, open(b, "198.51.100.8, 203.0.113.9"))
		require.Equal(t, 101, open(b, "203.0.113.10"))
		require.Equal(t, http.StatusUnauthorized, b.send(t, http.MethodGet, me, http.NoBody, "X-Forwarded-For",
			"198.51.100.8, 203.0.113.77").status)
		require.Contains(t, b.log.String(), `"from":"203.0.113.77"`)
		require.NotContains(t, b.log.String(), `"from":"198.51.100.8"`)
	})
	t.Run("ErrProxyNotTrusted", func(t *testing.T) {
		t.Parallel()
		b := setup(t, limit)
		for i := range 2 {
			_, response := b.hold(t, fmt.Sprintf("203.0.113.%d", i))
			require.Equal(t, 101, response)
		}
		require.Equal(t, http.StatusTooManyRequests, open(b, "203.0.113.99"))
	})
}

// hold opens a stream that stays open, as a proxy would for a client.
func (b *bundle) hold(t *testing.T, from string) (net.Conn, int) {
	t.Helper()
	conn, err := net.Dial("tcp", b.server.Address())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	_, err = io.WriteString(conn,
		"GET "+b.streamPath()+" HTTP/1.1\r\nHost: parley.test\r\nX-Forwarded-For: "+from+"\r\nAuthorization: Bearer "+
			b.token(t, &b.world.Owner)+"\r\n"+strings.Join(pairs(upgradeHeaders()), "\r\n")+"\r\n\r\n")
	require.NoError(t, err)
	line, err := bufio.NewReaderSize(conn, 16).ReadString('\n')
	require.NoError(t, err)
	var status int
	_, err = fmt.Sscanf(line, "HTTP/1.1 %d", &status)
	require.NoError(t, err)
	return conn, status
}
