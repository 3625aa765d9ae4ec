package cluster

import (
	"context"
	"log/slog"
	"sync"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/remote"
	"google.golang.org/protobuf/proto"

	"parley.dev/parley/internal/mailbox"
)

const (
	// outletBytes and outletMessages limit the messages that wait for one other node. If a
	// node reads more slowly than frames are published for its readers, frames are dropped,
	// and the readers notice by the seq and offset of the next frame, or by the position that
	// the owner reports.
	outletBytes    = 32 << 20
	outletMessages = 50_000
)

// outlets limit the queues to other nodes, which the library lets grow without limit. They
// are between the actors and the library's remote.
type outlets struct {
	log    *slog.Logger
	system *actor.ActorSystem // set by attach, before anything is sent

	// mu guards the fields below, and the fields of each outlet.
	mu        sync.Mutex
	byAddress map[string]*outlet
	lost      int64
}

// outlet counts the messages that wait for one node until they are encoded for the wire.
type outlet struct {
	bytes, messages int
	full            bool
}

func newOutlets(log *slog.Logger) *outlets {
	return &outlets{log: log, byAddress: map[string]*outlet{}}
}

// attach registers a resolver that has priority over all later ones of the system.
func (o *outlets) attach(system *actor.ActorSystem) {
	o.system = system
	system.ProcessRegistry.RegisterAddressResolver(func(pid *actor.PID) (actor.Process, bool) {
		for _, resolve := range system.ProcessRegistry.RemoteHandlers[1:] {
			if next, ok := resolve(pid); ok {
				return &bounded{outlets: o, next: next}, true
			}
		}
		return nil, false
	})
	system.EventStream.Subscribe(func(event any) {
		if e, ok := event.(*remote.EndpointTerminatedEvent); ok {
			// The library drops the waiting messages and starts a new queue.
			o.mu.Lock()
			defer o.mu.Unlock()
			delete(o.byAddress, e.Address)
		}
	})
}

// reserve counts a message for the limits; nil if they are reached. Messages that are
// essential for a full mailbox are accepted by a full queue, too: their number is limited by
// the number of things that they end.
func (o *outlets) reserve(address string, m proto.Message, size int) *counted {
	always := mailbox.IsEssential(m)
	o.mu.Lock()
	defer o.mu.Unlock()
	to := o.byAddress[address]
	if to == nil {
		to = &outlet{}
		o.byAddress[address] = to
	}
	if !always && (to.bytes+size > outletBytes || to.messages >= outletMessages) {
		o.lost++
		if !to.full {
			to.full = true
			o.log.LogAttrs(context.Background(), slog.LevelWarn, "a node takes less than is sent to it: what is over is dropped",
				slog.String("address", address), slog.Int("bytes", to.bytes), slog.Int("messages", to.messages))
		}
		return nil
	}
	to.bytes += size
	to.messages++
	return &counted{Message: m, outlets: o, outlet: to, size: size}
}

// counted is a message that counts for the limits until it is encoded.
type counted struct {
	proto.Message
	outlets *outlets
	outlet  *outlet
	size    int
}

var (
	_ remote.RootSerializable = (*counted)(nil)
	_ remote.RootSerialized   = (*counted)(nil)
)

// Serialize implements remote.RootSerializable. The library calls it once, when it
// encodes the message; the other node gets the original message.
func (c *counted) Serialize() (remote.RootSerialized, error) {
	c.outlets.mu.Lock()
	defer c.outlets.mu.Unlock()
	c.outlet.bytes -= c.size
	c.outlet.messages--
	if c.outlet.bytes < outletBytes/2 && c.outlet.messages < outletMessages/2 {
		c.outlet.full = false
	}
	return c, nil
}

// Deserialize implements remote.RootSerialized. It is never called.
func (c *counted) Deserialize() (remote.RootSerializable, error) { return c, nil }

// bounded is the process of an actor on another node, with the limits of outlets.
type bounded struct {
	outlets *outlets
	next    actor.Process
}

var _ actor.Process = (*bounded)(nil)

// SendUserMessage implements actor.Process. If there is no room for a request, its sender
// gets a dead letter response, and tries again.
func (b *bounded) SendUserMessage(pid *actor.PID, message any) {
	header, inner, sender := actor.UnwrapEnvelope(message)
	m, ok := inner.(proto.Message)
	if !ok {
		b.next.SendUserMessage(pid, message) // the library reports that it cannot be sent
		return
	}
	c := b.outlets.reserve(pid.Address, m, proto.Size(m))
	switch {
	case c != nil && (sender != nil || header != nil):
		envelope := &actor.MessageEnvelope{Message: c, Sender: sender}
		if header != nil {
			envelope.Header = header.ToMap()
		}
		b.next.SendUserMessage(pid, envelope)
	case c != nil:
		b.next.SendUserMessage(pid, c)
	case sender != nil:
		b.outlets.system.Root.Send(sender, &actor.DeadLetterResponse{Target: pid})
	}
}

// SendSystemMessage implements actor.Process.
func (b *bounded) SendSystemMessage(pid *actor.PID, message any) {
	b.next.SendSystemMessage(pid, message)
}

// Stop implements actor.Process.
func (b *bounded) Stop(pid *actor.PID) { b.next.Stop(pid) }
