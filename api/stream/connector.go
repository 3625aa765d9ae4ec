package stream

import (
	"context"
	"time"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// Connector accepts sockets for the engine (actors.System).
type Connector interface {
	// Connect creates the connection actor of a socket. It returns CodeUnavailable while
	// the node drains and CodeTooMany over a limit of the node.
	Connect(ctx context.Context, r Request) (Connection, error)
}

// Request describes a socket that must be connected.
type Request struct {
	Caller domain.Caller
	// Sink receives the frames. The sink of a websocket also has Ping, the sink of
	// server-sent events WriteAt.
	Sink Sink
	// Deadline is when the bearer expires; the connection is closed with 4402 then.
	Deadline time.Time
	// SSE means that the client cannot send frames. Cursor then replaces its hello frame.
	SSE    bool
	Cursor *protocol.ClientCursor
}

// Sink sends frames to the client.
type Sink interface {
	// Write sends frames in order, each the JSON of one text frame. It may block until the
	// client has read; an error means that the client has disconnected. The sink does not
	// keep the frames. Calls must not overlap.
	Write(frames [][]byte) error
	// Close ends the socket with the code of d. It does not block, and may be called
	// from any goroutine and more than once.
	Close(d domain.Disconnect)
}

// Connection is how the transport reports to the connection actor.
type Connection interface {
	// Receive passes one frame of the client to the actor, which owns the slice from then on.
	Receive(frame []byte)
	// Pong reports that the client answered a ping.
	Pong()
	// Close reports that the socket is closed, or why the transport ends it.
	Close(d domain.Disconnect)
}
