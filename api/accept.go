package api

import (
	"errors"
	"net"
	"syscall"
	"time"
)

// The pauses between two tries to accept a connection while the machine has no room for one.
const (
	acceptFirst = 5 * time.Millisecond
	acceptLast  = 250 * time.Millisecond
)

// acceptFrom accepts a connection, and tries again after an error that passes by itself: no file handle or no memory is
// free, or the client has gone meanwhile. The HTTP server would take each of them for the end of the listener, and the
// node would go on without its port.
func acceptFrom(l net.Listener) (net.Conn, error) {
	for pause := acceptFirst; ; pause = min(2*pause, acceptLast) {
		conn, err := l.Accept()
		if err == nil || !passes(err) {
			return conn, err //nolint:wrapcheck // the server asks what kind of error it is
		}
		<-time.After(pause)
	}
}

// passes reports whether an error of Accept says nothing about the listener.
func passes(err error) bool {
	for _, one := range []syscall.Errno{
		syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.ECONNABORTED, syscall.ECONNRESET, syscall.EINTR,
	} {
		if errors.Is(err, one) {
			return true
		}
	}
	return false
}
