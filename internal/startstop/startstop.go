// Package startstop is the contract of types that are started once and stopped once: nodes
// and their membership, engines, journals, servers, benches, stores, and background work of
// servers. A type that runs from the moment at which it is made keeps the part about Stop.
// It follows riverqueue/river's package of the same name, but nothing here can be started a
// second time. A type with this contract has a Guard and passes the stress test of
// startstoptest; internal/archtest checks that.
//
//   - Start may fail. It then leaves nothing behind that Stop would have to stop.
//   - A second Start does nothing; a Start after Stop returns ErrStopped.
//   - Stop without Start does nothing. Several calls of Stop, concurrent or one after the
//     other, stop once, and each call returns when everything has ended.
//   - Start and Stop may be called at the same time: the later call waits.
package startstop

import (
	"errors"
	"sync"
)

// ErrStopped is the error of a Start after Stop, or after a Start that failed.
var ErrStopped = errors.New("it has been stopped and does not start again")

// Guard implements the contract for a type that has it as a field. The zero value has not
// been started.
type Guard struct {
	// mu is held during the whole start and the whole stop. It guards the fields below.
	mu      sync.Mutex
	started bool
	over    bool
	err     error // of the stop
}

// Start runs start, unless it has been run before.
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

// Stop runs stop if Start has succeeded, but only once, and returns its error to all callers.
func (g *Guard) Stop(stop func() error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.started && !g.over {
		g.err = stop()
	}
	g.over = true
	return g.err
}
