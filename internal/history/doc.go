// Package history records what clients of a cluster did and saw, and checks afterwards whether the
// cluster has kept its promises, as Jepsen does.
//
// A test appends one line for each call (with the moments of its beginning and its answer), for
// each frame that a client received, and for what it did to the cluster itself. At the end it adds
// what the database has. Check then applies the invariants I1 to I14 (docs/test-numbers.md) to all
// of it. The lines are JSON, so the history of a failed run can be kept and checked again.
//
// A call without an answer may have been executed or not: its outcome is Unknown, never Failed.
// The package has no clock and no network; times are nanoseconds since the beginning of the run.
package history
