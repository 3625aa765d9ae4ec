// Package apibench measures the calls that clients make most, each for some
// seconds with a few connections, beside the same statements sent to the same
// database by pgbench. What the API adds to the database is the difference.
//
// The statements are those that a server sends through a pgproxy while the calls are
// recorded; what is measured is a server that works with the database directly.
package apibench
