// Package cluster is this process among its peers.
//
// Membership is a table in Postgres with leases by the database's clock (the
// pattern of Orleans): a node renews its lease every two seconds, and six
// seconds without a renewal make it dead for everybody; less if the renewal is late and its
// process has ended. A node that could not renew for four seconds by its own monotonic clock
// accepts no more calls; at six it is fenced and exits, and comes back as a new incarnation. Placement asks
// the row of a conversation or a person where its owner lives, as long as that
// node lives; otherwise the living members agree on a node by rendezvous
// hashing. Owners stay where they are when nodes join.
//
// protoactor-go's remote carries the messages; its own cluster is not used, for it
// allows two activations of one identity (see docs/adr/0002).
// None of this is trusted for safety: two owners are always possible for a
// moment, and the fence of the store decides between them.
package cluster
