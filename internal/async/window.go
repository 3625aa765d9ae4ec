package async

import (
	"context"
	"sync"
	"time"

	"parley.dev/parley/internal/clock"
)

// Window stands between one goroutine that makes things and the actor that
// takes them. The maker waits while more than a limit is taken but not yet
// released (a release says that it is durable), so that it cannot outrun the
// store. The taker is told once and then takes all there is.
type Window[T any] struct {
	// given; what Grow reads stands here in one line of the processor's cache
	limit int

	// mu guards what stands below it; the maker and the taker both write it.
	mu     sync.Mutex
	told   bool   // the taker was notified, or takes again without being notified
	mark   uint64 // of the last Take
	closed bool   // nothing more is taken
	waits  bool   // the maker waits for room
	grew   bool   // since last
	used   int    // bytes put and not released
	items  []T
	last   time.Time     // of the last put that was seen
	space  chan struct{} // closed when there is room again; nil when nobody waits

	// given
	clock  clock.Clock
	notify func()
}

// NewWindow makes a window. notify tells the taker; it must not block.
func NewWindow[T any](limit int, c clock.Clock, notify func()) *Window[T] {
	return &Window[T]{limit: limit, clock: c, notify: notify, last: c.Now()}
}

// Put hands over an item that weighs size bytes, waiting for room. The error is
// that of ctx, or context.Canceled once the window is closed.
func (w *Window[T]) Put(ctx context.Context, item T, size int) error {
	return w.Add(ctx, size, func(items []T) []T { return append(items, item) })
}

// Add is Put by a function that appends to the items not taken yet, or adds to
// the last one of them; it runs under the window's lock, so it must be short.
func (w *Window[T]) Add(ctx context.Context, size int, add func(items []T) []T) error {
	for {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx) //nolint:wrapcheck // the caller's own
		}
		wait, err := w.try(size, add)
		if wait == nil {
			return err
		}
		select {
		case <-wait:
		case <-ctx.Done():
		}
	}
}

// Grow lets a function add size bytes to the last item while nobody has taken it; it
// runs under the window's lock, so it must be short. It answers false, and does
// nothing, where there is no such item, no room, or the function refuses: then Add
// has to do it. A maker of many small things asks neither the clock nor its context
// for each of them: those of the item that grows, and of its taking, are near enough.
func (w *Window[T]) Grow(size int, grow func(last *T) bool) bool {
	w.mu.Lock()
	n := len(w.items)
	done := n > 0 && !w.closed && w.used+size <= w.limit && grow(&w.items[n-1])
	if done {
		w.used += size
		w.grew = true
	}
	w.mu.Unlock()
	return done
}

// try adds, or gives the channel to wait on.
func (w *Window[T]) try(size int, add func(items []T) []T) (<-chan struct{}, error) {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return nil, context.Canceled
	}
	now := w.clock.Now()
	// A single item over the limit passes an empty window, else it would wait for ever.
	if size > 0 && w.used > 0 && w.used+size > w.limit {
		if w.space == nil {
			w.space = make(chan struct{})
		}
		w.waits = true
		wait := w.space
		w.mu.Unlock()
		return wait, nil
	}
	w.used += size
	w.last, w.grew, w.waits = now, false, false
	w.items = add(w.items)
	tell := !w.told
	w.told = true
	w.mu.Unlock()
	if tell {
		w.notify()
	}
	return nil, nil
}

// roomKept is for how many items a window keeps the room that it has made.
const roomKept = 4

// Take appends all items put since the last call to those of the taker. If there were
// any, the taker has to take once more before it rests: it is not told of what comes
// meanwhile. mark names this call, for Pick.
func (w *Window[T]) Take(to []T) (items []T, mark uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seenLocked()
	to = append(to, w.items...)
	w.told = len(w.items) > 0
	w.mark++
	if cap(w.items) > roomKept {
		w.items = nil
		return to, w.mark
	}
	clear(w.items)
	w.items = w.items[:0]
	return to, w.mark
}

// Pick lets a function take from the front of what is there; it gives what it
// leaves. It is not called if the taker has taken anything since the Take that gave
// mark. It runs under the window's lock, so it must be short. The taker has been told
// of what was there, so it still comes to Take, perhaps for nothing.
func (w *Window[T]) Pick(mark uint64, pick func(items []T) (left []T)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if mark != w.mark {
		return
	}
	w.seenLocked()
	w.items = pick(w.items)
}

// seenLocked gives what has grown since the last look the moment of this one.
func (w *Window[T]) seenLocked() {
	if w.grew {
		w.last, w.grew = w.clock.Now(), false
	}
}

// Release says that size more bytes are no longer needed.
func (w *Window[T]) Release(size int) {
	w.mu.Lock()
	w.used = max(0, w.used-size)
	w.freeLocked()
	w.mu.Unlock()
}

// Finish puts a last item, whatever room there is, and takes nothing after it.
func (w *Window[T]) Finish(item T) {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return
	}
	w.items = append(w.items, item)
	w.closed = true
	w.freeLocked()
	tell := !w.told
	w.told = true
	w.mu.Unlock()
	if tell {
		w.notify()
	}
}

// Close makes every later Put answer context.Canceled, and gives what was put
// and not taken.
func (w *Window[T]) Close() []T {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	items := w.items
	w.items = nil
	w.freeLocked()
	return items
}

func (w *Window[T]) freeLocked() {
	if w.space != nil {
		close(w.space)
		w.space = nil
	}
}

// Touch says that the maker is at work though it has nothing to put.
func (w *Window[T]) Touch() {
	w.mu.Lock()
	w.last, w.grew = w.clock.Now(), false
	w.mu.Unlock()
}

// Silent is how long the maker has put nothing of its own will: time in which
// it waits for room does not count.
func (w *Window[T]) Silent() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waits {
		return 0
	}
	w.seenLocked()
	return w.clock.Now().Sub(w.last)
}
