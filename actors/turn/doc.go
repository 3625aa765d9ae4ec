// Package turn is one running answer. It is a child of its conversation, drives
// the analyst beside itself, and is the analyst's Sink: what the analyst makes
// goes through a window to the conversation, which alone writes it down.
//
//	spawned ──▶ running ──▶ ended      the runner returned, or a time limit passed: one PieceEnd is the last
//	               │
//	               └──────▶ cancelled  the conversation stopped it: nothing more comes
//
// In:
//
//	Started           begins the run
//	tick              looks at the time limits
//	async.Reentry     the run has returned
//	Stopping          cancels the run: its model call, its query
//
// Out, to the parent:
//
//	TurnOutput        the window has something; Take gives it in order
//
// Durable: nothing of its own. A restart loses the run; the conversation decides
// by what is stored whether the turn begins again, goes on or is interrupted.
package turn
