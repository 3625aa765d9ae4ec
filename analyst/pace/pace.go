// Package pace lets thousands of goroutines wait for their next moment on one
// timer: a wheel whose ticks wake everyone who is due. A provider that speaks
// at a rate uses it instead of a ticker of its own.
package pace

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"parley.dev/parley/internal/clock"
)

// slots is the size of the ring; a wait beyond one turn stays for further ones.
const slots = 512

// Config of a Wheel.
type Config struct {
	// Clock is the time; nil means the machine's.
	Clock clock.Clock
	// Tick is how finely moments are told apart; 0 means 5 ms.
	Tick time.Duration
}

func (c *Config) mustValidate() {
	if c.Clock == nil {
		c.Clock = clock.System{}
	}
	if c.Tick == 0 {
		c.Tick = 5 * time.Millisecond
	}
	if c.Tick < 0 {
		panic("pace: Config.Tick is negative")
	}
}

// Wheel wakes waiters. It is safe for concurrent use and rests while nobody waits.
type Wheel struct {
	clock clock.Clock
	tick  time.Duration
	base  time.Time

	mu      sync.Mutex // guards what follows
	ring    [slots][]*Waiter
	reached int64 // the last tick that was served
	waiting int
	armed   bool
}

// NewWheel makes a Wheel.
func NewWheel(cfg Config) *Wheel {
	cfg.mustValidate()
	return &Wheel{clock: cfg.Clock, tick: cfg.Tick, base: cfg.Clock.Now()}
}

// Waiter is one goroutine's place on the wheel. It is used again for each wait,
// by that goroutine alone, and not after a wait that ended with an error.
type Waiter struct {
	wheel *Wheel
	// wake has room for one: who finds it full knows that the waiter wakes anyway.
	wake chan struct{}
	due  int64 // guarded by the wheel
	// ctx is the context whose end wakes as well; unhook ends that.
	ctx    context.Context //nolint:containedctx // only to see that it is still the same
	unhook func() bool
}

// Waiter makes a place.
func (w *Wheel) Waiter() *Waiter { return &Waiter{wheel: w, wake: make(chan struct{}, 1)} }

// Now is the wheel's time.
func (w *Wheel) Now() time.Time { return w.clock.Now() }

// Until waits for a moment. Who is late lets the others run first: thousands who
// caught up at once would hold up all that is not late. The end of ctx wakes through the same channel as the wheel: a select on two of them for
// every token would be the dearest part of it.
func (p *Waiter) Until(ctx context.Context, at time.Time) error {
	w := p.wheel
	if at.After(w.clock.Now()) {
		p.hook(ctx)
		w.add(p, int64((at.Sub(w.base)+w.tick-1)/w.tick))
		<-p.wake
	} else {
		runtime.Gosched()
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("wait: %w", err)
	}
	return nil
}

// hook has the end of ctx wake the waiter, once for all waits with the same one.
func (p *Waiter) hook(ctx context.Context) {
	if p.ctx == ctx {
		return
	}
	if p.unhook != nil {
		p.unhook()
	}
	p.ctx, p.unhook = ctx, context.AfterFunc(ctx, p.rouse)
}

// rouse wakes the waiter without waiting for it.
func (p *Waiter) rouse() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

func (w *Wheel) add(p *Waiter, due int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waiting == 0 {
		// While the wheel rested its ticks went by unserved; nobody was due.
		w.reached = max(w.reached, w.elapsed())
	}
	p.due = max(due, w.reached+1)
	w.ring[p.due%slots] = append(w.ring[p.due%slots], p)
	w.waiting++
	if !w.armed {
		w.armed = true
		w.clock.AfterFunc(w.tick, w.turn)
	}
}

// turn serves all ticks up to now.
func (w *Wheel) turn() {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.elapsed()
	// After a long pause one round of the ring meets every slot.
	from := max(w.reached+1, now-slots+1)
	for tick := from; tick <= now; tick++ {
		w.serve(tick%slots, now)
	}
	w.reached = max(w.reached, now)
	if w.armed = w.waiting > 0; w.armed {
		w.clock.AfterFunc(w.tick, w.turn)
	}
}

// serve wakes those of a slot who are due and keeps the others.
func (w *Wheel) serve(slot, now int64) {
	kept := w.ring[slot][:0]
	for _, p := range w.ring[slot] {
		if p.due > now {
			kept = append(kept, p)
			continue
		}
		w.waiting--
		p.rouse()
	}
	clear(w.ring[slot][len(kept):])
	w.ring[slot] = kept
}

func (w *Wheel) elapsed() int64 { return int64(w.clock.Now().Sub(w.base) / w.tick) }
