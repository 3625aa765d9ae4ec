package stream

import (
	"bufio"
	"context"
	"encoding/binary"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"github.com/valyala/fasthttp"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// askUpgrade is a request for a websocket as the server writes it.
const askUpgrade = "GET / HTTP/1.1\r\nHost: upgrade\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
	"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: parley.v1\r\n\r\n"

// recordedConn is a connection actor that records what it receives.
type recordedConn struct {
	sink   Sink
	frames [][]byte
	pongs  int
	closed chan domain.Disconnect
}

func (r *recordedConn) Receive(frame []byte)      { r.frames = append(r.frames, frame) }
func (r *recordedConn) Pong()                     { r.pongs++ }
func (r *recordedConn) Close(d domain.Disconnect) { r.closed <- d }

// recordedConns is a Connector that sends each connection it makes to the test.
type recordedConns chan *recordedConn

func (rs recordedConns) Connect(_ context.Context, r Request) (Connection, error) {
	c := &recordedConn{sink: r.Sink, closed: make(chan domain.Disconnect, 1)}
	rs <- c
	return c, nil
}

func newTestServer() (*Server, recordedConns) {
	opened := make(recordedConns, 1)
	return New(Config{
		Connector: opened, Metrics: prometheus.NewRegistry(), Clock: clock.NewFake(time.Unix(1, 0)), Logger: slog.New(slog.DiscardHandler),
		Ended: func(context.Context, []domain.SignInKey) ([]domain.SignInKey, error) { return nil, nil },
	}), opened
}

// begun upgrades a connection to a websocket and reads the response as its client.
func begun(tb testing.TB, s *Server, opened recordedConns, conn, client net.Conn) *recordedConn {
	tb.Helper()
	go s.upgrade(conn, domain.SignInKey{}, []byte(askUpgrade), &upgrade{headers: noHeaders()})
	answer, err := http.ReadResponse(bufio.NewReaderSize(oneByte{client}, 16), nil)
	require.NoError(tb, err)
	require.NoError(tb, answer.Body.Close())
	require.Equal(tb, http.StatusSwitchingProtocols, answer.StatusCode)
	require.Equal(tb, "parley.v1", answer.Header.Get("Sec-WebSocket-Protocol"))
	return <-opened
}

// oneByte reads one byte at a time, so that a buffered reader does not read beyond the
// response.
type oneByte struct{ net.Conn }

func (o oneByte) Read(b []byte) (int, error) { return o.Conn.Read(b[:1]) }

// appendText appends a text frame of the server (RFC 6455, section 5.2).
func appendText(b, text []byte) []byte {
	b = append(b, 0x81)
	switch n := len(text); {
	case n < 126:
		b = append(b, byte(n))
	case n < 1<<16:
		b = binary.BigEndian.AppendUint16(append(b, 126), uint16(n))
	default:
		b = binary.BigEndian.AppendUint64(append(b, 127), uint64(n))
	}
	return append(b, text...)
}

func noHeaders() *fasthttp.ResponseHeader { return &fasthttp.ResponseHeader{} }
