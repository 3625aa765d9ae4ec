package cluster

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	protocluster "github.com/asynkron/protoactor-go/cluster"

	"parley.dev/parley/domain"
)

const (
	placementName = "placement"
	// askTimeout bounds one question to another node's placement. It is short, and
	// no lock is held meanwhile: the library's own lookup held one for five seconds
	// and so stalled every lookup behind one dead node.
	askTimeout  = 500 * time.Millisecond
	homeTimeout = time.Second
)

// HomeFunc says on which node the owner of an identity lives, as its row says;
// empty when nobody owns it.
type HomeFunc func(ctx context.Context, identity string) (node string, err error)

// placement finds and makes activations. It is protoactor's IdentityLookup.
type placement struct {
	homes    map[string]HomeFunc
	members  *membership
	log      *slog.Logger
	cluster  *protocluster.Cluster
	pid      *actor.PID
	draining atomic.Bool
}

var _ protocluster.IdentityLookup = (*placement)(nil)

// Setup implements protocluster.IdentityLookup.
func (p *placement) Setup(c *protocluster.Cluster, _ []string, _ bool) {
	p.cluster = c
	props := actor.PropsFromFunc(p.receive)
	pid, err := c.ActorSystem.Root.SpawnNamed(props, placementName)
	if err != nil {
		// The name is taken only if Setup runs twice, which is a fault of ours.
		panic(err)
	}
	p.pid = pid
}

// Shutdown implements protocluster.IdentityLookup. The library calls it twice.
func (p *placement) Shutdown() { p.draining.Store(true) }

// RemovePid implements protocluster.IdentityLookup.
func (p *placement) RemovePid(id *protocluster.ClusterIdentity, pid *actor.PID) {
	p.cluster.PidCache.RemoveByValue(id.Identity, id.Kind, pid)
}

// Get implements protocluster.IdentityLookup: the pid of the owner, activated
// if need be. nil makes the caller try again.
func (p *placement) Get(id *protocluster.ClusterIdentity) *actor.PID {
	if !p.members.trusted() {
		return nil
	}
	name := id.AsKey()
	if _, ok := p.cluster.ActorSystem.ProcessRegistry.GetLocal(name); ok {
		return p.cluster.ActorSystem.NewLocalPID(name)
	}
	home, err := p.home(id)
	if err != nil {
		return nil
	}
	if m, ok := p.members.member(home); ok {
		pid, _ := p.ask(id, m)
		return pid
	}
	// Nobody owns it. A node that is going away refuses new owners while it still is
	// a member: then it is the next one's, on which all nodes agree as well.
	members := p.members.present()
	for len(members) > 0 {
		m, _ := owner(members, id.Kind, id.Identity)
		pid, refused := p.ask(id, m)
		if !refused {
			return pid
		}
		members = slices.DeleteFunc(members, func(x domain.Member) bool { return x.Node == m.Node })
	}
	return nil
}

// ask has a member activate an identity. Without an answer there is no pid, but
// that is no refusal: the activation may have been made.
func (p *placement) ask(id *protocluster.ClusterIdentity, m domain.Member) (pid *actor.PID, refused bool) {
	activator := actor.NewPID(m.Address, placementName)
	answer, err := p.cluster.ActorSystem.Root.RequestFuture(activator,
		&protocluster.ActivationRequest{ClusterIdentity: id, RequestId: ""}, askTimeout).Result()
	if err != nil {
		p.log.LogAttrs(context.Background(), slog.LevelDebug, "a node did not answer for an identity",
			slog.String("identity", id.AsKey()), slog.String("node", m.Node), slog.Any("error", err))
		return nil, false
	}
	typed, ok := answer.(*protocluster.ActivationResponse)
	if !ok {
		return nil, false
	}
	return typed.Pid, typed.Failed
}

// home is the node that owns the identity as its row says; empty for nobody.
func (p *placement) home(id *protocluster.ClusterIdentity) (string, error) {
	home, ok := p.homes[id.Kind]
	if !ok {
		return "", domain.Errorf(domain.CodeInternal, "no home for kind %s", id.Kind)
	}
	ctx, cancel := context.WithTimeout(context.Background(), homeTimeout)
	defer cancel()
	node, err := home(ctx, id.Identity)
	switch {
	case domain.CodeOf(err) == domain.CodeNotFound:
		// What is not there still gets an activation, which says so to the caller.
		return "", nil
	case err != nil:
		p.log.LogAttrs(ctx, slog.LevelWarn, "the owner of an identity could not be read",
			slog.String("identity", id.AsKey()), slog.Any("error", err))
	}
	return node, err
}

func (p *placement) receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case *protocluster.ActivationRequest:
		ctx.Respond(p.activate(msg.ClusterIdentity))
	case *actor.Started, *actor.Stopping, *actor.Stopped, *actor.Restarting:
	default:
		p.log.LogAttrs(context.Background(), slog.LevelWarn, "placement got a message it does not know",
			slog.String("type", actor.MessageName(msg)))
	}
}

// activate spawns the owner under its identity's name; the process registry is
// the one table of what lives here.
func (p *placement) activate(id *protocluster.ClusterIdentity) *protocluster.ActivationResponse {
	if !p.members.trusted() {
		return &protocluster.ActivationResponse{Failed: true}
	}
	if p.draining.Load() {
		// Who lives here goes on until it is handed over, and is still found.
		if _, ok := p.cluster.ActorSystem.ProcessRegistry.GetLocal(id.AsKey()); ok {
			return &protocluster.ActivationResponse{Pid: p.cluster.ActorSystem.NewLocalPID(id.AsKey())}
		}
		return &protocluster.ActivationResponse{Failed: true}
	}
	kind, ok := p.cluster.TryGetClusterKind(id.Kind)
	if !ok {
		return &protocluster.ActivationResponse{Failed: true}
	}
	pid, err := p.cluster.ActorSystem.Root.SpawnNamed(protocluster.WithClusterIdentity(kind.Props, id), id.AsKey())
	if err != nil && !errors.Is(err, actor.ErrNameExists) {
		p.log.LogAttrs(context.Background(), slog.LevelError, "an owner could not be started",
			slog.String("identity", id.AsKey()), slog.Any("error", err))
		return &protocluster.ActivationResponse{Failed: true}
	}
	return &protocluster.ActivationResponse{Pid: pid}
}
