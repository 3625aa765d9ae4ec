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
// # The actors of which every node has one
//
// Five stand in rooms of their own, under node, where each says its states and messages:
// fanout, roster, wheel, sweeper and scheduler (only where tasks are fired). The others
// are small and stand here:
//
//	teams       looks for changes of teams, and has rights that stand on them read again
//	heads       tells sessions and connections here how far people's stored logs have come
//	ownership   tells owners here that another node has superseded them
//	attendance  tells the readers of a conversation who else has it open
//
// All of them are guarded: they outlive a panic with what they know.
package actors
