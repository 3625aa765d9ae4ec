// Package sweeper looks for turns that have lost their owner: with its node, whose lease
// has ended, or on this node, where the owner gave up. It wakes their conversations; the
// activation decides what becomes of the turn.
//
//	resting ──LookAgain──▶ looking (asynchronous) ──────orphans──▶ locating, a few at a time ──▶ woken
//	   ▲                       │ none: a pause of idleFactor × its time                         │
//	   └───────────────────────┴──────────────────────────────still an orphan after wakeRest────┘
//
// In: LookAgain, the first from the engine's Start and then its own; GaveUp from owners of
// this node. Out: Wake to the conversations' owners. Locating an owner activates it.
//
// Durable: nothing; orphans are found in the store. A restart of the node forgets which of
// its own owners gave up: their rows then name a node that does not exist any more, so they
// are found.
package sweeper
