// Package turn is one running answer. It is a child of its conversation, runs the analyst in
// a goroutine, and is the analyst's Sink: the analyst's output is passed through a window to
// the conversation, and only the conversation stores it.
//
//	spawned ──▶ running ──▶ ended      the runner returned, or a time limit passed: a PieceEnd is the last piece
//	               │
//	               └──────▶ cancelled  the conversation stopped it: nothing more is sent
//
// In:
//
//	Started           begins the run
//	tick              checks the time limits
//	async.Reentry     the run has returned
//	Stopping          cancels the run: its model call, its query
//
// Out, to the parent:
//
//	TurnOutput        the window has output; Take returns it in order
//
// Durable: nothing. A restart loses the run; the conversation decides from what is stored
// whether the turn begins again, continues or is interrupted.
package turn
