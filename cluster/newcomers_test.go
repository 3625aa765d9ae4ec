package cluster

import (
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// A row names a node that has joined since the members were read: the node is alive, and what it owns is not
// placed again. A node that is not in the table is lost, as before.
func TestMembership_Newcomer(t *testing.T) { // F05, F11
	t.Parallel()
	s, c := newTable(), clock.NewFake(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	s.clock = c
	m := newMembership(&Config{
		Members: s, Clock: c, Logger: slog.New(slog.DiscardHandler), Load: func() float64 { return 0 }, Lease: defaultLease,
	}, domain.Member{Node: "a@1", Name: "a"})
	require.NoError(t, s.Join(t.Context(), m.self, defaultLease))
	require.NoError(t, m.refresh(t.Context()))
	for _, node := range []string{"", "b@1"} {
		_, ok := m.alive(node)
		require.False(t, ok, node)
	}
	require.NoError(t, s.Join(t.Context(), domain.Member{Node: "c@1", Name: "c", Address: "c:1"}, defaultLease))
	_, ok := m.lives("c@1")
	require.False(t, ok)
	x, ok := m.alive("c@1")
	require.True(t, ok)
	require.Equal(t, "c:1", x.Address)

	// It is read once for each reading of the table, whether it is there or not.
	s.readErr = errors.New("no answer")
	_, ok = m.alive("c@1")
	require.True(t, ok)
	_, ok = m.alive("b@1")
	require.False(t, ok)
	_, ok = m.alive("d@1")
	require.False(t, ok, "what cannot be read is not taken for alive")

	// A member whose lease has ended is lost, and not looked up.
	s.readErr = nil
	require.NoError(t, m.refresh(t.Context()))
	require.NoError(t, s.Leave(t.Context(), "c@1"))
	c.Advance(defaultLease)
	_, ok = m.alive("c@1")
	require.False(t, ok)
}
