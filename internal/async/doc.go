// Package async is the one place that starts goroutines for actors. What it
// starts recovers its panics, ends with its limit, and comes back into the
// actor as a message; the few things that an actor shares with such a goroutine
// are here, too, with their locks.
package async
