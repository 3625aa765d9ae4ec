package stream

import (
	"context"
	"crypto/sha1" //nolint:gosec // RFC 6455 wants it; nothing is protected by it
	"encoding/base64"
	"errors"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"parley.dev/parley/api/auth"
	"parley.dev/parley/domain"
)

const websocketGUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

// websocketSink is a socket that can ping. The methods of server-sent events
// are not among its own, so that the engine can tell the two apart.
type websocketSink struct{ *socket }

// Ping asks the client for a pong.
func (s websocketSink) Ping() error { return s.send(appendFrame(nil, opPing, nil)) }

// Wants tells whether a request asks for a websocket.
func Wants(c *fiber.Ctx) bool {
	return strings.EqualFold(c.Get(fiber.HeaderUpgrade), "websocket")
}

// Upgrade answers 101 and hands the connection to the engine. The caller has
// checked origin, bearer and person.
func (s *Server) Upgrade(c *fiber.Ctx, caller domain.Caller, signIn domain.SignInKey, deadline time.Time) error {
	key, err := checkHandshake(c)
	if err != nil {
		return err
	}
	if err := s.take(c, caller.UserID); err != nil {
		return err
	}
	accept := sha1.Sum([]byte(key + websocketGUID)) //nolint:gosec // as above
	c.Set(fiber.HeaderUpgrade, "websocket")
	c.Set(fiber.HeaderConnection, "Upgrade")
	c.Set("Sec-WebSocket-Accept", base64.StdEncoding.EncodeToString(accept[:]))
	if offers(c.Get("Sec-WebSocket-Protocol"), auth.Protocol) {
		c.Set("Sec-WebSocket-Protocol", auth.Protocol)
	}
	c.Status(http.StatusSwitchingProtocols)
	request := Request{Caller: caller, Deadline: deadline}
	c.Context().Hijack(func(hijacked net.Conn) {
		conn, early := release(hijacked)
		sock := &socket{server: s, conn: conn, raw: rawOf(conn), signIn: signIn}
		// A goroutine of its own lets the HTTP server take back the request and its
		// buffers, which the one that called this would hold as long as the socket lives.
		go s.serve(sock, request, early)
	})
	return nil
}

// checkHandshake gives the client's key.
func checkHandshake(c *fiber.Ctx) (string, error) {
	malformed := func(what string) error { return domain.Errorf(domain.CodeBadRequest, "%s", what) }
	key := strings.TrimSpace(c.Get("Sec-WebSocket-Key"))
	raw, err := base64.StdEncoding.DecodeString(key)
	switch {
	case !offers(c.Get(fiber.HeaderConnection), "upgrade"):
		return "", malformed("The Connection header must say Upgrade")
	case !c.Request().Header.IsHTTP11():
		return "", malformed("A websocket needs HTTP/1.1")
	case c.Get("Sec-WebSocket-Version") != "13":
		c.Set("Sec-WebSocket-Version", "13")
		return "", malformed("The websocket version must be 13")
	case err != nil || len(raw) != 16:
		return "", malformed("The websocket key is missing or malformed")
	case c.Request().Header.ContentLength() > 0 || c.Request().Header.ContentLength() == -1:
		return "", malformed("A websocket request has no body")
	}
	return key, nil
}

// offers tells whether a list header holds a value, ignoring case.
func offers(header, value string) bool {
	for entry := range strings.SplitSeq(header, ",") {
		if strings.EqualFold(strings.TrimSpace(entry), value) {
			return true
		}
	}
	return false
}

// release gives the bare connection of a hijacked one, and what of it the HTTP
// server has read already, so that its read buffer need not be kept.
func release(hijacked net.Conn) (net.Conn, []byte) {
	wrapped, ok := hijacked.(interface{ UnsafeConn() net.Conn })
	if !ok {
		return hijacked, nil
	}
	conn := wrapped.UnsafeConn()
	// With a deadline in the past only what is buffered can be read. A client that
	// speaks before the server did has at most one buffer there.
	if err := conn.SetReadDeadline(time.Unix(1, 0)); err != nil {
		return conn, nil
	}
	var early []byte
	scratch := make([]byte, readBuffer)
	for {
		n, err := hijacked.Read(scratch)
		early = append(early, scratch[:n]...)
		if err != nil || n == 0 {
			break
		}
	}
	if err := conn.SetReadDeadline(time.Time{}); err != nil {
		return conn, nil
	}
	return conn, early
}

// serve is the life of a websocket.
func (s *Server) serve(sock *socket, request Request, early []byte) {
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
	in := &reader{in: &prefixed{first: early, then: sock.conn}, limit: frameLimit}
	in.begun = func() { sock.readBy(messageTime) }
	in.ended = func() { sock.readBy(0) }
	ended = domain.DisconnectInternal // until read says better
	ended = sock.read(in, connection)
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
func (s *socket) read(in *reader, connection Connection) domain.Disconnect {
	for {
		opcode, payload, err := in.next()
		if err == nil {
			err = s.take(opcode, payload, connection)
		}
		if err == nil {
			continue
		}
		var f *fault
		var timeout net.Error
		switch {
		case errors.As(err, &f):
			return f.Disconnect
		case errors.As(err, &timeout) && timeout.Timeout() && !s.closing.Load():
			return domain.DisconnectSlow
		}
		return domain.Disconnect{Code: closeGone, Reason: "gone"}
	}
}

func (s *socket) take(opcode byte, payload []byte, connection Connection) error {
	if s.closing.Load() {
		return errEnded
	}
	if !s.spend() {
		return &fault{domain.DisconnectTooMany}
	}
	switch opcode {
	case opText:
		connection.Receive(payload)
	case opPing:
		return s.send(appendFrame(nil, opPong, payload))
	case opPong:
		connection.Pong()
	case opClose:
		code, err := checkClose(payload)
		if err != nil {
			return err
		}
		return faulty(code, "")
	}
	return nil
}

// drainAfterClose lets the client see why the socket was closed.
func (s *socket) drainAfterClose() {
	if s.closing.Load() {
		s.drain()
	}
}

// prefixed reads first, then the connection.
type prefixed struct {
	first []byte
	then  net.Conn
}

// Read implements io.Reader.
func (p *prefixed) Read(b []byte) (int, error) {
	if len(p.first) > 0 {
		n := copy(b, p.first)
		if p.first = p.first[n:]; len(p.first) == 0 {
			p.first = nil
		}
		return n, nil
	}
	return p.then.Read(b) //nolint:wrapcheck // the reader asks for io.EOF and timeouts
}
