// Package stream carries the frames of docs/stream-protocol.md: over a
// websocket, or as server-sent events. It knows bytes, limits and close codes;
// what the frames say is the connection actor's business.
//
// A websocket is upgraded by hand on the hijacked connection, because a
// library that upgrades holds the HTTP server's buffers, the request's headers
// and a write buffer for as long as the socket lives: most sockets are idle
// most of the time, and an idle one holds here no buffer but 256 bytes.
//
//	idle ── frame ──▶ Receive ──▶ connection actor ──▶ Sink.Write ──▶ one write to the kernel for all frames
//	  │
//	  └── fault of the client, limit, Sink.Close ──▶ close frame, at most 5 s for what is being written, then gone
//
// Three goroutines at most touch a socket: the reader (owns the read buffer),
// the actor's writer (through Sink), and whoever closes it. The write lock
// stands in socket.go.
package stream
