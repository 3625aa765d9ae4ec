// Package ownership notifies owners on a node that another node has superseded them.
//
//	resting ──LookAgain──▶ listing ──Listed──▶ comparing (asynchronous) ──Superseded──▶ resting
//	   └──Doubted──▶ comparing that one (asynchronous) ──▶ resting
//
// In: LookAgain, the first from the engine's Start and then its own; Listed from the
// roster; Doubted from the hints of other nodes. Out: ListAll to the roster; Superseded to
// owners of this node.
//
// Two nodes may claim one conversation, for a moment after a node has joined or while the
// network between them is cut, and the last one is the owner. The other one notices it when
// it writes. Without this check, one that has nothing to write would keep its readers, who
// would never see anything new (G8, G9).
//
// Durable: nothing; who owns a conversation is in its row.
package ownership
