// Package attendance tells the readers of a conversation who else has it open, on any node.
//
// A conversation that is read here:
//
//	unknown ──Attends──▶ known ──the last reader has gone──▶ unknown
//	                      │ ▲
//	a Hint, or lookAtAll  ▼ │ the answer is the same
//	                     due ──look (beside the actor)──▶ changed ──names (beside the actor)──▶ Present
//	                      ▲                                             │ they could not be read
//	                      └────────────────with the next lookAtAll──────┘
//
// One look at a time takes what is due of all conversations together; after it the actor
// rests for a moment.
//
// In: Attends from connections; CameOrWent from the hints of all nodes; restOver and
// lookAtAll, its own. Out: Present to the connections that have the conversation open.
//
// Nodes share ids alone. Durable: nothing; connections end with the node, and what it
// held of those who were there ends with its lease.
package attendance
