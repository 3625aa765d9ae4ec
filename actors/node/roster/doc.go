// Package roster lists the actors that live on a node, so that a drain reaches all of them,
// and so that the metrics show how many there are.
//
//	listing ──HandOverAll of a kind──▶ draining that kind ──the last one Left──▶ Empty is settled
//
// In: Lives and Left, from each actor of a kind at its beginning and its end; HandOverAll
// from the engine's Shutdown; ListAll from actors that compare the list with the store;
// closeNext, its own. Out: HandOver to conversations, sessions and tasks, Close to
// connections, a portion of them every Spread/closeRounds; node.Listed.
//
// An actor that starts while its kind is drained is asked to end at once.
//
// Durable: nothing. The list ends with the node, like the actors in it.
package roster
