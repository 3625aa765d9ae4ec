package cluster

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/remote"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
)

// A node whose process has ended is known to be gone sooner if its connection broke, and not before its renewal
// is late.
func TestMembership_Hasten(t *testing.T) { // G7, F01
	t.Parallel()
	const step, breaks = 50 * time.Millisecond, 600 * time.Millisecond
	for name, c := range map[string]struct {
		breaks      bool
		address     string // of the connection that breaks, if it is not the node's
		first, last time.Duration
	}{
		"NothingBroke":         {false, "", 2 * time.Second, 2 * time.Second},
		"ItsConnectionBroke":   {true, "", 1500 * time.Millisecond, 1700 * time.Millisecond},
		"AStrangersConnection": {true, "127.0.0.1:1", 2 * time.Second, 2 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, gone := listening(t)
			if c.address == "" {
				c.address = gone
			}
			s, ticks := newTable(), clock.NewFake(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
			s.clock = ticks
			require.NoError(t, s.Join(t.Context(), domain.Member{Node: "b@1", Name: "b", Address: gone}, defaultLease))
			system := fakes.NewActorSystem()
			t.Cleanup(system.Shutdown)
			m := newMembership(&Config{
				Members: s, Clock: ticks, Logger: slog.New(slog.DiscardHandler), Load: func() float64 { return 0 }, Lease: defaultLease,
				OnFenced: func(string) {},
			}, domain.Member{Node: "a@1", Name: "a"})
			require.NoError(t, m.start(t.Context(), system))
			t.Cleanup(func() { require.NoError(t, m.shutdown(context.Background())) })
			armed := func() bool { return len(m.broken) == 0 && ticks.Waiting() > 0 }
			for passed := step; ; passed += step {
				require.Eventually(t, armed, patience, time.Millisecond)
				ticks.Advance(step)
				require.Eventually(t, armed, patience, time.Millisecond)
				if _, lives := m.member("b@1"); !lives {
					require.GreaterOrEqual(t, passed, c.first)
					require.LessOrEqual(t, passed, c.last)
					return
				}
				require.Less(t, passed, defaultLease)
				if c.breaks && passed == breaks {
					system.EventStream.Publish(&remote.EndpointTerminatedEvent{Address: c.address})
				}
			}
		})
	}
}

// A connection that breaks with each try makes the readings quick for a third of the time, independently of other
// nodes.
func TestMembership_Hasten_Again(t *testing.T) { // F13
	t.Parallel()
	ticks := clock.NewFake(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	m := newMembership(&Config{Clock: ticks, Lease: defaultLease}, domain.Member{Node: "a@1"})
	m.hasten("c@1")
	ticks.Advance(defaultLease / 2)
	require.False(t, m.hastening())
	quick := 0
	const steps = 900
	for range steps {
		m.hasten("b@1")
		if m.hastening() {
			quick++
		}
		ticks.Advance(100 * time.Millisecond)
	}
	require.Equal(t, steps/3, quick)
}
