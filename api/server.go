package api

// The server of a node: its parts, its order of start and stop, and the answers to requests that
// reach no handler. The limits of bodies, headers and times are in config.go and middleware.go.

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/adaptor"
	"github.com/valyala/fasthttp"

	"parley.dev/parley/api/auth"
	"parley.dev/parley/api/stream"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/startstop"
)

// Server is the HTTP server of a node.
type Server struct {
	Config

	log     *slog.Logger
	app     *fiber.App
	spec    func() ([]byte, error) // encoded once, at the first request
	people  *auth.People
	sends   *limiter
	uploads *limiter
	reads   *limiter // of stored files and of remote databases
	sockets *stream.Server
	counts  *metrics
	csp     atomic.Pointer[string] // Content-Security-Policy
	hosts   hosts
	proxies proxies

	life startstop.Guard
	// Made by Start and ended by Stop.
	lines    *lineListener
	operator *http.Server // nil without a separate address
	served   sync.WaitGroup
	unhear   func() // stops the handling of hints

	// mu protects the addresses, which Start writes.
	mu           sync.Mutex
	addr, opAddr net.Addr // nil before
}

// New makes a server that does not listen yet. It panics if the program is wrong, and returns
// an error for an invalid setting of an operator.
func New(c Config) (*Server, error) {
	c = c.withDefaults()
	c.mustValidate()
	origin, err := originOf(c.URL)
	// The origin is what a browser sends; a socket from another one is refused.
	if err != nil {
		return nil, err
	}
	s := &Server{
		Config: c,
		log:    c.Logger,
		people: auth.NewPeople(c.Tokens, c.Users, c.SignIns, c.Clock),
		sends: &limiter{
			rates: c.Rates, what: "send", most: c.Limits.SendsPerMinute, per: time.Minute,
			message: "You are sending too many messages. Please wait a moment.",
		},
		uploads: &limiter{
			rates: c.Rates, what: "upload", most: c.Limits.UploadsPerHour, per: time.Hour,
			message: "You are uploading too many files. Please wait a while.",
		},
		reads: &limiter{
			rates: c.Rates, what: "read", most: c.Limits.UploadsPerHour, per: time.Hour,
			message: "You are reading too many files. Please wait a while.",
		},
		counts:  newMetrics(c.Metrics),
		hosts:   newHosts(append(append([]string{c.URL}, c.Origins...), c.Hosts...)...),
		proxies: proxies{trusted: c.Proxies, header: c.ProxyHeader},
	}
	// Until AllowCalls is called again, pages may only call this server, the issuer and the
	// collector.
	s.AllowCalls(nil)
	s.sockets = stream.New(stream.Config{
		Connector: c.Streams,
		Origins:   append([]string{origin}, c.Origins...),
		Ended:     c.SignIns.EndedSignIns,
		Seats:     stream.Seats{Keeper: c.Seats, PerPerson: c.Limits.SocketsPerUser, PerAddress: c.Limits.SocketsPerAddress},
		Metrics:   c.Metrics,
		Clock:     c.Clock,
		Logger:    c.Logger,
	})
	s.app = fiber.New(fiber.Config{
		// Strings of a request are used after its end, because actors keep them.
		Immutable:                    true,
		StreamRequestBody:            true,
		DisablePreParseMultipartForm: true,
		BodyLimit:                    bodyLimit,
		ReadBufferSize:               headerLimit,
		ReadTimeout:                  c.Limits.ReadTime,
		WriteTimeout:                 writeTimeout,
		IdleTimeout:                  idleTimeout,
		StrictRouting:                true,
		CaseSensitive:                true,
		DisableStartupMessage:        true,
		ErrorHandler:                 s.handleError,
	})
	server := s.app.Server()
	server.Handler = knownMethods{server: s, router: server.Handler}.handle
	server.KeepHijackedConns = true // a socket outlives the goroutine that upgraded it
	server.CloseOnShutdown = true
	server.NoDefaultServerHeader = true
	server.ExpectHandler = refuseLargeUpload
	server.HeaderReceived = hurryLargeBody
	if err := s.routes(); err != nil {
		return nil, err
	}
	return s, nil
}

// originOf returns the scheme and host of a URL, as browsers write it.
func originOf(raw string) (string, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", domain.Errorf(domain.CodeInvalid, "the public URL %q must be like https://parley.example", raw)
	}
	return u.Scheme + "://" + u.Host, nil
}

// routes registers everything that the server answers, in order.
// The stream and the description are registered before authenticate: the stream reads its bearer
// itself, which may be in the subprotocol, and the description is public.
func (s *Server) routes() error {
	s.app.Use(s.envelope)

	api := s.app.Group(apiPrefix)
	// Get would also register HEAD, which must not upgrade.
	api.Add(http.MethodGet, "/openapi.json", s.serveSpec)
	api.Add(http.MethodGet, "/user/:uuid/stream", s.stream)
	api.Use(s.authenticate)
	described := s.describe(api)
	s.spec = sync.OnceValues(func() ([]byte, error) { return writeSpec(described) })

	if s.Identity != nil {
		identity := adaptor.HTTPHandler(copied(s.Identity))
		s.app.All("/dex", identity)
		s.app.All("/dex/*", identity)
	}
	if err := s.webRoutes(); err != nil {
		return err
	}
	s.expectRequests(described)
	return nil
}

// expectRequests makes the series of all routes. HEAD is left out, and so are the methods that the router knows for the identity
// provider and that nobody uses with it.
func (s *Server) expectRequests(described *huma.OpenAPI) {
	success := map[string][]string{}
	for path, item := range described.Paths {
		for _, op := range operationsOf(item) {
			for status := range op.Responses {
				if strings.HasPrefix(status, "1") || strings.HasPrefix(status, "2") {
					success[op.Method+" "+path] = append(success[op.Method+" "+path], status)
				}
			}
		}
	}
	for _, route := range s.app.GetRoutes(true) {
		path := parameterOf.ReplaceAllString(strings.TrimPrefix(route.Path, apiPrefix), "{$1}")
		if statuses := success[route.Method+" "+path]; statuses != nil {
			s.counts.expect(route.Method, route.Path, statuses...)
		} else if route.Method == http.MethodGet || route.Method == http.MethodPost {
			s.counts.expect(route.Method, route.Path, "200")
		}
	}
	// The files of the web are no route of the router.
	s.counts.expect(http.MethodGet, "/", "200")
}

// parameterOf is a parameter in a route of the router.
var parameterOf = regexp.MustCompile(`:(\w+)`)

// Start listens and serves in the background; it returns when both ports are open and served.
// The context is only for the start. A failed start is final; a second call does nothing; a
// call after Stop returns startstop.ErrStopped.
func (s *Server) Start(ctx context.Context) error {
	return s.life.Start(func() error { return s.start(ctx) })
}

// start opens both ports before it serves any, so that an address in use fails the start as a
// whole.
func (s *Server) start(ctx context.Context) error {
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", s.Addr)
	if err != nil {
		return domain.Internal(err, "the address "+s.Addr+" cannot be opened")
	}
	// The operator's port is served first: a probe must get an answer while the public port opens.
	var operator net.Listener
	if s.OperatorAddr != "" {
		if operator, err = lc.Listen(ctx, "tcp", s.OperatorAddr); err != nil {
			_ = listener.Close() // no client has connected yet
			return domain.Internal(err, "the operator address "+s.OperatorAddr+" cannot be opened")
		}
		s.operator = s.newOperator()
		s.serve("operator port", func() error { return s.operator.Serve(operator) }) //nolint:contextcheck // serving outlives the start
	}
	s.unhear = s.Hints.Listen(hintSignIn, s.signInEnded)
	s.lines = newLineListener(listener)
	s.serve("port", func() error { return s.app.Listener(s.lines) }) //nolint:contextcheck // as above
	// The library's shutdown only knows a listener after its first call of Accept.
	<-s.lines.asked
	s.mu.Lock()
	defer s.mu.Unlock()
	s.addr = listener.Addr()
	if operator != nil {
		s.opAddr = operator.Addr()
	}
	return nil
}

// serve runs one listener until Stop. The error that a closed listener causes is not logged.
func (s *Server) serve(what string, run func() error) {
	s.served.Go(func() {
		if err := run(); err != nil && !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, net.ErrClosed) {
			s.log.LogAttrs(context.Background(), slog.LevelError, "serving ended", slog.String("what", what), slog.Any("error", err))
		}
	})
}

// Address returns where the server listens, once started.
func (s *Server) Address() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return textOf(s.addr)
}

// OperatorAddress returns where health and metrics are served, once started.
func (s *Server) OperatorAddress() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return textOf(s.opAddr)
}

// textOf returns an address as text; empty for no address.
func textOf(a net.Addr) string {
	if a == nil {
		return ""
	}
	return a.String()
}

// Drain closes the sockets with 4503, spread over the given time so that their
// clients do not all come back at once, and refuses new ones.
func (s *Server) Drain(ctx context.Context, spread time.Duration) { s.sockets.Drain(ctx, spread) }

// Stop closes sockets and listeners and waits for running calls, at most until the context
// ends or 10 s have passed. A later call waits for the first one and returns the same error;
// without Start there is nothing to stop.
func (s *Server) Stop(ctx context.Context) error {
	return s.life.Stop(func() error { return s.stop(ctx) })
}

// stop first ends what would hold up Shutdown: the handling of hints, sockets, and connections that
// have sent nothing.
func (s *Server) stop(ctx context.Context) error {
	s.unhear()
	ctx, cancel := context.WithTimeout(ctx, shutdownTimeout)
	defer cancel()
	// The clients of these sockets get 4503 and reconnect elsewhere. After a Drain there are none
	// left.
	s.sockets.Drain(ctx, 0)
	s.lines.closeSilent()
	err := s.app.ShutdownWithContext(ctx)
	if s.operator != nil {
		err = errors.Join(err, s.operator.Shutdown(ctx))
	}
	s.served.Wait()
	if err != nil {
		return domain.Internal(err, "the server did not stop in time")
	}
	return nil
}

// handleError answers requests that never reached a handler: unknown paths and methods,
// headers that are too large, and panics.
func (s *Server) handleError(c *fiber.Ctx, err error) error {
	unread := requestIDOf(c) == ""
	if unread {
		// The request could not be read, so envelope never saw it. Its answer still has an
		// id, and the log a line with it.
		nameRequest(c)
	}
	if unread && errors.Is(err, fiber.ErrBadGateway) {
		// The client closed the connection, so no one reads the answer.
		err = fiber.ErrBadRequest
	}
	p := problemOf(headFailure(c, err), requestIDOf(c))
	switch {
	case p.Status >= http.StatusInternalServerError:
		s.log.LogAttrs(c.UserContext(), slog.LevelError, "request failed",
			slog.String("path", c.Path()), slog.String("request", p.RequestID), slog.Any("error", err))
	case unread:
		s.log.LogAttrs(c.UserContext(), slog.LevelDebug, "a request could not be read", slog.String("request", p.RequestID))
	}
	return s.writeProblem(c, p)
}

// writeProblem answers an error outside huma, with the same form and headers. No cache may keep it.
func (s *Server) writeProblem(c *fiber.Ctx, p *Problem) error {
	s.setHeaders(c)
	for name, values := range p.GetHeaders() {
		for _, value := range values {
			c.Set(name, value)
		}
	}
	// RFC 9110, 15.5.2 requires this header with 401.
	if p.Status == http.StatusUnauthorized {
		c.Set(fiber.HeaderWWWAuthenticate, "Bearer")
	}
	encoded, err := json.Marshal(p)
	if err != nil {
		return domain.Internal(err, "the problem cannot be written")
	}
	c.Set(fiber.HeaderContentType, p.ContentType(""))
	c.Set(fiber.HeaderCacheControl, "no-store")
	return c.Status(p.Status).Send(encoded) //nolint:wrapcheck // it never fails
}

// refusedTime is how long the first byte of a body that will be refused may take.
const refusedTime = 2 * time.Second

// hurryLargeBody causes a request whose body exceeds every limit to be handled at its first
// byte. The HTTP server would wait for the first 8 kB of the body and, if a client stops
// before, answer with a time-out instead of the refusal.
func hurryLargeBody(header *fasthttp.RequestHeader) fasthttp.RequestConfig {
	if header.ContentLength() <= domain.UploadMax+uploadOverhead {
		return fasthttp.RequestConfig{}
	}
	return fasthttp.RequestConfig{MaxRequestBodySize: 1, ReadTimeout: refusedTime}
}

// refuseLargeUpload tells a client that asks before it sends (Expect: 100-continue) that its
// body is too large.
func refuseLargeUpload(ctx *fasthttp.RequestCtx) int {
	if ctx.Request.Header.ContentLength() > domain.UploadMax+uploadOverhead {
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusContinue
}
