package shared

import (
	"context"
	"log/slog"
	"net"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/envelope"
	"parley.dev/parley/internal/startstop"
)

// Config of a Space. Every field has a zero value that works.
type Config struct {
	// URL is the address of the server: redis://user:password@host:port/database, rediss://
	// for TLS, or unix://. Zero: everything stays in this process.
	URL string
	// Keys encrypt the parts of conversations that the server keeps. Nil: it keeps none.
	Keys *envelope.Ring
	// Nodes returns how many nodes there are, for limits while the server is away. Nil: one.
	Nodes func() int
	// Metrics registers the metrics of the calls to the server. Nil: they are not exported.
	Metrics prometheus.Registerer
	// Clock is the clock of this process. Nil: the machine's.
	Clock clock.Clock
	// Ahead is added to the server's clock, so that tests can move it. Nil: nothing.
	Ahead func() time.Duration
	// CallTime is how long one call to the server may take, whatever happens to the
	// network. Zero: 100 ms, so that a request, which makes at most two calls, waits at most
	// 200 ms. Tests on a busy machine allow more.
	CallTime time.Duration
	// dial opens connections; tests replace it. Nil: the library's default.
	dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// Logger reports, among others, when the server goes away and when it is back. Nil:
	// slog's default.
	Logger *slog.Logger
}

func (c Config) withDefaults() Config {
	if c.Nodes == nil {
		c.Nodes = func() int { return 1 }
	}
	if c.Metrics == nil {
		c.Metrics = prometheus.NewRegistry()
	}
	if c.Clock == nil {
		c.Clock = clock.System{}
	}
	if c.Ahead == nil {
		c.Ahead = func() time.Duration { return 0 }
	}
	if c.CallTime == 0 {
		c.CallTime = callTime
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return c
}

// Space is this process's part of what nodes share.
type Space struct {
	Rates    *Rates
	Seats    *Seats
	Presence *Presence
	Hints    *Hints
	Tails    *Tails

	server *server // nil if everything stays in this process
	stop   context.CancelFunc
	ended  chan struct{}
	life   startstop.Guard
}

var (
	_ domain.RateCounter = (*Rates)(nil)
	_ domain.SeatKeeper  = (*Seats)(nil)
	_ domain.Presence    = (*Presence)(nil)
	_ domain.HintBoard   = (*Hints)(nil)
	_ domain.TailKeeper  = (*Tails)(nil)
)

// Open creates a space and starts its work. A server that does not answer is not an error:
// the space starts without it. The only error is a URL that cannot be parsed.
func Open(ctx context.Context, c Config) (*Space, error) {
	c = c.withDefaults()
	s := &Space{ended: make(chan struct{})}
	node := uuid.NewString() // new at each start: this process does not hold what an earlier one held
	if c.URL != "" {
		var err error
		if s.server, err = newServer(c, node); err != nil {
			return nil, err
		}
	}
	book := newBook(s.server)
	s.Rates, s.Seats, s.Presence = newRates(c, s.server), &Seats{book: book}, &Presence{book: book}
	s.Hints, s.Tails = newHints(c, s.server), newTails(c, s.server)
	life, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.stop = stop
	if s.server != nil {
		s.server.returned = func() { book.rewrite(); s.Hints.missed() }
		s.server.start(ctx)
	}
	return s, s.life.Start(func() error {
		go func() {
			defer close(s.ended)
			s.work(life, book)
		}()
		return nil
	})
}

// Up reports whether the server answers. It is true if there is no server.
func (s *Space) Up() bool { return s.server == nil || s.server.up.Load() }

// Close releases what this node holds and ends the space's work.
func (s *Space) Close() {
	_ = s.life.Stop(func() error { // never fails
		s.stop()
		<-s.ended
		return nil
	})
}
