// Package shared holds the short-lived state that the nodes of a cluster share and
// that can be lost without harm: rate counters, seats, presence, hints and hot tails.
// It is stored on a Redis server; a node without a server keeps the same state in its
// process, behind the same interfaces (domain/shared.go).
//
// Each part is kept in the process first and then on the server, so that this node
// loses nothing when the server is unreachable, slow, read-only or emptied:
//
//	part      in the process                on the server
//	rates     what this node admitted       what all nodes admitted
//	seats     the seats taken here          how many each node holds, by its lease
//	presence  who is here                   who is on each node, by its lease
//	hints     to listeners here             to listeners of other nodes
//	tails     the latest, without a server  the latest entries that were committed
//
//	     three calls fail one after another
//	up ────────────────────────────────────▶ away
//	 ▲                                         │ a probe that writes, twice a second
//	 └─────────────────────────────────────────┘
//
// A call may take 100 ms. While the server is away (unreachable or refusing writes), no
// call is made: this node counts seats by itself, and rates too, against the limit divided
// by the number of nodes. When the server is back, this node writes again what it holds.
//
// A node's fields on the server count only while its lease is valid. The node renews the
// lease every five seconds, and the lease ends fifteen seconds after the last renewal:
// this is how the seats of a node that was killed become free.
package shared
