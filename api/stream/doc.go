// Package stream carries the frames of docs/stream-protocol.md: over a
// websocket, or as server-sent events. It knows bytes, limits and close codes;
// what the frames say is the connection actor's business.
//
// gofiber/contrib/websocket upgrades and frames (docs/adr/0009). It is used so
// that an idle socket, as most are most of the time, holds as little as can be:
// the upgrade is made by a server that keeps no buffer of the request
// (upgrade.go), its handler gives the connection on and returns, and between the
// library and the network lies a wire that gathers what is written (wire.go).
//
//	request, checked ── Upgrade ──▶ upgrader: 101 ──▶ begin ──▶ serve
//	idle ── message ──▶ Receive ──▶ connection actor ──▶ Sink.Write ──▶ library ──▶ wire ──▶ one write to the kernel for all frames
//	  │
//	  └── fault of the client, limit, Sink.Close ──▶ close frame, at most 5 s for what is being written, then gone
//
// Three goroutines at most touch a socket: the reader (owns the library's read
// side), the actor's writer (through Sink), and the goroutine that closes it. The
// write lock is in socket.go.
package stream
