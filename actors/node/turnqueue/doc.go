// Package turnqueue lets turns of this node begin when there is a slot for them: no more run at the same
// time than the node can carry, and an organisation that sends very many prompts does not make others wait.
//
//	Ask ──slot free────▶ running ──Leave──▶ gone, and the next one gets its slot
//	 │ └──no slot──────▶ waiting ──Leave──▶ gone
//	 └──too many wait──▶ refused
//
// In: Ask and Leave, from turns of this node. Out: TurnSlot to them.
//
// Package internal/fair decides which turn is next. Turns of one organisation run on all nodes, because their
// conversations are placed by load, so each node divides its own slots and no node asks another one.
//
// Durable: nothing. A turn asks again while it has no answer, so that a lost message costs some seconds. A
// turn whose node is lost is found by the sweeper of another one, and waits there.
package turnqueue
