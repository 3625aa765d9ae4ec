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
	// turnsAtOnce is how many mailboxes a worker empties before it lets the other
	// goroutines of the process run: a few milliseconds' worth. With much less,
	// thousands of model calls that speak at once would leave it nothing.
	turnsAtOnce = 256
	// messagesAtOnce is how many messages of one mailbox are handled in one turn; the
	// rest waits for the next one, behind the other mailboxes.
	messagesAtOnce = 100
)

// Dispatcher runs the mailboxes of actors on a few goroutines, in the order in
// which they got something to do; one that is never empty goes behind the others after
// its share. The library's own starts a goroutine for each
// of them: on a busy node thousands then stand in the scheduler's queue, and
// a goroutine that waits for a socket or for the database waits for all of them each time
// that it goes on. It is for actors whose Receive never blocks.
type Dispatcher struct {
	workers int

	// mu guards what stands below it; who schedules and the workers write it.
	mu      sync.Mutex
	queue   queue.Queue[func()]
	running int
}

var _ actor.Dispatcher = (*Dispatcher)(nil)

// NewDispatcher makes a dispatcher with a number of workers; 0 means one for each
// processor that the program may use. It need not be stopped: with nothing to do it
// holds no goroutine.
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

// Workers is how many goroutines it runs at most.
func (d *Dispatcher) Workers() int { return d.workers }

// Do runs f as it runs a mailbox, in its turn, and gives a function that waits until it
// has been run, but no longer than the limit. The other goroutines of the process run
// after it. So who makes much work for actors does it in portions, and waits for
// them: it then does not pile up where nobody sees it.
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

// work runs what there is and ends when there is nothing.
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
