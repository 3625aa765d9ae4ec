package shared

import (
	"context"
	"strconv"
	"sync"
	"time"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// windowsMax is the number of windows from which on empty windows are deleted.
const windowsMax = 10_000

// Rates counts in sliding windows. What this node itself admitted is also counted here:
// this count applies while the server is away, and limits this node when the server was
// emptied.
type Rates struct {
	clock  clock.Clock
	nodes  func() int
	server *server

	// mu guards windows, which every counted request reads and writes.
	mu      sync.Mutex
	windows map[windowKey]*window
}

type windowKey struct {
	key string
	per time.Duration
}

func newRates(c Config, s *server) *Rates {
	return &Rates{clock: c.Clock, nodes: c.Nodes, server: s, windows: map[windowKey]*window{}}
}

// Count implements domain.RateCounter.
func (r *Rates) Count(ctx context.Context, windows ...domain.Window) (time.Duration, bool) {
	now := r.clock.Now()
	if wait := r.reserve(now, windows, 1); wait > 0 {
		return wait, false
	}
	if r.server == nil || len(windows) == 0 {
		return 0, true
	}
	wait, err := ask(ctx, r.server, func(ctx context.Context) (int64, error) {
		keys, args := make([]string, 0, len(windows)), make([]any, 0, 1+2*len(windows))
		args = append(args, r.server.offset())
		for _, w := range windows {
			keys = append(keys, r.server.prefix+"rate:"+strconv.FormatInt(w.Per.Milliseconds(), 10)+":"+w.Key)
			args = append(args, w.Most, w.Per.Milliseconds())
		}
		return rateScript.Run(ctx, r.server.client, keys, args...).Int64()
	})
	if err == nil && wait == 0 {
		return 0, true
	}
	r.takeBack(now, windows)
	if err == nil {
		return time.Duration(wait) * time.Millisecond, false
	}
	// The other nodes also count by themselves, so each node admits its share of the limit.
	wait2 := r.reserve(now, windows, max(r.nodes(), 1))
	return wait2, wait2 == 0
}

// reserve counts in every window if none has reached its limit divided by shares.
// Otherwise it counts nothing and returns how long to wait.
func (r *Rates) reserve(now time.Time, windows []domain.Window, shares int) (wait time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range windows {
		limit := (w.Most + shares - 1) / shares
		wait = max(wait, r.windowLocked(now, w).wait(now, w.Per, limit))
	}
	if wait > 0 {
		return wait
	}
	for _, w := range windows {
		r.windowLocked(now, w).add(now, w.Per, 1)
	}
	return 0
}

func (r *Rates) takeBack(now time.Time, windows []domain.Window) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range windows {
		r.windowLocked(now, w).add(now, w.Per, -1)
	}
}

func (r *Rates) windowLocked(now time.Time, of domain.Window) *window {
	key := windowKey{of.Key, of.Per}
	w := r.windows[key]
	if w == nil {
		if len(r.windows) >= windowsMax {
			for other, o := range r.windows {
				if o.total(now, other.per) == 0 {
					delete(r.windows, other)
				}
			}
		}
		w = &window{}
		r.windows[key] = w
	}
	return w
}
