// Package node has what the actors share of which every node has one (the rooms below
// it): the guard that lets them outlive a panic with what they know, and the Poller, the
// part of those that look at the database again and again.
//
//	fanout      hands what owners on other nodes publish to the connections of this one
//	roster      lists what lives here, so that a drain reaches all of it
//	wheel       the one timer: an actor that armed it gets a Tick, to the second
//	sweeper     looks for turns that lost their owner
//	scheduler   looks for scheduled tasks that are due, where tasks are fired
//	ownership   tells owners here that another node has superseded them
//	heads       tells sessions and connections here how far people's stored logs have come
//	teams       looks for changes of teams, and has rights that stand on them read again
//	attendance  tells the readers of a conversation who else has it open
//
// They do not know each other: package actors, which starts them, hands each what it
// needs of the others as a function.
//
// A panic costs one of them the message that it was about: Guarded catches it, so that
// the library does not start the actor again, empty. Nothing of them is durable. What
// the end of a node loses with them is what lived on it.
package node
