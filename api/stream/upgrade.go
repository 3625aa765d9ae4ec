package stream

import (
	"bytes"
	"context"
	"encoding/base64"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/contrib/websocket"
	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"parley.dev/parley/api/auth"
	"parley.dev/parley/domain"
)

const (
	// readBuffer is the size of the library's read buffer of each socket. Most messages of
	// clients fit into it.
	readBuffer = 256
	// writeBuffer is the size of the library's pooled write buffers. The rest of a longer
	// frame is not copied into them.
	writeBuffer = 4 << 10
	// upgradeBuffer holds the request for the upgrade, which handshake writes.
	upgradeBuffer = 2 << 10
	keyBytes      = 16
)

// upgrade is the state of a socket until it is established.
type upgrade struct {
	request Request
	headers *fasthttp.ResponseHeader // of the response
	early   []byte                   // what the client sent before the response
	refused error
}

// Wants reports whether a request asks for a websocket.
func Wants(c *fiber.Ctx) bool {
	return strings.EqualFold(c.Get(fiber.HeaderUpgrade), "websocket")
}

// newUpgrader makes the HTTP server that upgrades connections with the websocket library.
// It has no listener: it gets connections whose request was already checked.
//
// An upgraded connection keeps the buffer that its request was read into until it is closed.
// In the public HTTP server this buffer is as large as all headers may be (16 kB). This
// server reduces its memory usage and reads no bodies, so it returns the buffer before it
// upgrades, and the library has only few headers to copy.
func (s *Server) newUpgrader() *fasthttp.Server {
	app := fiber.New(fiber.Config{
		ReduceMemoryUsage: true, ReadBufferSize: upgradeBuffer, DisableStartupMessage: true, DisableDefaultContentType: true,
		ErrorHandler: refuseUpgrade,
	})
	app.Use(func(c *fiber.Ctx) error {
		w, ok := c.Context().Conn().(*wire)
		if !ok {
			return fiber.ErrUpgradeRequired
		}
		for name, value := range w.upgrade.headers.All() {
			switch strings.ToLower(string(name)) {
			case "connection", "content-length", "content-type", "transfer-encoding":
			default:
				c.Response().Header.AddBytesKV(name, value)
			}
		}
		return c.Next()
	})
	app.Use(websocket.New(s.begin, websocket.Config{
		Subprotocols: []string{auth.Protocol},
		// A client that is not a browser sends no origin; its bearer was checked.
		Origins:         append([]string{""}, s.c.Origins...),
		ReadBufferSize:  readBuffer,
		WriteBufferSize: writeBuffer,
		WriteBufferPool: &sync.Pool{},
		RecoverHandler:  s.recoverBegin,
	}))
	server := app.Server()
	server.Handler = app.Handler()
	server.KeepHijackedConns = true // a socket outlives the goroutine that upgraded it
	server.NoDefaultServerHeader = true
	return server
}

// refuseUpgrade closes a connection that the library did not upgrade.
func refuseUpgrade(c *fiber.Ctx, err error) error {
	if w, ok := c.Context().Conn().(*wire); ok {
		w.upgrade.refused = err
	}
	c.Context().SetConnectionClose()
	return c.SendStatus(http.StatusBadRequest) //nolint:wrapcheck // it never fails
}

// Upgrade turns the connection of a request into a websocket and passes it to the engine. The
// caller has checked origin, bearer and person.
func (s *Server) Upgrade(c *fiber.Ctx, caller domain.Caller, signIn domain.SignInKey, deadline time.Time) error {
	ask, err := handshake(c)
	if err != nil {
		return err
	}
	if err := s.reserveSeat(c, caller.UserID); err != nil {
		return err
	}
	c.Status(http.StatusSwitchingProtocols) // the upgrader writes the response itself
	request, outer := Request{Caller: caller, Deadline: deadline}, c.Context()
	outer.HijackSetNoResponse(true)
	outer.Hijack(func(hijacked net.Conn) {
		conn, early := release(hijacked)
		s.upgrade(conn, signIn, ask, &upgrade{request: request, headers: &outer.Response.Header, early: early})
	})
	return nil
}

// upgrade answers a request for a websocket on a bare connection. It returns when the
// response is written; other goroutines serve the socket from then on.
func (s *Server) upgrade(conn net.Conn, signIn domain.SignInKey, ask []byte, up *upgrade) {
	sock := &socket{server: s, conn: conn, raw: rawOf(conn), signIn: signIn}
	sock.wire = wire{Conn: conn, socket: sock, upgrade: up, before: [][]byte{ask}}
	err := conn.SetWriteDeadline(kernelNow().Add(writeDeadline))
	if err == nil {
		err = s.upgrader.ServeConn(&sock.wire) // it closes the connection, unless it became a websocket
	}
	if err == nil {
		err = up.refused
	}
	if err != nil {
		s.log.LogAttrs(context.Background(), slog.LevelDebug, "a websocket could not be begun", slog.Any("error", err))
		sock.hangUp()
	}
}

// begin is the handler that the library calls. When it returns, the library puts c back
// into a pool and the HTTP server does the same with its request. So the socket keeps
// neither of them, only the connection in c, which nothing else uses.
func (s *Server) begin(c *websocket.Conn) {
	below, ok := c.NetConn().(interface{ UnsafeConn() net.Conn })
	if !ok {
		_ = c.Close() // it cannot be served without its wire
		return
	}
	w, ok := below.UnsafeConn().(*wire)
	if !ok {
		_ = c.Close() // as above
		return
	}
	up := w.upgrade
	w.upgrade, w.socket.ws = nil, c.Conn
	if len(up.early) > 0 {
		w.before = [][]byte{up.early}
	}
	go s.serve(w.socket, up.request)
}

// recoverBegin logs a panic; the library would send its text to the client.
func (s *Server) recoverBegin(c *websocket.Conn) {
	if r := recover(); r != nil {
		s.log.LogAttrs(context.Background(), slog.LevelError, "a socket panicked",
			slog.String("doing", "beginning a websocket"), slog.Any("panic", r), slog.String("stack", string(debug.Stack())))
		_ = c.Close() // it cannot be used any more
	}
}

// handshake checks a request for a websocket and returns a new request with only the parts
// that the upgrader needs. Every part that comes from the client was checked.
func handshake(c *fiber.Ctx) ([]byte, error) {
	malformed := func(what string) error { return domain.Errorf(domain.CodeBadRequest, "%s", what) }
	key := strings.TrimSpace(c.Get("Sec-WebSocket-Key"))
	raw, err := base64.StdEncoding.DecodeString(key)
	switch {
	case !websocket.IsWebSocketUpgrade(c):
		return nil, malformed("The Connection header must say Upgrade")
	case !c.Request().Header.IsHTTP11():
		return nil, malformed("A websocket needs HTTP/1.1")
	case c.Get("Sec-WebSocket-Version") != "13":
		c.Set("Sec-WebSocket-Version", "13")
		return nil, malformed("The websocket version must be 13")
	case err != nil || len(raw) != keyBytes:
		return nil, malformed("The websocket key is missing or malformed")
	case c.Request().Header.ContentLength() > 0 || c.Request().Header.ContentLength() == -1:
		return nil, malformed("A websocket request has no body")
	}
	var ask bytes.Buffer
	ask.WriteString("GET / HTTP/1.1\r\nHost: upgrade\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: " +
		"13\r\nSec-WebSocket-Key: ")
	ask.WriteString(base64.StdEncoding.EncodeToString(raw))
	if origin := c.Get(fiber.HeaderOrigin); origin != "" {
		ask.WriteString("\r\nOrigin: " + origin) // the caller has checked it
	}
	if offers(c.Get("Sec-WebSocket-Protocol"), auth.Protocol) {
		ask.WriteString("\r\nSec-WebSocket-Protocol: " + auth.Protocol)
	}
	ask.WriteString("\r\n\r\n")
	return ask.Bytes(), nil
}

// offers reports whether a list header contains a value, ignoring case.
func offers(header, value string) bool {
	for entry := range strings.SplitSeq(header, ",") {
		if strings.EqualFold(strings.TrimSpace(entry), value) {
			return true
		}
	}
	return false
}

// release returns the bare connection of a hijacked one, and the bytes that the HTTP
// server has already read from it, so that the server's read buffer is not kept.
func release(hijacked net.Conn) (net.Conn, []byte) {
	wrapped, ok := hijacked.(interface{ UnsafeConn() net.Conn })
	if !ok {
		return hijacked, nil
	}
	conn := wrapped.UnsafeConn()
	// With a deadline in the past, only what is buffered can be read. This is at most one
	// buffer, if the client has sent something before the response.
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
