// Package async is the only package that starts goroutines for actors. Their panics are
// recovered, they have a time limit, and their results are sent to the actor as messages.
// The few types that an actor shares with such a goroutine are in this package, too, with
// their locks.
package async
