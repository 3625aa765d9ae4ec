// Package apibench measures the calls that clients make most often, each for some seconds
// with a few connections. For comparison, pgbench sends the same statements to the same
// database. The difference is the cost that the API adds to the database.
//
// The statements are recorded while a server sends them through a pgproxy. The server that
// is measured uses the database directly.
package apibench
