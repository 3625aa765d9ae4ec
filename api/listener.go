package api

import (
	"bytes"
	"errors"
	"io"
	"net"
	"sync"

	"github.com/gofiber/fiber/v2"

	"parley.dev/parley/api/stream"
	"parley.dev/parley/domain"
)

var _ stream.Conn = (*lineConn)(nil)

// unreadBytes bounds what is still taken of a request whose head was too large, for
// lingerTime at most. A client that is cut while it writes loses the answer.
const unreadBytes = 1 << 20

// lineListener accepts connections that know how long the line is which they are reading.
// It keeps those that have said nothing yet: a client may open more connections than it
// needs, and the HTTP server would wait for their first request before it stops.
type lineListener struct {
	net.Listener

	// asked is closed when a connection is waited for the first time: the HTTP server
	// knows of the listener by then.
	asked chan struct{}
	once  sync.Once

	// mu guards what is below it.
	mu      sync.Mutex
	silent  map[*lineConn]struct{}
	closing bool
}

func newLineListener(l net.Listener) *lineListener {
	return &lineListener{Listener: l, asked: make(chan struct{}), silent: map[*lineConn]struct{}{}}
}

// Accept implements net.Listener.
func (l *lineListener) Accept() (net.Conn, error) {
	l.once.Do(func() { close(l.asked) })
	for {
		conn, err := l.Listener.Accept()
		tcp, ok := conn.(*net.TCPConn)
		if !ok {
			return conn, err //nolint:wrapcheck // the server asks what kind of error it is
		}
		c := &lineConn{TCPConn: tcp, from: l}
		if l.keep(c) {
			return c, nil
		}
		_ = tcp.Close() // nobody has said anything on it
	}
}

// keep takes a new connection in, unless the server stops.
func (l *lineListener) keep(c *lineConn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closing {
		l.silent[c] = struct{}{}
	}
	return !l.closing
}

// heard says that a connection has begun to speak, or has gone.
func (l *lineListener) heard(c *lineConn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.silent, c)
}

// closeSilent ends the connections that have said nothing, and those that still come.
func (l *lineListener) closeSilent() {
	l.mu.Lock()
	silent := l.silent
	l.silent, l.closing = map[*lineConn]struct{}{}, true
	l.mu.Unlock()
	for c := range silent {
		_ = c.TCPConn.Close() // the server reads its end, and lets it go
	}
}

// lineConn counts the bytes since the last line break. The HTTP server refuses a head
// that does not fit into its buffer without saying what of it was too large: when the
// buffer holds no line break at all, it was the request's own line.
//
// The connection is embedded so that its short cuts, sendfile and writev, stay.
type lineConn struct {
	*net.TCPConn
	from   *lineListener
	spoke  bool // its first bytes have come, or its end
	line   int  // bytes
	query  bool // the line has a question mark
	unread bool // the client is still writing what nobody will read

	// mu guards what stands below it: a connection is closed from any goroutine.
	mu     sync.Mutex
	closed bool
	ended  func() // called once it is closed
}

// OnClose implements stream.Conn.
func (c *lineConn) OnClose(ended func()) {
	c.mu.Lock()
	closed := c.closed
	if !closed {
		c.ended = ended
	}
	c.mu.Unlock()
	if closed {
		ended()
	}
}

func (c *lineConn) Read(p []byte) (int, error) {
	n, err := c.TCPConn.Read(p)
	if !c.spoke {
		c.spoke = true
		c.from.heard(c)
	}
	rest := p[:n]
	if at := bytes.LastIndexByte(rest, '\n'); at >= 0 {
		rest, c.line, c.query = rest[at+1:], 0, false
	}
	c.line += len(rest)
	c.query = c.query || bytes.IndexByte(rest, '?') >= 0
	return n, err //nolint:wrapcheck // io.EOF must stay what it is
}

// Close lets a client that is writing a head which was refused read why.
func (c *lineConn) Close() error {
	defer c.tellEnd()
	c.from.heard(c)
	if c.unread && c.CloseWrite() == nil && c.SetReadDeadline(kernelNow().Add(lingerTime)) == nil {
		_, _ = io.CopyN(io.Discard, c.TCPConn, unreadBytes) // how it ends does not matter
	}
	return c.TCPConn.Close() //nolint:wrapcheck // nobody adds to it
}

// tellEnd calls the function that wants to know of the end, once.
func (c *lineConn) tellEnd() {
	c.mu.Lock()
	ended := c.ended
	c.closed, c.ended = true, nil
	c.mu.Unlock()
	if ended != nil {
		ended()
	}
}

// headFailure says what of a head was too large, when that is what failed: a query
// with more values than any list may have, another address, or the headers.
func headFailure(c *fiber.Ctx, err error) error {
	if !errors.Is(err, fiber.ErrRequestHeaderFieldsTooLarge) {
		return err
	}
	conn, ok := c.Context().Conn().(*lineConn)
	if !ok {
		return err
	}
	conn.unread = true
	switch {
	case conn.line < headerLimit:
		return err
	case conn.query:
		return domain.Invalid("query", "There are too many values.")
	default:
		return fiber.ErrRequestURITooLong
	}
}
