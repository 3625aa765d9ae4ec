// Package connection is one open socket. It keeps the client's place in each
// stream, merges what waits for a slow reader, and cuts a reader that is too
// slow; it is local to the node of the socket.
//
//	waiting ──hello──▶ open ──▶ closing ──▶ closed
//	   │                            ▲
//	   └── no hello, malformed ─────┘   slow, silent, too many frames, session over, drain
//
// Each subscription has its own states:
//
//	asking ──live──▶ live ◀──────────┐
//	  ▲  └──behind─▶ reading ────────┘   reads the store up to a head; live frames wait
//	  └── the owner moved, or a frame does not follow the last one
//
// In:
//
//	Frame, Pong, Close   from the transport
//	Subscription         an owner's answer; Publication: committed frames; Standing: where the owner is
//	Joined, UserFrames   from the person's session
//	Tick                 from the node's timer wheel: hello, keep-alive, pong, deadline
//	Drain                the node goes away: 4503
//	Terminated           an owner or the session has gone: ask again, with the own place
//
// Out: Subscribe, Unsubscribe to owners; Join, Leave to the session; frames to
// the transport, one write in flight that takes everything queued.
//
// Durable: nothing. The client's cursor is all that is needed to go on.
package connection
