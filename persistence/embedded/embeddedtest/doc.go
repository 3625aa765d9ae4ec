// Package embeddedtest gives tests real Postgres databases.
//
// The first call in a test binary starts a server for that binary, which ends with the
// binary. Servers use numbered folders that later runs use again, so that only the first
// run on a machine has to create a cluster. Binaries that run at the same time take
// different folders.
//
// Each test gets its own database, copied from a template that the caller's migrations
// created once. It is dropped when the test ends.
package embeddedtest
