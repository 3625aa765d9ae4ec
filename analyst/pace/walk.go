package pace

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"
)

// state of a walk.
type state uint8

const (
	stateWaiting state = iota
	stateStepping
	stateOver
)

// Walker makes the steps of a walk.
type Walker interface {
	// Step makes one step and tells when the next one is due, if there are more.
	Step() (next time.Time, more bool)
}

// StepFunc is a Walker of one function.
type StepFunc func() (next time.Time, more bool)

// Step implements Walker.
func (f StepFunc) Step() (next time.Time, more bool) { return f() }

// walk is a row of steps, each at its moment.
type walk struct {
	walker Walker

	// guarded by the wheel
	due    int64
	state  state
	called bool // to an end: the step under way is the last one

	// finished says that a step was the last one by itself; crash is the panic of a step,
	// with its place. The walker reads both after done.
	finished bool
	crash    error
	done     chan struct{} // closed when it is over
}

// Walk has a step made at the first moment, another one when that one said, and
// so on until a step says that there are no more. Steps are made one at a time, on
// a goroutine of the wheel; a step may block. The error is that of ctx, whose
// end ends the walk; a step under way is waited for. A panic of a step comes out
// of Walk.
func (w *Wheel) Walk(ctx context.Context, first time.Time, walker Walker) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("walk: %w", err)
	}
	p := &walk{walker: walker, done: make(chan struct{})}
	w.mu.Lock()
	w.waitLocked(p, first)
	w.staffLocked()
	w.mu.Unlock()
	unhook := context.AfterFunc(ctx, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		p.called = true
		if p.state == stateWaiting {
			p.overLocked()
		}
	})
	defer unhook()
	<-p.done
	if p.crash != nil {
		panic(p.crash)
	}
	if !p.finished {
		return fmt.Errorf("walk: %w", ctx.Err())
	}
	return nil
}

// overLocked ends the walk. Where it still stands on the wheel it is passed over.
func (p *walk) overLocked() {
	p.state = stateOver
	close(p.done)
}

// make makes one step. Its panic is kept for the goroutine that asked for it,
// which knows what to do with it.
func (p *walk) make() (next time.Time, more bool) {
	defer func() {
		if r := recover(); r != nil {
			p.crash, more = fmt.Errorf("%v\n%s", r, debug.Stack()), false
		}
	}()
	return p.walker.Step()
}
