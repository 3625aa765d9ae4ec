// Package gather answers requests of many callers together, as a group commit does. A
// request that finds nothing in flight goes at once, alone. While a group is in flight, later
// requests wait, and go together when it has returned. So a quiet server answers as fast as
// without it, a busy one needs one statement for many requests, and there is no timer whose
// length would have to be guessed.
package gather

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"parley.dev/parley/internal/clock"
)

// Config is what a Gatherer needs. Answer is required.
type Config[K, V any] struct {
	// Answer answers a group: a value for each key, in their order. It is called outside of
	// the callers' goroutines, and its context ends after Limit, or when every caller of the
	// group has left. An error is the error of the whole group.
	Answer func(ctx context.Context, keys []K) ([]V, error)
	// Single reports whether an error may be the fault of a single key. Then the group is
	// divided in two until only that key fails. Nil: never.
	Single func(err error) bool
	// Most is the maximum size of a group. 0 means 256.
	Most int
	// Lanes is how many groups may be in flight. More than one are only if whole groups wait,
	// or if the last one has not returned after Slow. 0 means 4.
	Lanes int
	// Slow is the age from which a group in flight does not hold up others: its connection may
	// be broken. 0 means 200 ms.
	Slow time.Duration
	// Limit is the maximum time of a group. 0 means 5 s.
	Limit time.Duration
	// Clock measures the age of groups. Nil: the clock of the machine.
	Clock clock.Clock
}

// Gatherer gathers requests of one kind. It has no goroutine while nothing is in flight, so
// it need not be stopped.
type Gatherer[K, V any] struct {
	c Config[K, V]

	// mu guards the fields below, and the fields of groups; callers and groups write them.
	mu      sync.Mutex
	waiting []*request[K, V]
	flying  int
	// began is when the last group started.
	began time.Time
}

// request is the request of one caller. value and err are written before done is closed.
type request[K, V any] struct {
	key   K
	value V
	err   error
	done  chan struct{}
	// group is the group in flight that has the request; nil while it waits.
	group *group
}

// group is a group in flight.
type group struct {
	// callers is how many of its callers still wait.
	callers int
	cancel  context.CancelFunc
}

// New makes a Gatherer. It panics without Answer.
func New[K, V any](c Config[K, V]) *Gatherer[K, V] {
	if c.Answer == nil {
		panic("gather: Config.Answer is required")
	}
	if c.Most == 0 {
		c.Most = 256
	}
	if c.Lanes == 0 {
		c.Lanes = 4
	}
	if c.Slow == 0 {
		c.Slow = 200 * time.Millisecond
	}
	if c.Clock == nil {
		c.Clock = clock.System{}
	}
	if c.Limit == 0 {
		c.Limit = 5 * time.Second
	}
	return &Gatherer[K, V]{c: c}
}

// Do returns the value for a key. Errors: those of Answer; the error of ctx if it ends first,
// and then the request may have been carried out or not, as with any call that is given up.
func (g *Gatherer[K, V]) Do(ctx context.Context, key K) (V, error) {
	var none V
	if err := ctx.Err(); err != nil {
		return none, err
	}
	r := &request[K, V]{key: key, done: make(chan struct{})}
	g.mu.Lock()
	g.waiting = append(g.waiting, r)
	g.launchLocked() //nolint:contextcheck // a group serves many callers and has its own limit
	g.mu.Unlock()
	select {
	case <-r.done:
		return r.value, r.err
	case <-ctx.Done():
		g.leave(r)
		return none, ctx.Err()
	}
}

// leave takes back a request that still waits. The last caller of a group ends it.
func (g *Gatherer[K, V]) leave(r *request[K, V]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if r.group == nil {
		if i := slices.Index(g.waiting, r); i >= 0 {
			g.waiting = slices.Delete(g.waiting, i, i+1)
		}
		return
	}
	if r.group.callers--; r.group.callers == 0 {
		r.group.cancel()
	}
}

// worthLocked reports whether a group should start: if none is in flight, and otherwise only a
// whole group, because fewer and larger groups cost less. Without a timer, a group that does
// not return is noticed at the next request.
func (g *Gatherer[K, V]) worthLocked(now time.Time) bool {
	switch {
	case len(g.waiting) == 0 || g.flying >= g.c.Lanes:
		return false
	case g.flying == 0 || len(g.waiting) >= g.c.Most:
		return true
	default:
		return now.Sub(g.began) >= g.c.Slow
	}
}

func (g *Gatherer[K, V]) launchLocked() {
	now := g.c.Clock.Now()
	for g.worthLocked(now) {
		n := min(len(g.waiting), g.c.Most)
		requests := slices.Clone(g.waiting[:n])
		g.waiting = slices.Delete(g.waiting, 0, n)
		ctx, cancel := context.WithTimeout(context.Background(), g.c.Limit)
		flight := &group{callers: n, cancel: cancel}
		for _, r := range requests {
			r.group = flight
		}
		g.flying, g.began = g.flying+1, now
		go g.fly(ctx, flight, requests)
	}
}

// fly answers a group. The next one starts before its callers are told, so that the store
// does not wait for them.
func (g *Gatherer[K, V]) fly(ctx context.Context, flight *group, requests []*request[K, V]) {
	defer flight.cancel()
	g.answer(ctx, requests)
	g.mu.Lock()
	g.flying--
	g.launchLocked() //nolint:contextcheck // as in Do
	g.mu.Unlock()
	for _, r := range requests {
		close(r.done)
	}
}

// answer sets the value or the error of each request.
func (g *Gatherer[K, V]) answer(ctx context.Context, requests []*request[K, V]) {
	keys := make([]K, len(requests))
	for i, r := range requests {
		keys[i] = r.key
	}
	values, err := g.ask(ctx, keys)
	if err != nil && len(requests) > 1 && g.c.Single != nil && g.c.Single(err) {
		half := len(requests) / 2
		g.answer(ctx, requests[:half])
		g.answer(ctx, requests[half:])
		return
	}
	for i, r := range requests {
		if r.err = err; err == nil {
			r.value = values[i]
		}
	}
}

// ask calls Answer. A panic becomes an error, because it would end the process and not one request.
func (g *Gatherer[K, V]) ask(ctx context.Context, keys []K) (values []V, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("gather: panic: %v\n%s", r, debug.Stack())
		}
	}()
	values, err = g.c.Answer(ctx, keys)
	if err == nil && len(values) != len(keys) {
		err = fmt.Errorf("gather: %d values for %d keys", len(values), len(keys))
	}
	return values, err
}
