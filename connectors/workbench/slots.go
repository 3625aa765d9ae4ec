package workbench

// Slots for workers. Their number is limited, and so is the number of requests that wait for one: a
// node that is busy answers at once that it is, instead of letting requests wait without an end
// (G17).

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// retrySoon is the hint when to try again after a stopping bench has refused a request, in seconds.
const retrySoon = 5

// slots bounds how many workers run and how many requests wait for one.
type slots struct {
	free    chan struct{}
	closed  chan struct{}
	waiting atomic.Int64
	queue   int64
}

func newSlots(workers, queue int) *slots {
	return &slots{free: make(chan struct{}, workers), closed: make(chan struct{}), queue: int64(queue)}
}

// acquire waits for a slot. The caller returns the slot by calling the function. Errors:
// CodeTooMany if the queue is full, CodeUnavailable if the wait was too long.
func (s *slots) acquire(ctx context.Context, c clock.Clock, wait time.Duration) (func(), error) {
	release := func() { <-s.free }
	// A closed bench refuses also if a slot is free.
	select {
	case <-s.closed:
		return nil, closedError()
	default:
	}
	select {
	case s.free <- struct{}{}:
		return release, nil
	default:
	}
	// The counter is raised before it is compared, so two requests cannot take the last place both.
	if s.waiting.Add(1) > s.queue {
		s.waiting.Add(-1)
		return nil, connectors.Busy(domain.CodeTooMany)
	}
	defer s.waiting.Add(-1)
	// The time comes from the injected clock, so tests need not wait.
	late := make(chan struct{})
	timer := c.AfterFunc(wait, func() { close(late) })
	defer timer.Stop()
	select {
	case s.free <- struct{}{}:
		return release, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for a worker: %w", context.Cause(ctx))
	case <-s.closed:
		return nil, closedError()
	case <-late:
		return nil, connectors.Busy(domain.CodeUnavailable)
	}
}

// close refuses all waiting and all later requests.
func (s *slots) close() { close(s.closed) }

// closedError is the error of a stopping node; another node may answer the next try.
func closedError() error {
	e := domain.Errorf(domain.CodeUnavailable, "The server is shutting down. Try again in a few seconds.")
	e.RetryAfter = retrySoon
	return e
}
