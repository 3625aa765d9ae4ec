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

// unreadBytes is how many bytes are still read of a request whose head was too large, for at
// most lingerTime. A client whose connection is closed while it is writing does not get the
// answer.
const unreadBytes = 1 << 20

// lineListener accepts connections that count the bytes of their current line. It also keeps
// a list of connections that have sent nothing yet: a client may open more connections than
// it needs, and the HTTP server would wait for their first request before it stops.
type lineListener struct {
	net.Listener

	// asked is closed at the first call of Accept: from then on the HTTP server knows the
	// listener.
	asked chan struct{}
	once  sync.Once

	// mu protects the fields below it.
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
		conn, err := acceptFrom(l.Listener)
		tcp, ok := conn.(*net.TCPConn)
		if !ok {
			return conn, err
		}
		c := &lineConn{TCPConn: tcp, from: l}
		if l.keep(c) {
			return c, nil
		}
		_ = tcp.Close() // nothing was sent on it
	}
}

// keep adds a new connection to the list, unless the server stops.
func (l *lineListener) keep(c *lineConn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closing {
		l.silent[c] = struct{}{}
	}
	return !l.closing
}

// heard removes a connection that has sent its first bytes, or was closed.
func (l *lineListener) heard(c *lineConn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.silent, c)
}

// closeSilent closes the connections that have sent nothing, and all later ones.
func (l *lineListener) closeSilent() {
	l.mu.Lock()
	silent := l.silent
	l.silent, l.closing = map[*lineConn]struct{}{}, true
	l.mu.Unlock()
	for c := range silent {
		_ = c.TCPConn.Close() // the server reads the end and drops it
	}
}

// lineConn counts the bytes since the last line break. The HTTP server refuses a head that
// does not fit into its buffer without saying which part was too large: if the buffer has no
// line break at all, it was the request line.
//
// The connection is embedded so that its optimisations, sendfile and writev, still work.
type lineConn struct {
	*net.TCPConn
	from   *lineListener
	spoke  bool // its first bytes have arrived, or it has ended
	line   int  // bytes
	query  bool // the line has a question mark
	unread bool // the client is still sending bytes that will not be read

	// mu protects the fields below it: a connection may be closed from any goroutine.
	mu     sync.Mutex
	closed bool
	ended  func() // called when it is closed
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
	return n, err //nolint:wrapcheck // io.EOF must stay unwrapped
}

// Close reads on for a moment if a head was refused while the client was still sending, so
// that the client can read the answer.
func (c *lineConn) Close() error {
	defer c.notifyEnd()
	c.from.heard(c)
	if c.unread && c.CloseWrite() == nil && c.SetReadDeadline(kernelNow().Add(lingerTime)) == nil {
		_, _ = io.CopyN(io.Discard, c.TCPConn, unreadBytes) // how it ends does not matter
	}
	return c.TCPConn.Close() //nolint:wrapcheck // there is no context to add
}

// notifyEnd calls the function that was registered for the end, once.
func (c *lineConn) notifyEnd() {
	c.mu.Lock()
	ended := c.ended
	c.closed, c.ended = true, nil
	c.mu.Unlock()
	if ended != nil {
		ended()
	}
}

// headFailure is the error of a head that was too large: a query with more values than any
// list may have, another URL, or the headers.
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
