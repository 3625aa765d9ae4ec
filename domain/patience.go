package domain

import (
	"context"
	"time"
)

// StorePatience is how long a running turn waits for a store that is away: longer
// than a restart of the database takes, and shorter than a model may be silent.
const StorePatience = 30 * time.Second

type patienceKey struct{}

// WithPatience lets what is read under the context wait, for so long, for a store
// that cannot be reached. A person who waits for an answer of the API is better
// told at once; a turn has time, and its end could not be written either.
func WithPatience(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, patienceKey{}, d)
}

// Patience is how long a read under the context may wait; mostly not at all.
func Patience(ctx context.Context) time.Duration {
	d, _ := ctx.Value(patienceKey{}).(time.Duration)
	return d
}
