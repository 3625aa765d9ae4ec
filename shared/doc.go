// Package shared is what the nodes of a cluster share that is not truth: rate
// counters, seats, presence, hints and hot tails. A Redis server carries it; a node
// without one keeps the same in its process, behind the same interfaces
// (domain/shared.go).
//
// Each part is kept in the process first and then on the server, so that a server
// that is gone, slow, read-only or emptied takes nothing from this node:
//
//	part      in the process                on the server
//	rates     what this node let through    what all nodes let through
//	seats     those taken here              how many each node holds, by its lease
//	presence  who is here                   who is on each node, by its lease
//	hints     to listeners here             to listeners of other nodes
//	tails     the latest, without a server  the latest entries that were committed
//
//	       a call fails three times running
//	up ────────────────────────────────────▶ away
//	 ▲                                         │ a probe that writes, twice a second
//	 └─────────────────────────────────────────┘
//
// A call has 100 ms. While the server is away none is made: rates are counted here,
// with a share of the limit as large as this node's share of the cluster, and seats
// here. When it is back, this node writes down again what it holds.
//
// A node's fields on the server count only while its lease, which it renews every
// five seconds, is younger than fifteen: what a node held that was killed comes free.
package shared
