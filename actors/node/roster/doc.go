// Package roster lists the actors that live on a node, so that a drain reaches all of
// them, and so that the operator sees how many there are.
//
//	listing ──HandOverAll of a kind──▶ draining that kind ──the last one Left──▶ Empty is settled
//
// In: Lives and Left, from each actor of a kind at its beginning and its end; HandOverAll
// from the engine's Shutdown; ListAll from those that compare what lives here with the
// store; closeNext, its own. Out: HandOver to conversations, sessions and tasks, Close to
// connections, a portion of them every Spread/closeRounds; node.Listed.
//
// What comes to life while its kind is drained is asked to end at once.
//
// Durable: nothing. The list ends with the node, as what it lists does.
package roster
