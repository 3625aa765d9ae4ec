// Package session is one signed-in person: it sends the person's own log (lists, unread
// counts, sharing) in order to all of the person's connections on any node.
//
//	claiming ──▶ active ──▶ releasing ──▶ gone
//	   │            │  no connection for a while
//	   └────────────┴─────▶ gone   another node is the home, or a hand-over
//
// In:
//
//	Join          a connection joins, with its place in the log; waits for the claim
//	Leave         a connection has ended, or does not wait any more
//	UserEvents    committed events, from any node
//	UserHead      how far the stored log goes: lost events are read from the store
//	Tick          from the node's timer wheel: check the log for missed events, release when idle
//	AccessChanged what the person may see has changed: the connections fetch their lists again
//	HandOver      release now
//	Terminated    a connection on another node has ended
//	Overflow      the mailbox was full, perhaps of events: the log is read from the store
//	async.Reentry work outside the actor has ended: a claim, a read of the log
//
// Out:
//
//	Joined        where the connection's log begins, or that it must fetch its lists
//	Busy, Leave   the connection must join again: too many wait, the store is down, the session ends
//	UserFrames    events, in order, without gaps
//	Arm, Follow   to the node's timer wheel, and to its heads
//	Lives, Left   to the node's roster
//
// Durable: nothing; the log is in the store. The home (which node the session is on) is
// written at the claim, so that every commit knows where to send events. A restart loses
// the ring; connections join again from their place.
package session
