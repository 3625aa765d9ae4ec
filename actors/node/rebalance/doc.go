// Package rebalance lets idle conversations of a node go, while the node carries clearly more than its
// share: after another node has joined or come back.
//
//	resting ──LookAgain──▶ no surplus ──▶ resting
//	              └──▶ surplus ──▶ listing ──Listed──▶ Yield to some owners ──▶ resting
//
// In: LookAgain, the first from the engine's Start and then its own; Listed from the roster.
// Out: Yield to owners of this node, which decide themselves: one with a running turn, with a write or a
// request in progress, or that was used a moment ago, stays.
//
// An owner that yields is released, like one that nobody uses: its row names nobody then, and who locates
// it next finds a node that carries less. Its readers come back there by their cursors.
//
// Durable: nothing. That a surplus is wrong, or a Yield is lost, costs time and no data.
package rebalance
