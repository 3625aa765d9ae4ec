// Package nodetest joins the actor systems of several nodes within one process,
// for tests that run with the race detector: protoactor's own remote sets a logger
// of grpc's for the whole process each time one is started, which is a race.
//
// What goes from one system to another is encoded and decoded as on the real wire,
// in the order in which it was sent, and as late as there: the sender has long gone
// on when its message is encoded. A direction between two nodes can be held, so
// that what is sent waits, or cut, so that it is lost without a word.
package nodetest

import (
	"fmt"
	"net"
	"sync"
	"testing"

	"github.com/asynkron/protoactor-go/actor"
)

// Network is what the nodes of one test have in common.
type Network struct {
	tb testing.TB

	// mu guards all that follows, of the links as well.
	mu     sync.Mutex
	closed bool
	ports  map[string]*Port // by address, of nodes that run
	links  map[pair]*link   // by the names of the nodes
}

// pair is a direction between two nodes, by their names.
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

// Port gives a node its place in the network. It is the node's transport.
func (n *Network) Port(name string) *Port {
	return &Port{network: n, name: name, watched: map[string]*actor.PIDSet{}}
}

// Cut loses everything that goes from one node to another from now on.
func (n *Network) Cut(from, to string) { n.set(from, to, cut) }

// Hold keeps what goes from one node to another until the direction is healed.
func (n *Network) Hold(from, to string) { n.set(from, to, held) }

// Heal lets a direction go on, with what was held.
func (n *Network) Heal(from, to string) { n.set(from, to, open) }

// Apart cuts both directions between two nodes; Together heals them.
func (n *Network) Apart(a, b string) { n.Cut(a, b); n.Cut(b, a) }

// Together heals both directions between two nodes.
func (n *Network) Together(a, b string) { n.Heal(a, b); n.Heal(b, a) }

// Sent is how many messages have gone from one node to another, lost ones included.
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

// state is what happens to what is sent in one direction.
type state uint8

const (
	open state = iota
	held
	cut
)

// parcel is a message on its way, which is not encoded yet.
type parcel struct {
	from, to *Port
	target   *actor.PID
	sender   *actor.PID
	header   map[string]string
	message  any
}

// link carries one direction, one message after the other. The network's lock guards it.
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

// fail has the test fail, as long as it runs.
func (n *Network) fail(err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.closed {
		n.tb.Error(err)
	}
}

// listen takes an address of the loopback that refuses connections once it is given
// up, as that of a process that has ended. Nobody answers there.
func listen() (net.Listener, error) {
	return net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it does not wait
}
