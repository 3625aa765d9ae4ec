// Package semaphore lets a few of each person's costly requests through at once.
package semaphore

import (
	"context"
	"sync"

	"parley.dev/parley/domain"
)

// PerPerson lets width requests of each person through at once; the others wait their turn.
// The workers for files are a node's: one person with many files must leave some to
// the others. It is safe for concurrent use.
type PerPerson struct {
	width int
	// mu guards people, which every request that reads a file looks into. A person is
	// there as long as a request of theirs is inside or waits.
	mu     sync.Mutex
	people map[int64]*turns
}

type turns struct {
	free chan struct{}
	in   int // inside or waiting
}

// New makes one.
func New(width int) *PerPerson {
	if width < 1 {
		panic("semaphore: nobody would get through")
	}
	return &PerPerson{width: width, people: map[int64]*turns{}}
}

// Acquire waits until the person has a turn. The caller gives it back by release.
// CodeUnavailable where the request ends before.
func (g *PerPerson) Acquire(ctx context.Context, user int64) (release func(), err error) {
	g.mu.Lock()
	t := g.people[user]
	if t == nil {
		t = &turns{free: make(chan struct{}, g.width)}
		g.people[user] = t
	}
	t.in++
	g.mu.Unlock()
	forget := func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if t.in--; t.in == 0 {
			delete(g.people, user)
		}
	}
	select {
	case t.free <- struct{}{}:
		return func() { <-t.free; forget() }, nil
	case <-ctx.Done():
		forget()
		return nil, domain.Errorf(domain.CodeUnavailable, "Your other files are still being read. Please try again "+
			"in a moment.").WithCause(context.Cause(ctx))
	}
}
