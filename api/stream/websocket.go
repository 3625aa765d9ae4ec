package stream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
	"unicode/utf8"

	"github.com/fasthttp/websocket"

	"parley.dev/parley/domain"
)

// Close codes of RFC 6455 that the protocol of the product does not name.
const (
	closeProtocol    = websocket.CloseProtocolError
	closeUnsupported = websocket.CloseUnsupportedData
	closeGone        = websocket.CloseAbnormalClosure
	closeNotText     = websocket.CloseInvalidFramePayloadData
	// reasonMax is how many bytes of a reason fit into a close frame.
	reasonMax = 123
)

// fault is why a client's bytes end its socket.
type fault struct{ domain.Disconnect }

// Error implements error.
func (f *fault) Error() string { return fmt.Sprintf("close %d: %s", f.Code, f.Reason) }

func faulty(code int, reason string) error {
	return &fault{domain.Disconnect{Code: code, Reason: reason}}
}

// websocketSink is a socket that can ping. The methods of server-sent events
// are not among its own, so that the engine can tell the two apart.
type websocketSink struct{ *socket }

// Write implements Sink: all frames go out in one write.
func (s websocketSink) Write(frames [][]byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing.Load() {
		return errEnded
	}
	if err := s.frameLocked(frames); err != nil {
		return err
	}
	return s.flushLocked()
}

// Ping asks the client for a pong.
func (s websocketSink) Ping() error { return s.control(websocket.PingMessage, nil) }

// control writes a ping or a pong.
func (s *socket) control(kind int, payload []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing.Load() {
		return errEnded
	}
	if err := s.ws.WriteControl(kind, payload, time.Time{}); err != nil {
		return err //nolint:wrapcheck // the caller only asks whether it failed
	}
	return s.flushLocked()
}

// frameLocked has the library frame messages into the wire.
func (s *socket) frameLocked(frames [][]byte) error {
	for _, f := range frames {
		if err := s.ws.WriteMessage(websocket.TextMessage, f); err != nil {
			return err //nolint:wrapcheck // the caller only asks whether it failed
		}
	}
	s.server.metrics.frames.Add(float64(len(frames)))
	return nil
}

// flushLocked writes what the library has framed.
func (s *socket) flushLocked() error {
	b := s.wire.take()
	if b == nil {
		return nil
	}
	defer s.server.release(b)
	return s.writeLocked(*b)
}

// closeLocked writes the close frame, if the library has not written its own.
func (s *socket) closeLocked(d domain.Disconnect) error {
	reason := d.Reason
	if len(reason) > reasonMax {
		reason = domain.Shorten(reason, reasonMax/2)
	}
	err := s.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(d.Code, reason), time.Time{})
	if err != nil && !errors.Is(err, websocket.ErrCloseSent) {
		return err //nolint:wrapcheck // the caller only asks whether it failed
	}
	return s.flushLocked()
}

// serve is the life of a websocket.
func (s *Server) serve(sock *socket, request Request) {
	defer s.leave(sock)
	defer sock.hangUp()
	defer sock.drainAfterClose()
	defer sock.rescue("reading a websocket")
	s.join(sock)
	request.Sink = websocketSink{sock}
	connection, err := s.c.Connector.Connect(context.Background(), request)
	if err != nil {
		sock.Close(disconnectOf(err))
		return
	}
	// Whatever ends the reading, the engine is told, even by a panic of its own.
	ended := domain.Disconnect{Code: closeGone, Reason: "gone"}
	defer func() { connection.Close(ended) }()
	sock.ws.SetReadLimit(frameLimit)
	sock.ws.SetPingHandler(func(payload string) error {
		if err := sock.heard(); err != nil {
			return err
		}
		return sock.control(websocket.PongMessage, []byte(payload))
	})
	sock.ws.SetPongHandler(func(string) error {
		err := sock.heard()
		if err == nil {
			connection.Pong()
		}
		return err
	})
	sock.ws.SetCloseHandler(func(int, string) error { return nil }) // it is answered below
	ended = domain.DisconnectInternal                               // until read says better
	ended = sock.read(connection)
	if ended.Code != closeGone {
		sock.Close(ended)
	}
}

// disconnectOf is how a socket ends that the engine did not take.
func disconnectOf(err error) domain.Disconnect {
	switch domain.CodeOf(err) {
	case domain.CodeUnavailable, domain.CodeFenced:
		return domain.DisconnectDraining
	case domain.CodeTooMany:
		return domain.DisconnectTooMany
	case domain.CodeUnauthenticated:
		return domain.DisconnectSessionEnded
	case domain.CodeForbidden, domain.CodeNotFound:
		return domain.DisconnectForbidden
	default:
		return domain.DisconnectInternal
	}
}

// readBy sets until when the message under way must be there; 0 sets no end.
func (s *socket) readBy(d time.Duration) {
	if s.closing.Load() {
		return // finish has set its own
	}
	var deadline time.Time
	if d > 0 {
		deadline = kernelNow().Add(d)
	}
	if err := s.conn.SetReadDeadline(deadline); err != nil {
		s.hangUp()
	}
}

// read hands over what the client sends until its end, and says how it ended.
func (s *socket) read(connection Connection) domain.Disconnect {
	for {
		text, err := s.text()
		if err == nil {
			err = s.heard()
		}
		if err != nil {
			return s.endOf(err)
		}
		connection.Receive(text)
	}
}

// text reads the next message. Pings, pongs and the close frame go to their handlers.
func (s *socket) text() ([]byte, error) {
	kind, message, err := s.ws.NextReader()
	if err != nil {
		return nil, err //nolint:wrapcheck // endOf takes it apart
	}
	if kind != websocket.TextMessage {
		return nil, faulty(closeUnsupported, "text frames only")
	}
	s.wire.begin()
	text, err := io.ReadAll(message)
	s.wire.end()
	if err != nil {
		return nil, err //nolint:wrapcheck // as above
	}
	if !utf8.Valid(text) {
		return nil, faulty(closeNotText, "invalid UTF-8")
	}
	return text, nil
}

// heard counts a message, a ping or a pong of the client.
func (s *socket) heard() error {
	switch {
	case s.closing.Load():
		return errEnded
	case !s.spend():
		return &fault{domain.DisconnectTooMany}
	}
	return nil
}

// endOf says how the socket ended by why nothing more can be read.
func (s *socket) endOf(err error) domain.Disconnect {
	gone := domain.Disconnect{Code: closeGone, Reason: "gone"}
	var (
		own     *fault
		closed  *websocket.CloseError
		network net.Error
	)
	switch {
	case s.closing.Load(): // what the client says to that changes nothing
		return gone
	case errors.As(err, &own):
		return own.Disconnect
	case errors.Is(err, websocket.ErrReadLimit), errors.Is(err, errManyPieces):
		return domain.DisconnectTooBig
	case errors.As(err, &closed):
		return domain.Disconnect{Code: closed.Code} // 1006 where it just went
	case errors.Is(err, io.EOF), errors.Is(err, net.ErrClosed), errors.Is(err, errEnded):
		return gone
	case errors.As(err, &network):
		if network.Timeout() {
			return domain.DisconnectSlow
		}
		return gone
	}
	// What is left are the library's words for bytes that are no frames.
	return domain.Disconnect{Code: closeProtocol, Reason: "no websocket frames"}
}

// drainAfterClose lets the client see why the socket was closed.
func (s *socket) drainAfterClose() {
	if s.closing.Load() {
		s.drain()
	}
}
