// Package nodetest connects the actor systems of several nodes within one process,
// for tests that run with the race detector: protoactor's own remote sets the logger
// of grpc for the whole process each time it is started, which is a race.
//
// Messages from one system to another are encoded and decoded as on a real network,
// in the order in which they were sent. As there, they are encoded later, in another
// goroutine than the sender's. A direction between two nodes can be held, so that
// messages wait, or cut, so that they are lost without an error.
package nodetest

import (
	"fmt"
	"net"
	"sync"
	"testing"

	"github.com/asynkron/protoactor-go/actor"
)

// Network connects the nodes of one test.
type Network struct {
	tb testing.TB

	// mu guards the fields below, and the fields of the links.
	mu     sync.Mutex
	closed bool
	ports  map[string]*Port // nodes that run, by address
	links  map[pair]*link
}

// pair is a direction between two nodes, with their names.
type pair struct{ from, to string }

// New makes a network that ends with the test.
func New(tb testing.TB) *Network {
	tb.Helper()
	n := &Network{tb: tb, ports: map[string]*Port{}, links: map[pair]*link{}}
	tb.Cleanup(func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.closed = true
		for _, l := range n.links {
			l.queue = nil
		}
	})
	return n
}

// Port makes the transport of a node, which connects it to the network.
func (n *Network) Port(name string) *Port {
	return &Port{network: n, name: name, watched: map[string]*actor.PIDSet{}}
}

// Cut drops all messages from one node to another from now on.
func (n *Network) Cut(from, to string) { n.set(from, to, cut) }

// Hold keeps the messages from one node to another until Heal is called.
func (n *Network) Hold(from, to string) { n.set(from, to, held) }

// Heal opens a direction again. Messages that were held are delivered first.
func (n *Network) Heal(from, to string) { n.set(from, to, open) }

// Apart cuts both directions between two nodes; Together heals them.
func (n *Network) Apart(a, b string) { n.Cut(a, b); n.Cut(b, a) }

// Together heals both directions between two nodes.
func (n *Network) Together(a, b string) { n.Heal(a, b); n.Heal(b, a) }

// Sent is the number of messages that were sent from one node to another, including lost ones.
func (n *Network) Sent(from, to string) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.link(from, to).sent
}

func (n *Network) set(from, to string, s state) {
	n.mu.Lock()
	defer n.mu.Unlock()
	l := n.link(from, to)
	l.state = s
	if s == cut {
		l.queue = nil
	}
	l.wakeLocked()
}

func (n *Network) link(from, to string) *link {
	p := pair{from, to}
	l := n.links[p]
	if l == nil {
		l = &link{network: n, pair: p}
		n.links[p] = l
	}
	return l
}

// state is what happens to messages in one direction.
type state uint8

const (
	open state = iota
	held
	cut
)

// parcel is a message in transit, which is not encoded yet.
type parcel struct {
	from, to *Port
	target   *actor.PID
	sender   *actor.PID
	header   map[string]string
	message  any
}

// link delivers the messages of one direction, one after the other. The network's lock guards it.
type link struct {
	network *Network
	pair    pair
	state   state
	queue   []parcel
	running bool
	sent    int
}

func (l *link) wakeLocked() {
	if l.state == open && !l.running && len(l.queue) > 0 {
		l.running = true
		go l.run()
	}
}

func (l *link) run() {
	for {
		l.network.mu.Lock()
		if l.state != open || len(l.queue) == 0 {
			l.running = false
			l.network.mu.Unlock()
			return
		}
		p := l.queue[0]
		l.queue = l.queue[1:]
		l.network.mu.Unlock()
		if err := p.deliver(); err != nil {
			l.network.fail(fmt.Errorf("from %s to %s: %w", l.pair.from, l.pair.to, err))
		}
	}
}

// fail makes the test fail, unless it has already ended.
func (n *Network) fail(err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.closed {
		n.tb.Error(err)
	}
}

// listen reserves a loopback address, at which nobody answers. After the listener is closed
// the address refuses connections, like the address of a process that has ended.
func listen() (net.Listener, error) {
	return net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it does not wait
}
