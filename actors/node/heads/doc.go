// Package heads tells the sessions and connections of a node how far the stored logs of their
// people go.
//
//	resting ──LookAgain──▶ looking (asynchronous) ──logs that have grown──▶ UserHead ──▶ resting
//
// In: Follow from each session and connection, at its beginning and its end; LookAgain, the
// first from the engine's Start and then its own. Out: UserHead to the actors that follow a
// log that has grown.
//
// Nearly always they know this already: a commit sends its user events to the session at
// once, and from there to the connections. But these messages may get lost with a node or a
// network link, and then no other message would arrive (G9).
//
// Durable: nothing; the actors that follow a log end with the node.
package heads
