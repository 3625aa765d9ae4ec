package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/startstop"
)

// Config of a node. All fields but Balanced, Clock, Load, Report, OnDrain, Lease, Address, Advertise and Transport must
// be given.
type Config struct {
	// Name is the same after a restart and unique in the cluster.
	Name string
	// Address to listen on for other nodes; empty means loopback and any port.
	Address string
	// Advertise is the address at which other nodes reach this one, host:port, if it is not
	// Address: behind a translation of addresses, or a proxy. Empty means Address.
	Advertise string
	// Members keeps the membership table and the cluster's authority.
	Members domain.MemberStore
	// Kinds are the virtual actors of this node.
	Kinds map[string]*actor.Props
	// Homes finds the node of an identity's owner, for each kind of actor.
	Homes map[string]HomeFunc
	// OnFenced is called once, in its own goroutine, when this node must exit at once:
	// other nodes may own what it owns.
	OnFenced func(reason string)
	// OnDrain is called once, in the goroutine of the lease, when an operator has asked this node to
	// drain. It must be quick. Nil ignores the request.
	OnDrain func()
	// Report fills in the figures of this node for operators; nil means none. The cluster adds what
	// it knows itself. It must be quick.
	Report func(*domain.NodeReport)
	// Load is what this node carries, for the membership table; nil means always 0. New owners of the
	// kinds in Balanced are placed on nodes that carry less, all others by their identity alone.
	Load     func() float64
	Balanced []string
	Logger   *slog.Logger
	// Lease is how long the others wait for a node that does not renew; 0 means 6 s.
	Lease time.Duration
	// Clock is nil for the machine's.
	Clock clock.Clock
	// Transport is nil for gRPC with mutual TLS on Address.
	Transport Transport
}

// Transport carries messages between the actor systems of nodes.
type Transport interface {
	// Start gives the system its address (host:port) and begins to carry messages.
	Start(system *actor.ActorSystem) error
	// Lost notifies the watchers of actors at an address that these actors have terminated.
	Lost(address string)
	// Stop ends it. It may be called without Start.
	Stop()
}

func (c *Config) mustValidate() {
	switch {
	case c.Name == "":
		panic("cluster: Config.Name is required")
	case c.Members == nil, c.OnFenced == nil, c.Logger == nil, c.Homes == nil:
		panic("cluster: Config.Members, OnFenced, Homes and Logger are required")
	}
	for kind := range c.Kinds {
		if c.Homes[kind] == nil {
			panic("cluster: no home for kind " + kind)
		}
	}
	if c.Clock == nil {
		c.Clock = clock.System{}
	}
	if c.Load == nil {
		c.Load = func() float64 { return 0 }
	}
	if c.OnDrain == nil {
		c.OnDrain = func() {}
	}
	if c.Lease < 0 {
		panic("cluster: Config.Lease is negative")
	}
	if c.Lease == 0 {
		c.Lease = defaultLease
	}
	if c.Address == "" {
		c.Address = "127.0.0.1:0"
	}
}

// Node is this process as a node of the cluster.
type Node struct {
	config     Config
	system     *actor.ActorSystem
	transport  Transport
	membership *membership
	placement  *placement
	losses     losses
	life       startstop.Guard
}

// New prepares a node on an actor system, which gets the node's id. It reads or creates the
// cluster's certificate authority; nothing listens before Start.
func New(ctx context.Context, system *actor.ActorSystem, config Config) (*Node, error) {
	config.mustValidate()
	incarnation := uuid.Must(uuid.NewV7())
	self := domain.Member{Node: config.Name + "@" + incarnation.String(), Name: config.Name, Incarnation: incarnation}
	system.ID = self.Node
	n := &Node{config: config, system: system, transport: config.Transport}
	if n.transport == nil {
		var err error
		if n.transport, err = newGRPC(ctx, &n.config); err != nil {
			return nil, err
		}
	}
	n.membership = newMembership(&n.config, self)
	n.placement = newPlacement(&n.config, system, n.membership)
	n.membership.draining = n.placement.draining.Load
	n.membership.lost = func(m domain.Member) {
		n.transport.Lost(m.Address)
		n.placement.remembered.forgetNode(m.Address)
		n.losses.wake()
	}
	return n, nil
}

// ID is the node's id in the membership table.
func (n *Node) ID() string { return n.membership.self.Node }

// Lost returns a channel that is closed when the next member is lost. By then nothing is placed on it
// any more.
func (n *Node) Lost() <-chan struct{} { return n.losses.wait() }

// Trusted reports whether the node may accept calls: its lease was renewed recently.
func (n *Node) Trusted() bool { return n.membership.trusted() }

// Known reports whether the other nodes place new owners on this one, which is some 1.25 s after Start; at once if
// there was no other node. It may be called from the end of Start on.
func (n *Node) Known() bool { return n.membership.known() }

// AddressOf returns the address of a living node; ok is false if the node is not alive.
func (n *Node) AddressOf(node string) (address string, ok bool) {
	m, ok := n.membership.member(node)
	return m.Address, ok
}

// Members returns the living members as this node has last read them.
func (n *Node) Members() []domain.Member { return n.membership.living() }

// Silent returns the ids of the living members that do not answer this node, in order.
func (n *Node) Silent() []string { return n.membership.reach.nodes() }

// SilentNames returns the names of the living members that do not answer this node, in order.
func (n *Node) SilentNames() []string { return n.membership.reach.names() }

// LeaseAge returns how long ago this node began the last renewal that succeeded.
func (n *Node) LeaseAge() time.Duration { return n.membership.sinceRenewal() }

// EndedEarly returns how many leases of lost nodes this node has ended early.
func (n *Node) EndedEarly() int64 { return n.membership.endedEarly.Load() }

// Fences returns how often this node was fenced: once at most, because the process ends then.
func (n *Node) Fences() int64 { return n.membership.fences.Load() }

// ClockAhead returns how far the database's clock was ahead of this machine's when the members were
// read last; negative if it was behind.
func (n *Node) ClockAhead() time.Duration { return time.Duration(n.membership.ahead.Load()) }

// Placements returns how often members, this node among them, were asked for the owner of an
// identity: how often they named one, how often they refused, and how often no answer came.
func (n *Node) Placements() (named, refusals, silences int64) {
	o := &n.placement.outcomes
	return o[found].Load(), o[refused].Load(), o[silence].Load()
}

// Surplus returns by how many this node carries more than its share, as far as the members' reports say;
// 0 if that is not clearly more. What is released then and located again finds a node that carries less.
func (n *Node) Surplus() int { return n.membership.surplus() }

// Locate returns the owner of an identity, which it activates if there is none. If it returns
// nil, silent says that the owner's node does not answer; otherwise the owner is about to
// move, and the caller should try again a moment later.
func (n *Node) Locate(kind, identity string) (pid *actor.PID, silent bool) {
	return n.placement.locate(kind, identity)
}

// Find is Locate with a cache. A caller that gets no answer from the address calls Forget.
func (n *Node) Find(kind, identity string) (pid *actor.PID, silent bool) {
	return n.placement.find(kind, identity)
}

// Take activates on this node an identity whose owner is on a node that does not answer
// this one. The claim in the store decides which of the two may write, as always. It
// returns false if the owner's node answers again, or if this node may not own.
func (n *Node) Take(kind, identity string) bool { return n.placement.take(kind, identity) }

// Answers returns how many pings of the node at an address were not answered so far, and
// whether the last one was. A message that was sent before a ping without an answer may be lost.
func (n *Node) Answers(address string) (lapses int64, now bool) {
	for _, m := range n.membership.living() {
		if m.Address == address {
			return n.membership.reach.answers(m.Node)
		}
	}
	return 0, false
}

// Forget drops the cached owner of an identity.
func (n *Node) Forget(kind, identity string) { n.placement.remembered.forget(nameOf(kind, identity)) }

// Start listens and joins the cluster; the context is only for joining. A failed start leaves
// nothing running, and is final; a second call does nothing. If the address is not free, the
// error names it.
func (n *Node) Start(ctx context.Context) error {
	return n.life.Start(func() error {
		if err := n.transport.Start(n.system); err != nil {
			return fmt.Errorf("start the cluster node on %s: %w", n.config.Address, err)
		}
		err := n.placement.start()
		if err == nil {
			err = n.membership.start(ctx, n.system)
		}
		if err != nil {
			return errors.Join(fmt.Errorf("start the cluster node on %s: %w", n.config.Address, err), n.leave(context.WithoutCancel(ctx)))
		}
		return nil
	})
}

// Drain makes the node refuse new owners; the present owners continue.
func (n *Node) Drain() { n.placement.draining.Store(true) }

// Stop leaves the cluster and closes its listener. It may be called twice, and without
// Start; the owners must have been stopped before.
func (n *Node) Stop() error {
	n.Drain()
	return n.life.Stop(func() error { return n.leave(context.Background()) })
}

func (n *Node) leave(ctx context.Context) error {
	err := n.membership.shutdown(ctx)
	n.transport.Stop()
	n.system.Shutdown()
	return err
}

func splitAddress(address string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return "", 0, fmt.Errorf("the cluster address %q is not host:port: %w", address, err)
	}
	if host == "" {
		return "", 0, fmt.Errorf("the cluster address %q names no host: nodes do not listen on all interfaces by default", address)
	}
	port, err = strconv.Atoi(text)
	if err != nil {
		return "", 0, fmt.Errorf("the port of the cluster address %q is not a number", address)
	}
	return host, port, nil
}
