// Package wheel is the only timer of a node, so that ten thousand sockets do not need ten
// thousand timers. It has one state, and turns once per second.
//
//	Arm ──▶ slot of its second ──turnWheel──▶ Tick
//
// In: Arm from any actor; turnWheel, its own, each second. Out: Tick to those that armed it.
//
// Durable: nothing. The ticks that wait are lost when the node ends; a panic loses one Tick,
// and the wheel continues with the next one.
package wheel
