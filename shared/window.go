package shared

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// slicesOf is into how many slices a window is cut. What was counted leaves with its
// whole slice, so that never more than the limit fits into any span of the length, and
// room comes back at most a twentieth of it late.
const slicesOf = 20

// window is a sliding window of this process. It is scripts/rate.lua in Go.
type window struct {
	held []slice // in the order of their time
}

// slice is what was counted in a twentieth of the length; at is its number since 1970.
type slice struct {
	at    int64
	count int
}

// length of a slice, in milliseconds.
func sliceOf(per time.Duration) float64 { return float64(per.Milliseconds()) / slicesOf }

// total forgets what has left the window and gives what is in it. A clock that goes
// back takes nothing away, unless by more than the window is long.
func (w *window) total(now time.Time, per time.Duration) int {
	current := number(now, per)
	w.held = slices.DeleteFunc(w.held, func(s slice) bool { return s.at < current-slicesOf || s.at > current+slicesOf })
	total := 0
	for _, s := range w.held {
		total += s.count
	}
	return total
}

// add counts, or takes back with -1 what was counted at that time.
func (w *window) add(now time.Time, per time.Duration, n int) {
	at := number(now, per)
	i, found := slices.BinarySearchFunc(w.held, at, func(s slice, at int64) int { return cmp.Compare(s.at, at) })
	switch {
	case found:
		w.held[i].count += n
		if w.held[i].count <= 0 {
			w.held = slices.Delete(w.held, i, i+1)
		}
	case n > 0:
		w.held = slices.Insert(w.held, i, slice{at: at, count: n})
	}
}

// wait is how long it takes until fewer than most are left; 0 where that is so.
func (w *window) wait(now time.Time, per time.Duration, most int) time.Duration {
	total := w.total(now, per)
	if total < most {
		return 0
	}
	for _, s := range w.held {
		if total -= s.count; total < most {
			until := math.Ceil(float64(s.at+slicesOf+1)*sliceOf(per) - float64(now.UnixMilli()))
			return time.Duration(max(until, 1)) * time.Millisecond
		}
	}
	return per // of a limit of 0 there is never room
}

func number(now time.Time, per time.Duration) int64 {
	return int64(math.Floor(float64(now.UnixMilli()) / sliceOf(per)))
}
