// Package scheduler looks for scheduled tasks that are due, wakes them, and writes down
// how their runs ended.
//
//	waiting ──LookAgain──▶ looking (beside the actor) ──due──▶ Wake ──▶ waiting
//	                          │ the clocks of node and database differ by more than maxSkew
//	                          └──▶ paused: it looks, and wakes nobody, until they agree
//
// In: LookAgain, the first from the engine's Start and then its own. Out: Wake to the
// tasks' owners, which locating them activates.
//
// Durable: nothing; what is due is in the store, and a due time fires once whatever this
// actor does (see actors/task). A restart looks again.
package scheduler
