package api

import (
	"math"
	"sync"
	"time"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// limiter is a token bucket for each person, in this process. On several nodes
// each has its own.
type limiter struct {
	clock clock.Clock
	// rate is in tokens a second, burst the most that is saved up. A negative
	// burst takes everything.
	rate, burst float64
	message     string

	// mu guards buckets, which every request reads and writes.
	mu      sync.Mutex
	buckets map[int64]*bucket
}

type bucket struct {
	tokens float64
	at     time.Time
}

// bucketsMax is when full buckets, which say nothing, are thrown out.
const bucketsMax = 10_000

func newLimiter(c clock.Clock, count int, per time.Duration, message string) *limiter {
	return &limiter{clock: c, rate: float64(count) / per.Seconds(), burst: float64(count), message: message, buckets: map[int64]*bucket{}}
}

// take answers CodeTooMany, with when to come back, once the bucket is empty.
func (l *limiter) take(user int64) error {
	if l.burst < 0 {
		return nil
	}
	now := l.clock.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	b, ok := l.buckets[user]
	if !ok {
		l.forgetFullLocked(now)
		b = &bucket{tokens: l.burst, at: now}
		l.buckets[user] = b
	}
	b.tokens = l.filled(b, now)
	b.at = now
	if b.tokens < 1 {
		err := domain.Errorf(domain.CodeTooMany, "%s", l.message)
		err.RetryAfter = int(math.Ceil((1 - b.tokens) / l.rate))
		return err
	}
	b.tokens--
	return nil
}

func (l *limiter) filled(b *bucket, now time.Time) float64 {
	return min(l.burst, b.tokens+max(0, now.Sub(b.at).Seconds())*l.rate)
}

func (l *limiter) forgetFullLocked(now time.Time) {
	if len(l.buckets) < bucketsMax {
		return
	}
	for user, b := range l.buckets {
		if l.filled(b, now) >= l.burst {
			delete(l.buckets, user)
		}
	}
}
