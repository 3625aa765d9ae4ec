// Package cluster makes this process a node of the cluster.
//
// Membership is a table in Postgres with leases by the database's clock (the pattern of Orleans): a
// node renews its lease every second, and six seconds without a renewal make it dead for all
// nodes; less time if the renewal is late and its process has ended. A node that could not renew
// for four seconds by its own monotonic clock accepts no more calls; at six it is fenced and exits,
// and starts again as a new incarnation. Placement reads the node of an owner from the row of the
// conversation or person, as long as that node is alive; otherwise the living members agree on a
// node by rendezvous hashing. For conversations that node only chooses the owner's node, by what the
// members report to carry (balance.go, docs/adr/0015), and is the owner itself if the chosen one refuses.
//
// protoactor-go's remote carries the messages; its own cluster is not used, because it
// allows two activations of one identity (see docs/adr/0002). Safety does not depend on any
// of this: two owners are always possible for a moment, and the fence of the store decides
// between them.
package cluster
