package api

import (
	"errors"
	"net"
	"time"
)

// Closed reports whether the server accepts no connections, after a Stop.
func (s *Server) Closed() bool {
	if s.lines == nil {
		return true // it never accepted any
	}
	listener, ok := s.lines.Listener.(*net.TCPListener)
	if !ok {
		return false
	}
	// If the listener is open, the wait for a connection ends at once, with another error.
	_ = listener.SetDeadline(time.Unix(1, 0))
	_, err := listener.Accept()
	return errors.Is(err, net.ErrClosed)
}
