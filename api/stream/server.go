package stream

import (
	"context"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/valyala/fasthttp"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// Config of a Server. Everything is required.
type Config struct {
	Connector Connector
	// Origins from which browsers may open sockets, exactly as browsers send them.
	Origins []string
	// Ended returns the sign-ins of a list that are over.
	Ended func(ctx context.Context, list []domain.SignInKey) ([]domain.SignInKey, error)
	// Seats limits the streams of a person and of an address.
	Seats   Seats
	Metrics prometheus.Registerer
	Clock   clock.Clock
	Logger  *slog.Logger
}

// Server keeps the open sockets of a node.
type Server struct {
	c       Config
	clock   clock.Clock
	log     *slog.Logger
	metrics *metrics
	// upgrader turns connections whose request was checked into websockets.
	upgrader *fasthttp.Server
	buffers  sync.Pool // of *[]byte, for writes
	// attempts are for writes that do not wait.
	attempts sync.Pool // of *attempt
	arrivals *arrivals
	ids      eventIDs

	// mu protects the fields below it; it is locked whenever a socket is opened or closed.
	mu       sync.Mutex
	open     map[*socket]struct{}
	draining bool
	// watchDue is true when the next regular check of the sign-ins is scheduled.
	watchDue bool
	// recheckDue is true when an immediate check is scheduled.
	recheckDue bool
	// empty is closed and replaced whenever the last open socket is closed.
	empty chan struct{}
}

// New makes a server without sockets.
func New(c Config) *Server {
	s := &Server{
		c: c, clock: c.Clock, log: c.Logger, metrics: newMetrics(c.Metrics),
		arrivals: newArrivals(c.Clock),
		buffers:  sync.Pool{New: func() any { b := make([]byte, 0, 4<<10); return &b }},
		open:     map[*socket]struct{}{},
		empty:    make(chan struct{}),
	}
	s.upgrader = s.newUpgrader()
	return s
}

// Allows reports whether a page of this origin may open a socket.
func (s *Server) Allows(origin string) bool { return slices.Contains(s.c.Origins, origin) }

// Arrive waits until a request for a stream may be served; arrived must be called when it was.
// Errors: CodeUnavailable if too many are being served for too long.
func (s *Server) Arrive(ctx context.Context) (arrived func(), err error) {
	p, err := s.arrivals.request(ctx)
	if err != nil {
		return nil, err
	}
	return p.leave, nil
}

// Conn is a connection of the HTTP server that reports when it is closed. The HTTP
// server's listener must return such connections.
type Conn interface {
	net.Conn
	// OnClose registers a function that is called when the connection is closed, or at once
	// if it is closed already. If it is called again, only the last function is called.
	OnClose(ended func())
}

// reserveSeat reserves a seat for a stream before the connection is upgraded. It returns
// CodeTooMany over a limit, and CodeUnavailable while the node drains or has too few handles left.
//
// The seat belongs to the connection: it is free again when the connection is closed, by either
// side. The socket could not do this, because an upgrade can fail without a notice to
// the socket (the HTTP server cannot write its response to a client that has disconnected).
func (s *Server) reserveSeat(c *fiber.Ctx, person int64) error {
	conn, ok := c.Context().Conn().(Conn)
	if !ok {
		return domain.Internal(nil, "the listener's connections do not tell of their end")
	}
	s.mu.Lock()
	draining := s.draining
	s.mu.Unlock()
	if draining {
		return domain.Errorf(domain.CodeUnavailable, "This node is going down. Please connect again")
	}
	if lacksHandles(c.Context().Conn()) {
		c.Context().SetConnectionClose() // as an idle one it would keep the handle
		err := domain.Errorf(domain.CodeUnavailable, "This node has too many open connections. Please connect again")
		err.RetryAfter = 5
		return err
	}
	ip, _ := netip.AddrFromSlice(c.Context().RemoteIP()) // an invalid address is counted like any other
	release, ok := s.c.Seats.reserve(c.UserContext(), person, SeatAddress(ip))
	if !ok {
		err := domain.Errorf(domain.CodeTooMany, "There are too many open connections")
		err.RetryAfter = 10
		return err
	}
	conn.OnClose(release)
	return nil
}

// join adds a socket to the open ones, so that Drain and Recheck find it.
func (s *Server) join(sock *socket) {
	s.metrics.sockets.Inc()
	s.mu.Lock()
	s.open[sock] = struct{}{}
	draining := s.draining
	s.watchLocked()
	s.mu.Unlock()
	if draining {
		sock.Close(domain.DisconnectDraining)
	}
}

// leave removes a socket from the open ones.
func (s *Server) leave(sock *socket) {
	code := int(sock.code.Load())
	if code == 0 {
		code = closeGone
	}
	s.metrics.sockets.Dec()
	s.metrics.closed.WithLabelValues(s.metrics.labelOf(code)).Inc()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, sock)
	if len(s.open) == 0 {
		close(s.empty)
		s.empty = make(chan struct{})
	}
}

// Drain refuses new sockets and closes the open ones with 4503, spread over the given
// time. It returns when all are closed or the context ends.
func (s *Server) Drain(ctx context.Context, spread time.Duration) {
	s.mu.Lock()
	s.draining = true
	open := make([]*socket, 0, len(s.open))
	for sock := range s.open {
		open = append(open, sock)
	}
	s.mu.Unlock()

	const steps = 50
	batch := (len(open) + steps - 1) / steps
	for chunk := range slices.Chunk(open, max(batch, 1)) {
		for _, sock := range chunk {
			sock.Close(domain.DisconnectDraining) //nolint:contextcheck // closing outlives the drain
		}
		if spread > 0 && !s.wait(ctx, spread/steps) {
			spread = 0 // the context has ended: close the rest at once
		}
	}
	s.awaitEmpty(ctx)
}

// wait waits for a duration. It returns false if the context ends before.
func (s *Server) wait(ctx context.Context, d time.Duration) bool {
	passed := make(chan struct{})
	timer := s.clock.AfterFunc(d, func() { close(passed) })
	defer timer.Stop()
	select {
	case <-passed:
		return true
	case <-ctx.Done():
		return false
	}
}

func (s *Server) awaitEmpty(ctx context.Context) {
	for {
		s.mu.Lock()
		left, empty := len(s.open), s.empty
		s.mu.Unlock()
		if left == 0 {
			return
		}
		select {
		case <-empty:
		case <-ctx.Done():
			return
		}
	}
}

func (s *Server) buffer() *[]byte {
	b, ok := s.buffers.Get().(*[]byte)
	if !ok {
		b = new([]byte)
	}
	*b = (*b)[:0]
	return b
}

func (s *Server) release(b *[]byte) {
	if cap(*b) <= bufferMax {
		s.buffers.Put(b)
	}
}

type metrics struct {
	sockets prometheus.Gauge
	frames  prometheus.Counter
	closed  *prometheus.CounterVec
	// own are the codes with which the server itself closes, or records an end.
	own map[int]bool
}

func newMetrics(r prometheus.Registerer) *metrics {
	m := &metrics{
		own:     map[int]bool{},
		sockets: prometheus.NewGauge(prometheus.GaugeOpts{Name: "parley_sockets", Help: "Open sockets."}),
		frames:  prometheus.NewCounter(prometheus.CounterOpts{Name: "parley_socket_frames_total", Help: "Frames written to sockets."}),
		closed: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "parley_sockets_closed_total", Help: "Sockets closed, by code."},
			[]string{"code"}),
	}
	r.MustRegister(m.sockets, m.frames, m.closed)
	// Each code that the server uses has a series from the start: an alert on the first socket that is
	// cut must have a value to compare with.
	for _, d := range []domain.Disconnect{
		domain.DisconnectMalformed, domain.DisconnectSessionEnded, domain.DisconnectBearerEnded, domain.DisconnectForbidden,
		domain.DisconnectSlow, domain.DisconnectTooMany, domain.DisconnectDraining, domain.DisconnectTooBig, domain.DisconnectInternal,
		{Code: closeProtocol},
		{Code: closeUnsupported},
		{Code: closeNotText},
		{Code: closeGone},
	} {
		m.own[d.Code] = true
		m.closed.WithLabelValues(m.labelOf(d.Code))
	}
	// So have those that clients choose, which are no code of the server's own.
	for _, code := range []int{closeNormal, closeGoingAway, closeOther} {
		m.closed.WithLabelValues(m.labelOf(code))
	}
	return m
}

// labelOf returns the label of a code. A client may choose among thousands of codes: those that are not the server's own, nor
// the usual two of a page that closes, are counted together, because each label is a series that is kept.
func (m *metrics) labelOf(code int) string {
	if m.own[code] || code == closeNormal || code == closeGoingAway {
		return strconv.Itoa(code)
	}
	return "other"
}
