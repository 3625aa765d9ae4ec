//go:build !unix

package stream

import "net"

// lacksHandles reports whether a connection is too much as a stream: there is no limit of handles here.
func lacksHandles(net.Conn) bool { return false }
