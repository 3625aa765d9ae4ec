// Package scheduler looks for scheduled tasks that are due, wakes them, and stores how their
// runs ended.
//
//	waiting ──LookAgain──▶ looking (asynchronous) ──due──▶ Wake ──▶ waiting
//	                          │ the clocks of node and database differ by more than maxSkew
//	                          └──▶ paused: it checks, and wakes no task, until they agree
//
// In: LookAgain, the first from the engine's Start and then its own. Out: Wake to the tasks'
// owners. Locating an owner activates it.
//
// Durable: nothing; what is due is in the store, and a due time fires once whatever this
// actor does (see actors/task). After a restart it checks again.
package scheduler
