// Package task is one scheduled task: it sees to it that what is due is fired,
// once. State is a pure state machine (Apply(input) → outputs); Actor is the
// shell that does what it says.
//
//	claiming ──▶ ready ◀──▶ firing
//	    │          │           │
//	    │          ├── idle, hand-over ──▶ releasing ──▶ gone
//	    └──────────┴───────────┴── fenced, deleted, no store ─▶ gone
//
// In:
//
//	Wake        something is due: sent each second by the look of the node that owns the task
//	HandOver    let go, after the firing under way
//
// From its own: async.Reentry (a store call has come back), idleCheck.
//
// Out: Begin, the wish to wake the conversation that a firing made.
//
// Durable: everything, in the store. Every firing reads what is due, the owner's rights
// and whether an earlier run is still running, in one transaction that also writes the
// run, its conversation, its first message, its turn and the next due time. So nothing is
// lost with an actor, and two of them, which the library may make, fire a due time once:
// the fence lets only the later activation write, and the run's key (task, due time) is
// unique. A restart loses the count of failures, which only spaces out the attempts.
//
// Changes by people do not pass through here. They lock the row that a firing
// locks, and count from their commit on.
package task
