// Package partitiontest cuts the network between processes of one machine, for tests.
//
// Each process gets a TCP proxy in front of the address on which it listens for the others, and
// tells them the proxy's address. The proxy finds out which process has made a connection, so
// that a direction between two processes can be cut: nothing is refused and nothing is closed,
// the bytes of this direction wait, also those of new connections. When the direction is healed
// they are delivered, late and in order, as TCP does after packets were lost.
//
// One thing differs from a network that loses packets: the kernel acknowledges what the proxy
// has taken, so only what the processes themselves expect to hear tells them of the cut.
package partitiontest
