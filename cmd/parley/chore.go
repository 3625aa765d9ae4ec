package main

import (
	"context"

	"parley.dev/parley/internal/startstop"
)

// chore is background work of a server, which runs until stop is called. The zero value has
// not started. It fulfils the contract of package startstop.
type chore struct {
	life   startstop.Guard
	cancel context.CancelFunc // set by start
	done   chan struct{}      // closed when the work has ended
}

// start runs the work in a goroutine. The context of the work is cancelled by stop and not
// by ctx. The only possible error is startstop.ErrStopped.
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
	_ = c.life.Stop(func() error { // the function below never fails
		c.cancel()
		<-c.done
		return nil
	})
}
