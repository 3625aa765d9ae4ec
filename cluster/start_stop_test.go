package cluster

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
	"parley.dev/parley/internal/startstop/startstoptest"
)

// alone makes a node for tests that do not run in parallel: the library has a data race if
// two nodes start in one process at the same time.
func alone(tb testing.TB, s *table, address string) *Node {
	tb.Helper()
	log := slog.New(slog.DiscardHandler)
	n, err := New(tb.Context(), NewSystem(log), Config{
		Name: "a", Address: address, Members: s, Logger: log, OnFenced: func(string) {}, Homes: map[string]HomeFunc{}, Lease: time.Minute,
	})
	require.NoError(tb, err)
	return n
}

func TestNode_StartStop(t *testing.T) { //nolint:paralleltest // see alone
	startstoptest.Stress(t, 2, func(tb testing.TB) startstoptest.Subject {
		tb.Helper()
		s := newTable()
		n := alone(tb, s, "127.0.0.1:0")
		return startstoptest.Subject{Start: func() error { return n.Start(tb.Context()) }, Stop: n.Stop, Ended: func(tb testing.TB) {
			tb.Helper()
			members, err := s.Members(tb.Context())
			require.NoError(tb, err)
			require.Empty(tb, members, "a node that has stopped has left")
		}}
	})

	t.Run("ErrAddressTaken", func(t *testing.T) {
		taken, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, taken.Close()) })
		n := alone(t, newTable(), taken.Addr().String())
		require.ErrorContains(t, n.Start(t.Context()), "start the cluster node on "+taken.Addr().String())
		require.NoError(t, n.Stop())
		require.NoError(t, n.Stop())
	})

	t.Run("ErrJoin", func(t *testing.T) {
		s := newTable()
		s.joinErr = errors.New("no such table")
		n := alone(t, s, "127.0.0.1:0")
		require.ErrorContains(t, n.Start(t.Context()), "no such table")
		require.NoError(t, n.Stop())
		// The listener for other nodes was closed by the failed start.
		require.Eventually(t, func() bool {
			again, err := net.Listen("tcp", n.system.Address())
			return err == nil && again.Close() == nil
		}, patience, time.Millisecond)
	})
}

func TestMembership_StartStop(t *testing.T) {
	t.Parallel()
	startstoptest.Stress(t, 50, func(tb testing.TB) startstoptest.Subject {
		tb.Helper()
		s, system := newTable(), fakes.NewActorSystem()
		tb.Cleanup(system.Shutdown)
		m := newMembership(&Config{
			Members: s, Clock: clock.System{}, Logger: slog.New(slog.DiscardHandler), Load: func() float64 { return 0 }, Lease: time.Minute,
			OnFenced: func(string) {},
		}, domain.Member{Node: "a@1", Name: "a"})
		return startstoptest.Subject{
			Start: func() error { return m.start(tb.Context(), system) },
			Stop:  func() error { return m.shutdown(context.Background()) },
			Ended: func(tb testing.TB) {
				tb.Helper()
				members, err := s.Members(tb.Context())
				require.NoError(tb, err)
				require.Empty(tb, members, "it has left")
			},
		}
	})
}

var errUnread = errors.New("no answer")

// unreadable is a table that can be read until the first node joins.
type unreadable struct{ *table }

func (u *unreadable) Members(ctx context.Context) ([]domain.Member, error) {
	members, err := u.table.Members(ctx)
	if len(members) > 0 {
		return nil, errUnread
	}
	return members, err
}

// A member that has joined and cannot read the members leaves at once, so that no other
// node waits for the end of its lease.
func TestMembership_ErrRead(t *testing.T) {
	t.Parallel()
	s := &unreadable{table: newTable()}
	m := newMembership(&Config{
		Members: s, Clock: clock.System{}, Logger: slog.New(slog.DiscardHandler), Load: func() float64 { return 0 }, Lease: defaultLease,
		OnFenced: func(string) {},
	}, domain.Member{Node: "a@1", Name: "a"})
	require.ErrorIs(t, m.start(t.Context(), fakes.NewActorSystem()), errUnread)
	require.Empty(t, s.members)
	require.NoError(t, m.shutdown(t.Context()))
}
