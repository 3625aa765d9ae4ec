// Package teams looks for teams that have changed, and has the rights that stand on them
// read again.
//
//	resting ──LookAgain──▶ looking (beside the actor) ──changes──▶ AccessChanged ──▶ resting
//
// In: LookAgain, the first from the engine's Start and then its own. Out: AccessChanged to
// the conversations and sessions of this node, by their names; nobody is woken for it.
//
// It waits for no other look of the node, so that one who has lost a right gets nothing
// more within a second (G15).
//
// Durable: nothing; the changes are rows. A node that starts reads those of the last
// minutes, which it may have missed while it began.
package teams
