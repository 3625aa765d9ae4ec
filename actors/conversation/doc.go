// Package conversation is the actor of one conversation: the only place that decides the
// order of what happens in it, causes it to be stored, and shows it to its readers. The
// decisions are in the package ledger, which is pure: Apply(input) → outputs. Actor executes
// the outputs, reads what a request needs beforehand, and keeps the readers.
//
//	claiming ──▶ active ──idle, hand-over──▶ releasing ──▶ gone
//	   ▲ │          │ │
//	   │ │          │ └── fenced, deleted ────────────────▶ gone
//	   │ └── not found, store down ───────────────────────▶ gone
//	   └── a handler panicked, or the state does not fit the store
//
// One write is in flight at a time; changes that arrive meanwhile are merged into the next
// one. Nothing is answered or shown before its write is committed. If the journal's answer to
// a write got lost, a new claim finds out whether it was committed, and the turn continues.
//
// The turn within:
//
//	none ──Send──▶ queued ──commit──▶ running ──PieceEnd, Stop, Rewind, Delete──▶ ending ──commit──▶ none
//
// An owner stays as long as it has readers. After a while without a request it drops the latest
// events that it holds for readers who come back: they read the store.
//
// In, from anywhere (requests wait for the claim, a full mailbox refuses them):
//
//	SendPrompt    → SendAnswer     idempotent by the message's id; parent checked
//	StopTurn      → StopAnswer     after the commit of the end
//	RewindTo      → RewindAnswer   implies a stop
//	Change, SetGrants, Delete → Done
//	Subscribe     → Subscription   the right is checked here; in order with the frames
//	Wake          → Done           only asks for the activation
//
// and messages that are handled at once in every phase, before requests that wait:
//
//	Unsubscribe    ends a subscription, also one that waits for the claim or for its right
//	Check          → Position, where this is the owner
//	HandOver       no new turn begins; the conversation is released when the running one has ended
//	Yield          the conversation is released at once, for a node that carries less, if nothing is in progress
//	AccessChanged → readers subscribe again, and their right is read again
//	Superseded     another node has claimed the conversation: this owner ends
//	StopFlag       a stop that arrived through Redis, because its node cannot reach this one
//
// Rights are cached here and dropped in two ways (G15). A grant is a write of this
// owner: its commit drops them. The members of a team change without this owner: a
// trigger on team_member records the change, an actor of each node (teams) reads these
// records twice a second and sends AccessChanged to the conversations of its node that
// such a team reads, and to the sessions of the people who joined or left.
//
// In, internal:
//
//	TurnOutput      the turn has new output
//	committed       the journal's answer to a write
//	Terminated      the turn's actor has ended, or the fan-out of another node is lost with its readers
//	turnGone        the turn's actor has ended, after all of its output
//	idleCheck       is the conversation still used?
//	Overflow        the mailbox was full and has dropped messages: only logged, since requests are refused
//	                and all other messages are sent again or admitted to a full mailbox
//	async.Reentry   work outside the actor has ended: a claim, a read, the release
//
// Out: Publication and Subscription to the connections of this node; Published, Forward and
// Position to the fan-outs of other nodes; UserEvents to sessions; GaveUp to the node's sweeper;
// Lives and Left to its roster; hints to the other nodes. It spawns the turn's actor and stops it.
//
// Durable: all state, in the store. A restart loses the latest events kept for readers,
// cached rights and the list of readers; connections subscribe again with their cursors.
// State.recover in the ledger decides what becomes of a running turn.
package conversation
