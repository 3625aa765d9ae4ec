package cluster

import (
	"math"
	"slices"
	"sync"
	"time"

	"parley.dev/parley/domain"
)

const (
	// slack is how much more than the mean a member may have before it gets nothing new, and before it
	// should give something away. The reports are some seconds old, so that the real difference becomes
	// a little larger.
	slack = 0.1
	// remembersFor is how long a choice is kept at least, so that all nodes that ask for one new identity
	// at nearly the same time get the same answer. After that time its owner has claimed the row, which
	// names it.
	remembersFor = 2 * time.Second
	// choicesMost is how many choices are kept in this time. One that is forgotten is made again, with
	// the loads of that moment.
	choicesMost = 20_000
	// drainingLoad is what a node reports that refuses new owners.
	drainingLoad = -1
)

// balance chooses nodes by what they report to carry: rendezvous hashing with bounded loads (Mirrokni,
// Thorup and Zadimoghaddam, 2018). A choice is only advice. Two nodes may choose differently, because
// their readings differ; then the claim that is written last decides, as always (ADR 1).
type balance struct {
	// mu guards the fields below; calls of any goroutine choose, and the loop of the membership observes.
	mu sync.Mutex
	// chosen counts what this node has given to each member since the member's last report but one.
	chosen map[string]*chosen
	// young and old are the choices of the last seconds, by name; began is when young began.
	young, old map[string]string
	began      time.Duration
}

// chosen counts choices of a member that its report may not contain yet.
type chosen struct {
	expires     time.Time // of the lease, which changes with each report
	recent, old int
}

// candidate is a member that may own something new, and how much it carries by this node's estimate.
type candidate struct {
	domain.Member

	load float64
}

// observe handles a new reading of the members. A member's new report contains what was chosen before the
// previous reading, and perhaps what was chosen since then.
func (b *balance) observe(members []domain.Member) {
	b.mu.Lock()
	defer b.mu.Unlock()
	known := make(map[string]*chosen, len(members))
	for _, m := range members {
		c := b.chosen[m.Node]
		switch {
		case c == nil:
			c = &chosen{expires: m.ExpiresAt}
		case !c.expires.Equal(m.ExpiresAt):
			c.expires, c.old, c.recent = m.ExpiresAt, c.recent, 0
		default:
			c.old, c.recent = c.old+c.recent, 0
		}
		known[m.Node] = c
	}
	b.chosen = known
}

// candidatesLocked are the members that accept new owners. The load of this node is known exactly. The load
// of another one is estimated from its last report and from what this node has chosen since: each member
// makes about as many choices as this one, because identities are divided among them evenly.
func (b *balance) candidatesLocked(members []domain.Member, self string, carries float64) (list []candidate, total float64) {
	for _, m := range members {
		c := candidate{Member: m, load: m.Load}
		if m.Node == self {
			c.load = carries
		}
		if c.load < 0 {
			continue
		}
		if given := b.chosen[m.Node]; given != nil && m.Node != self {
			c.load += float64(len(members) * (given.recent + given.old))
		}
		list = append(list, c)
		total += c.load
	}
	return list, total
}

// choose returns the member for an identity: the first one in the order of rendezvous hashing that
// carries no more than the mean and a tenth. at is the time since the node's start, and carries is what
// this node carries now. It returns false if no member takes new owners.
func (b *balance) choose(members []domain.Member, kind, identity, self string, carries float64, at time.Duration) (domain.Member, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	list, total := b.candidatesLocked(members, self, carries)
	if len(list) == 0 {
		return domain.Member{}, false
	}
	name := nameOf(kind, identity)
	switch age := at - b.began; {
	case age >= 2*remembersFor:
		b.young, b.old, b.began = nil, nil, at
	case age >= remembersFor || len(b.young) >= choicesMost:
		b.young, b.old, b.began = nil, b.young, at
	}
	node := b.young[name]
	if node == "" {
		node = b.old[name]
	}
	if i := slices.IndexFunc(list, func(c candidate) bool { return c.Node == node }); i >= 0 {
		return list[i].Member, true
	}
	most := math.Ceil((1 + slack) * (total + 1) / float64(len(list)))
	open := make([]domain.Member, 0, len(list))
	for _, c := range list {
		if c.load+1 <= most {
			open = append(open, c.Member)
		}
	}
	// There is always one: not all of them carry more than the mean.
	m, ok := owner(open, kind, identity)
	if !ok {
		return domain.Member{}, false
	}
	if c := b.chosen[m.Node]; c != nil {
		c.recent++
	}
	if b.young == nil {
		b.young = map[string]string{}
	}
	b.young[name] = m.Node
	return m, true
}

// surplus returns by how much this node carries more than its share; 0 if that is not clearly more, or if
// no other member carries at least two less.
func (b *balance) surplus(members []domain.Member, self string, carries float64) int {
	if carries < 0 {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	list, total := b.candidatesLocked(members, self, carries)
	least := carries
	for _, c := range list {
		least = min(least, c.load)
	}
	mean := total / float64(max(len(list), 1))
	if carries <= (1+slack)*mean || carries-least < 2 {
		return 0
	}
	return max(1, int(carries-mean))
}
