// Package task is one scheduled task: it fires each due time once. State is a pure state
// machine (Apply(input) → outputs); Actor is the shell that executes the outputs.
//
//	claiming ──▶ ready ◀──▶ firing
//	    │          │           │
//	    │          ├── idle, hand-over ──▶ releasing ──▶ gone
//	    └──────────┴───────────┴── fenced, deleted, no store ─▶ gone
//
// In:
//
//	Wake        something is due: sent each second by the scheduler of the node that owns the task
//	HandOver    release the task, after the firing in progress
//
//	Overflow    the mailbox was full and has dropped a Wake: ignored, since it is sent again
//
// Internal: async.Reentry (a call of the store has returned), idleCheck.
//
// Out: Wake to the conversation that a firing created (Config.Begin); Lives and Left to the
// node's roster.
//
// Durable: everything, in the store. Every firing reads what is due, the owner's rights
// and whether an earlier run is still running, in one transaction that also writes the
// run, its conversation, its first message, its turn and the next due time. So nothing is
// lost with an actor, and two of them, which the library may make, fire a due time once:
// the fence lets only the later activation write, and the run's key (task, due time) is
// unique. A restart loses the count of failures, which only spaces out the attempts.
//
// Changes by people do not pass through this actor. They lock the same row as a firing, and
// take effect with their commit.
package task
