package main

import (
	"context"

	"parley.dev/parley/internal/startstop"
)

// chore is work that goes on beside a server until it is stopped. The zero value has not
// started; it keeps the contract of package startstop.
type chore struct {
	life   startstop.Guard
	cancel context.CancelFunc // set by start
	done   chan struct{}      // closed when the work has ended
}

// start begins to run the work, whose context ends with stop and not with ctx. The only
// error is startstop.ErrStopped.
func (c *chore) start(ctx context.Context, run func(context.Context)) error {
	return c.life.Start(func() error {
		working, cancel := context.WithCancel(context.WithoutCancel(ctx))
		c.cancel, c.done = cancel, make(chan struct{})
		go func() {
			defer close(c.done)
			run(working)
		}()
		return nil
	})
}

// stop ends the work and waits for it.
func (c *chore) stop() {
	_ = c.life.Stop(func() error { // it gives no error
		c.cancel()
		<-c.done
		return nil
	})
}
