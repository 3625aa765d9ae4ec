// Package node has what is shared by the actors of which every node has one (the packages
// below it): the guard that lets them keep their state after a panic, and the Poller, which
// is part of those that query the database regularly.
//
//	fanout      passes what owners on other nodes publish to the connections of this node
//	roster      lists the actors that live here, so that a drain reaches all of them
//	wheel       the only timer: an actor that armed it gets a Tick, with a precision of one second
//	sweeper     looks for turns that lost their owner
//	scheduler   looks for scheduled tasks that are due, where tasks are fired
//	ownership   notifies owners here that another node has superseded them
//	rebalance   releases idle conversations while the node carries clearly more than its share
//	turnqueue   lets turns begin when there is a slot for them, shared fairly between organisations
//	heads       tells sessions and connections here how far people's stored logs go
//	teams       looks for changes of teams, and causes the rights that depend on them to be read again
//	attendance  shows the readers of a conversation who else has it open
//
// They do not know each other: package actors, which starts them, passes each one what it
// needs from the others as a function.
//
// A panic loses only the message that was being handled: Guarded catches the panic, so that
// the library does not restart the actor with an empty state. None of their state is durable.
// It describes only what lives on the node, and ends with it.
package node
