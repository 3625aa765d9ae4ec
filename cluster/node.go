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
	protocluster "github.com/asynkron/protoactor-go/cluster"
	"github.com/asynkron/protoactor-go/remote"
	"github.com/google/uuid"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/startstop"
)

// Config of a node. All fields but Clock, Load, Lease and Address must be given.
type Config struct {
	// Name is the same after a restart and unique in the cluster.
	Name string
	// Address to listen on for other nodes; empty means loopback and any port.
	Address string
	// Members keeps the membership table and the cluster's authority.
	Members domain.MemberStore
	// Kinds are the virtual actors that live here.
	Kinds []*protocluster.Kind
	// Homes says where the owner of an identity lives, for each kind.
	Homes map[string]HomeFunc
	// OnFenced is called once, from a goroutine of its own, when this node must
	// exit at once: others may own what it owns.
	OnFenced func(reason string)
	// Load of this node for the membership table; nil means always 0.
	Load   func() float64
	Logger *slog.Logger
	// Lease is how long the others believe in a node that says nothing; 0 means 6 s.
	Lease time.Duration
	// Clock is nil for the machine's.
	Clock clock.Clock
}

func (c *Config) mustValidate() {
	switch {
	case c.Name == "":
		panic("cluster: Config.Name is required")
	case c.Members == nil, c.OnFenced == nil, c.Logger == nil, c.Homes == nil:
		panic("cluster: Config.Members, OnFenced, Homes and Logger are required")
	}
	for _, k := range c.Kinds {
		if c.Homes[k.Kind] == nil {
			panic("cluster: no home for kind " + k.Kind)
		}
	}
	if c.Clock == nil {
		c.Clock = clock.System{}
	}
	if c.Load == nil {
		c.Load = func() float64 { return 0 }
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

// Node is this process in the cluster.
type Node struct {
	config     Config
	system     *actor.ActorSystem
	cluster    *protocluster.Cluster
	membership *membership
	placement  *placement
	life       startstop.Guard
}

// New prepares a node on an actor system, which takes the node's id as its
// own. It reads or makes the cluster's authority; nothing listens before Start.
func New(ctx context.Context, system *actor.ActorSystem, config Config) (*Node, error) {
	config.mustValidate()
	host, port, err := splitAddress(config.Address)
	if err != nil {
		return nil, err
	}
	incarnation := uuid.Must(uuid.NewV7())
	self := domain.Member{Node: config.Name + "@" + incarnation.String(), Name: config.Name, Incarnation: incarnation}
	system.ID = self.Node

	cert, key, err := config.Members.Authority(ctx, func() ([]byte, []byte, error) { return newAuthority(config.Clock.Now()) })
	if err != nil {
		return nil, fmt.Errorf("read the cluster's authority: %w", err)
	}
	issuer, err := newIssuer(cert, key, config.Clock)
	if err != nil {
		return nil, err
	}
	n := &Node{config: config, system: system}
	n.membership = newMembership(&n.config, self)
	n.placement = &placement{homes: config.Homes, members: n.membership, log: config.Logger}
	remoteConfig := remote.Configure(host, port,
		//nolint:contextcheck // the interceptors get the context of each call
		remote.WithServerOptions(serverOptions(issuer, config.Logger)...),
		remote.WithDialOptions(dialOptions(issuer)...),
		remote.WithEndpointWriterBatchSize(writerBatch),
		// The queue to another node is bounded: a million messages, as by default,
		// would be gigabytes while a node is away.
		remote.WithEndpointWriterQueueSize(64<<10),
	)
	n.cluster = protocluster.New(system, protocluster.Configure("parley", n.membership, n.placement, remoteConfig,
		protocluster.WithKinds(config.Kinds...),
		// Our lease alone decides who is dead; gossip must not block a member for ever.
		protocluster.WithHeartbeatExpiration(100*365*24*time.Hour),
	))
	return n, nil
}

// ID is the node's id in the membership table.
func (n *Node) ID() string { return n.membership.self.Node }

// Cluster is protoactor's, for requests to virtual actors.
func (n *Node) Cluster() *protocluster.Cluster { return n.cluster }

// Trusted tells whether the node may take calls: its lease is fresh.
func (n *Node) Trusted() bool { return n.membership.trusted() }

// AddressOf gives the address of a living node; ok is false for others.
func (n *Node) AddressOf(node string) (address string, ok bool) {
	m, ok := n.membership.member(node)
	return m.Address, ok
}

// Members are the living ones as this node last saw them.
func (n *Node) Members() []domain.Member { return n.membership.living() }

// Start listens and joins the cluster. One that fails leaves nothing behind, and is
// final; a second one does nothing. An address that is not free is an error that names it.
func (n *Node) Start() error {
	return n.life.Start(n.start)
}

// start turns the panics of the library, which cannot listen or join, into errors.
func (n *Node) start() (err error) {
	// Of the first address that the system has, the one it begins to listen on differs.
	before := n.system.Address()
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		err = fmt.Errorf("start the cluster node on %s: %v", n.config.Address, r)
		if n.system.Address() != before {
			err = errors.Join(err, n.leave())
		}
	}()
	n.cluster.StartMember()
	return nil
}

// Drain makes the node refuse new owners; what runs here goes on.
func (n *Node) Drain() { n.placement.draining.Store(true) }

// Stop leaves the cluster and closes its listener. Safe to call twice, and without
// Start; the owners must have been stopped before.
func (n *Node) Stop() error {
	n.Drain()
	return n.life.Stop(n.leave)
}

func (n *Node) leave() error {
	err := n.membership.Shutdown(true)
	n.cluster.Gossip.Shutdown()
	n.cluster.Remote.Shutdown(false)
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
