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
	// askTimeout is the time limit of one request to another node's placement. It is short,
	// and no lock is held meanwhile: the library's own lookup held one for five seconds, so
	// that one dead node stalled every lookup.
	askTimeout  = 500 * time.Millisecond
	homeTimeout = time.Second
	// chooseFirst, as the id of a request, asks a member to choose the owner's node by the loads and
	// to pass the request on to it. Without it, and by a node of an earlier release, the owner is
	// activated by the member that is asked.
	chooseFirst = "choose"
)

// HomeFunc returns the node of an identity's owner, from its row; empty if there is no owner.
type HomeFunc func(ctx context.Context, identity string) (node string, err error)

// placement finds and creates activations.
type placement struct {
	homes      map[string]HomeFunc
	kinds      map[string]*actor.Props
	balanced   map[string]bool // the kinds that are placed by the loads of the members
	members    *membership
	log        *slog.Logger
	system     *actor.ActorSystem
	remembered remembered
	draining   atomic.Bool
	// outcomes counts the answers of members about identities, by reply.
	outcomes [silence + 1]atomic.Int64
}

func newPlacement(c *Config, system *actor.ActorSystem, m *membership) *placement {
	p := &placement{homes: c.Homes, kinds: c.Kinds, members: m, log: c.Logger, system: system, balanced: map[string]bool{}}
	for _, kind := range c.Balanced {
		p.balanced[kind] = true
	}
	return p
}

// start begins to answer other nodes.
func (p *placement) start() error {
	if _, err := p.system.Root.SpawnNamed(actor.PropsFromFunc(p.receive), placementName); err != nil {
		return domain.Internal(err, "start the placement")
	}
	return nil
}

// nameOf is the name of the actor that owns an identity.
func nameOf(kind, identity string) string { return kind + "/" + identity }

// find returns the cached owner, else the one that locate finds. A node that is not trusted
// returns nothing, because its cached owners may have moved.
func (p *placement) find(kind, identity string) (pid *actor.PID, silent bool) {
	if !p.members.trusted() {
		return nil, false
	}
	name := nameOf(kind, identity)
	if _, ok := p.system.ProcessRegistry.GetLocal(name); ok {
		return p.system.NewLocalPID(name), false
	}
	if pid := p.remembered.get(name); pid != nil {
		return pid, false
	}
	pid, silent = p.locate(kind, identity)
	if pid != nil && pid.Address != p.system.Address() {
		p.remembered.set(name, pid)
	}
	return pid, silent
}

// locate returns the owner, which it activates if there is none.
func (p *placement) locate(kind, identity string) (pid *actor.PID, silent bool) {
	if !p.members.trusted() {
		return nil, false
	}
	name := nameOf(kind, identity)
	if _, ok := p.system.ProcessRegistry.GetLocal(name); ok {
		return p.system.NewLocalPID(name), false
	}
	id := protocluster.NewClusterIdentity(identity, kind)
	members := p.members.present()
	if len(members) == 1 && members[0].Node == p.members.self.Node {
		// No other node could be asked, even if the row named one. So a node that is alone
		// needs no query here, which saves two of the six round trips of an arriving client.
		pid, _ := p.ask(id, members[0])
		return pid, false
	}
	home, err := p.home(kind, identity)
	if err != nil {
		return nil, false
	}
	if m, ok := p.members.alive(home); ok {
		pid, what := p.ask(id, m)
		return pid, what == silence
	}
	// There is no owner.
	if p.balanced[kind] {
		pid, what := p.placeByLoad(id)
		if pid != nil {
			return pid, false
		}
		if what == silence {
			if pid, silent, owned := p.ownedMeanwhile(id); owned {
				return pid, silent
			}
		}
	}
	// A draining node refuses new owners while it is still a member:
	// then the next member in the order is used, on which all nodes agree as well. The same
	// holds for a node that does not answer. That node may have made the activation
	// nevertheless; then the activation that claims first is the owner, and the other one ends.
	for members = p.members.present(); len(members) > 0; {
		m, _ := owner(members, kind, identity)
		pid, what := p.ask(id, m)
		if what == silence && !p.members.reach.silent(m.Node) {
			pid, what = p.ask(id, m)
		}
		switch what {
		case found:
			return pid, false
		case silence:
			if pid, silent, owned := p.ownedMeanwhile(id); owned {
				return pid, silent
			}
		case refused:
		}
		members = slices.DeleteFunc(members, func(x domain.Member) bool { return x.Node == m.Node })
	}
	return nil, false
}

// ownedMeanwhile reads the row again after a member has not answered. Its timeout has taken half a second, in which
// another node may have placed the identity, and an activation here would fence an owner whose turn runs. It also
// returns owned if the row cannot be read.
func (p *placement) ownedMeanwhile(id *protocluster.ClusterIdentity) (pid *actor.PID, silent, owned bool) {
	home, err := p.home(id.Kind, id.Identity)
	if err != nil {
		return nil, false, true
	}
	m, ok := p.members.alive(home)
	if !ok {
		return nil, false, false
	}
	pid, what := p.ask(id, m)
	return pid, what == silence, true
}

// placeByLoad asks one member to choose the owner's node. All nodes agree on that member, so that all that
// ask for a new identity at the same time get the same answer. It returns nil if no owner was found; then
// that member, or the next one, becomes the owner itself.
func (p *placement) placeByLoad(id *protocluster.ClusterIdentity) (*actor.PID, reply) {
	m, ok := owner(p.members.present(), id.Kind, id.Identity)
	if !ok {
		return nil, refused
	}
	if m.Node != p.members.self.Node {
		return p.answered(id, m, chooseFirst)
	}
	chosen, ok := p.choose(id)
	if !ok {
		return nil, refused
	}
	return p.ask(id, chosen)
}

// choose returns the member that should own a new identity, as far as this node knows. A member that
// does not answer this node is no choice.
func (p *placement) choose(id *protocluster.ClusterIdentity) (domain.Member, bool) {
	members := slices.DeleteFunc(p.members.present(), func(m domain.Member) bool { return p.members.reach.silent(m.Node) })
	return p.members.balance.choose(members, id.Kind, id.Identity, p.members.self.Node, p.members.carries(), p.members.elapsed())
}

// take activates an identity here although its row names a living member, because that
// member does not answer this node.
func (p *placement) take(kind, identity string) bool {
	home, err := p.home(kind, identity)
	if err != nil {
		return false
	}
	m, ok := p.members.lives(home)
	if !ok || m.Node == p.members.self.Node || !p.members.reach.silent(m.Node) {
		return false
	}
	name := nameOf(kind, identity)
	if _, there := p.system.ProcessRegistry.GetLocal(name); !there {
		if p.activate(protocluster.NewClusterIdentity(identity, kind)).Failed {
			return false
		}
		p.log.LogAttrs(context.Background(), slog.LevelWarn, "taken over from a node that lives and does not answer",
			slog.String("identity", name), slog.String("node", m.Node))
	}
	p.remembered.forget(name)
	return true
}

// reply is the answer of a member about an identity.
type reply uint8

const (
	found reply = iota
	refused
	silence
)

// ask asks a member to activate an identity. It does not wait for a member that is known to be
// silent: reach finds out whether that member answers again.
func (p *placement) ask(id *protocluster.ClusterIdentity, m domain.Member) (*actor.PID, reply) {
	return p.answered(id, m, "")
}

// answered is ask with the id of the request, and counts the answer.
func (p *placement) answered(id *protocluster.ClusterIdentity, m domain.Member, request string) (*actor.PID, reply) {
	pid, what := p.askMember(id, m, request)
	p.outcomes[what].Add(1)
	return pid, what
}

func (p *placement) askMember(id *protocluster.ClusterIdentity, m domain.Member, request string) (*actor.PID, reply) {
	if m.Node == p.members.self.Node {
		// Without a message to the placement's actor: spawning is safe from any goroutine.
		if answer := p.activate(id); !answer.Failed {
			return answer.Pid, found
		}
		return nil, refused
	}
	if p.members.reach.silent(m.Node) {
		return nil, silence
	}
	activator := actor.NewPID(m.Address, placementName)
	answer, err := p.system.Root.RequestFuture(activator,
		&protocluster.ActivationRequest{ClusterIdentity: id, RequestId: request}, askTimeout).Result()
	typed, ok := answer.(*protocluster.ActivationResponse)
	switch {
	case err != nil || !ok:
		p.log.LogAttrs(context.Background(), slog.LevelDebug, "a node did not answer for an identity",
			slog.String("identity", id.AsKey()), slog.String("node", m.Node), slog.Any("error", err))
		return nil, silence
	case typed.Failed || typed.Pid == nil:
		return nil, refused
	}
	return typed.Pid, found
}

// home returns the node that owns the identity according to its row; empty if there is no owner.
func (p *placement) home(kind, identity string) (string, error) {
	home, ok := p.homes[kind]
	if !ok {
		return "", domain.Errorf(domain.CodeInternal, "no home for kind %s", kind)
	}
	ctx, cancel := context.WithTimeout(context.Background(), homeTimeout)
	defer cancel()
	node, err := home(ctx, identity)
	switch {
	case domain.CodeOf(err) == domain.CodeNotFound:
		// An object that does not exist still gets an activation, which reports that to the caller.
		return "", nil
	case err != nil:
		p.log.LogAttrs(ctx, slog.LevelWarn, "the owner of an identity could not be read",
			slog.String("identity", nameOf(kind, identity)), slog.Any("error", err))
	}
	return node, err
}

func (p *placement) receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case *protocluster.ActivationRequest:
		p.activation(ctx, msg)
	case *actor.Started, *actor.Stopping, *actor.Stopped, *actor.Restarting, *actor.Touch:
	default:
		p.log.LogAttrs(context.Background(), slog.LevelWarn, "placement got a message it does not know",
			slog.String("type", actor.MessageName(msg)))
	}
}

// activation answers a request, or passes it on to the member that is chosen, which answers it. An owner
// that lives here needs no choice.
func (p *placement) activation(ctx actor.Context, msg *protocluster.ActivationRequest) {
	_, here := p.system.ProcessRegistry.GetLocal(msg.ClusterIdentity.AsKey())
	if msg.RequestId == chooseFirst && !here {
		if m, ok := p.choose(msg.ClusterIdentity); ok && m.Node != p.members.self.Node {
			ctx.RequestWithCustomSender(actor.NewPID(m.Address, placementName),
				&protocluster.ActivationRequest{ClusterIdentity: msg.ClusterIdentity}, ctx.Sender())
			return
		}
	}
	ctx.Respond(p.activate(msg.ClusterIdentity))
}

// activate spawns the owner under its identity's name; the process registry is the only
// table of the actors on this node.
func (p *placement) activate(id *protocluster.ClusterIdentity) *protocluster.ActivationResponse {
	if !p.members.trusted() {
		return &protocluster.ActivationResponse{Failed: true}
	}
	if p.draining.Load() {
		// An actor on this node continues until it is handed over, and is still found.
		if _, ok := p.system.ProcessRegistry.GetLocal(id.AsKey()); ok {
			return &protocluster.ActivationResponse{Pid: p.system.NewLocalPID(id.AsKey())}
		}
		return &protocluster.ActivationResponse{Failed: true}
	}
	props, ok := p.kinds[id.Kind]
	if !ok {
		return &protocluster.ActivationResponse{Failed: true}
	}
	pid, err := p.system.Root.SpawnNamed(props, id.AsKey())
	if err != nil && !errors.Is(err, actor.ErrNameExists) {
		p.log.LogAttrs(context.Background(), slog.LevelError, "an owner could not be started",
			slog.String("identity", id.AsKey()), slog.Any("error", err))
		return &protocluster.ActivationResponse{Failed: true}
	}
	return &protocluster.ActivationResponse{Pid: pid}
}
