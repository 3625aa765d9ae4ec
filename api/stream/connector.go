package stream

import (
	"context"
	"time"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// Connector is the front door that a socket is handed to (actors.System).
type Connector interface {
	// Connect makes the connection actor of a socket. CodeUnavailable while the
	// node drains, CodeTooMany over a limit of the node.
	Connect(ctx context.Context, r Request) (Connection, error)
}

// Request is a socket that wants to be connected.
type Request struct {
	Caller domain.Caller
	// Sink is where frames go. That of a websocket has Ping, that of server-sent
	// events WriteAt.
	Sink Sink
	// Deadline is when the bearer ends; the connection is closed with 4402 then.
	Deadline time.Time
	// SSE says that the client cannot send frames. Cursor then stands for its hello.
	SSE    bool
	Cursor *protocol.ClientCursor
}

// Sink takes frames to the client.
type Sink interface {
	// Write sends frames, each the JSON of one text frame, in order. It may block
	// until the client has read; an error means that the client is gone. Nothing of
	// the frames is kept. One call at a time.
	Write(frames [][]byte) error
	// Close ends the socket with the code of d. It does not block, may be called
	// from any goroutine, and again.
	Close(d domain.Disconnect)
}

// Connection is what the transport tells the connection actor.
type Connection interface {
	// Receive hands over one frame of the client; the slice is the actor's from then on.
	Receive(frame []byte)
	// Pong says that the client answered a ping.
	Pong()
	// Close says that the socket is gone, or why the transport ends it.
	Close(d domain.Disconnect)
}
