package actors

import (
	"time"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// Sink is one open socket as a transport offers it. Its methods are called from
// one goroutine at a time and may block; nothing of the engine waits for them.
type Sink interface {
	// Write sends each entry as one text frame. An entry is shared with other
	// sockets and must not be changed or kept.
	Write(frames [][]byte) error
	// Close ends the socket with the code. It is called once, and last; only when
	// a Write has been blocked for a second is it called beside that Write, which
	// must then return.
	Close(d domain.Disconnect)
}

// Pinger is a Sink with pings of its own protocol. The answer comes back
// through Connection.Pong; only a Pinger is held to the pong's time limit.
type Pinger interface{ Ping() error }

// TrySink is a Sink that writes as far as that needs no waiting. It gives what is
// left for Write; nil means that everything is on its way, and an empty list that
// the sink itself has kept a part, which a Write of nothing sends.
type TrySink interface {
	TryWrite(frames [][]byte) (left [][]byte, err error)
}

// CursorSink is a Sink of server-sent events: with the last of the frames stands
// the cursor (the JSON of a hello's cursor) that a client holds after it.
type CursorSink interface {
	WriteAt(frames [][]byte, cursor []byte) error
}

// ConnectRequest opens the engine's end of a socket.
type ConnectRequest struct {
	Caller domain.Caller
	Sink   Sink
	// Deadline is when the bearer expires; zero means never. The socket then closes with 4401.
	Deadline time.Time
	// SSE says that the client cannot send: no hello is expected, Cursor is used
	// instead, and no pong either.
	SSE bool
	// Cursor of an SSE client, as its query and Last-Event-ID say; nil asks for the
	// person's log from now on.
	Cursor *protocol.ClientCursor
}
