package cluster

import (
	"context"
	"errors"
	"log/slog"
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
	target, ok := p.target(id)
	if !ok {
		return nil
	}
	activator := actor.NewPID(target.Address, placementName)
	answer, err := p.cluster.ActorSystem.Root.RequestFuture(activator,
		&protocluster.ActivationRequest{ClusterIdentity: id, RequestId: ""}, askTimeout).Result()
	if err != nil {
		p.log.LogAttrs(context.Background(), slog.LevelDebug, "a node did not answer for an identity",
			slog.String("identity", name), slog.String("node", target.Node), slog.Any("error", err))
		return nil
	}
	typed, ok := answer.(*protocluster.ActivationResponse)
	if !ok || typed.Failed {
		return nil
	}
	return typed.Pid
}

// target is the living member that owns the identity, else the one it belongs to.
func (p *placement) target(id *protocluster.ClusterIdentity) (domain.Member, bool) {
	home, ok := p.homes[id.Kind]
	if !ok {
		return domain.Member{}, false
	}
	ctx, cancel := context.WithTimeout(context.Background(), homeTimeout)
	defer cancel()
	node, err := home(ctx, id.Identity)
	if err != nil {
		if domain.CodeOf(err) != domain.CodeNotFound {
			p.log.LogAttrs(ctx, slog.LevelWarn, "the owner of an identity could not be read",
				slog.String("identity", id.AsKey()), slog.Any("error", err))
			return domain.Member{}, false
		}
		// What is not there still gets an activation, which says so to the caller.
		node = ""
	}
	if m, ok := p.members.member(node); ok {
		return m, true
	}
	return owner(p.members.living(), id.Kind, id.Identity)
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
	if p.draining.Load() || !p.members.trusted() {
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
