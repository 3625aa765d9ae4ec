// Package rebalance releases idle conversations of a node while the node carries clearly more than its
// share, for example after another node has joined or come back.
//
//	resting ──LookAgain──▶ no surplus ──▶ resting
//	              └──▶ surplus ──▶ listing ──Listed──▶ Yield to some owners ──▶ resting
//
// In: LookAgain, the first from the engine's Start and then its own; Listed from the roster.
// Out: ListAll to the roster; Yield to owners of this node, which decide themselves: one with a running
// turn, with a write or a request in progress, or that was used a moment ago, stays.
//
// An owner that yields is released, like one that is not used: then its row names no node, and the next
// lookup finds a node that carries less. Its readers subscribe there with their cursors.
//
// Durable: nothing. A wrong surplus or a lost Yield costs time and no data.
package rebalance
