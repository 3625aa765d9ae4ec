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

	// mu guards watched: for each actor here, whom it watches elsewhere.
	mu      sync.Mutex
	watched map[string]*actor.PIDSet
}

// Start gives the actor system its address and carries what it sends.
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

// Stop takes the node out of the network. Nodes that it is not cut from hear of it
// at once, as of a connection that ends.
func (p *Port) Stop() {
	if p.system == nil {
		return
	}
	address := p.system.Address()
	p.network.mu.Lock()
	_, running := p.network.ports[address]
	delete(p.network.ports, address)
	var hear []*Port
	for _, other := range p.network.ports {
		if p.network.link(p.name, other.name).state == open {
			hear = append(hear, other)
		}
	}
	p.network.mu.Unlock()
	if !running {
		return
	}
	_ = p.listener.Close() // nobody else has it
	for _, other := range hear {
		other.Lost(address)
	}
}

// Lost tells those who watch actors at an address that these have gone.
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

// terminated brings the news of an end to who watches, here.
func (p *Port) terminated(watcher string, who *actor.PID, why actor.TerminatedReason) {
	if ref, ok := p.system.ProcessRegistry.GetLocal(watcher); ok {
		ref.SendSystemMessage(p.system.NewLocalPID(watcher), &actor.Terminated{Who: who, Why: why})
	}
}

// send puts a message on its way. One for a node that does not run comes back as a
// dead letter, as when its address refuses connections.
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

// process stands for every actor elsewhere.
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

// deliver encodes, decodes and hands over.
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
