package cluster

import (
	"slices"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/remote"

	"parley.dev/parley/domain"
)

// A connection to another node that breaks is the first sign that its process has ended. It proves nothing, so
// no lease is ended because of it (dead.go). But then the table is read four times a second for a while, instead of
// once. So the loss of a killed node is known half a second sooner: with the default lease 1.1 s after its end on
// average and 1.8 s at most, instead of 1.6 s and 2.5 s.

// hastens is how long the readings of the table follow each other quickly after a connection broke: long enough
// for the renewal of a node that has gone to be late.
func (m *membership) hastens() time.Duration { return m.lease / 2 }

// watchConnections makes a connection that breaks hasten the readings, until the returned function is called.
func (m *membership) watchConnections(system *actor.ActorSystem) (stop func()) {
	// Without a predicate: the library sets one without a lock, while others publish.
	s := system.EventStream.Subscribe(func(event any) {
		if e, ok := event.(*remote.EndpointTerminatedEvent); ok {
			m.broke(e.Address)
		}
	})
	return func() { system.EventStream.Unsubscribe(s) }
}

// broke tells the loop that a connection to a living member broke. It never waits: the library calls it from the
// goroutine of that connection.
func (m *membership) broke(address string) {
	members := m.present()
	at := slices.IndexFunc(members, func(x domain.Member) bool { return x.Address == address && x.Node != m.self.Node })
	if at < 0 {
		return
	}
	select {
	case m.broken <- members[at].Node:
	default: // the loop reads quickly already, because of the nodes that wait in the channel
	}
}

// hasten begins a time of quick readings because of a node, unless it has just done so: where the network to a
// living node is cut, its connection breaks again with each try.
func (m *membership) hasten(node string) {
	now := m.elapsed()
	for other, at := range m.hastened {
		if now-at >= m.hastens()+m.lease {
			delete(m.hastened, other)
		}
	}
	if _, just := m.hastened[node]; !just {
		m.hastened[node], m.hasteUntil = now, now+m.hastens()
	}
}

// hastening reports whether readings follow each other quickly now.
func (m *membership) hastening() bool { return m.elapsed() < m.hasteUntil }
