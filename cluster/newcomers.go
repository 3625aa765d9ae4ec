package cluster

import (
	"context"
	"log/slog"
	"sync"

	"parley.dev/parley/domain"
)

// newcomers are members that have joined since the last reading of the table, which is up to a second
// old. A row may already name one. If it were considered lost, what it owns would be taken over, and an
// owner with a running turn would be fenced.
type newcomers struct {
	// mu guards the fields below, and lets only one query run at a time.
	mu sync.Mutex
	// since is the reading after which the nodes below were looked up.
	since *sight
	// found has a member for each node that was looked up, and an empty one if it is not there.
	found map[string]domain.Member
}

// alive finds a member whose lease has not ended, also one that has just joined. A node that is not there
// is looked up once for each reading, so the loss of a node costs one more query a second.
func (m *membership) alive(node string) (domain.Member, bool) {
	if x, ok := m.lives(node); ok || node == "" {
		return x, ok
	}
	if _, known := m.member(node); known {
		return domain.Member{}, false
	}
	n := &m.newcomers
	n.mu.Lock()
	defer n.mu.Unlock()
	if now := m.seen.Load(); n.since != now {
		n.since, n.found = now, map[string]domain.Member{}
	}
	x, asked := n.found[node]
	if !asked {
		ctx, cancel := context.WithTimeout(context.Background(), homeTimeout)
		defer cancel()
		members, err := m.store.Members(ctx)
		if err != nil {
			m.log.LogAttrs(ctx, slog.LevelWarn, "a member that may be new could not be read", slog.String("node", node), slog.Any("error", err))
			return domain.Member{}, false
		}
		n.found[node] = domain.Member{}
		for _, y := range members {
			if y.Left > 0 {
				n.found[y.Node] = y
			}
		}
		x = n.found[node]
	}
	return x, x.Node != ""
}
