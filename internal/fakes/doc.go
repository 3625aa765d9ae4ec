// Package fakes holds fakes for tests, with the same guarantees as the real parts: the
// store fences, orders and refuses writes as Postgres does.
//
// Store and Tasks store data; they are not recorders of calls, and should not become ones.
// The tests of actors kill nodes, lose answers and let two owners write, and check that the
// log is consistent afterwards. They need rows that are fenced by epoch and unique by id,
// because otherwise a wrong engine would pass. Store also records, for Violations, the
// writes that no correct engine sends. The tests of package persistence check that Postgres
// has the same guarantees.
//
// Warehouses is a fake of remote databases, for tests of other things.
package fakes
