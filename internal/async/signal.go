package async

import (
	"context"
	"sync"
	"sync/atomic"
)

// Promise is a result, nil or an error, that an actor sets and a goroutine waits for.
type Promise struct {
	once sync.Once
	done chan struct{}
	err  error
}

// NewPromise makes a promise without a result.
func NewPromise() *Promise { return &Promise{done: make(chan struct{})} }

// Settle sets the result; later calls have no effect.
func (p *Promise) Settle(err error) {
	p.once.Do(func() {
		p.err = err
		close(p.done)
	})
}

// Wait waits for the result and returns it, or the cause of ctx if ctx ends first.
func (p *Promise) Wait(ctx context.Context) error {
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
		return context.Cause(ctx) //nolint:wrapcheck // the caller's own context
	}
}

// Done returns a channel that is closed when the result is set.
func (p *Promise) Done() <-chan struct{} { return p.done }

// Switch is a flag that any goroutine may read and set.
type Switch struct{ on atomic.Bool }

// On reports whether the flag is set.
func (s *Switch) On() bool { return s.on.Load() }

// Set sets the flag, and reports whether it was not set before.
func (s *Switch) Set() bool { return s.on.CompareAndSwap(false, true) }
