package stream

// Server-sent events (the HTML standard, 9.2), for clients that do not open a websocket. The frames
// are the same as on a websocket. A client sends nothing after its request: it resumes by
// Last-Event-ID, which is its whole cursor in base64url.

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"parley.dev/parley/domain"
)

// eventSink is a socket of server-sent events.
type eventSink struct{ *socket }

// Write implements Sink: all frames are sent in one write.
func (s eventSink) Write(frames [][]byte) error { return s.WriteAt(frames, nil) }

// WriteAt writes frames. The event id of the last one is the cursor that the client has
// reached with it.
// WriteAt borrows a buffer of the server, because a stream of events writes often and keeps
// nothing.
func (s eventSink) WriteAt(frames [][]byte, cursor []byte) error {
	buffer := s.server.buffer()
	defer s.server.release(buffer)
	for i, f := range frames {
		var id []byte
		// Only the last event has an id: a client that got a part of the frames resumes before all
		// of them, and drops what it has.
		if i == len(frames)-1 {
			id = cursor
		}
		*buffer = s.server.ids.appendEvent(*buffer, f, id)
	}
	s.server.metrics.frames.Add(float64(len(frames)))
	return s.send(*buffer)
}

// appendEvent appends a frame as an event. The JSON of a frame has no line breaks.
func (e *eventIDs) appendEvent(b, frame, cursor []byte) []byte {
	if len(cursor) > 0 {
		b = append(b, "id: "...)
		b = e.appendTo(b, cursor)
		b = append(b, '\n')
	}
	b = append(b, "data: "...)
	b = append(b, frame...)
	return append(b, '\n', '\n')
}

// appendClose appends an event that says why the stream ends, because HTTP has no means
// for that.
func appendClose(b []byte, d domain.Disconnect) []byte {
	// The name of the event is close, so a client that handles only messages is not disturbed by
	// it.
	b = append(b, "event: close\ndata: {\"code\":"...)
	b = strconv.AppendInt(b, int64(d.Code), 10)
	b = append(b, ",\"reason\":"...)
	b = strconv.AppendQuote(b, d.Reason)
	return append(b, "}\n\n"...)
}

// Events answers with server-sent events and passes the connection to the engine. The caller
// has checked origin, bearer and person.
func (s *Server) Events(c *fiber.Ctx, caller domain.Caller, signIn domain.SignInKey, deadline time.Time) error {
	cursor, err := eventCursor(c.Query("conversations"), c.Get("Last-Event-ID"))
	if err != nil {
		return err
	}
	// The seat is reserved after the request was checked, so that a refused request reserves none.
	if err := s.reserveSeat(c, caller.UserID); err != nil {
		return err
	}
	c.Status(http.StatusOK)
	c.Set(fiber.HeaderContentType, "text/event-stream")
	c.Set(fiber.HeaderCacheControl, "no-store")
	c.Set("X-Accel-Buffering", "no") // a proxy must not buffer events
	head := responseHead(c)
	request := Request{Caller: caller, Deadline: deadline, SSE: true, Cursor: cursor}
	// The library would write its own answer before it hands the connection over; the head is
	// written by this file instead.
	c.Context().HijackSetNoResponse(true)
	c.Context().Hijack(func(hijacked net.Conn) {
		// Bytes that came after the request are dropped: a client of events has nothing to send.
		conn, _ := release(hijacked)
		go s.serveEvents(&socket{server: s, conn: conn, signIn: signIn}, request, head)
	})
	return nil
}

// responseHead returns the status line and the headers. The stream ends when the
// connection is closed, so neither a content length nor chunks are needed.
// Other headers are those that the handlers before have set, such as the request id.
func responseHead(c *fiber.Ctx) []byte {
	var head bytes.Buffer
	head.WriteString("HTTP/1.1 200 OK\r\nConnection: close\r\n")
	for name, value := range c.Response().Header.All() {
		switch strings.ToLower(string(name)) {
		case "connection", "content-length", "transfer-encoding":
		default:
			head.Write(name)
			head.WriteString(": ")
			head.Write(value)
			head.WriteString("\r\n")
		}
	}
	// retry is the time in milliseconds after which a browser reconnects.
	head.WriteString("\r\nretry: 3000\n\n")
	return head.Bytes()
}

// serveEvents serves one stream until the client disconnects or the engine closes it. The deferred
// calls run from the last to the first: a panic is recovered first, then the client's bytes are
// read to their end, then the connection is closed, then its seat is released.
func (s *Server) serveEvents(sock *socket, request Request, head []byte) {
	defer s.leave(sock)
	defer sock.Arrived()
	defer sock.hangUp()
	defer sock.drainAfterClose()
	defer sock.rescue("serving events")
	s.join(sock)
	if err := sock.send(head); err != nil {
		return
	}
	if err := sock.arrive(); err != nil {
		sock.Close(disconnectOf(err))
		return
	}
	request.Sink = eventSink{sock}
	// The context of the request has ended with its handler, so the engine gets its own.
	connection, err := s.c.Connector.Connect(context.Background(), request)
	if err != nil {
		sock.Close(disconnectOf(err))
		return
	}
	defer func() { connection.Close(domain.Disconnect{Code: closeGone, Reason: "gone"}) }()
	sock.drain() // a client of events sends nothing more; drain returns when it disconnects
}
