package cluster

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// While a node waits for a member that should own an identity and does not answer, another node places the
// identity. Then the node that has waited finds that owner, instead of fencing it by an activation of its own.
func TestNodes_OwnedMeanwhile(t *testing.T) { // G7, G8
	t.Parallel()
	for name, balanced := range map[string][]string{"ByLoad": {"thing"}, "ByName": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			var other atomic.Pointer[Node]
			var readings atomic.Int64
			a := w.start(t, "a", func(c *Config) {
				c.Balanced = balanced
				c.Homes = map[string]HomeFunc{"thing": func(ctx context.Context, id string) (string, error) {
					home, err := w.home(ctx, id)
					if readings.Add(1) == 1 {
						w.setHome(id, other.Load().ID()) // it is claimed a moment after the first reading
					}
					return home, err
				}}
			})
			b, c := w.start(t, "b"), w.start(t, "c")
			other.Store(c)
			meet(t, a, b, c)
			// b comes first for it, and then a.
			at := slices.IndexFunc(identities(), func(id string) bool {
				first, _ := owner(a.Members(), "thing", id)
				rest := slices.DeleteFunc(slices.Clone(a.Members()), func(m domain.Member) bool { return m.Node == b.ID() })
				second, _ := owner(rest, "thing", id)
				return first.Node == b.ID() && second.Node == a.ID()
			})
			require.GreaterOrEqual(t, at, 0)
			w.network.Apart("a", "b")
			require.Equal(t, c.ID(), where(t, a, identities()[at]))
		})
	}
}
