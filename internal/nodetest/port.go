package nodetest

import (
	"fmt"
	"net"
	"sync"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/remote"
	"google.golang.org/protobuf/proto"
)

// Port is one node's end of the network.
type Port struct {
	network  *Network
	name     string
	system   *actor.ActorSystem
	listener net.Listener

	// mu guards watched: for each actor on this node, the actors of other nodes that it watches.
	mu      sync.Mutex
	watched map[string]*actor.PIDSet
}

// Start sets the address of the actor system, and routes its messages to other nodes through the network.
func (p *Port) Start(system *actor.ActorSystem) error {
	l, err := listen()
	if err != nil {
		return fmt.Errorf("take an address: %w", err)
	}
	p.system, p.listener = system, l
	system.ProcessRegistry.Address = l.Addr().String()
	system.ProcessRegistry.RegisterAddressResolver(func(*actor.PID) (actor.Process, bool) { return (*process)(p), true })
	p.network.mu.Lock()
	defer p.network.mu.Unlock()
	p.network.ports[system.Address()] = p
	return nil
}

// Stop removes the node from the network. Nodes to which its direction is open learn of it
// at once, as if a connection had ended.
func (p *Port) Stop() {
	if p.system == nil {
		return
	}
	address := p.system.Address()
	p.network.mu.Lock()
	_, running := p.network.ports[address]
	delete(p.network.ports, address)
	var reachable []*Port
	for _, other := range p.network.ports {
		if p.network.link(p.name, other.name).state == open {
			reachable = append(reachable, other)
		}
	}
	p.network.mu.Unlock()
	if !running {
		return
	}
	_ = p.listener.Close() // it is not used for anything else
	for _, other := range reachable {
		other.Lost(address)
	}
}

// Lost notifies the actors on this node that watch actors at an address that those have ended.
func (p *Port) Lost(address string) {
	p.mu.Lock()
	type news struct {
		watcher string
		who     *actor.PID
	}
	var all []news
	for watcher, pids := range p.watched {
		pids.ForEach(func(_ int, pid *actor.PID) {
			if pid.Address == address {
				all = append(all, news{watcher, pid})
			}
		})
	}
	for _, n := range all {
		p.unwatchLocked(n.watcher, n.who)
	}
	p.mu.Unlock()
	for _, n := range all {
		p.terminated(n.watcher, n.who, actor.TerminatedReason_AddressTerminated)
	}
}

func (p *Port) unwatchLocked(watcher string, who *actor.PID) {
	if pids := p.watched[watcher]; pids != nil {
		pids.Remove(who)
		if pids.Empty() {
			delete(p.watched, watcher)
		}
	}
}

func (p *Port) unwatch(watcher string, who *actor.PID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unwatchLocked(watcher, who)
}

func (p *Port) watch(watcher string, who *actor.PID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.watched[watcher] == nil {
		p.watched[watcher] = actor.NewPIDSet()
	}
	p.watched[watcher].Add(who)
}

// terminated notifies a watcher on this node.
func (p *Port) terminated(watcher string, who *actor.PID, why actor.TerminatedReason) {
	if ref, ok := p.system.ProcessRegistry.GetLocal(watcher); ok {
		ref.SendSystemMessage(p.system.NewLocalPID(watcher), &actor.Terminated{Who: who, Why: why})
	}
}

// send queues a message for delivery. It returns false if the target's node does not run, as
// if its address refused the connection.
func (p *Port) send(target *actor.PID, header map[string]string, message any, sender *actor.PID) (sent bool) {
	n := p.network
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return true
	}
	to := n.ports[target.Address]
	if to == nil {
		return false
	}
	l := n.link(p.name, to.name)
	l.sent++
	if l.state != cut {
		l.queue = append(l.queue, parcel{from: p, to: to, target: target, sender: sender, header: header, message: message})
		l.wakeLocked()
	}
	return true
}

// process represents every actor on other nodes.
type process Port

var _ actor.Process = (*process)(nil)

// SendUserMessage implements actor.Process.
func (r *process) SendUserMessage(pid *actor.PID, message any) {
	p := (*Port)(r)
	header, inner, sender := actor.UnwrapEnvelope(message)
	var fields map[string]string
	if header != nil {
		fields = header.ToMap()
	}
	if !p.send(pid, fields, inner, sender) && sender != nil {
		p.system.Root.Send(sender, &actor.DeadLetterResponse{Target: pid})
	}
}

// SendSystemMessage implements actor.Process.
func (r *process) SendSystemMessage(pid *actor.PID, message any) {
	p := (*Port)(r)
	switch msg := message.(type) {
	case *actor.Watch:
		p.watch(msg.Watcher.Id, pid)
		if !p.send(pid, nil, &actor.Watch{Watcher: msg.Watcher}, nil) {
			p.unwatch(msg.Watcher.Id, pid)
			p.terminated(msg.Watcher.Id, pid, actor.TerminatedReason_AddressTerminated)
		}
	case *actor.Unwatch:
		p.unwatch(msg.Watcher.Id, pid)
		p.send(pid, nil, &actor.Unwatch{Watcher: msg.Watcher}, nil)
	default:
		p.send(pid, nil, message, nil)
	}
}

// Stop implements actor.Process.
func (r *process) Stop(pid *actor.PID) { r.SendSystemMessage(pid, &actor.Stop{}) }

// deliver encodes and decodes a message, and sends it to the target.
func (c *parcel) deliver() error {
	body, name, err := remote.Serialize(c.message, remote.DefaultSerializerID)
	if err != nil {
		return fmt.Errorf("%T for %s cannot go to another node: %w", c.message, c.target.Id, err)
	}
	message, err := remote.Deserialize(body, name, remote.DefaultSerializerID)
	if err != nil {
		return fmt.Errorf("%s for %s cannot be read: %w", name, c.target.Id, err)
	}
	system := c.to.system
	target := actor.NewPID(system.Address(), c.target.Id)
	target.RequestId = c.target.RequestId
	switch msg := message.(type) {
	case *actor.Terminated:
		c.to.unwatch(target.Id, msg.Who)
		c.to.terminated(target.Id, msg.Who, actor.TerminatedReason_Stopped)
	case actor.SystemMessage:
		if ref, ok := system.ProcessRegistry.GetLocal(target.Id); ok {
			ref.SendSystemMessage(target, msg)
		}
	default:
		if c.sender == nil && len(c.header) == 0 {
			system.Root.Send(target, message)
			return nil
		}
		var sender *actor.PID
		if c.sender != nil {
			sender, _ = proto.Clone(c.sender).(*actor.PID)
		}
		system.Root.Send(target, &actor.MessageEnvelope{Header: c.header, Message: message, Sender: sender})
	}
	return nil
}
