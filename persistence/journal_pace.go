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
	// armed says that a timer will wake the lanes when the pace is over, and watched that one will when the last group
	// has become slow.
	armed, watched bool
}

// slowAfter is how long a group may be in flight until the next one does not wait for it. Without this limit, text of
// a conversation waits for a group of others before its own: with commits of 2 s, 6 s instead of 4.
const slowAfter = 100 * time.Millisecond

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

// slow reports whether the last group, which is in flight, has taken so long that another one may begin beside it;
// otherwise wake will be called when it may.
func (p *pacer) slow(wake func()) bool {
	left := slowAfter - p.clock.Now().Sub(p.began)
	if left <= 0 {
		return true
	}
	if !p.watched {
		p.watched = true
		p.clock.AfterFunc(left, wake)
	}
	return false
}

// wake runs when a timer of a queue's pacer is over.
func (j *Journal) wake(q *queue, timer *bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	*timer = false
	if j.worthLocked(q) {
		q.ready.Signal()
	}
}
