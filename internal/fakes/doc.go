// Package fakes holds stand-ins for tests that keep the promises of the real
// parts: the store fences, orders and refuses as Postgres does.
//
// Store and Tasks are storage and not recorders, and stay so. The tests of actors kill
// nodes, lose answers and let two owners write, and what they ask of the engine is that
// the log is whole afterwards: they need rows that are fenced by epoch and unique by id,
// or a wrong engine would pass. What such a write means is not decided here: Store notes
// in Violations what no correct engine sends. That Postgres keeps the same promises is
// tested in persistence.
//
// Warehouses stands for remote databases, where a test is not about them.
package fakes
