// Package embeddedtest gives tests real Postgres databases.
//
// The first call in a test binary takes a server for that binary, and the end
// of the binary ends it. Servers lie in numbered folders that later runs use
// again, so that only the first run on a machine pays for making a cluster.
// Binaries that run at the same time take different folders.
//
// Each test gets a database of its own, copied from a template that the
// caller's migrations made once. It is dropped when the test ends.
package embeddedtest
