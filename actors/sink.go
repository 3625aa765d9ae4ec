package actors

import (
	"time"

	"parley.dev/parley/actors/connection"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// These are the interfaces that a transport implements; the package connection describes what
// each must do.
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
	// Cursor is the cursor of an SSE client, from its query or its Last-Event-ID; nil asks
	// for the person's log from now on.
	Cursor *protocol.ClientCursor
}
