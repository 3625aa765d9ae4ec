// Package fanout passes what owners on other nodes publish to the connections of this node.
// An owner sends each node one message, whatever the number of its readers there. Everything
// for a reader, including the answers to its subscription, is sent through here, so that it
// arrives in the owner's order.
//
// A conversation that is read here:
//
//	unknown ──Forward LIVE──▶ followed ──the last Dropped, DENIED or MOVED──▶ unknown
//	                             │  ▲
//	            each CheckEvery  ▼  │ Published, Position
//	                            asked ──no answer until the next──▶ Silent: readers read the store
//	                                  ──silentFor without one──▶ Position of epoch 0: they look for the owner
//
// In, from owners: Published, Forward, Position. From connections: Dropped, Behind. From
// the hints of other nodes: Position, MissedHints. Its own: checkOwners, overdue.
// Out, to connections: Publication, Subscription, Position, Silent, and the message of a Behind.
// To owners: Check.
//
// Frames between nodes may get lost, which readers notice by the Position that answers a
// Check. Durable: nothing; connections end with the node, and clients come back with their
// cursors.
package fanout
