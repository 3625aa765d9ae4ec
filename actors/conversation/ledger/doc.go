// Package ledger is the state of one conversation and its rules: what a prompt, a stop,
// a rewind, a change, a deletion and the pieces of a turn do to it, in which order they
// are written, and what readers are shown of it. It is pure: no actor, no clock, no I/O,
// so that it runs under a simulated store with crashes (TestState_Simulation).
//
// Apply takes one Input and returns the Outputs that the actor has to execute, in order:
//
//	Send, Stop, Rewind, Change, SetGrants, Delete ─┐
//	Piece (of the turn)                            ├▶ batch ─Submit─▶ journal
//	Recover, Flush                                 ┘            │
//	Answer, Publish, SendUserEvents, StartTurn … ◀── Committed ◀─────┘
//	                       Reclaim ◀── no answer ─┘ └──▶ Reclaimed (a new claim shows it)
//
// One write is in flight at a time. Changes that arrive meanwhile are collected in the open
// batch, which is submitted when that write has ended. Nothing is answered or shown before the
// batch that holds it is committed.
//
// The turn:
//
//	none ──Send──▶ queued ──commit──▶ running ──PieceEnd, Stop, Rewind, Delete──▶ ending ──commit──▶ none
//
// The files: input.go and output.go list everything that can happen and everything that can
// follow; apply.go has one case for each input; batch.go gathers and assembles writes;
// commit.go and reclaim.go handle the journal's answer, or find out without it what happened;
// send.go, stop.go, rewind.go, change.go, delete.go, piece.go are one input each; turn.go is
// the running turn and recover.go one that an earlier owner left; ring.go, resume.go and
// tail.go answer readers who come back; snapshot.go makes a rebuild unnecessary.
package ledger
