package api_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
	"parley.dev/parley/api/internal/fakes"
	"parley.dev/parley/domain"
)

func upgradeHeaders() []string {
	return []string{
		"Connection", "Upgrade", "Upgrade", "websocket", "Sec-WebSocket-Version", "13",
		"Sec-WebSocket-Key", base64.StdEncoding.EncodeToString(make([]byte, 16)),
	}
}

func (b *bundle) streamPath() string { return v1 + "/user/" + b.world.Owner.UUID.String() + "/stream" }

// dial opens a socket as a browser does.
func (b *bundle) dial(t *testing.T) (*websocket.Conn, *fakes.Connection) {
	t.Helper()
	return b.dialAs(t, b.token(t, &b.world.Owner))
}

// dialAs is dial with a bearer of the owner.
func (b *bundle) dialAs(t *testing.T, bearer string) (*websocket.Conn, *fakes.Connection) {
	t.Helper()
	dialer := websocket.Dialer{Subprotocols: []string{"parley.v1", "bearer." + bearer}, EnableCompression: true}
	conn, response, err := dialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(b.url, "http")+b.streamPath(),
		http.Header{"Origin": {origin}})
	require.NoError(t, err)
	_ = response.Body.Close()
	t.Cleanup(func() { _ = conn.Close() })
	require.Equal(t, "parley.v1", conn.Subprotocol())
	require.Empty(t, response.Header.Get("Sec-WebSocket-Extensions"))
	return conn, <-b.streams.Opened
}

// requireClose reads until the socket ends and expects a code.
func requireClose(t *testing.T, conn *websocket.Conn, code int) string {
	t.Helper()
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(time.Minute))) //nolint:forbidigo // the kernel's clock
	for {
		if _, _, err := conn.ReadMessage(); err != nil {
			var closed *websocket.CloseError
			require.ErrorAs(t, err, &closed)
			require.Equal(t, code, closed.Code)
			return closed.Text
		}
	}
}

// dialWith tries to open a stream with headers, several of which may have the same name, and
// returns the status of the answer.
func (b *bundle) dialWith(t *testing.T, headers http.Header) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url+b.streamPath(), http.NoBody)
	require.NoError(t, err)
	more := upgradeHeaders()
	for i := 0; i+1 < len(more); i += 2 {
		request.Header.Set(more[i], more[i+1])
	}
	for name, values := range headers {
		request.Header[name] = values
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}

func attackC01(t *testing.T) {
	t.Helper()
	b := setup(t)
	token := b.token(t, &b.world.Owner)
	protocol := "parley.v1, bearer." + token
	for _, bad := range []string{
		"https://evil.example", "null", "", "http://parley.test.evil.example", "http://evil-parley.test", "https://parley.test",
		"http://parley.test:81", "http://PARLEY.test", "http://parley.test/",
	} {
		h := append(upgradeHeaders(), "Sec-WebSocket-Protocol", protocol)
		if bad != "" {
			h = append(h, "Origin", bad)
		}
		got := b.send(t, http.MethodGet, b.streamPath(), http.NoBody, h...)
		require.Equal(t, http.StatusForbidden, got.status, bad)
		if bad != "" {
			got = b.send(t, http.MethodGet, b.streamPath(), http.NoBody, append(upgradeHeaders(), "Authorization", "Bearer "+token, "Origin",
				bad)...)
			require.Equal(t, http.StatusForbidden, got.status, bad)
		}
	}
	// If there are two origins, none of them is trusted, in any order.
	for _, pair := range [][]string{{origin, "https://evil.example"}, {"https://evil.example", origin}, {origin, origin}} {
		require.Equal(t, http.StatusForbidden, b.dialWith(t, http.Header{"Authorization": {"Bearer " + token}, "Origin": pair}), pair)
		require.Equal(t, http.StatusForbidden, b.dialWith(t, http.Header{"Sec-Websocket-Protocol": {protocol}, "Origin": pair}), pair)
	}
	require.Empty(t, b.streams.Opened)
	// A client that is not a browser has no origin and sends its bearer in a header.
	conn, response, err := websocket.DefaultDialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(b.url, "http")+b.streamPath(),
		http.Header{"Authorization": {"Bearer " + token}})
	require.NoError(t, err)
	_ = response.Body.Close()
	require.Empty(t, conn.Subprotocol())
	require.NoError(t, conn.Close())
}

func attackC02(t *testing.T) {
	t.Helper()
	b := setup(t)
	expired := b.token(t, &b.world.Owner, func(c claims, _ header) { c["exp"] = b.clock.Now().Add(-time.Hour).Unix() })
	good := b.token(t, &b.world.Owner)
	for what, h := range map[string][]string{
		"none":            {},
		"expired":         {"Sec-WebSocket-Protocol", "parley.v1, bearer." + expired},
		"without version": {"Sec-WebSocket-Protocol", "bearer." + good},
		"basic":           {"Authorization", "Basic " + good},
	} {
		got := b.send(t, http.MethodGet, b.streamPath(), http.NoBody, append(append(upgradeHeaders(), "Origin", origin), h...)...)
		require.Equal(t, http.StatusUnauthorized, got.status, what)
	}
	for _, name := range []string{"token", "access_token", "bearer"} {
		got := b.send(t, http.MethodGet, b.streamPath()+"?"+name+"="+good, http.NoBody, append(upgradeHeaders(), "Origin", origin)...)
		require.Equal(t, http.StatusUnauthorized, got.status)
	}
	require.Empty(t, b.streams.Opened)
}

// raw writes a frame without the library: the first two bytes are given, the mask is zero.
func raw(first, second byte, rest ...byte) []byte { return append([]byte{first, second}, rest...) }

func masked(opcode byte, payload []byte) []byte {
	b := []byte{0x80 | opcode}
	switch {
	case len(payload) < 126:
		b = append(b, 0x80|byte(len(payload)))
	case len(payload) < 1<<16:
		b = binary.BigEndian.AppendUint16(append(b, 0x80|126), uint16(len(payload)))
	default:
		b = binary.BigEndian.AppendUint64(append(b, 0x80|127), uint64(len(payload)))
	}
	return append(append(b, 0, 0, 0, 0), payload...)
}

func attackC05(t *testing.T) {
	t.Helper()
	b := setup(t)
	neighbour, neighbourEnd := b.dial(t)
	zero := []byte{0, 0, 0, 0}
	fragment := raw(0x00, 0x80, zero...)
	for what, row := range map[string]struct {
		bytes []byte
		code  int
	}{
		"binary":                         {masked(2, []byte("{}")), 1003},
		"invalid UTF-8":                  {masked(1, []byte{'"', 0xff, 0xfe, '"'}), 1007},
		"a lone surrogate":               {masked(1, []byte{0xed, 0xa0, 0x80}), 1007},
		"reserved bit 1":                 {raw(0xC1, 0x80, zero...), 1002},
		"reserved bit 3":                 {raw(0x91, 0x80, zero...), 1002},
		"unknown data opcode":            {raw(0x83, 0x80, zero...), 1002},
		"unknown control opcode":         {raw(0x8B, 0x80, zero...), 1002},
		"unmasked":                       {raw(0x81, 0x02, '{', '}'), 1002},
		"a ping in pieces":               {raw(0x09, 0x80, zero...), 1002},
		"a ping of 126 bytes":            {raw(0x89, 0xFE, 0, 126), 1002},
		"a continuation of nothing":      {fragment, 1002},
		"a message inside a message":     {append(raw(0x01, 0x80, zero...), masked(1, []byte("{}"))...), 1002},
		"a length of 2^63":               {raw(0x81, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0), 1009},
		"close code 1005":                {masked(8, []byte{3, 0xED}), 1002},
		"a close reason that is no text": {masked(8, []byte{3, 0xE8, 0xff}), 1002},
		"fragments for ever":             {append(raw(0x01, 0x80, zero...), bytes.Repeat(fragment, 20_000)...), 1009},
	} {
		conn, end := b.dial(t)
		_, err := conn.UnderlyingConn().Write(row.bytes)
		require.NoError(t, err, what)
		requireClose(t, conn, row.code)
		require.Equal(t, row.code, (<-end.Closed).Code, what)
	}
	require.NoError(t, neighbour.WriteMessage(websocket.TextMessage, []byte(`{"type":"ping"}`)))
	require.JSONEq(t, `{"type":"ping"}`, <-neighbourEnd.Frames)

	// A complete message is passed on completely, whatever its content and its fragments are.
	conn, end := b.dial(t)
	for _, text := range []string{"", "[]", "not JSON", strings.Repeat("[", 1000), "\x00", strings.Repeat("ä", 30_000)} {
		require.NoError(t, conn.WriteMessage(websocket.TextMessage, []byte(text)))
		require.Equal(t, text, <-end.Frames)
	}
	pieces := append(raw(0x01, 0x82, 0, 0, 0, 0, 'a', 'b'), masked(9, []byte("now"))...)
	_, err := conn.UnderlyingConn().Write(append(pieces, raw(0x80, 0x82, 0, 0, 0, 0, 'c', 'd')...))
	require.NoError(t, err)
	require.Equal(t, "abcd", <-end.Frames)
}

func attackC06(t *testing.T) {
	t.Helper()
	b := setup(t)
	conn, end := b.dial(t)
	require.NoError(t, conn.WriteMessage(websocket.TextMessage, bytes.Repeat([]byte("x"), 64<<10)))
	require.Len(t, <-end.Frames, 64<<10)
	require.NoError(t, conn.WriteMessage(websocket.TextMessage, bytes.Repeat([]byte("x"), 64<<10+1)))
	requireClose(t, conn, 1009)

	conn, _ = b.dial(t)
	_, err := conn.UnderlyingConn().Write(raw(0x81, 0xFF, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0)) // 64 MB, none of it sent
	require.NoError(t, err)
	requireClose(t, conn, 1009)

	conn, _ = b.dial(t)
	half := append(raw(0x01, 0xFE, 0x80, 0, 0, 0, 0, 0), bytes.Repeat([]byte("x"), 1<<15)...)
	rest := append(raw(0x00, 0xFE, 0x80, 1, 0, 0, 0, 0), bytes.Repeat([]byte("x"), 1<<15+1)...)
	_, err = conn.UnderlyingConn().Write(append(half, rest...))
	require.NoError(t, err)
	requireClose(t, conn, 1009)

	// Compression was offered and not accepted (dial checks this); a compressed frame is an
	// error.
	conn, _ = b.dial(t)
	_, err = conn.UnderlyingConn().Write(raw(0xC1, 0x80, 0, 0, 0, 0))
	require.NoError(t, err)
	requireClose(t, conn, 1002)
}

func attackC08(t *testing.T) {
	t.Helper()
	b := setup(t)
	var first *websocket.Conn
	for range 50 {
		first, _ = b.dial(t)
	}
	refused := func(b *bundle) reply {
		return b.send(t, http.MethodGet, b.streamPath(), http.NoBody,
			append(upgradeHeaders(), "Authorization", "Bearer "+b.token(t, &b.world.Owner))...)
	}
	got := refused(b)
	require.Equal(t, http.StatusTooManyRequests, got.status)
	require.Equal(t, "10", got.header.Get("Retry-After"))
	require.NoError(t, first.Close())
	require.Eventually(t, func() bool {
		conn, response, err := websocket.DefaultDialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(b.url, "http")+b.streamPath(),
			http.Header{"Authorization": {"Bearer " + b.token(t, &b.world.Owner)}})
		if err == nil {
			_ = response.Body.Close()
			t.Cleanup(func() { _ = conn.Close() })
		}
		return err == nil
	}, time.Minute, 10*time.Millisecond)

	crowd := setup(t, func(c *api.Config) { c.Limits.SocketsPerUser = -1 })
	for range 500 {
		crowd.dial(t)
	}
	require.Equal(t, http.StatusTooManyRequests, refused(crowd).status)
	// Another address still has free seats.
	dialer := websocket.Dialer{NetDialContext: (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}).DialContext}
	conn, response, err := dialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(crowd.url, "http")+crowd.streamPath(),
		http.Header{"Authorization": {"Bearer " + crowd.token(t, &crowd.world.Owner)}})
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.NoError(t, conn.Close())
}

func attackC09(t *testing.T) {
	t.Helper()
	b := setup(t)
	conn, end := b.dial(t)
	for range 1000 {
		if err := conn.WriteMessage(websocket.TextMessage, []byte("{}")); err != nil {
			break
		}
	}
	requireClose(t, conn, 4429)
	require.Equal(t, 4429, (<-end.Closed).Code)

	// The client does not read: the engine's writes block without an effect on other sockets,
	// and the engine closes the socket. When the client then reads, it finds complete frames
	// and the reason. It has 5 s for that, which may be too short on a busy machine, so the
	// test tries several times.
	for tries := 1; !b.readsLate(t, tries == 20); tries++ {
	}
}

// readsLate is a client that reads only after the engine has closed its socket, and reports
// whether it got the reason. With must it has to get the reason.
func (b *bundle) readsLate(t *testing.T, must bool) bool {
	t.Helper()
	conn, end := b.dial(t)
	big := []byte(`"` + strings.Repeat("x", 1<<20) + `"`)
	written := make(chan int, 1)
	go func() {
		n := 0
		for ; end.Request.Sink.Write([][]byte{big}) == nil; n++ {
		}
		written <- n
	}()
	neighbour, neighbourEnd := b.dial(t)
	require.NoError(t, neighbour.WriteMessage(websocket.TextMessage, []byte("still here")))
	require.Equal(t, "still here", <-neighbourEnd.Frames)
	end.Request.Sink.Close(domain.DisconnectSlow)
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(time.Minute))) //nolint:forbidigo // the kernel's clock
	var err error
	for err == nil {
		_, _, err = conn.ReadMessage()
	}
	<-written
	told := websocket.IsCloseError(err, 4408)
	require.True(t, told || !must, "%v", err)
	return told
}

func attackC11(t *testing.T) {
	t.Helper()
	b := setup(t)
	token := b.token(t, &b.world.Owner)
	for what, change := range map[string][]string{
		"no key":      {"Sec-WebSocket-Key", ""},
		"short key":   {"Sec-WebSocket-Key", "abc"},
		"old version": {"Sec-WebSocket-Version", "8"},
		"keep-alive":  {"Connection", "keep-alive"},
	} {
		got := b.send(t, http.MethodGet, b.streamPath(), http.NoBody, append(append(upgradeHeaders(), "Authorization", "Bearer "+token),
			change...)...)
		require.Equal(t, http.StatusBadRequest, got.status, what)
	}
	for _, method := range []string{http.MethodHead, http.MethodPost, http.MethodOptions} {
		got := b.send(t, method, b.streamPath(), http.NoBody, append(upgradeHeaders(), "Authorization", "Bearer "+token)...)
		require.GreaterOrEqual(t, got.status, 400, method)
	}
	require.Empty(t, b.streams.Opened)
	got := b.send(t, http.MethodGet, b.streamPath(), strings.NewReader("body"), append(upgradeHeaders(), "Authorization", "Bearer "+token)...)
	require.Equal(t, http.StatusBadRequest, got.status)
}

func attackC12(t *testing.T) {
	t.Helper()
	b := setup(t)
	b.streams.OnReceive = func(_ *fakes.Connection, frame []byte) {
		if string(frame) == "panic" {
			panic("secret: postgres://user:password@host")
		}
	}
	neighbour, neighbourEnd := b.dial(t)
	conn, end := b.dial(t)
	require.NoError(t, conn.WriteMessage(websocket.TextMessage, []byte("panic")))
	require.Equal(t, "internal error", requireClose(t, conn, 1011))
	require.Equal(t, 1011, (<-end.Closed).Code)
	require.NoError(t, neighbour.WriteMessage(websocket.TextMessage, []byte("alive")))
	require.Equal(t, "alive", <-neighbourEnd.Frames)
}
