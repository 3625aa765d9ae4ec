package stream

import (
	"errors"
	"net"
	"sync"
	"time"
)

// messageBytes is the most that is read from the network for one message: its text
// and, of a message in pieces, their headers and the control frames between them.
const messageBytes = frameLimit + 8<<10

// errManyPieces ends a message of which too much was read.
var errManyPieces = errors.New("a message in too many pieces")

// wire is the connection that the websocket library reads and writes. What the
// library writes is gathered here, and goes to the network by one call when the
// socket says so: frames written together are one write, a frame can be written
// without waiting, and a close frame of the library's own never lands inside
// another frame.
type wire struct {
	net.Conn

	socket *socket
	// upgrade is what is going on before the socket lives; nil from then on.
	upgrade *upgrade
	// before is read ahead of the connection, one slice by each call: the request for
	// the upgrade, then what the client said too early. It belongs to the reader.
	before [][]byte

	// message says that a message is being read, timed that it has its deadline, and
	// budget what may still be read of it. They belong to the reading goroutine.
	message bool
	timed   bool
	budget  int

	// mu guards what the library has written and the socket has not.
	mu      sync.Mutex
	written *[]byte
}

// begin and end say from where to where a message is read.
func (w *wire) begin() { w.message, w.timed, w.budget = true, false, messageBytes }

func (w *wire) end() {
	w.message = false
	if w.timed {
		w.socket.readBy(0)
	}
}

// Read implements net.Conn. A message that is not there as a whole gets its time
// when the library has to ask for more of it.
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

// Write implements net.Conn. It never blocks once the socket lives.
func (w *wire) Write(b []byte) (int, error) {
	if w.upgrade != nil {
		return w.Conn.Write(b) //nolint:wrapcheck // the answer to the upgrade, of the HTTP server
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.written == nil {
		w.written = w.socket.server.buffer()
	}
	*w.written = append(*w.written, b...)
	return len(b), nil
}

// take gives what was written since the last time; nil when that is nothing. The
// caller gives the buffer back to the server.
func (w *wire) take() *[]byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := w.written
	w.written = nil
	return b
}

// SetWriteDeadline implements net.Conn. The library sets one for each frame; the
// socket has its own, which it moves seldom.
func (w *wire) SetWriteDeadline(time.Time) error { return nil }
