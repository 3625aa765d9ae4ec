package async

import (
	"context"
	"sync"
	"time"

	"parley.dev/parley/internal/clock"
)

// Window is a buffer between one goroutine that makes items and the actor that
// takes them. The maker waits while the bytes that were put and not yet released
// exceed a limit (a release means that they are durable), so that it cannot outrun
// the store. The taker is notified once and then takes all items.
type Window[T any] struct {
	// Set by NewWindow. It is next to the fields that Grow uses, in one cache line.
	limit int

	// mu guards the fields down to space; the maker and the taker both write them.
	mu       sync.Mutex
	notified bool   // the taker was notified, or takes again without a notification
	mark     uint64 // mark of the last Take
	closed   bool   // nothing more can be put
	waits    bool   // the maker waits for space
	grew     bool   // an item grew after the time in last
	used     int    // bytes put and not released
	items    []T
	last     time.Time     // time of the last put or of the last growth that was noticed
	space    chan struct{} // closed when there is space again; nil when nobody waits

	// Set by NewWindow.
	clock  clock.Clock
	notify func()
}

// NewWindow makes a window. notify notifies the taker; it must not block.
func NewWindow[T any](limit int, c clock.Clock, notify func()) *Window[T] {
	return &Window[T]{limit: limit, clock: c, notify: notify, last: c.Now()}
}

// Put hands over an item of size bytes, and waits for space if necessary. The error is
// the cause of ctx, or context.Canceled after the window was closed.
func (w *Window[T]) Put(ctx context.Context, item T, size int) error {
	return w.Add(ctx, size, func(items []T) []T { return append(items, item) })
}

// Add is Put with a function that appends to the items not taken yet, or adds to
// the last of them. The function runs under the window's lock, so it must be short.
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

// Grow calls a function that adds size bytes to the last item that is not taken yet. The
// function runs under the window's lock, so it must be short. Grow returns false, and
// changes nothing, if there is no such item, no space, or the function refuses: the caller
// must then use Add. For many small additions Grow is cheap, because it reads neither the
// clock nor a context: the times at which the item was put and taken are precise enough.
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

// try adds, or returns a channel to wait for.
func (w *Window[T]) try(size int, add func(items []T) []T) (<-chan struct{}, error) {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return nil, context.Canceled
	}
	now := w.clock.Now()
	// A single item above the limit is accepted by an empty window; otherwise it would wait for ever.
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
	wake := !w.notified
	w.notified = true
	w.mu.Unlock()
	if wake {
		w.notify()
	}
	return nil, nil
}

// capacityKept is the largest capacity of items that a window keeps for reuse.
const capacityKept = 4

// Take appends all items that were put since the last call to the slice of the taker. If
// there were any, the taker must call Take again later: it is not notified of items that are
// put in the meantime. mark identifies this call for Pick.
func (w *Window[T]) Take(to []T) (items []T, mark uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seenLocked()
	to = append(to, w.items...)
	w.notified = len(w.items) > 0
	w.mark++
	if cap(w.items) > capacityKept {
		w.items = nil
		return to, w.mark
	}
	clear(w.items)
	w.items = w.items[:0]
	return to, w.mark
}

// Pick calls a function that takes items from the front and returns the rest. The function
// is not called if Take was called after the call that returned mark. It runs under the
// window's lock, so it must be short. The taker has been notified of the items, so it still
// calls Take, perhaps without finding any.
func (w *Window[T]) Pick(mark uint64, pick func(items []T) (left []T)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if mark != w.mark {
		return
	}
	w.seenLocked()
	w.items = pick(w.items)
}

// seenLocked sets last to the current time if an item has grown since.
func (w *Window[T]) seenLocked() {
	if w.grew {
		w.last, w.grew = w.clock.Now(), false
	}
}

// Release frees the space of size bytes, because they are durable.
func (w *Window[T]) Release(size int) {
	w.mu.Lock()
	w.used = max(0, w.used-size)
	w.freeLocked()
	w.mu.Unlock()
}

// Finish puts a last item, even if there is no space, and closes the window.
func (w *Window[T]) Finish(item T) {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return
	}
	w.items = append(w.items, item)
	w.closed = true
	w.freeLocked()
	wake := !w.notified
	w.notified = true
	w.mu.Unlock()
	if wake {
		w.notify()
	}
}

// Close makes every later Put return context.Canceled, and returns the items that were
// put and not taken.
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

// Touch reports that the maker is working although it has nothing to put.
func (w *Window[T]) Touch() {
	w.mu.Lock()
	w.last, w.grew = w.clock.Now(), false
	w.mu.Unlock()
}

// Silent is the time for which the maker has put nothing. Time in which it waits for
// space does not count.
func (w *Window[T]) Silent() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waits {
		return 0
	}
	w.seenLocked()
	return w.clock.Now().Sub(w.last)
}
