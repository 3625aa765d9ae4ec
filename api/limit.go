package api

import (
	"context"
	"math"
	"strconv"
	"time"

	"parley.dev/parley/domain"
)

// limiter bounds how often a person may do something, on all nodes together.
type limiter struct {
	rates domain.RateCounter
	// what names it among the limiters; most is how often within per, a negative one always.
	what    string
	most    int
	per     time.Duration
	message string
}

// take answers CodeTooMany, with when to come back, once that is used up.
func (l *limiter) take(ctx context.Context, user int64) error {
	if l.most < 0 {
		return nil
	}
	wait, ok := l.rates.Count(ctx, domain.Window{Key: l.what + "/" + strconv.FormatInt(user, 10), Most: l.most, Per: l.per})
	if ok {
		return nil
	}
	err := domain.Errorf(domain.CodeTooMany, "%s", l.message)
	err.RetryAfter = int(math.Ceil(wait.Seconds()))
	return err
}
