//go:build unix

package stream

import (
	"errors"
	"syscall"
)

// attempt is one write that does not wait. It is pooled with its buffer, so that
// a frame costs no allocation here.
type attempt struct {
	b   []byte
	n   int
	err error
	do  func(fd uintptr) bool
}

func newAttempt() *attempt {
	a := &attempt{b: make([]byte, 0, 1<<10)}
	a.do = a.write
	return a
}

// write gives the kernel what it takes now. It never asks to be called again.
func (a *attempt) write(fd uintptr) bool {
	for {
		a.n, a.err = syscall.Write(int(fd), a.b)
		if !errors.Is(a.err, syscall.EINTR) {
			break
		}
	}
	a.n = max(a.n, 0)
	if errors.Is(a.err, syscall.EAGAIN) {
		a.err = nil
	}
	return true
}

// TryWrite writes frames as far as the kernel takes them at once, in the
// caller's goroutine. Of a frame that is written in part the socket keeps the
// rest; an empty list of what is left says so.
func (s websocketSink) TryWrite(frames [][]byte) ([][]byte, error) {
	if s.raw == nil || !s.mu.TryLock() {
		return frames, nil // a pong is being written: wait for it elsewhere
	}
	defer s.mu.Unlock()
	switch {
	case s.closing.Load() || s.broken:
		return nil, errEnded
	case s.rest != nil:
		return frames, nil
	}
	if err := s.extendLocked(); err != nil {
		return nil, err
	}
	a, ok := s.server.attempts.Get().(*attempt)
	if !ok {
		a = newAttempt()
	}
	defer s.server.giveBack(a)
	for _, f := range frames {
		a.b = s.append(a.b, f)
	}
	if err := errors.Join(s.raw.Write(a.do), a.err); err != nil {
		s.broken = true
		return nil, err
	}
	s.server.metrics.frames.Add(float64(len(frames)))
	if a.n < len(a.b) {
		s.rest = append([]byte(nil), a.b[a.n:]...)
		return [][]byte{}, nil
	}
	return nil, nil
}

// giveBack keeps an attempt for the next write.
func (s *Server) giveBack(a *attempt) {
	if cap(a.b) <= bufferMax {
		a.b, a.n, a.err = a.b[:0], 0, nil
		s.attempts.Put(a)
	}
}
