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

// patience is how long a test waits for anything before it fails.
const patience = time.Minute

// bed is the test bed of the conformance suite: two nodes that share state.
type bed struct {
	nodes []*shared.Space
	// open starts one more node.
	open func(t *testing.T) *shared.Space
	// advance moves the clocks of all nodes and of the server forward.
	advance func(d time.Duration)
	// kill ends a node without any goodbye call, as when its machine is lost.
	kill func(s *shared.Space)
	// empty deletes all that the server holds; nil if there is no server.
	empty func(t *testing.T)
	// shares is false if both nodes are the same process.
	shares bool
}

// beds are the three ways in which nodes share state. Each test opens its own bed.
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

// each runs a test on every bed.
func each(t *testing.T, test func(t *testing.T, b *bed)) {
	t.Helper()
	for name, open := range beds() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t))
		})
	}
}

// eventually waits until a condition holds that another goroutine makes true.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	require.Eventually(t, holds, patience, 2*time.Millisecond, what)
}
