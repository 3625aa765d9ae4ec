// Package semaphore limits how many costly requests of each person run at the same time.
package semaphore

import (
	"context"
	"sync"

	"parley.dev/parley/domain"
)

// PerPerson lets at most width requests of each person run at the same time; further
// requests wait. All people share the node's workers for files: one person with many files
// must not occupy all of them. It is safe for concurrent use.
type PerPerson struct {
	width int
	// mu guards people. A person has an entry as long as one of their requests runs or
	// waits.
	mu     sync.Mutex
	people map[int64]*turns
}

type turns struct {
	free chan struct{}
	in   int // requests that run or wait
}

// New makes a semaphore of this width for each person.
func New(width int) *PerPerson {
	if width < 1 {
		panic("semaphore: nobody would get through")
	}
	return &PerPerson{width: width, people: map[int64]*turns{}}
}

// Acquire waits until a request of the person may run. The caller must call release.
// Errors: CodeUnavailable if ctx ends before.
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
