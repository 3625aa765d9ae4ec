// Package pace lets thousands of model calls speak at their moments on one
// timer and a few goroutines. A provider that speaks at a rate uses it instead
// of a ticker and a wakeful goroutine of its own: waking a goroutine for each
// token costs more than most tokens do.
package pace

import (
	"runtime"
	"sync"
	"time"

	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/queue"
)

const (
	// slots is the size of the ring; a wait beyond one turn stays for further ones.
	slots = 512
	// stepsAtOnce is how many steps a worker makes before it lets the other
	// goroutines of the process run: some milliseconds' worth.
	stepsAtOnce = 2048
)

// Config of a Wheel.
type Config struct {
	// Clock is the time; nil means the machine's.
	Clock clock.Clock
	// Tick is how finely moments are told apart; 0 means 5 ms.
	Tick time.Duration
	// Workers is how many steps are made at the same time, besides those that wait
	// for something; 0 means one for each processor that the program may use.
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

// Wheel makes steps at their moments. It is safe for concurrent use and rests
// while nobody waits.
type Wheel struct {
	clock   clock.Clock
	tick    time.Duration
	workers int
	base    time.Time

	// mu guards what stands below it; callers, the timer and the workers write it.
	mu      sync.Mutex
	ring    [slots][]*walk
	reached int64 // the last tick that was served
	waiting int   // walks in the ring
	armed   bool
	ready   queue.Queue[*walk] // walks whose moment has come
	running int                // workers
	// begun counts the steps; seen is what it was at the last tick. With work left
	// and nothing begun between two ticks the workers are held up.
	begun, seen uint64
}

// NewWheel makes a Wheel.
func NewWheel(cfg Config) *Wheel {
	cfg.mustValidate()
	return &Wheel{clock: cfg.Clock, tick: cfg.Tick, workers: cfg.Workers, base: cfg.Clock.Now()}
}

// Now is the wheel's time.
func (w *Wheel) Now() time.Time { return w.clock.Now() }

// waitLocked puts a walk where its moment finds it. What is due already goes
// behind all others that are: thousands who caught up at once would hold up what
// is not late.
func (w *Wheel) waitLocked(p *walk, at time.Time) {
	if w.waiting == 0 {
		// While the wheel rested its ticks went by unserved; nobody was due. While it
		// turns, the last tick is near enough: a look at the clock for each step isn't
		// worth what it costs.
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
	// After a long pause one round of the ring meets every slot.
	from := max(w.reached+1, now-slots+1)
	for tick := from; tick <= now; tick++ {
		w.serveLocked(tick%slots, now)
	}
	w.reached = max(w.reached, now)
	w.staffLocked()
	if w.ready.Len() > 0 && w.begun == w.seen && w.running > 0 {
		// A step may wait, for room or for a model that is silent, and must not hold up
		// the others: somebody takes its place.
		w.startLocked()
	}
	w.seen = w.begun
	if w.armed = w.waiting > 0 || w.ready.Len() > 0; w.armed {
		w.clock.AfterFunc(w.tick, w.turn)
	}
}

// serveLocked takes those of a slot who are due and keeps the others.
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

// staffLocked sees to it that there are workers for what is ready.
func (w *Wheel) staffLocked() {
	for n := min(w.workers-w.running, w.ready.Len()); n > 0; n-- {
		w.startLocked()
	}
}

func (w *Wheel) startLocked() {
	w.running++
	go w.work()
}

// work makes steps while there are some to make. A worker whose place was taken
// while it was held up ends after its step.
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
