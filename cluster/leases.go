package cluster

import (
	"time"

	"parley.dev/parley/domain"
)

// leases tells how long the leases of members go on. A lease is written by the database's
// clock, and that may be set: ahead, and all of them would end at once; back, and those of
// the dead would go on. So the database's clock counts at the look that finds a lease new,
// and from then on this node's own, which runs evenly. A pure state machine.
type leases struct {
	lease time.Duration
	known map[string]known
}

// known is a lease as it was when it was seen first, at a time since the node's start.
type known struct {
	expires time.Time
	at      time.Duration
	left    time.Duration
}

// look takes what a look at the table saw. It gives the members with what their leases
// still have, and of them those that nobody has renewed for the length of a lease while
// this node was watching: they are dead, whatever the database's clock says.
func (l *leases) look(at time.Duration, members []domain.Member) (all, dead []domain.Member) {
	before := l.known
	l.known = make(map[string]known, len(members))
	all = make([]domain.Member, 0, len(members))
	for _, m := range members {
		k, ok := before[m.Node]
		if !ok || !k.expires.Equal(m.ExpiresAt) {
			k = known{expires: m.ExpiresAt, at: at, left: min(m.Left, l.lease)}
		}
		l.known[m.Node] = k
		m.Left = k.left - (at - k.at)
		all = append(all, m)
		if at-k.at >= l.lease {
			dead = append(dead, m)
		}
	}
	return all, dead
}
