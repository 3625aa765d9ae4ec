// Package loadtest is the load tester: it signs in by token, opens sockets,
// keeps answers of the scripted agent streaming to watchers, checks every byte
// by its offset, and reports what it measured as a table, JSON and a page.
//
// A stamped answer is made of tokens of exactly TokenBytes bytes: the token's
// number and the microsecond at which the provider gave it. So a watcher can
// tell a gap, a repeat or a reordering from the text alone, and the time from
// the provider's byte to the client from the stamp (both run on one machine, or
// on machines with one clock).
package loadtest
