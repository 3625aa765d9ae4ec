// Package turn is one running answer. It is a child of its conversation, runs the analyst in
// a goroutine, and is the analyst's Sink: the analyst's output is passed through a window to
// the conversation, and only the conversation stores it.
//
//	waiting ──TurnSlot───▶ running ──▶ ended      the runner returned, or a time limit passed, or too many
//	   │                      │                   wait: a PieceEnd is the last piece
//	   └──────────────────────┴────▶ cancelled    the conversation stopped it: nothing more is sent
//
// A turn waits until the node has a slot for it. The time limits of the run begin with the slot.
//
// In:
//
//	Started           asks for a slot
//	TurnSlot          begins the run, or ends the turn, because too many wait
//	tick              checks the time limits; while it waits, it asks again
//	async.Reentry     the run has returned
//	Stopping          cancels the run: its model call, its query
//
// Out, in addition to asking for a slot and giving it back, to the parent:
//
//	TurnOutput        the window has output; Take returns it in order
//
// Durable: nothing. A restart loses the run; the conversation decides from what is stored
// whether the turn begins again, continues or is interrupted.
package turn
