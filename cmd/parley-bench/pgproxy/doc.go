// Package pgproxy stands between a client and a Postgres server, speaks the protocol
// of Postgres to both, and records the statements that pass while it is asked to. A
// server of the product is measured with it from outside, as it is.
package pgproxy
