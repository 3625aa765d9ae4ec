package shared

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// slicesOf is the number of slices of a window. A count leaves the window only with its
// whole slice. So no span as long as the window ever admits more than the limit, and a
// request is admitted at most a twentieth of the length too late.
const slicesOf = 20

// window is a sliding window of this process: the same algorithm as scripts/rate.lua.
type window struct {
	held []slice // ordered by time
}

// slice is the count of a twentieth of the window's length; at is its number since 1970.
type slice struct {
	at    int64
	count int
}

// sliceOf returns the length of a slice in milliseconds.
func sliceOf(per time.Duration) float64 { return float64(per.Milliseconds()) / slicesOf }

// total deletes the slices that have left the window and returns the count of the others.
// When the clock is set back, nothing is deleted, unless by more than the window's length.
func (w *window) total(now time.Time, per time.Duration) int {
	current := number(now, per)
	w.held = slices.DeleteFunc(w.held, func(s slice) bool { return s.at < current-slicesOf || s.at > current+slicesOf })
	total := 0
	for _, s := range w.held {
		total += s.count
	}
	return total
}

// add adds n to the count at the given time; -1 takes back an earlier 1.
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

// wait returns how long it takes until the count is below the limit; 0 if it is already.
func (w *window) wait(now time.Time, per time.Duration, limit int) time.Duration {
	total := w.total(now, per)
	if total < limit {
		return 0
	}
	for _, s := range w.held {
		if total -= s.count; total < limit {
			until := math.Ceil(float64(s.at+slicesOf+1)*sliceOf(per) - float64(now.UnixMilli()))
			return time.Duration(max(until, 1)) * time.Millisecond
		}
	}
	return per // the limit is 0: nothing is ever admitted
}

// number returns the number of the slice at the given time.
func number(now time.Time, per time.Duration) int64 {
	return int64(math.Floor(float64(now.UnixMilli()) / sliceOf(per)))
}
