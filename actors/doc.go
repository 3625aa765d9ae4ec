// Package actors is the engine: it makes the actors' kinds and props, wires
// conversation, turn, session and connection, which do not know each other, and
// is the front door that transports call.
//
// # Words
//
//	owner        the one activation of a conversation, on some node, that may write: its row names it
//	reader       a connection that a conversation shows what is committed; members are those of a session
//	batch        what a conversation gathers while its last write is under way; it becomes the next write
//	write        what a conversation gives the journal: one at a time, all of it is stored or nothing
//	group        the writes of many conversations that the journal commits together
//	lane         a worker of the journal, which commits group after group
//	delta        a piece of the text of a message, addressed by its byte offset in it
//	publication  what one commit shows, in order: events and deltas, encoded once for all readers
//	place        how far a reader is: epoch, generation, seq, and the offsets of the open messages
//	cursor       a place as a client holds it and presents it when it comes back
//
// # What stands here
//
//	system      starts and drains a node: the actors of which every node has one, each in a
//	            room of its own under node, and the kinds that the cluster places
//	engine      asks the owner of a conversation, wherever it lives, until its time is over
//	stop        the same for Stop, and what stands for it where no owner can be reached
//	connect     makes the connection of a socket; sink says what a transport offers
//	hints       says to other nodes where owners here stand, and hears what they say: which
//	            actor of this node a hint is for is known here alone
//	config      what the engine stands on; meter says what an operator counts, and unshared
//	            is in place of what nodes share where nothing is shared
package actors
