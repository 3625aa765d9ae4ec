package loadtest

// What all sockets of a run count together. Counters are atomic; histograms and samples have locks.

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/fasthttp/websocket"

	"parley.dev/parley/domain"
)

// shards is the number of histograms over which latencies are spread.
const shards = 16

// tally collects the results of all sockets. Latencies are recorded only during the
// measurement (after the ramp).
type tally struct {
	measuring atomic.Bool
	started   time.Time
	shard     [shards]shard
	next      atomic.Uint32
	frames    atomic.Int64
	tokens    atomic.Int64
	bytes     atomic.Int64
	resets    atomic.Int64
	dropped   atomic.Int64
	faults    atomic.Int64
	closing   atomic.Bool

	// mu guards the fields below.
	mu      sync.Mutex
	samples []string
	seconds []second
}

// shard is one histogram with its own lock, so that sockets rarely wait for each other.
type shard struct {
	mu sync.Mutex
	h  *hdrhistogram.Histogram
}

// second counts what was received in one second of the run.
type second struct {
	Frames int64 `json:"frames"`
	Tokens int64 `json:"tokens"`
}

func newTally(now time.Time) *tally {
	t := &tally{started: now}
	for i := range t.shard {
		// One microsecond to two minutes, three digits.
		t.shard[i].h = hdrhistogram.New(1, 120_000_000, 3)
	}
	return t
}

// latency records one latency in microseconds.
func (t *tally) latency(micros int64) {
	if !t.measuring.Load() {
		return
	}
	// The shards are used in turn, so two sockets rarely need the same lock.
	s := &t.shard[t.next.Add(1)%shards]
	s.mu.Lock()
	defer s.mu.Unlock()
	// Only a value above two minutes is refused; it is recorded as two minutes.
	if s.h.RecordValue(max(micros, 1)) != nil {
		_ = s.h.RecordValue(120_000_000)
	}
}

// delta counts a piece of text in the second in which it was received.
func (t *tally) delta(at time.Time, tokens, bytes int) {
	t.frames.Add(1)
	t.tokens.Add(int64(tokens))
	t.bytes.Add(int64(bytes))
	// The list grows to the second of this piece, so seconds without any text are in it as zeros.
	n := int(at.Sub(t.started) / time.Second)
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.seconds) <= n {
		t.seconds = append(t.seconds, second{})
	}
	t.seconds[n].Frames++
	t.seconds[n].Tokens += int64(tokens)
}

// reset counts that a server could not continue at a position.
func (t *tally) reset() { t.resets.Add(1) }

// fault counts an error and keeps the first ones as samples.
func (t *tally) fault(err error) {
	t.faults.Add(1)
	t.mu.Lock()
	defer t.mu.Unlock()
	// Ten are enough to see what is wrong; a broken server makes thousands.
	if len(t.samples) < 10 {
		t.samples = append(t.samples, err.Error())
	}
}

// closed is called when a socket ends. Before the end of the run it counts as dropped.
func (t *tally) closed(err error) {
	// The run closes its sockets itself at the end.
	if t.closing.Load() {
		return
	}
	t.dropped.Add(1)
	t.fault(explained(err))
}

// explained adds advice to the error of a socket that ended because its bearer ended: a
// run cannot renew a sign-in.
func explained(err error) error {
	if bearerEnded(err) {
		return fmt.Errorf("a bearer ended before the run did; give one that lives longer: %w", err)
	}
	return err
}

// bearerEnded reports whether the server closed a socket with 4402 (docs/stream-protocol.md).
func bearerEnded(err error) bool {
	var closed *websocket.CloseError
	return errors.As(err, &closed) && closed.Code == domain.DisconnectBearerEnded.Code
}

// taken returns what merged returns, and empties the histograms for the next measurement.
func (t *tally) taken() *hdrhistogram.Histogram {
	all := t.merged()
	for i := range t.shard {
		t.shard[i].mu.Lock()
		t.shard[i].h.Reset()
		t.shard[i].mu.Unlock()
	}
	return all
}

// merged returns one histogram with the values of all shards.
func (t *tally) merged() *hdrhistogram.Histogram {
	all := hdrhistogram.New(1, 120_000_000, 3)
	for i := range t.shard {
		t.shard[i].mu.Lock()
		all.Merge(t.shard[i].h)
		t.shard[i].mu.Unlock()
	}
	return all
}
