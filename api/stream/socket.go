package stream

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/fasthttp/websocket"

	"parley.dev/parley/domain"
)

const (
	// frameLimit is the most bytes of a client's message.
	frameLimit = 64 << 10
	// writeTime is how long a write may be blocked, at least. The deadline is moved
	// only when less than that is left of it, so that most writes set none.
	writeTime  = 10 * time.Second
	deadlineOf = 20 * time.Second
	// closeTime is what a blocked write still gets once the socket is to be closed.
	closeTime = 5 * time.Second
	// messageTime is how long a message may take from its first byte to its last.
	messageTime = 20 * time.Second
	// framesBurst and framesPerSecond bound what a client sends. A client that asks for
	// each of its 200 conversations by a frame of its own, and for one too many, stays
	// well within them.
	framesBurst     = 500
	framesPerSecond = 100
	// bufferMax is the largest buffer that goes back into the pool.
	bufferMax = 64 << 10
)

// kernelNow is for deadlines of connections, which the kernel keeps by its own
// clock, whatever clock the program was given.
func kernelNow() time.Time { return time.Now() } //nolint:forbidigo // see above

var errEnded = errors.New("the socket is closed")

// socket is one open connection of a client, a websocket or server-sent events.
type socket struct {
	server *Server
	conn   net.Conn
	raw    syscall.RawConn // of conn, for writes that do not wait; nil where there are none
	signIn domain.SignInKey
	// ws frames what goes over the wire; nil for server-sent events, which use neither.
	ws   *websocket.Conn
	wire wire

	// closing is set once, by the first goroutine that closes.
	closing atomic.Bool
	// code is what the socket is closed with, for the metrics. Written before closing is read as true.
	code atomic.Int32

	// mu is the write lock: it guards what follows and every write.
	mu       sync.Mutex
	deadline time.Time
	rest     []byte // of a frame that TryWrite could not write whole; it goes first
	broken   bool   // a write ended in the middle of a frame

	// tokens and refilled belong to the reading goroutine.
	tokens   float64
	refilled time.Time
}

// rawOf is the way to a connection's descriptor; nil where there is none.
func rawOf(conn net.Conn) syscall.RawConn {
	if c, ok := conn.(syscall.Conn); ok {
		if raw, err := c.SyscallConn(); err == nil {
			return raw
		}
	}
	return nil // Write says what is wrong with the connection
}

// send writes whole events.
func (s *socket) send(b []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing.Load() {
		return errEnded
	}
	return s.writeLocked(b)
}

func (s *socket) writeLocked(b []byte) error {
	if s.broken {
		return errEnded
	}
	if err := s.extendLocked(); err != nil {
		return err
	}
	if s.rest != nil {
		b = append(s.rest, b...)
		s.rest = nil
	}
	if _, err := s.conn.Write(b); err != nil {
		s.broken = true
		return err //nolint:wrapcheck // the caller only asks whether it failed
	}
	return nil
}

// extendLocked gives a write its time.
func (s *socket) extendLocked() error {
	if now := kernelNow(); s.deadline.Sub(now) < writeTime {
		s.deadline = now.Add(deadlineOf)
		if err := s.conn.SetWriteDeadline(s.deadline); err != nil {
			s.broken = true
			return err //nolint:wrapcheck // the caller only asks whether it failed
		}
	}
	return nil
}

// Close implements Sink. What is being written gets 5 s to get through, then
// comes the close frame, and the client 2 s to answer it.
func (s *socket) Close(d domain.Disconnect) {
	if !s.closing.CompareAndSwap(false, true) {
		return
	}
	s.code.Store(int32(d.Code)) //nolint:gosec // codes have four digits
	// A write that is blocked now ends by this deadline and not by its own.
	if err := s.conn.SetWriteDeadline(kernelNow().Add(closeTime)); err != nil {
		s.server.log.LogAttrs(context.Background(), slog.LevelDebug, "the socket was gone", slog.Any("error", err))
	}
	go s.finish(d)
}

func (s *socket) finish(d domain.Disconnect) {
	defer s.rescue("closing a socket")
	s.mu.Lock()
	s.deadline = kernelNow().Add(deadlineOf) // set by Close; writeLocked leaves it alone
	var err error
	if s.ws != nil {
		err = s.closeLocked(d)
	} else {
		err = s.writeLocked(appendClose(nil, d))
	}
	s.mu.Unlock()
	half, ok := s.conn.(interface{ CloseWrite() error })
	if err != nil || !ok || half.CloseWrite() != nil {
		s.hangUp()
		return
	}
	// Closing with unread bytes would reset the connection and could take the close
	// frame with it: the reader goes on to the client's end, or to this deadline.
	if err := s.conn.SetReadDeadline(kernelNow().Add(2 * time.Second)); err != nil {
		s.hangUp()
	}
}

// hangUp ends the TCP connection; the reader notices.
func (s *socket) hangUp() {
	if err := s.conn.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		s.server.log.LogAttrs(context.Background(), slog.LevelDebug, "closing a connection failed", slog.Any("error", err))
	}
}

// rescue ends the socket on a panic and keeps its text to ourselves.
func (s *socket) rescue(doing string) {
	if r := recover(); r != nil {
		s.server.log.LogAttrs(context.Background(), slog.LevelError, "a socket panicked",
			slog.String("doing", doing), slog.Any("panic", r), slog.String("stack", string(debug.Stack())))
		s.Close(domain.DisconnectInternal)
	}
}

// drain reads and drops what the client still sends after the close frame.
func (s *socket) drain() {
	var scratch [readBuffer]byte
	for {
		if _, err := s.conn.Read(scratch[:]); err != nil {
			return
		}
	}
}

// spend counts a frame of the client and tells whether it is within the rate.
func (s *socket) spend() bool {
	now := s.server.clock.Now()
	if s.refilled.IsZero() {
		s.tokens = framesBurst
	} else {
		s.tokens = min(framesBurst, s.tokens+max(0, now.Sub(s.refilled).Seconds())*framesPerSecond)
	}
	s.refilled = now
	s.tokens--
	return s.tokens >= 0
}
