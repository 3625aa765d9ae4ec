package actors

import (
	"time"

	"parley.dev/parley/actors/connection"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// A socket as a transport implements it; the package connection says what each must do.
type (
	// Sink is one open socket.
	Sink = connection.Sink
	// Pinger is a Sink with pings of its own protocol.
	Pinger = connection.Pinger
	// TrySink is a Sink that writes as far as that needs no waiting.
	TrySink = connection.TrySink
	// CursorSink is a Sink of server-sent events.
	CursorSink = connection.CursorSink
)

// ConnectRequest opens the engine's end of a socket.
type ConnectRequest struct {
	Caller domain.Caller
	Sink   Sink
	// Deadline is when the bearer expires; zero means never. The socket then closes with 4402.
	Deadline time.Time
	// SSE says that the client cannot send: no hello is expected, Cursor is used
	// instead, and no pong either.
	SSE bool
	// Cursor of an SSE client, as its query and Last-Event-ID say; nil asks for the
	// person's log from now on.
	Cursor *protocol.ClientCursor
}
