// Package startstop is the contract of what is started once and stopped once: nodes and
// their membership, engines, journals, servers, benches, and what a server does beside.
// It follows riverqueue/river's package of the same name, but nothing here starts a second
// time. What keeps it has a Guard and goes through the stress test of startstoptest, which
// internal/archtest watches over.
//
//   - Start may fail, and then leaves nothing behind that Stop would have to end.
//   - A second Start does nothing; one after Stop answers ErrStopped.
//   - Stop without Start does nothing. Several calls of Stop, at once or one after the
//     other, stop once, and each returns when everything has ended.
//   - Start and Stop may be called at the same time: the later one waits.
package startstop

import (
	"errors"
	"sync"
)

// ErrStopped is the answer of a Start after Stop, or after a Start that failed.
var ErrStopped = errors.New("it has been stopped and does not start again")

// Guard keeps the contract for the one that has it as a field. The zero value has
// not started.
type Guard struct {
	// mu is held while what is guarded starts and while it stops. It guards all below.
	mu      sync.Mutex
	started bool
	over    bool
	err     error // of the stop
}

// Start runs start, unless that has been done.
func (g *Guard) Start(start func() error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.over {
		return ErrStopped
	}
	if g.started {
		return nil
	}
	if err := start(); err != nil {
		g.over = true
		return err
	}
	g.started = true
	return nil
}

// Stop runs stop if Start has succeeded, the first time, and gives its error to all callers.
func (g *Guard) Stop(stop func() error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.started && !g.over {
		g.err = stop()
	}
	g.over = true
	return g.err
}
