package shared

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"
)

const (
	// callTime is the default of Config.CallTime.
	callTime = 100 * time.Millisecond
	// maxFailures is the number of consecutive failures after which the server counts as
	// away and no call is made any more.
	maxFailures = 3
	// probeEvery is how often a server that is away is probed.
	probeEvery = time.Second / 2
	// connectTime is how long a new connection may take when no caller waits for it.
	connectTime = time.Second
	// This node renews its lease on the server every renewEvery; the lease lasts leaseLife.
	renewEvery = 5 * time.Second
	leaseLife  = 3 * renewEvery
)

// errAway means that no call was made.
var errAway = errors.New("the shared server is away")

// server is the client of the server that all nodes share, with a deadline for each call
// and a circuit breaker.
type server struct {
	client *redis.Client
	// callTime bounds each call.
	callTime time.Duration
	prefix   string
	node     string
	ahead    func() time.Duration
	log      *slog.Logger
	meter    *meter
	// returned is called whenever the server may have lost what this node wrote. It is set
	// before start.
	returned func()

	up atomic.Bool
	// failures counts the failed calls since the last one that succeeded.
	failures atomic.Int32
}

func newServer(c Config, node string) (*server, error) {
	o, err := redis.ParseURL(c.URL)
	if err != nil {
		//nolint:err113 // the URL holds a password
		return nil, fmt.Errorf("read the URL of Redis: %w", errors.New(strings.ReplaceAll(err.Error(), c.URL, "…")))
	}
	// In the library, retries, waiting for a free connection and repeated attempts to
	// connect have separate timeouts, which could add up to seconds.
	o.MaxRetries, o.DialerRetries = -1, 1
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.PoolTimeout = connectTime, connectTime, connectTime, c.CallTime
	o.ContextTimeoutEnabled = true
	if c.dial != nil {
		o.Dialer = c.dial
	}
	// A new connection sends as few commands as possible.
	o.DisableIdentity = true
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	redis.SetLogger(&logging.VoidLogger{}) // our own log and metrics report what matters
	s := &server{
		client: redis.NewClient(o), callTime: c.CallTime, prefix: fmt.Sprintf("parley:%d:", o.DB), node: node, ahead: c.Ahead, log: c.Logger,
	}
	s.meter = newMeter(c.Metrics, s)
	return s, nil
}

// start probes the server once. A probe may take longer than a call, because no caller waits yet.
func (s *server) start(ctx context.Context) {
	if err := s.probe(ctx); err != nil {
		s.log.LogAttrs(ctx, slog.LevelWarn, "Redis does not answer: this node counts and keeps by itself until it does", slog.Any("error", err))
	}
}

// ask makes one call. It returns within callTime even if the library does not. While the
// server is away, it returns errAway at once.
func ask[T any](ctx context.Context, s *server, call func(ctx context.Context) (T, error)) (T, error) {
	var none T
	if s == nil || !s.up.Load() {
		if s != nil {
			s.meter.spared.Inc()
		}
		return none, errAway
	}
	v, err := within(ctx, s.callTime, call)
	switch {
	case err == nil:
		s.failures.Store(0)
		s.meter.ok.Inc()
	case ctx.Err() != nil: // the caller has given up, which says nothing about the server
	default:
		s.failed(ctx, err)
	}
	return v, err
}

// failed counts a call that failed. A read-only server refuses all writes, so it soon
// counts as away like one that does not answer.
func (s *server) failed(ctx context.Context, err error) {
	if errors.Is(err, context.DeadlineExceeded) {
		s.meter.late.Inc()
	} else {
		s.meter.failed.Inc()
	}
	if s.failures.Add(1) >= maxFailures && s.up.CompareAndSwap(true, false) {
		s.log.LogAttrs(context.WithoutCancel(ctx), slog.LevelWarn, "Redis is away: this node counts and keeps by itself until it is back",
			slog.Any("error", err))
	}
}

// probe checks whether a server that is away is back: it must accept a connection, and
// then a write within callTime.
func (s *server) probe(ctx context.Context) error {
	if _, err := within(ctx, connectTime, func(ctx context.Context) (string, error) { return s.client.Ping(ctx).Result() }); err != nil {
		return err
	}
	if _, err := within(ctx, s.callTime, s.renewal); err != nil {
		return err
	}
	s.failures.Store(0)
	if s.up.CompareAndSwap(false, true) {
		s.log.LogAttrs(ctx, slog.LevelInfo, "Redis answers")
	}
	s.returned()
	return nil
}

// renew extends the lease of this node. If the lease was missing, either the server was
// emptied or this node did not renew it in time: what this node holds is written again.
func (s *server) renew(ctx context.Context) {
	if held, err := ask(ctx, s, s.renewal); err == nil && !held {
		s.returned()
	}
}

func (s *server) renewal(ctx context.Context) (held bool, err error) {
	n, err := renewScript.Run(ctx, s.client, []string{s.nodes()}, s.offset(), s.node, leaseLife.Milliseconds()).Int()
	return n == 1, err //nolint:wrapcheck // counted and logged, not shown
}

// quit ends the lease, and so releases everything that this node held.
func (s *server) quit(ctx context.Context) {
	_, err := ask(ctx, s, func(ctx context.Context) (int64, error) { return s.client.HDel(ctx, s.nodes(), s.node).Result() })
	if err != nil && !errors.Is(err, errAway) {
		s.log.LogAttrs(ctx, slog.LevelDebug, "the lease was left to end by itself", slog.Any("error", err))
	}
	if err := s.client.Close(); err != nil {
		s.log.LogAttrs(ctx, slog.LevelDebug, "closing the connections to Redis failed", slog.Any("error", err))
	}
}

// nodes returns the key of the leases.
func (s *server) nodes() string { return s.prefix + "nodes" }

// offset returns what is added to the server's clock, in milliseconds.
func (s *server) offset() int64 { return s.ahead().Milliseconds() }

// within makes the call and stops waiting for it after the timeout.
func within[T any](ctx context.Context, timeout time.Duration, call func(ctx context.Context) (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if r := recover(); r != nil {
				o.err = fmt.Errorf("a call to Redis panicked: %v", r) //nolint:err113 // a fault of a library
			}
			done <- o
		}()
		o.value, o.err = call(ctx)
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
