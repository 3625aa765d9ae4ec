package actors

import (
	"context"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/actors/connection"
	"parley.dev/parley/domain"
)

// Connection is the handle that a transport holds.
type Connection struct {
	root *actor.RootContext
	pid  *actor.PID
}

// Connect opens the engine's end of a socket. While the node drains it returns
// CodeUnavailable.
func (s *System) Connect(_ context.Context, r ConnectRequest) (*Connection, error) {
	if s.draining.On() {
		return nil, errDraining()
	}
	pid, err := s.root().SpawnNamed(s.connections, "connection"+s.c.ActorSystem.ProcessRegistry.NextID())
	if err != nil {
		return nil, domain.Internal(err, "a connection could not be opened")
	}
	s.root().Send(pid, &connection.Open{Caller: r.Caller, Sink: r.Sink, Deadline: r.Deadline, SSE: r.SSE, Cursor: r.Cursor})
	return &Connection{root: s.root(), pid: pid}, nil
}

// Receive passes a text frame of the client to the engine. It keeps the slice and never
// blocks.
func (c *Connection) Receive(frame []byte) { c.root.Send(c.pid, &connection.Frame{Data: frame}) }

// Pong says that the client answered a ping.
func (c *Connection) Pong() { c.root.Send(c.pid, &connection.Pong{}) }

// Close says that the socket is closed or must be closed, and for which reason. The engine
// then calls the Sink's Close, once.
func (c *Connection) Close(d domain.Disconnect) { c.root.Send(c.pid, &connection.Close{Why: d}) }
