package cluster

import (
	"time"

	"parley.dev/parley/domain"
)

// leases computes how much time the leases of members have left. A lease is written by the
// database's clock, which may be changed: if it is set ahead, all leases would end at once;
// if it is set back, the leases of dead members would not end. So the database's clock is
// used only when this node first reads a renewed lease; from then on it counts by its own
// monotonic clock. And even then it knows a lower limit, if it has seen the member before: the
// renewal came after that. A pure state machine.
type leases struct {
	lease time.Duration
	known map[string]known
}

// known is a lease as it was when it was seen first, at a time since the node's start; seen is when
// it was seen last.
type known struct {
	expires  time.Time
	at, seen time.Duration
	left     time.Duration
}

// observe takes the members that were read from the table. It returns them with the remaining
// time of their leases, and separately those whose lease was not renewed for its whole length
// while this node was watching: they are dead, whatever the database's clock says.
func (l *leases) observe(at time.Duration, members []domain.Member) (all, dead []domain.Member) {
	before := l.known
	l.known = make(map[string]known, len(members))
	all = make([]domain.Member, 0, len(members))
	for _, m := range members {
		k, ok := before[m.Node]
		if !ok || !k.expires.Equal(m.ExpiresAt) {
			left := min(m.Left, l.lease)
			if ok {
				left = max(left, l.lease-(at-k.seen))
			}
			k = known{expires: m.ExpiresAt, at: at, left: left}
		}
		k.seen = at
		l.known[m.Node] = k
		m.Left = k.left - (at - k.at)
		all = append(all, m)
		if at-k.at >= l.lease {
			dead = append(dead, m)
		}
	}
	return all, dead
}
