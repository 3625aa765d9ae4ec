package api

import (
	"context"
	"math"
	"strconv"
	"time"

	"parley.dev/parley/domain"
)

// limiter limits how often a person may do something, on all nodes together.
type limiter struct {
	rates domain.RateCounter
	// what is the name of the limit. most is how often the action is allowed within per; a
	// negative number means no limit.
	what    string
	most    int
	per     time.Duration
	message string
}

// allow counts one use. Over the limit it returns CodeTooMany, with the time to wait.
func (l *limiter) allow(ctx context.Context, user int64) error {
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

// sizeOf returns a number of bytes as people read it, such as 200 MB.
func sizeOf(bytes int) string {
	limit := domain.Limit{Most: bytes, Unit: domain.Bytes}
	return limit.In("{bytes}")
}
