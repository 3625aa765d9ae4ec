package persistence

import (
	"time"

	"parley.dev/parley/internal/clock"
)

// pacer keeps the groups of text apart from each other while there are few streams: the first write
// after a pause is committed at once, and later ones at most once in each Pace, unless a whole group
// waits. At 100 streams of 20 tokens a second it saves half of the CPU time of Postgres and a tenth of
// the node's, for 5 ms of latency (docs/performance.md).
// Its fields are guarded by Journal.mu.
type pacer struct {
	pace time.Duration
	// clock is that of the machine, whose load the pace is about, also if stored times come from another.
	clock clock.System
	// began is the time at which the last group began; the zero time means that there was none.
	began time.Time
	// armed says that a timer will wake the lanes.
	armed bool
}

// rested reports whether the next group may begin; otherwise wake will be called when it may.
func (p *pacer) rested(wake func()) bool {
	left := p.pace - p.clock.Now().Sub(p.began)
	if left <= 0 {
		return true
	}
	if !p.armed {
		p.armed = true
		p.clock.AfterFunc(left, wake)
	}
	return false
}

// begin records that a group begins.
func (p *pacer) begin() { p.began = p.clock.Now() }

// wakeTexts runs when the time between two groups of text is over.
func (j *Journal) wakeTexts() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.texts.pacer.armed = false
	if j.worthLocked(&j.texts) {
		j.texts.ready.Signal()
	}
}
