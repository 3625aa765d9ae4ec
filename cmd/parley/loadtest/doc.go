// Package loadtest is the load tester: it signs in by token, opens sockets,
// keeps answers of the scripted agent streaming to watchers, checks every byte
// by its offset, and reports what it measured as a table, JSON and a page.
//
// A stamped answer is made of tokens of exactly TokenBytes bytes: the token's
// number and the time in microseconds at which the provider sent it. So a watcher
// can detect a gap, a repeat or a reordering from the text alone, and calculate the
// latency from provider to client from the time (if both run on one machine, or on
// machines with synchronized clocks).
package loadtest
