package stream

import (
	"errors"
	"net"
	"sync"
	"time"
)

// messageBytes is the maximum number of bytes read from the network for one message: its
// text and, for a fragmented message, the frame headers and the control frames in between.
const messageBytes = frameLimit + 8<<10

// errManyPieces ends a message for which more than messageBytes would be read.
var errManyPieces = errors.New("a message in too many pieces")

// wire is the connection that the websocket library reads and writes. It collects what the
// library writes until the socket sends it to the network in one call. So frames that are
// written together are one write, a frame can be written without waiting, and a close frame
// that the library writes by itself is never inside another frame.
type wire struct {
	net.Conn

	socket *socket
	// upgrade is the state of the upgrade; nil once the socket is established.
	upgrade *upgrade
	// before is read before the connection itself, one slice per call: the request for
	// the upgrade, then what the client sent too early. Only the reader uses it.
	before [][]byte

	// message is true while a message is being read, timed is true when the message has
	// its deadline, and budget is how many bytes may still be read for it. Only the
	// reading goroutine uses them.
	message bool
	timed   bool
	budget  int

	// mu protects written: what the library has written and the socket has not sent yet.
	mu      sync.Mutex
	written *[]byte
}

// begin and end mark the start and the end of reading a message.
func (w *wire) begin() { w.message, w.timed, w.budget = true, false, messageBytes }

func (w *wire) end() {
	w.message = false
	if w.timed {
		w.socket.readBy(0)
	}
}

// Read implements net.Conn. A message that has not arrived completely gets its deadline
// when the library has to read more of it.
func (w *wire) Read(b []byte) (int, error) {
	if len(w.before) > 0 {
		n := copy(b, w.before[0])
		if w.before[0] = w.before[0][n:]; len(w.before[0]) == 0 {
			w.before = w.before[1:]
		}
		if len(w.before) == 0 {
			w.before = nil
		}
		return n, nil
	}
	if w.message {
		if w.budget <= 0 {
			return 0, errManyPieces
		}
		if !w.timed {
			w.timed = true
			w.socket.readBy(messageTime)
		}
	}
	n, err := w.Conn.Read(b)
	w.budget -= n
	return n, err //nolint:wrapcheck // the library asks for io.EOF, the socket for timeouts
}

// Write implements net.Conn. It never blocks once the socket is established.
func (w *wire) Write(b []byte) (int, error) {
	if w.upgrade != nil {
		return w.Conn.Write(b) //nolint:wrapcheck // the response to the upgrade, written by the HTTP server
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.written == nil {
		w.written = w.socket.server.buffer()
	}
	*w.written = append(*w.written, b...)
	return len(b), nil
}

// unsent returns what was written since the last call, or nil if nothing was. The caller
// returns the buffer to the server's pool.
func (w *wire) unsent() *[]byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := w.written
	w.written = nil
	return b
}

// SetWriteDeadline implements net.Conn. It ignores the deadline that the library sets for
// each frame, because the socket has its own, which it rarely has to move.
func (w *wire) SetWriteDeadline(time.Time) error { return nil }
