package clock

import (
	"sync"
	"time"
)

// Fake is a clock that tests control. Timers fire inside Advance, in the order of their times.
type Fake struct {
	// mu guards now and timers.
	mu     sync.Mutex
	now    time.Time
	timers []*fakeTimer
}

type fakeTimer struct {
	clock *Fake
	at    time.Time
	f     func()
}

// NewFake makes a clock that shows now.
func NewFake(now time.Time) *Fake { return &Fake{now: now} }

// Now implements Clock.
func (c *Fake) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// AfterFunc implements Clock.
func (c *Fake) AfterFunc(d time.Duration, f func()) Timer {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &fakeTimer{clock: c, at: c.now.Add(d), f: f}
	c.timers = append(c.timers, t)
	return t
}

// Waiting is the number of timers that have not fired.
func (c *Fake) Waiting() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.timers)
}

// DueWithin is the number of timers that will fire within d.
func (c *Fake) DueWithin(d time.Duration) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, t := range c.timers {
		if !t.at.After(c.now.Add(d)) {
			n++
		}
	}
	return n
}

// Advance moves the clock and fires the timers that are due, each at its own time. A timer
// may call Advance itself: the clock never goes back.
func (c *Fake) Advance(d time.Duration) {
	c.mu.Lock()
	end := c.now.Add(d)
	for {
		next := c.due(end)
		if next == nil {
			break
		}
		c.forward(next.at)
		c.mu.Unlock()
		next.f()
		c.mu.Lock()
	}
	c.forward(end)
	c.mu.Unlock()
}

// forward sets the time unless the clock is already later. The lock must be held.
func (c *Fake) forward(t time.Time) {
	if t.After(c.now) {
		c.now = t
	}
}

// due removes and returns the earliest timer at or before end, or nil. The lock must be held.
func (c *Fake) due(end time.Time) *fakeTimer {
	var next *fakeTimer
	at := -1
	for i, t := range c.timers {
		if !t.at.After(end) && (next == nil || t.at.Before(next.at)) {
			next, at = t, i
		}
	}
	if next != nil {
		c.timers = append(c.timers[:at], c.timers[at+1:]...)
	}
	return next
}

// Stop implements Timer.
func (t *fakeTimer) Stop() bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	for i, x := range t.clock.timers {
		if x == t {
			t.clock.timers = append(t.clock.timers[:i], t.clock.timers[i+1:]...)
			return true
		}
	}
	return false
}
