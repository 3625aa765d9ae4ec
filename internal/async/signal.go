package async

import (
	"context"
	"sync"
	"sync/atomic"
)

// Promise is one answer that a goroutine waits for and an actor gives.
type Promise struct {
	once sync.Once
	done chan struct{}
	err  error
}

// NewPromise makes an open promise.
func NewPromise() *Promise { return &Promise{done: make(chan struct{})} }

// Settle gives the answer; only the first one counts.
func (p *Promise) Settle(err error) {
	p.once.Do(func() {
		p.err = err
		close(p.done)
	})
}

// Wait gives the answer, or the cause of ctx when that ends first.
func (p *Promise) Wait(ctx context.Context) error {
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
		return context.Cause(ctx) //nolint:wrapcheck // the caller's own
	}
}

// Done is closed when the answer is there.
func (p *Promise) Done() <-chan struct{} { return p.done }

// Switch is a flag that any goroutine may read and set.
type Switch struct{ on atomic.Bool }

// On reports whether it was set.
func (s *Switch) On() bool { return s.on.Load() }

// Set sets it and reports whether this call did.
func (s *Switch) Set() bool { return s.on.CompareAndSwap(false, true) }
