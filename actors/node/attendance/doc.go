// Package attendance shows the readers of a conversation who else has it open, on any node.
//
// A conversation that is read here:
//
//	unknown ──Attends──▶ known ──the last reader has left──▶ unknown
//	                      │ ▲
//	a Hint, or lookAtAll  ▼ │ the answer is the same
//	                     due ──look (asynchronous)──────▶ changed ──names (asynchronous)──────▶ Present
//	                      ▲                                             │ they could not be read
//	                      └────────────────with the next lookAtAll──────┘
//
// One check at a time handles all conversations that are due together; after it there is a
// short pause.
//
// In: Attends from connections; CameOrWent from the hints of all nodes; restOver, lookAtAll and
// async.Reentry, its own. Out: Present to the connections that have the conversation open; a
// hint to all nodes when a person opens or leaves a conversation here.
//
// Nodes share only ids. Durable: nothing; connections end with the node, and the presence of
// their people ends with the node's lease.
package attendance
