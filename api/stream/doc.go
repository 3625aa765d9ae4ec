// Package stream transports the frames of docs/stream-protocol.md, over a
// websocket or as server-sent events. It handles bytes, limits and close codes;
// the connection actor handles what the frames mean.
//
// gofiber/contrib/websocket does the upgrade and the framing (docs/adr/0009). It is used in a
// way that needs as little memory as possible for an idle socket, because most sockets are
// idle most of the time: the upgrade is made by a server that keeps no buffer of the request
// (upgrade.go), its handler passes the connection on and returns, and a wire between the
// library and the network collects what is written (wire.go).
//
//	request, checked ── Upgrade ──▶ upgrader: 101 ──▶ begin ──▶ serve
//	idle ── message ──▶ Receive ──▶ connection actor ──▶ Sink.Write ──▶ library ──▶ wire ──▶ one write to the kernel for all frames
//	  │
//	  └── error of the client, limit, Sink.Close ──▶ close frame, at most 5 s for a write in progress, then TCP close
//
// At most three goroutines use a socket: the reader (owns the library's read side),
// the actor's writer (through Sink), and the goroutine that closes it. The write lock
// is in socket.go.
package stream
