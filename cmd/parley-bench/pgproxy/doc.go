// Package pgproxy is a proxy between a client and a Postgres server. It speaks the Postgres
// protocol with both, and records the statements that pass while a recording is on. With it
// an unchanged server of the product can be measured from outside.
package pgproxy
