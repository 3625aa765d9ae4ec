package cluster

import (
	"log/slog"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// listening returns an address that accepts connections, and one that refuses them because
// its listener has closed.
func listening(t *testing.T) (there, gone string) {
	t.Helper()
	var lc net.ListenConfig
	addresses := make([]string, 2)
	for i := range addresses {
		l, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
		require.NoError(t, err)
		addresses[i] = l.Addr().String()
		if i == 0 {
			t.Cleanup(func() { _ = l.Close() })
		} else {
			require.NoError(t, l.Close())
		}
	}
	return addresses[0], addresses[1]
}

// closing returns an address that accepts connections and closes them, as a proxy does whose server has gone, or
// only the first of them, as a proxy does that fails once.
func closing(t *testing.T, all bool) string {
	t.Helper()
	var lc net.ListenConfig
	l, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		// A connection that is not accepted stays open in the kernel's queue.
		for n := 0; all || n == 0; n++ {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_ = conn.Close()
		}
	}()
	return l.Addr().String()
}

func nodesOf(members []domain.Member) []string {
	nodes := make([]string, len(members))
	for i, m := range members {
		nodes[i] = m.Node
	}
	return nodes
}

// A lease is ended early only if its renewal is late and the process has ended.
func TestMembership_DeclareDead(t *testing.T) { // G7
	t.Parallel()
	there, gone := listening(t)
	proxy, fails := closing(t, true), closing(t, false)
	const fresh, late = 5 * time.Second, 4 * time.Second
	for name, c := range map[string]struct {
		address  string
		left     time.Duration
		declared bool
	}{
		"LateAndGone":         {gone, late, true},
		"LateAndThere":        {there, late, false},
		"LateBehindAProxy":    {proxy, late, true},
		"RenewsBehindAProxy":  {proxy, fresh, false},
		"LateAndFailsOnce":    {fails, late, false},
		"RenewsAndRefuses":    {gone, fresh, false},
		"RenewsAndIsThere":    {there, fresh, false},
		"LateWithoutAddress":  {"", late, false},
		"LateWithStrangeName": {"no.such.host.invalid:1", late, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newTable()
			m := newMembership(&Config{
				Members: s, Clock: clock.System{}, Logger: slog.New(slog.DiscardHandler), Lease: defaultLease,
			}, domain.Member{Node: "a@1", Name: "a"})
			require.NoError(t, s.Join(t.Context(), domain.Member{Node: "a@1", Name: "a", Address: gone}, late))
			require.NoError(t, s.Join(t.Context(), domain.Member{Node: "b@1", Name: "b", Address: c.address}, c.left))
			members, err := s.Members(t.Context())
			require.NoError(t, err)
			left := m.declareDead(t.Context(), members, nil)
			after, err := s.Members(t.Context())
			require.NoError(t, err)
			require.ElementsMatch(t, nodesOf(after), nodesOf(left))
			if c.declared {
				require.Len(t, left, 1)
				require.Equal(t, "a@1", left[0].Node, "a node does not declare itself dead")
			} else {
				require.Len(t, left, 2)
			}
		})
	}
}
