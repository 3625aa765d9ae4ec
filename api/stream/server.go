package stream

import (
	"context"
	"log/slog"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// Config of a Server. Everything is required.
type Config struct {
	Connector Connector
	// Origins from which browsers may open sockets, exactly as they write them.
	Origins []string
	// Ended gives those of a list of sign-ins that are over.
	Ended func(ctx context.Context, list []domain.SignInKey) ([]domain.SignInKey, error)
	// PerUser and PerAddress are the most sockets; negative sets no limit.
	PerUser    int
	PerAddress int
	Metrics    prometheus.Registerer
	Clock      clock.Clock
	Logger     *slog.Logger
}

// Server keeps the open sockets of a node.
type Server struct {
	c       Config
	clock   clock.Clock
	log     *slog.Logger
	metrics *metrics
	buffers sync.Pool // of *[]byte, for writes
	// attempts are for writes that do not wait.
	attempts sync.Pool // of *attempt

	// mu guards what stands below it; every socket takes it when it comes and goes.
	mu        sync.Mutex
	open      map[*socket]struct{}
	users     map[int64]int
	addresses map[string]int
	draining  bool
	// watched says that a look at the sign-ins of the sockets is due.
	watched bool
	// empty is closed and made anew whenever the last socket went.
	empty chan struct{}
}

// New makes a server without sockets.
func New(c Config) *Server {
	return &Server{
		c: c, clock: c.Clock, log: c.Logger, metrics: newMetrics(c.Metrics),
		buffers:   sync.Pool{New: func() any { b := make([]byte, 0, 4<<10); return &b }},
		open:      map[*socket]struct{}{},
		users:     map[int64]int{},
		addresses: map[string]int{},
		empty:     make(chan struct{}),
	}
}

// Allows tells whether a page of this origin may open a socket.
func (s *Server) Allows(origin string) bool { return slices.Contains(s.c.Origins, origin) }

// seat is the place that a socket takes within the limits.
type seat struct {
	user    int64
	address string
}

// take finds a place for a socket, before it is upgraded. CodeTooMany over a
// limit, CodeUnavailable while the node drains.
func (s *Server) take(user int64, ip net.IP) (seat, error) {
	p := seat{user: user, address: addressOf(ip)}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.draining {
		return p, domain.Errorf(domain.CodeUnavailable, "This node is going down. Please connect again")
	}
	if s.c.PerUser >= 0 && s.users[user] >= s.c.PerUser || s.c.PerAddress >= 0 && s.addresses[p.address] >= s.c.PerAddress {
		err := domain.Errorf(domain.CodeTooMany, "There are too many open connections")
		err.RetryAfter = 10
		return p, err
	}
	s.users[user]++
	s.addresses[p.address]++
	return p, nil
}

// addressOf is what counts as one address: an IPv4 one, or a network of IPv6,
// of which a customer has 2^64.
func addressOf(ip net.IP) string {
	if v4 := ip.To4(); v4 != nil {
		return v4.String()
	}
	return ip.Mask(net.CIDRMask(64, 128)).String()
}

// join lists an upgraded socket, so that a drain finds it.
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

// leave gives the place back.
func (s *Server) leave(sock *socket) {
	code := int(sock.code.Load())
	if code == 0 {
		code = closeGone
	}
	s.metrics.sockets.Dec()
	s.metrics.closed.WithLabelValues(strconv.Itoa(code)).Inc()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, sock)
	countDown(s.users, sock.seat.user)
	countDown(s.addresses, sock.seat.address)
	if len(s.open) == 0 {
		close(s.empty)
		s.empty = make(chan struct{})
	}
}

func countDown[K comparable](counts map[K]int, key K) {
	if counts[key]--; counts[key] <= 0 {
		delete(counts, key)
	}
}

// Drain refuses new sockets and closes the open ones with 4503, spread over the
// given time. It returns when all are gone or the context ends.
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
			spread = 0 // no time left: the rest at once
		}
	}
	s.awaitEmpty(ctx)
}

// wait lets time pass and tells whether the context is still good.
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
}

func newMetrics(r prometheus.Registerer) *metrics {
	m := &metrics{
		sockets: prometheus.NewGauge(prometheus.GaugeOpts{Name: "parley_sockets", Help: "Open sockets."}),
		frames:  prometheus.NewCounter(prometheus.CounterOpts{Name: "parley_socket_frames_total", Help: "Frames written to sockets."}),
		closed:  prometheus.NewCounterVec(prometheus.CounterOpts{Name: "parley_sockets_closed_total", Help: "Sockets closed, by code."}, []string{"code"}),
	}
	r.MustRegister(m.sockets, m.frames, m.closed)
	return m
}
