// Package heads tells the sessions and connections of a node how far the stored logs of
// their people have come.
//
//	resting ──LookAgain──▶ looking (beside the actor) ──logs that went on──▶ UserHead ──▶ resting
//
// In: Follow from each session and connection, at its beginning and its end; LookAgain,
// the first from the engine's Start and then its own. Out: UserHead to those that follow
// a log that has gone on.
//
// Nearly always they have heard of it: what a commit tells goes to the session at once,
// and from there to its connections. But the news may get lost with the node or the link
// that carried it, and then nothing else comes (G9).
//
// Durable: nothing; those that follow end with the node.
package heads
