// Package connection is one open socket. It keeps the client's place in each stream, merges
// the frames that wait for a slow reader, and disconnects a reader that is too slow. It is
// local to the node of the socket.
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
//	Open                 the first one: the person and the socket
//	Frame, Pong          from the transport
//	Close                from the transport, or from the roster of a node that drains (4503)
//	Subscription         an owner's answer; Publication: committed frames; Position: where the owner is
//	Silent               an owner on another node does not answer: read the store
//	Joined, UserFrames   from the person's session
//	Present              from the node's attendance: who has a conversation open
//	UserHead             how far the person's stored log goes: read what the session does not send
//	Leave                the session of this node ends: join the next one. An owner of this node that
//	                     ends sends a Subscription, and the connection subscribes at the next one
//	Tick                 from the node's timer wheel: hello, keep-alive, pong, deadline
//	Terminated           an owner or a session of another node has ended
//	ownerGone            the same, after everything that it had sent: subscribe again from this connection's place.
//	                     The fan-out returns it
//	DeadLetterResponse   the receiver of a request does not exist: handled like Terminated
//	Busy                 a full mailbox refused what was asked: ask again after a pause
//	Overflow             this actor's mailbox was full: 4408
//	async.Reentry        work outside the actor has ended: a write, a read of the store
//
// Out:
//
//	Subscribe, Unsubscribe   to owners
//	Join, Leave              to the person's session
//	Attends                  to the node's attendance: the person has opened a conversation, or closed it
//	Dropped                  to the node's fan-out: the connection does not read a conversation any more
//	Behind                   to the node's fan-out: return an ownerGone after everything that was sent before it
//	Arm, Follow              to the node's timer wheel, and to its heads
//	Lives, Left              to the node's roster
//	frames                   to the transport, one write at a time with everything that is queued
//
// Durable: nothing. The client's cursor is enough to continue.
package connection
