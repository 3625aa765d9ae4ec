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
	// writeTime is the minimum time for which a write may block. A deadline is set
	// writeDeadline ahead and moved only when less than writeTime is left, so most writes
	// need not set one.
	writeTime     = 10 * time.Second
	writeDeadline = 20 * time.Second
	// closeTime is how long a blocked write may continue once the socket is being closed.
	closeTime = 5 * time.Second
	// frameLimit is the maximum size of a client's message in bytes.
	frameLimit = 64 << 10
	// messageTime is how long a message may take from its first byte to its last.
	messageTime = 20 * time.Second
	// framesBurst and framesPerSecond limit how many frames a client sends. A client that
	// subscribes to each of its 200 conversations by a separate frame, and to one too many,
	// stays well within these limits.
	framesBurst     = 500
	framesPerSecond = 100
	// bufferMax is the maximum size of a buffer that is put back into the pool.
	bufferMax = 64 << 10
)

// kernelNow is the time for deadlines of connections. They always follow the machine's
// clock, even if the program was given another one.
func kernelNow() time.Time { return time.Now() } //nolint:forbidigo // see above

var errEnded = errors.New("the socket is closed")

// socket is one open connection of a client, a websocket or server-sent events.
type socket struct {
	server *Server
	conn   net.Conn
	raw    syscall.RawConn // of conn, for writes that do not wait; nil if unsupported
	signIn domain.SignInKey
	// ws writes and reads frames over the wire; server-sent events use neither.
	ws   *websocket.Conn
	wire wire

	// arriving is the place of a hello that is being answered.
	arriving atomic.Pointer[place]
	// closing is set once, by the first goroutine that closes.
	closing atomic.Bool
	// code is the close code, for the metrics.
	code atomic.Int32

	// mu is the write lock: it protects every write and the fields deadline, rest and broken.
	mu       sync.Mutex
	deadline time.Time
	rest     []byte // what TryWrite could not write of its frames; it is written first
	broken   bool   // a write has failed, perhaps in the middle of a frame

	// Only the reading goroutine uses tokens and refilled.
	tokens   float64
	refilled time.Time
}

// rawOf returns access to a connection's file descriptor, or nil if it has none.
func rawOf(conn net.Conn) syscall.RawConn {
	if c, ok := conn.(syscall.Conn); ok {
		if raw, err := c.SyscallConn(); err == nil {
			return raw
		}
	}
	return nil // if the connection is broken, Write returns the error
}

// arrive waits until the hello of this socket may be answered.
func (s *socket) arrive() error {
	p, err := s.server.arrivals.hello(context.Background())
	s.arriving.Store(p)
	return err
}

// Arrived implements connection.ArrivalSink: the hello is answered.
func (s *socket) Arrived() { s.arriving.Swap(nil).leave() }

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

// extendLocked moves the write deadline if less than writeTime is left.
func (s *socket) extendLocked() error {
	if now := kernelNow(); s.deadline.Sub(now) < writeTime {
		s.deadline = now.Add(writeDeadline)
		if err := s.conn.SetWriteDeadline(s.deadline); err != nil {
			s.broken = true
			return err //nolint:wrapcheck // the caller only asks whether it failed
		}
	}
	return nil
}

// Close implements Sink. A write in progress has 5 s to finish. Then the close frame is
// sent, and the client has 2 s to answer it.
func (s *socket) Close(d domain.Disconnect) {
	if !s.closing.CompareAndSwap(false, true) {
		return
	}
	s.code.Store(int32(d.Code)) //nolint:gosec // codes have four digits
	// This deadline replaces the one of a write that is blocked now.
	if err := s.conn.SetWriteDeadline(kernelNow().Add(closeTime)); err != nil {
		s.server.log.LogAttrs(context.Background(), slog.LevelDebug, "the socket was gone", slog.Any("error", err))
	}
	go s.finish(d)
}

func (s *socket) finish(d domain.Disconnect) {
	defer s.rescue("closing a socket")
	s.mu.Lock()
	s.deadline = kernelNow().Add(writeDeadline) // so that writeLocked keeps the deadline that Close has set
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
	// Closing a connection with unread bytes would reset it, and the close frame could be
	// lost. So the reader continues until the client closes, or until this deadline.
	if err := s.conn.SetReadDeadline(kernelNow().Add(2 * time.Second)); err != nil {
		s.hangUp()
	}
}

// hangUp closes the TCP connection, which also ends the reader.
func (s *socket) hangUp() {
	if err := s.conn.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		s.server.log.LogAttrs(context.Background(), slog.LevelDebug, "closing a connection failed", slog.Any("error", err))
	}
}

// rescue recovers from a panic: it logs the panic and closes the socket.
func (s *socket) rescue(doing string) {
	if r := recover(); r != nil {
		s.server.log.LogAttrs(context.Background(), slog.LevelError, "a socket panicked",
			slog.String("doing", doing), slog.Any("panic", r), slog.String("stack", string(debug.Stack())))
		s.Close(domain.DisconnectInternal)
	}
}

// drain reads and discards what the client sends, until the connection ends.
func (s *socket) drain() {
	var scratch [readBuffer]byte
	for {
		if _, err := s.conn.Read(scratch[:]); err != nil {
			return
		}
	}
}

// spend counts a frame of the client and reports whether it is within the rate.
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
