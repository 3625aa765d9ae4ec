// Package apibench measures the calls that clients make most, each for some
// seconds with a few connections, beside the same statements sent to the same
// database by pgbench. What the API adds to the database is the difference.
package apibench
