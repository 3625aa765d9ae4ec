//go:build unix

package stream

// The first write of a frame, without a wait and without a goroutine: most sockets accept it at
// once, and the actor of a connection calls this itself (ADR 8). What the kernel does not accept is
// written by the slow way, socket.Write.

import (
	"errors"
	"syscall"
)

// attempt is one write that does not wait. Attempts are pooled to avoid allocations.
type attempt struct {
	b   []byte
	n   int
	err error
	do  func(fd uintptr) bool
}

// newAttempt makes the function value once: made at each write, it would be an allocation.
func newAttempt() *attempt {
	a := &attempt{}
	a.do = a.write
	return a
}

// write writes as much as the kernel accepts now. It returns true in any case, so that
// RawConn.Write does not wait and call it again.
func (a *attempt) write(fd uintptr) bool {
	for {
		// An interrupted call has written nothing and is repeated (EINTR in write(2)).
		a.n, a.err = syscall.Write(int(fd), a.b)
		if !errors.Is(a.err, syscall.EINTR) {
			break
		}
	}
	a.n = max(a.n, 0)
	// The kernel's buffer is full, which is not an error: n says what was written.
	if errors.Is(a.err, syscall.EAGAIN) {
		a.err = nil
	}
	return true
}

// TryWrite writes frames as far as the kernel accepts them at once, in the caller's
// goroutine. It returns nil if everything was written, and the given frames if nothing
// was. If only a part was written, the socket keeps the rest for the next Write, and the
// returned list is empty but not nil.
func (s websocketSink) TryWrite(frames [][]byte) ([][]byte, error) {
	// TryLock never waits, because an actor must not wait.
	if s.raw == nil || !s.mu.TryLock() {
		return frames, nil // another write is in progress: the caller must use Write
	}
	defer s.mu.Unlock()
	switch {
	case s.closing.Load() || s.broken:
		return nil, errEnded
	// The rest of an earlier write must be sent first, or the bytes would be out of order.
	case s.rest != nil:
		return frames, nil
	}
	if err := s.extendLocked(); err != nil {
		return nil, err
	}
	if err := s.frameLocked(frames); err != nil {
		return nil, err
	}
	b := s.wire.unsent()
	if b == nil {
		return nil, nil
	}
	defer s.server.release(b)
	n, err := s.server.attempt(s.raw, *b)
	if err != nil {
		// Some bytes may have been sent, so the stream of frames is broken and no later write may
		// follow.
		s.broken = true
		return nil, err
	}
	if n < len(*b) {
		// The buffer goes back to the pool, so the rest is copied.
		s.rest = append([]byte(nil), (*b)[n:]...)
		return [][]byte{}, nil
	}
	return nil, nil
}

// attempt writes as much of b as the kernel accepts at once and returns how much that was.
// The attempt keeps no reference to b afterwards.
func (s *Server) attempt(raw syscall.RawConn, b []byte) (int, error) {
	a, ok := s.attempts.Get().(*attempt)
	if !ok {
		a = newAttempt()
	}
	a.b, a.n, a.err = b, 0, nil
	err := errors.Join(raw.Write(a.do), a.err)
	n := a.n
	a.b = nil
	s.attempts.Put(a)
	return n, err
}
