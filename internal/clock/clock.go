// Package clock is the source of time of the process, so that tests can control it.
package clock

import "time"

// Clock tells the time and makes timers. The zero value of a Config's Clock
// field means System.
type Clock interface {
	Now() time.Time
	// AfterFunc calls f once in a goroutine of its own after d.
	AfterFunc(d time.Duration, f func()) Timer
}

// Timer can be stopped before it fires.
type Timer interface{ Stop() bool }

// System is the machine's clock.
type System struct{}

// Now implements Clock.
func (System) Now() time.Time { return time.Now() }

// AfterFunc implements Clock.
func (System) AfterFunc(d time.Duration, f func()) Timer { return time.AfterFunc(d, f) }
