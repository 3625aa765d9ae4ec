package shared_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/redistest"
	"parley.dev/parley/shared"
)

// outage is a server, a proxy in front of it, and a client that connects to it directly.
type outage struct {
	server *redistest.Server
	proxy  *redistest.Proxy
	client *redis.Client
}

// outages are faults F15, F26, F27 and F28 (docs/guarantees.md, G9).
func outages() map[string]struct{ breaks, repairs func(t *testing.T, o *outage) } {
	return map[string]struct{ breaks, repairs func(t *testing.T, o *outage) }{
		"Cut": {
			func(_ *testing.T, o *outage) { o.proxy.Set(redistest.Cut) },
			func(_ *testing.T, o *outage) { o.proxy.Set(redistest.Pass) },
		},
		"HalfOpen": {
			func(_ *testing.T, o *outage) { o.proxy.Set(redistest.Hang) },
			func(_ *testing.T, o *outage) { o.proxy.Set(redistest.Pass) },
		},
		"Slow": {
			func(_ *testing.T, o *outage) { o.proxy.Delay(2 * time.Second) },
			func(_ *testing.T, o *outage) { o.proxy.Delay(0) },
		},
		"ReadOnly": {
			func(t *testing.T, o *outage) {
				t.Helper()
				require.NoError(t, o.client.ReplicaOf(t.Context(), "127.0.0.1", "1").Err())
			},
			func(t *testing.T, o *outage) {
				t.Helper()
				require.NoError(t, o.client.ReplicaOf(t.Context(), "NO", "ONE").Err())
			},
		},
		"Killed": {
			func(_ *testing.T, o *outage) { o.server.Stop() },
			func(t *testing.T, o *outage) {
				t.Helper()
				require.NoError(t, o.server.Restart())
			},
		},
	}
}

func TestSpace_ServerAway(t *testing.T) {
	t.Parallel()
	for name, fault := range outages() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := redistest.Start(t)
			o := &outage{server: server, proxy: redistest.NewProxy(t, server.Addr), client: server.Client(0)}
			t.Cleanup(func() { require.NoError(t, o.client.Close()) })
			metrics := prometheus.NewRegistry()
			open := func() *shared.Space {
				s, err := shared.Open(t.Context(), shared.Config{
					URL: redistest.URL(o.proxy.Addr, 0), Nodes: func() int { return 2 }, Metrics: metrics, Logger: slog.New(slog.DiscardHandler),
				})
				require.NoError(t, err)
				t.Cleanup(s.Close)
				return s
			}
			one := open()
			metrics = prometheus.NewRegistry()
			two := open()
			seat := domain.Seat{Key: "person/1", Most: 2}
			room, ann := uuid.New(), uuid.New()
			release, ok := one.Seats.Take(t.Context(), seat)
			require.True(t, ok)
			_, ok = one.Seats.Take(t.Context(), seat)
			require.True(t, ok)
			one.Presence.Enter(room, ann, func() {})

			fault.breaks(t, o)
			window := domain.Window{Key: "away", Most: 4, Per: time.Hour}
			for range 2 {
				_, ok = one.Rates.Count(t.Context(), window)
				require.True(t, ok, "without the server, up to this node's share of the limit")
			}
			wait, ok := one.Rates.Count(t.Context(), window)
			require.False(t, ok)
			require.Positive(t, wait)
			_, ok = one.Seats.Take(t.Context(), seat)
			require.False(t, ok, "what this node holds is always counted")
			var h heard
			stop := one.Hints.Listen(topic, h.hear)
			one.Hints.Send(topic, "", []byte("here"))
			eventually(t, "hints reach this node", func() bool { return h.count("here") == 1 })
			require.Equal(t, []uuid.UUID{ann}, one.Presence.Present(t.Context(), room)[room])
			eventually(t, "the server is found to be away", func() bool {
				for _, s := range []*shared.Space{one, two} {
					s.Rates.Count(t.Context(), domain.Window{Key: "try", Most: 1 << 20, Per: time.Hour})
				}
				return !one.Up() && !two.Up()
			})
			_, ok = two.Seats.Take(t.Context(), seat)
			require.True(t, ok, "no request is refused because the server is away")
			release()
			stop()

			fault.repairs(t, o)
			eventually(t, "the server is found to be back", func() bool { return one.Up() && two.Up() })
			eventually(t, "what each node holds is written again", func() bool {
				third, ok := two.Seats.Take(t.Context(), domain.Seat{Key: "person/1", Most: 3})
				if ok {
					third()
				}
				_, full := two.Seats.Take(t.Context(), seat)
				return ok && !full
			})
			eventually(t, "and who is present", func() bool { return len(two.Presence.Present(t.Context(), room)[room]) == 1 })
			require.NoError(t, testutil.GatherAndCompare(metrics, strings.NewReader(
				"# HELP parley_redis_up 1 while Redis answers, 0 while this node goes by itself.\n# TYPE parley_redis_up gauge\nparley_redis_up 1\n"),
				"parley_redis_up"))
		})
	}
}

func TestSpace_BegunWithoutServer(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	server.Stop()
	s, err := shared.Open(t.Context(), shared.Config{URL: server.URL(0), Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err, "a node starts without the server")
	t.Cleanup(s.Close)
	require.False(t, s.Up())
	_, ok := s.Seats.Take(t.Context(), domain.Seat{Key: "a", Most: 1})
	require.True(t, ok)
	require.NoError(t, server.Restart())
	eventually(t, "the server is found", s.Up)
}

func TestOpen_BadURL(t *testing.T) {
	t.Parallel()
	_, err := shared.Open(t.Context(), shared.Config{URL: "redis://:secret@localhost:6379/none"})
	require.Error(t, err)
	require.NotContains(t, err.Error(), "secret")
}
