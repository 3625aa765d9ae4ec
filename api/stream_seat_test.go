package api_test

import (
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
	"parley.dev/parley/domain"
)

// gatedTokens delays the check of a bearer until the client has reset the connection, so
// that the response to it cannot be written.
type gatedTokens struct {
	api.TokenVerifier

	gate    atomic.Bool
	entered chan struct{}
	pass    chan struct{}
}

func (g *gatedTokens) Verify(ctx context.Context, token string) (domain.Identity, error) {
	if g.gate.Load() {
		g.entered <- struct{}{}
		<-g.pass
	}
	return g.TokenVerifier.Verify(ctx, token)
}

// watchedSeats signals every seat that becomes free.
type watchedSeats struct {
	domain.SeatKeeper

	taken atomic.Int32
	free  chan struct{}
}

func (w *watchedSeats) Take(ctx context.Context, seats ...domain.Seat) (func(), bool) {
	release, ok := w.SeatKeeper.Take(ctx, seats...)
	if !ok {
		return nil, false
	}
	w.taken.Add(1)
	return sync.OnceFunc(func() {
		release()
		w.taken.Add(-1)
		w.free <- struct{}{}
	}), true
}

// Clients that disconnect before their upgrade is answered leave no seat reserved: after three
// of them, with a maximum of three streams, the fourth client is accepted.
func TestServer_SeatsOfClientsThatReset(t *testing.T) {
	t.Parallel()
	for what, headers := range map[string][]string{"Websocket": upgradeHeaders(), "Events": {"Accept", "text/event-stream"}} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			tokens := &gatedTokens{entered: make(chan struct{}), pass: make(chan struct{})}
			seats := &watchedSeats{free: make(chan struct{}, 10)}
			b := setup(t, func(c *api.Config) {
				tokens.TokenVerifier, c.Tokens = c.Tokens, tokens
				seats.SeatKeeper, c.Seats = c.Seats, seats
				c.Limits.SocketsPerUser, c.Limits.SocketsPerAddress = 3, 3
			})
			tokens.gate.Store(true)
			request := "GET " + b.streamPath() + " HTTP/1.1\r\nHost: parley.test\r\nAuthorization: Bearer " + b.token(t, &b.world.Owner) +
				"\r\n" + strings.Join(pairs(headers), "\r\n") + "\r\n\r\n"
			for range 3 {
				conn, err := net.Dial("tcp", b.server.Address())
				require.NoError(t, err)
				_, err = io.WriteString(conn, request)
				require.NoError(t, err)
				<-tokens.entered
				require.NoError(t, conn.(*net.TCPConn).SetLinger(0))
				require.NoError(t, conn.Close())
				tokens.pass <- struct{}{}
			}
			tokens.gate.Store(false)
			for range 3 {
				<-seats.free
			}
			require.Empty(t, b.streams.Opened)
			require.Zero(t, seats.taken.Load())
			_, end := b.dial(t)
			require.NotNil(t, end)
			require.EqualValues(t, 1, seats.taken.Load())
		})
	}
}
