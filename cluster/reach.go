package cluster

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// silentAfter is how many pings in a row without an answer make a member silent. Members are
// pinged with each read of the table, once a second.
const silentAfter = 2

// reach knows which of the living members answer this node. If the network between two nodes
// fails, both are alive according to the table, but the actors of one cannot be reached from
// the other.
type reach struct {
	clock  clock.Clock
	log    *slog.Logger
	self   string
	system *actor.ActorSystem // set before the first ask; with nil no member is pinged

	asking sync.WaitGroup
	// mu guards the fields below.
	mu sync.Mutex
	// busy is set while a round waits for its answers.
	busy bool
	// missed are the unanswered pings of each member that has any.
	missed map[string]*missed
	// lapses counts all unanswered pings of each member that has had any.
	lapses map[string]int64
}

type missed struct {
	name  string
	times int
	since time.Time
}

// ask pings every other member, and forgets members that have left.
func (r *reach) ask(members []domain.Member) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for node := range r.lapses {
		if !slices.ContainsFunc(members, func(m domain.Member) bool { return m.Node == node }) {
			delete(r.missed, node)
			delete(r.lapses, node)
		}
	}
	if r.busy || r.system == nil {
		return
	}
	r.busy = true
	r.asking.Add(1)
	go r.round(slices.Clone(members))
}

// round waits for the answers, outside of the membership's loop, which must renew the lease.
func (r *reach) round(members []domain.Member) {
	defer r.asking.Done()
	began := r.clock.Now()
	answers := make(map[string]actor.Future, len(members))
	for _, m := range members {
		if m.Node != r.self {
			// The library answers a Touch for every actor.
			answers[m.Node] = r.system.Root.RequestFuture(actor.NewPID(m.Address, placementName), &actor.Touch{}, askTimeout)
		}
	}
	for _, m := range members {
		if f := answers[m.Node]; f != nil {
			_, err := f.Result()
			r.heard(m, err == nil, began)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.busy = false
}

// heard records whether a member has answered the ping that was sent at a time.
func (r *reach) heard(m domain.Member, answered bool, at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	x := r.missed[m.Node]
	if !answered {
		if r.lapses == nil {
			r.lapses = map[string]int64{}
		}
		r.lapses[m.Node]++
	}
	switch {
	case answered && x != nil:
		delete(r.missed, m.Node)
		if x.times >= silentAfter {
			r.log.LogAttrs(context.Background(), slog.LevelInfo, "a node answers again",
				slog.String("node", m.Node), slog.Duration("after", r.clock.Now().Sub(x.since)))
		}
	case answered:
	case x == nil:
		if r.missed == nil {
			r.missed = map[string]*missed{}
		}
		r.missed[m.Node] = &missed{name: m.Name, times: 1, since: at}
	default:
		x.times++
		if x.times == silentAfter {
			r.log.LogAttrs(context.Background(), slog.LevelWarn, "a node that lives does not answer: is the network between the nodes cut?",
				slog.String("node", m.Node), slog.String("address", m.Address))
		}
	}
}

// silent reports whether a member does not answer.
func (r *reach) silent(node string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	x := r.missed[node]
	return x != nil && x.times >= silentAfter
}

// answers returns how many pings of a member were not answered so far, and whether the last one
// was.
func (r *reach) answers(node string) (lapses int64, now bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lapses[node], r.missed[node] == nil
}

// names returns the names of the silent members, in order.
func (r *reach) names() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var names []string
	for _, x := range r.missed {
		if x.times >= silentAfter {
			names = append(names, x.name)
		}
	}
	slices.Sort(names)
	return names
}

// nodes returns the ids of the silent members, in order.
func (r *reach) nodes() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	nodes := []string{}
	for node, x := range r.missed {
		if x.times >= silentAfter {
			nodes = append(nodes, node)
		}
	}
	slices.Sort(nodes)
	return nodes
}

// wait returns when no round is running any more.
func (r *reach) wait() { r.asking.Wait() }
