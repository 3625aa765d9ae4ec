package shared_test

import (
	"bytes"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/envelope"
	"parley.dev/parley/internal/leaktest"
	"parley.dev/parley/internal/redistest"
	"parley.dev/parley/shared"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// patience is how long anything may take before a test gives up on it.
const patience = time.Minute

// bed is what the conformance suite runs over: two nodes that share something.
type bed struct {
	nodes []*shared.Space
	// open starts one more node, and advance lets time pass, on all nodes and the server.
	open    func(t *testing.T) *shared.Space
	advance func(d time.Duration)
	// kill ends a node as a lost machine does. In a single process there are no others.
	kill func(s *shared.Space)
	// empty throws away all that the server holds.
	empty func(t *testing.T)
	// shares tells whether the nodes are different ones.
	shares bool
}

// beds are the three ways in which nodes share. Each test gets one of its own.
func beds() map[string]func(t *testing.T) *bed {
	return map[string]func(t *testing.T) *bed{
		"Process": func(t *testing.T) *bed {
			t.Helper()
			b := newBed(t, "")
			s := b.open(t)
			b.nodes = []*shared.Space{s, s}
			return b
		},
		"Miniredis": func(t *testing.T) *bed {
			t.Helper()
			server := miniredis.RunT(t)
			b := newBed(t, redistest.URL(server.Addr(), 0))
			b.empty = func(*testing.T) { server.FlushAll() }
			b.nodes, b.shares = []*shared.Space{b.open(t), b.open(t)}, true
			return b
		},
		"Redis": func(t *testing.T) *bed {
			t.Helper()
			server := redistest.Start(t)
			b := newBed(t, server.URL(0))
			b.empty = func(t *testing.T) {
				t.Helper()
				c := server.Client(0)
				require.NoError(t, c.FlushAll(t.Context()).Err())
				require.NoError(t, c.Close())
			}
			b.nodes, b.shares = []*shared.Space{b.open(t), b.open(t)}, true
			return b
		},
	}
}

func newBed(t *testing.T, url string) *bed {
	t.Helper()
	c := clock.NewFake(time.Unix(1_700_000_000, 0))
	var ahead atomic.Int64
	b := &bed{}
	keys, err := envelope.NewRing(bytes.Repeat([]byte{7}, envelope.KeyLength))
	require.NoError(t, err)
	b.open = func(t *testing.T) *shared.Space {
		t.Helper()
		s, err := shared.Open(t.Context(), shared.Config{
			URL: url, Keys: keys, Clock: c, CallTime: patience, Ahead: func() time.Duration {
				return time.Duration(ahead.Load())
			}, Logger: slog.New(slog.DiscardHandler),
		})
		require.NoError(t, err)
		require.True(t, s.Up())
		t.Cleanup(s.Close)
		return s
	}
	b.kill = func(s *shared.Space) { s.Abandon() }
	b.advance = func(d time.Duration) {
		ahead.Add(int64(d))
		c.Advance(d)
	}
	return b
}

// each runs a test over every bed.
func each(t *testing.T, test func(t *testing.T, b *bed)) {
	t.Helper()
	for name, open := range beds() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t))
		})
	}
}

// eventually waits until something holds that another goroutine brings about.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	require.Eventually(t, holds, patience, 2*time.Millisecond, what)
}
