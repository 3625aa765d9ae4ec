package workbench

// Slots for workers. Their number is limited, and so is the number of requests that wait for one: a
// node that is busy answers at once that it is, instead of letting requests wait without an end
// (G17). The slots are divided between organisations, so that one that asks for very much does not make
// the others wait (internal/fair).

import (
	"context"
	"fmt"
	"sync"
	"time"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fair"
)

const (
	// retrySoon is the hint when to try again after a stopping bench has refused a request, in seconds.
	retrySoon = 5
	// othersPart is the part of the waiting places that no single organisation gets: one quarter.
	// Without it the one that floods would have all others refused.
	othersPart = 4
)

// slots bounds how many workers run and how many requests wait for one.
type slots struct {
	closed chan struct{}

	// mu guards the fields below.
	mu    sync.Mutex
	queue *fair.Queue[*request]
	// unnamed is the organisation of the last request that has named none. Each such request counts as one of its
	// own, with a number below zero, so that these requests are served in the order in which they come.
	unnamed int64
}

// request is one that has a slot or waits for one.
type request struct {
	placed chan struct{} // closed when one that has waited gets its slot
}

func newSlots(workers, queue int) *slots {
	one := max(1, queue-queue/othersPart)
	return &slots{
		closed: make(chan struct{}),
		// People are not known here: those of one organisation wait in one line.
		queue: fair.New[*request](fair.Limits{Slots: workers, Waiting: queue, WaitingOrganisation: one, WaitingPerson: one}),
	}
}

// acquire waits for a slot for an organisation; 0 means that it is not known. The caller returns the slot by
// calling the function. Errors: CodeTooMany if too many wait, in all or of the organisation, CodeUnavailable if
// the wait was too long.
func (s *slots) acquire(ctx context.Context, c clock.Clock, wait time.Duration, organisation int64) (func(), error) {
	// A closed bench refuses also if a slot is free.
	select {
	case <-s.closed:
		return nil, closedError()
	default:
	}
	r := &request{placed: make(chan struct{})}
	release := func() { s.leave(r) }
	switch s.ask(r, organisation) {
	case fair.Starts:
		return release, nil
	case fair.Refused:
		return nil, connectors.Busy(domain.CodeTooMany)
	case fair.Waits:
	}
	// The time comes from the injected clock, so tests need not wait.
	late := make(chan struct{})
	timer := c.AfterFunc(wait, func() { close(late) })
	defer timer.Stop()
	var err error
	select {
	case <-r.placed:
		return release, nil
	case <-ctx.Done():
		err = fmt.Errorf("wait for a worker: %w", context.Cause(ctx))
	case <-s.closed:
		err = closedError()
	case <-late:
		err = connectors.Busy(domain.CodeUnavailable)
	}
	release() // also the slot that it may have got at this moment
	return nil, err
}

func (s *slots) ask(r *request, organisation int64) fair.Outcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	if organisation == 0 {
		s.unnamed--
		organisation = s.unnamed
	}
	return s.queue.Ask(r, organisation, fair.Nobody)
}

// leave gives back the slot of a request, or its wish for one, and tells those that have a slot now.
func (s *slots) leave(r *request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, next := range s.queue.End(r) {
		close(next.placed)
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
