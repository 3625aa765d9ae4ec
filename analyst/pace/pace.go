// Package pace lets thousands of model calls speak at their own times with one timer and a few
// goroutines. A provider that speaks at a fixed rate uses it instead of a ticker and a goroutine of its
// own: waking a goroutine for each token costs more than most tokens do.
package pace

import (
	"runtime"
	"sync"
	"time"

	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/queue"
)

const (
	// slots is the size of the ring. A step that is due later than one round of the ring stays for
	// further rounds.
	slots = 512
	// stepsAtOnce is the number of steps that a worker makes before it lets the other goroutines of the
	// process run: about some milliseconds of work.
	stepsAtOnce = 2048
)

// Config configures a Wheel.
type Config struct {
	// Clock provides the time; nil means the clock of the machine.
	Clock clock.Clock
	// Tick is the resolution of the times of steps; 0 means 5 ms.
	Tick time.Duration
	// Workers is the number of steps that are made at the same time, in addition to steps that wait for
	// something; 0 means one for each processor that the program may use.
	Workers int
}

func (c *Config) mustValidate() {
	if c.Clock == nil {
		c.Clock = clock.System{}
	}
	if c.Tick == 0 {
		c.Tick = 5 * time.Millisecond
	}
	if c.Workers == 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	if c.Tick < 0 || c.Workers < 0 {
		panic("pace: Config has a negative field")
	}
}

// Wheel makes steps when they are due. It is safe for concurrent use, and its timer is stopped while no
// step is waiting.
type Wheel struct {
	clock   clock.Clock
	tick    time.Duration
	workers int
	base    time.Time

	// mu guards the fields below; callers, the timer and the workers write them.
	mu      sync.Mutex
	ring    [slots][]*walk
	reached int64 // the last tick that was served
	waiting int   // walks in the ring
	armed   bool
	ready   queue.Queue[*walk] // walks whose next step is due
	running int                // number of workers
	// begun counts the steps; seen is its value at the last tick. If there are steps to make and none
	// was begun between two ticks, the workers are blocked.
	begun, seen uint64
}

// NewWheel returns a Wheel.
func NewWheel(cfg Config) *Wheel {
	cfg.mustValidate()
	return &Wheel{clock: cfg.Clock, tick: cfg.Tick, workers: cfg.Workers, base: cfg.Clock.Now()}
}

// Now returns the time of the wheel's clock.
func (w *Wheel) Now() time.Time { return w.clock.Now() }

// waitLocked puts a walk into the slot of its next step. A step that is already due goes to the end of
// the ready queue: thousands of walks that catch up at once would otherwise delay the steps that are
// not late.
func (w *Wheel) waitLocked(p *walk, at time.Time) {
	if w.waiting == 0 {
		// While the wheel was stopped, its ticks were not served, and no step was due. While it runs,
		// the last tick is precise enough: reading the clock for each step is not worth its cost.
		w.reached = max(w.reached, w.elapsed())
	}
	p.due = int64((at.Sub(w.base) + w.tick - 1) / w.tick)
	if p.due <= w.reached {
		w.ready.Push(p)
	} else {
		w.ring[p.due%slots] = append(w.ring[p.due%slots], p)
		w.waiting++
	}
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
	// After a long pause one round of the ring reaches every slot.
	from := max(w.reached+1, now-slots+1)
	for tick := from; tick <= now; tick++ {
		w.serveLocked(tick%slots, now)
	}
	w.reached = max(w.reached, now)
	w.staffLocked()
	if w.ready.Len() > 0 && w.begun == w.seen && w.running > 0 {
		// A step may block, because there is no room or because a model is silent, and must not delay
		// the others: another worker takes its place.
		w.startLocked()
	}
	w.seen = w.begun
	if w.armed = w.waiting > 0 || w.ready.Len() > 0; w.armed {
		w.clock.AfterFunc(w.tick, w.turn)
	}
}

// serveLocked makes the walks of a slot ready that are due, and keeps the others.
func (w *Wheel) serveLocked(slot, now int64) {
	kept := w.ring[slot][:0]
	for _, p := range w.ring[slot] {
		switch {
		case p.state == stateOver:
			w.waiting--
		case p.due > now:
			kept = append(kept, p)
		default:
			w.waiting--
			w.ready.Push(p)
		}
	}
	clear(w.ring[slot][len(kept):])
	w.ring[slot] = kept
}

// staffLocked starts workers for the walks that are ready.
func (w *Wheel) staffLocked() {
	for n := min(w.workers-w.running, w.ready.Len()); n > 0; n-- {
		w.startLocked()
	}
}

func (w *Wheel) startLocked() {
	w.running++
	go w.work()
}

// work makes steps while there are walks ready. If another worker took its place while it was blocked,
// it ends after its step.
func (w *Wheel) work() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for n := 1; ; n++ {
		p, ok := w.ready.Pop()
		if !ok {
			w.running--
			return
		}
		if p.state == stateOver {
			continue
		}
		p.state = stateStepping
		w.begun++
		w.mu.Unlock()
		at, more := p.make()
		if n%stepsAtOnce == 0 {
			runtime.Gosched()
		}
		w.mu.Lock()
		p.state, p.finished = stateWaiting, !more
		if more && !p.called {
			w.waitLocked(p, at)
		} else {
			p.overLocked()
		}
		if w.running > w.workers {
			w.running--
			return
		}
	}
}

func (w *Wheel) elapsed() int64 { return int64(w.clock.Now().Sub(w.base) / w.tick) }
