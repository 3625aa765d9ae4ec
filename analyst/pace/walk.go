package pace

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"
)

// state is the state of a walk.
type state uint8

const (
	stateWaiting state = iota
	stateStepping
	stateOver
)

// Walker makes the steps of a walk.
type Walker interface {
	// Step makes one step and returns when the next one is due, if there are more.
	Step() (next time.Time, more bool)
}

// StepFunc is a Walker made of one function.
type StepFunc func() (next time.Time, more bool)

// Step implements Walker.
func (f StepFunc) Step() (next time.Time, more bool) { return f() }

// walk is a sequence of steps, each with its own time.
type walk struct {
	walker Walker

	// guarded by the wheel's mutex
	due    int64
	state  state
	called bool // the walk was cancelled: the running step is the last one

	// finished means that a step said it was the last one; crash is the panic of a step, with its
	// stack. The caller of Walk reads both after done.
	finished bool
	crash    error
	done     chan struct{} // closed when it is over
}

// Walk makes a step at the time first, the next one when that step said, and so on until a step says
// that there are no more. The steps run one at a time, on a goroutine of the wheel; a step may block.
// The end of ctx ends the walk, after a running step has returned, and Walk then returns the error of
// ctx. A panic of a step is raised by Walk.
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

// overLocked ends the walk. If the walk is still in a slot of the wheel, it is skipped there.
func (p *walk) overLocked() {
	p.state = stateOver
	close(p.done)
}

// make makes one step. Its panic is stored for the goroutine that called Walk, which can handle it.
func (p *walk) make() (next time.Time, more bool) {
	defer func() {
		if r := recover(); r != nil {
			p.crash, more = fmt.Errorf("%v\n%s", r, debug.Stack()), false
		}
	}()
	return p.walker.Step()
}
