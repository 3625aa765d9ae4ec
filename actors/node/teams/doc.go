// Package teams looks for teams that have changed, and causes the rights that depend on them
// to be read again.
//
//	resting ──LookAgain──▶ looking (asynchronous) ──changes──▶ AccessChanged ──▶ resting
//
// In: LookAgain, the first from the engine's Start and then its own. Out: AccessChanged to
// the conversations and sessions of this node, by their names; it activates none of them.
//
// It waits for no other check of the node, so that a person who has lost a right gets nothing
// more after at most a second (G15).
//
// Durable: nothing; the changes are rows. A node that starts reads the changes of the last
// minutes, which it may have missed while it started.
package teams
