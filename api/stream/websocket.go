package stream

// Websockets (RFC 6455). The library frames and unframes messages into memory (wire.go); this file
// decides what is read and written, and with which code a socket ends. Close codes from 4000 on are
// those of docs/stream-protocol.md.

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

// Close codes of RFC 6455 that the stream protocol of this product does not name.
// closeGone (1006) is never sent: RFC 6455, 7.4.1 reserves it for a connection that ended without a
// close frame.
const (
	closeNormal      = websocket.CloseNormalClosure
	closeGoingAway   = websocket.CloseGoingAway
	closeOther       = websocket.CloseNoStatusReceived // counted as other, like every code that only clients choose
	closeProtocol    = websocket.CloseProtocolError
	closeUnsupported = websocket.CloseUnsupportedData
	closeGone        = websocket.CloseAbnormalClosure
	closeNotText     = websocket.CloseInvalidFramePayloadData
	// reasonMax is how many bytes of a reason fit into a close frame.
	reasonMax = 123
)

// fault is an error of the client that ends its socket.
type fault struct{ domain.Disconnect }

// Error implements error.
func (f *fault) Error() string { return fmt.Sprintf("close %d: %s", f.Code, f.Reason) }

// faulty makes an error that closes the socket with this code.
func faulty(code int, reason string) error {
	return &fault{domain.Disconnect{Code: code, Reason: reason}}
}

// websocketSink is a socket that can ping. It does not have the methods of server-sent
// events, so that the engine can distinguish the two.
type websocketSink struct{ *socket }

// Write implements Sink: all frames are sent in one write.
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

// Ping sends a ping, which the client must answer with a pong.
func (s websocketSink) Ping() error { return s.control(websocket.PingMessage, nil) }

// control writes a ping or a pong.
func (s *socket) control(kind int, payload []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing.Load() {
		return errEnded
	}
	// The write goes to memory, so it needs no deadline; flushLocked has one.
	if err := s.ws.WriteControl(kind, payload, time.Time{}); err != nil {
		return err //nolint:wrapcheck // the caller only asks whether it failed
	}
	return s.flushLocked()
}

// frameLocked writes messages as frames into the wire.
func (s *socket) frameLocked(frames [][]byte) error {
	for _, f := range frames {
		if err := s.ws.WriteMessage(websocket.TextMessage, f); err != nil {
			return err //nolint:wrapcheck // the caller only asks whether it failed
		}
	}
	s.server.metrics.frames.Add(float64(len(frames)))
	return nil
}

// flushLocked sends the frames that the wire has collected.
func (s *socket) flushLocked() error {
	b := s.wire.unsent()
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
		// Shorten counts characters, which may have several bytes.
		reason = domain.Shorten(reason, reasonMax/2)
	}
	err := s.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(d.Code, reason), time.Time{})
	if err != nil && !errors.Is(err, websocket.ErrCloseSent) {
		return err //nolint:wrapcheck // the caller only asks whether it failed
	}
	return s.flushLocked()
}

// serve connects a websocket to the engine and reads from it until it ends.
func (s *Server) serve(sock *socket, request Request) {
	defer s.leave(sock)
	defer sock.Arrived()
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
	// The engine gets the reason why the reading has ended in any case, even after a panic.
	ended := domain.Disconnect{Code: closeGone, Reason: "gone"}
	defer func() { connection.Close(ended) }()
	// A longer message ends the socket (1009).
	sock.ws.SetReadLimit(frameLimit)
	sock.ws.SetPingHandler(func(payload string) error {
		if err := sock.received(); err != nil {
			return err
		}
		return sock.control(websocket.PongMessage, []byte(payload))
	})
	// A pong proves that the client is alive, so it is also reported to the engine, which closes silent
	// sockets.
	sock.ws.SetPongHandler(func(string) error {
		err := sock.received()
		if err == nil {
			connection.Pong()
		}
		return err
	})
	sock.ws.SetCloseHandler(func(int, string) error { return nil }) // Close answers it below
	ended = domain.DisconnectInternal                               // in case read panics
	ended = sock.read(connection)
	switch {
	case ended.Code != closeGone:
		sock.Close(ended)
	case !sock.closing.Load():
		sock.hangUp() // its seat is free before its turn to leave
	}
	sock.Arrived() // it gives back its own place before it waits for another one
	s.arrivals.depart(context.Background())
}

// disconnectOf returns how to close a socket that the engine refused with an error.
func disconnectOf(err error) domain.Disconnect {
	switch domain.CodeOf(err) {
	case domain.CodeUnavailable, domain.CodeFenced:
		// Another node can serve the client, so it reconnects at once.
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

// readBy sets the deadline for the rest of the message that is being read; 0 removes it.
func (s *socket) readBy(d time.Duration) {
	if s.closing.Load() {
		return // finish sets its own deadline
	}
	var deadline time.Time
	if d > 0 {
		deadline = kernelNow().Add(d)
	}
	if err := s.conn.SetReadDeadline(deadline); err != nil {
		s.hangUp()
	}
}

// read passes the client's messages to the connection until the socket ends, and returns how
// it ended.
func (s *socket) read(connection Connection) domain.Disconnect {
	for greeted := false; ; greeted = true {
		text, err := s.text()
		if err == nil {
			err = s.received()
		}
		if err != nil {
			return s.endOf(err)
		}
		if !greeted {
			if err := s.arrive(); err != nil {
				return disconnectOf(err)
			}
		}
		connection.Receive(text)
	}
}

// text reads the next message. Pings, pongs and the close frame are passed to their handlers.
func (s *socket) text() ([]byte, error) {
	kind, message, err := s.ws.NextReader()
	if err != nil {
		return nil, err //nolint:wrapcheck // endOf inspects it
	}
	// The protocol of the stream is JSON, so a binary frame is an error of the client.
	if kind != websocket.TextMessage {
		return nil, faulty(closeUnsupported, "text frames only")
	}
	// Between begin and end the number of pieces of one message is limited, as well as its time.
	s.wire.begin()
	text, err := io.ReadAll(message)
	s.wire.end()
	if err != nil {
		return nil, err //nolint:wrapcheck // as above
	}
	// RFC 6455, 8.1 requires valid UTF-8 in a text message.
	if !utf8.Valid(text) {
		return nil, faulty(closeNotText, "invalid UTF-8")
	}
	return text, nil
}

// received counts a message, a ping or a pong of the client against the rate.
func (s *socket) received() error {
	switch {
	case s.closing.Load():
		return errEnded
	case !s.spend():
		return &fault{domain.DisconnectTooMany}
	}
	return nil
}

// endOf returns how the socket ended, derived from the error of the last read.
func (s *socket) endOf(err error) domain.Disconnect {
	gone := domain.Disconnect{Code: closeGone, Reason: "gone"}
	var (
		own     *fault
		closed  *websocket.CloseError
		network net.Error
	)
	switch {
	case s.closing.Load(): // the server closes: how the client responds does not matter
		return gone
	case errors.As(err, &own):
		return own.Disconnect
	case errors.Is(err, websocket.ErrReadLimit), errors.Is(err, errManyPieces):
		return domain.DisconnectTooBig
	case errors.As(err, &closed):
		return domain.Disconnect{Code: closed.Code} // 1006 if the connection ended without a close frame
	case errors.Is(err, io.EOF), errors.Is(err, net.ErrClosed), errors.Is(err, errEnded):
		return gone
	case errors.As(err, &network):
		// The client began a message and did not finish it in time.
		if network.Timeout() {
			return domain.DisconnectSlow
		}
		return gone
	}
	// All other errors of the library mean that the bytes are not valid frames.
	return domain.Disconnect{Code: closeProtocol, Reason: "no websocket frames"}
}

// drainAfterClose continues to read after a close frame, so that the client gets the frame
// and its reason.
func (s *socket) drainAfterClose() {
	if s.closing.Load() {
		s.drain()
	}
}
