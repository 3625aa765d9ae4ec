package async

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/internal/queue"
)

const (
	// turnsAtOnce is how many mailboxes a worker runs before it yields to the other
	// goroutines of the process: a few milliseconds of work. With a much smaller number,
	// thousands of model calls that send text at the same time would leave the worker
	// almost no CPU time.
	turnsAtOnce = 256
	// messagesAtOnce is how many messages of one mailbox are handled in one turn; the
	// rest waits for the next turn, behind the other mailboxes.
	messagesAtOnce = 100
)

// Dispatcher runs the mailboxes of actors on a few goroutines, in the order in which they
// were scheduled. A mailbox that is never empty is scheduled again behind the others after
// each turn. The library's default dispatcher starts a goroutine for each mailbox that has
// messages: on a busy node the scheduler's queue then has thousands of goroutines, and a
// goroutine that has waited for a socket or for the database must wait for all of them
// before it continues. Dispatcher is for actors whose Receive never blocks.
type Dispatcher struct {
	workers int

	// mu guards the fields below; callers of Schedule and the workers write them.
	mu      sync.Mutex
	queue   queue.Queue[func()]
	running int
}

var _ actor.Dispatcher = (*Dispatcher)(nil)

// NewDispatcher makes a dispatcher with a number of workers; 0 means one for each
// processor that the program may use. It need not be stopped: without work it has no
// goroutines.
func NewDispatcher(workers int) *Dispatcher {
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return &Dispatcher{workers: workers}
}

// Schedule implements actor.Dispatcher.
func (d *Dispatcher) Schedule(run func()) {
	d.mu.Lock()
	d.queue.Push(run)
	start := d.running < d.workers
	if start {
		d.running++
	}
	d.mu.Unlock()
	if start {
		go d.work()
	}
}

// Throughput implements actor.Dispatcher.
func (d *Dispatcher) Throughput() int { return messagesAtOnce }

// Workers is the maximum number of goroutines.
func (d *Dispatcher) Workers() int { return d.workers }

// Waiting is the number of mailboxes that wait for a worker.
func (d *Dispatcher) Waiting() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.queue.Len()
}

// Do schedules f like a mailbox, and returns a function that waits until f has run, but
// not longer than the limit. After f the worker yields to the other goroutines of the
// process. A caller that makes much work for actors does it in portions and waits for each
// of them, so that the work does not accumulate in the queue, where nothing limits it.
func (d *Dispatcher) Do(limit time.Duration, f func()) (wait func(context.Context)) {
	over := make(chan struct{})
	d.Schedule(func() {
		f()
		close(over)
		runtime.Gosched()
	})
	return func(ctx context.Context) {
		select {
		case <-over:
			return
		default:
		}
		late := time.NewTimer(limit)
		defer late.Stop()
		select {
		case <-over:
		case <-late.C:
		case <-ctx.Done():
		}
	}
}

// work runs what is scheduled, and ends when the queue is empty.
func (d *Dispatcher) work() {
	for n := 1; ; n++ {
		d.mu.Lock()
		run, ok := d.queue.Pop()
		if !ok {
			d.running--
			d.mu.Unlock()
			return
		}
		d.mu.Unlock()
		run()
		if n%turnsAtOnce == 0 {
			runtime.Gosched()
		}
	}
}
