// Package actors is the engine: it makes the actors' kinds and props, connects the packages
// conversation, turn, session and connection, which do not know each other, and offers the
// methods that transports call.
//
// # Words
//
//	owner        the one activation of a conversation, on some node, that may write: its row names it
//	reader       a connection to which a conversation sends what is committed; a session calls them members
//	batch        the changes that a conversation collects while its last write is in flight: its next write
//	write        what a conversation submits to the journal: one at a time, stored completely or not at all
//	group        the writes of many conversations that the journal commits together
//	lane         a worker of the journal, which commits group after group
//	delta        a piece of the text of a message, addressed by its byte offset in it
//	publication  the events and deltas of one commit, in order, encoded once for all readers
//	place        how far a reader is: epoch, generation, seq, and the offsets of the open messages
//	cursor       a place as a client keeps it and sends it when it comes back
//
// # Files
//
//	system      starts and drains a node: the actors of which every node has one, each in a
//	            separate package under node, and the kinds that the cluster places
//	engine      sends requests to the owner of a conversation, on any node, until their deadline
//	stop        the same for Stop, and the stop flag for when no owner can be reached
//	connect     makes the connection of a socket; sink names what a transport implements
//	hints       tells other nodes where owners of this node are, and passes their hints to the
//	            actors of this node
//	config      what the engine needs; meter has the metrics, and unshared replaces what nodes
//	            share on a single node
package actors
