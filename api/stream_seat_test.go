package api_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
	"parley.dev/parley/domain"
)

// gatedTokens lets a bearer be checked when the test says so: by then the client
// has reset the connection, so that the answer to it cannot be written.
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

// watchedSeats counts the seats that are taken, and those that ever were.
type watchedSeats struct {
	domain.SeatKeeper

	taken, made atomic.Int32
}

func (w *watchedSeats) Take(ctx context.Context, seats ...domain.Seat) (func(), bool) {
	release, ok := w.SeatKeeper.Take(ctx, seats...)
	if !ok {
		return nil, false
	}
	w.taken.Add(1)
	w.made.Add(1)
	return sync.OnceFunc(func() {
		release()
		w.taken.Add(-1)
	}), true
}

// Clients that are gone before their upgrade is answered leave no seat behind: three
// of them, where three streams are the most, and the fourth client is let in.
func TestServer_SeatsOfClientsThatReset(t *testing.T) {
	t.Parallel()
	for what, headers := range map[string][]string{"Websocket": upgradeHeaders(), "Events": {"Accept", "text/event-stream"}} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			tokens := &gatedTokens{entered: make(chan struct{}), pass: make(chan struct{})}
			seats := &watchedSeats{}
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
			require.Empty(t, b.streams.Opened)
			// A request whose client is gone may end before it takes a seat, so nothing is said of how many become free:
			// in the end the fourth client sits, alone.
			require.Eventually(t, func() bool {
				conn, response, err := websocket.DefaultDialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(b.url, "http")+b.streamPath(),
					http.Header{"Authorization": {"Bearer " + b.token(t, &b.world.Owner)}})
				if err == nil {
					_ = response.Body.Close()
					t.Cleanup(func() { _ = conn.Close() })
				}
				return err == nil
			}, time.Minute, 10*time.Millisecond)
			require.Eventually(t, func() bool { return seats.taken.Load() == 1 }, time.Minute, 10*time.Millisecond)
			require.LessOrEqual(t, seats.made.Load(), int32(4))
			require.Greater(t, seats.made.Load(), int32(1))
		})
	}
}
