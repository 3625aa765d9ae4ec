// Package fakes holds stand-ins for tests that keep the promises of the real
// parts: the store fences, orders and refuses as Postgres does.
package fakes
