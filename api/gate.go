package api

import (
	"context"
	"sync"

	"parley.dev/parley/domain"
)

// gateWidth is how many files of one person are read or converted at once. The workers
// for files are a node's: one person with many files must leave some to the others.
const gateWidth = 2

// gate lets a few requests of each person through at once; the others wait their turn.
type gate struct {
	// mu guards people, which every request that reads a file looks into. A person is
	// there as long as a request of theirs is inside or waits.
	mu     sync.Mutex
	people map[int64]*turns
}

type turns struct {
	free chan struct{}
	in   int // inside or waiting
}

func newGate() *gate { return &gate{people: map[int64]*turns{}} }

// enter waits until the person has a turn. The caller gives it back by the function.
// CodeUnavailable where the request ends before.
func (g *gate) enter(ctx context.Context, user int64) (leave func(), err error) {
	g.mu.Lock()
	t := g.people[user]
	if t == nil {
		t = &turns{free: make(chan struct{}, gateWidth)}
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
		return nil, domain.Errorf(domain.CodeUnavailable, "Your other files are still being read. Please try again in a moment.").WithCause(context.Cause(ctx))
	}
}
