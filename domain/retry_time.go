package domain

import (
	"context"
	"time"
)

// StoreRetryTime is how long a running turn waits for an unreachable store: longer than a
// restart of the database takes, and shorter than a model may be silent.
const StoreRetryTime = 30 * time.Second

type retryTimeKey struct{}

// WithRetryTime makes reads with the returned context wait up to the given time for an
// unreachable store. A person who waits for an answer of the API should rather get an error
// at once; a turn has time, and its end could not be written either.
func WithRetryTime(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, retryTimeKey{}, d)
}

// RetryTime returns how long a read with this context may wait; usually 0.
func RetryTime(ctx context.Context) time.Duration {
	d, _ := ctx.Value(retryTimeKey{}).(time.Duration)
	return d
}
