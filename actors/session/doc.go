// Package session is one signed-in person: the person's own log (lists, unread,
// sharing), brought in order to all of the person's connections on any node.
//
//	claiming ──▶ active ──▶ releasing ──▶ gone
//	   │            │  no connection for a while
//	   └────────────┴─────▶ gone   another node is the home, or a hand-over
//
// In:
//
//	Join          a connection comes, with what it holds of the log; waits for the claim
//	Leave         a connection has gone, or does not wait any more
//	UserEvents    committed events, from whichever node committed them
//	UserHead      how far the stored log has come: what got lost on the way is read
//	Tick          from the node's timer wheel: look at the log for what was missed, let go when idle
//	AccessChanged what the person may see has changed: the connections fetch their lists again
//	HandOver      let go now
//	Terminated    a connection on another node has gone
//
// Out:
//
//	Joined        where the connection's log begins, or that it must fetch its lists
//	Busy, Leave   the connection is to come again: too many wait, the store is away, the session ends
//	UserFrames    events, in order, without gaps
//
// Durable: nothing; the log is the store's. The home (which node the session is
// on) is written at the claim, so that every commit knows where to send. A
// restart loses the ring; connections join again with what they hold.
package session
