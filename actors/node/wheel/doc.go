// Package wheel is the one timer of a node: ten thousand sockets need no ten thousand
// timers. It has one state, and turns once in a second.
//
//	Arm ──▶ slot of its second ──turnWheel──▶ Tick
//
// In: Arm from any actor; turnWheel, its own, each second. Out: Tick to those that armed it.
//
// Durable: nothing. The end of the node takes those that wait with it; a panic costs one
// Tick, and the wheel goes on with the next one.
package wheel
