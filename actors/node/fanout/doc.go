// Package fanout hands what owners on other nodes publish to the connections of this one.
// An owner sends each node one message, whatever the number of its readers there, and
// everything for a reader, answers to its subscription included, goes through here, so
// that the order is that of the owner.
//
// A conversation that is read here:
//
//	unknown ──Forward LIVE──▶ followed ──the last Dropped, DENIED or MOVED──▶ unknown
//	                             │  ▲
//	            each CheckEvery  ▼  │ Published, Standing
//	                            asked ──no word until the next──▶ Silent: readers read the store
//	                                  ──silentFor without one──▶ Standing of epoch 0: they look for the owner
//
// In, from owners: Published, Forward, Standing. From connections: Dropped, Behind. From
// the hints of other nodes: Stands, MissedHints. Its own: checkOwners, overdue.
// Out, to connections: Publication, Subscription, Standing, Silent. To owners: Check.
//
// Frames between nodes may get lost, which readers notice by the Standing that answers a
// Check. Durable: nothing; connections end with the node and come back by their cursors.
package fanout
