//go:build unix

package stream

// A process can open so many files and connections and no more. Streams may not take all of them: the calls of people,
// the database and the other nodes need some at any moment, and without a free one a new connection cannot even be
// refused, because it is not accepted.

import (
	"net"
	"syscall"
)

const (
	// handlesKept is how many of the handles that a process may open are kept from streams, but no more than one in
	// handlesShare.
	handlesKept  = 256
	handlesShare = 4
)

// lacksHandles reports whether a connection is too much as a stream. The kernel gives a new connection the lowest free
// number, so its number says how many handles were in use when it came, and nothing has to be counted. The limit is
// read each time, because an operator can change it while the process runs.
func lacksHandles(conn net.Conn) bool {
	raw := rawOf(conn)
	var limit syscall.Rlimit
	if raw == nil || syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return false // the kernel decides, as for every file
	}
	number := uint64(0)
	if raw.Control(func(fd uintptr) { number = uint64(fd) }) != nil {
		return false // it is closed
	}
	most := uint64(limit.Cur) //nolint:unconvert // it is signed on some systems
	return number >= most-min(handlesKept, most/handlesShare)
}
