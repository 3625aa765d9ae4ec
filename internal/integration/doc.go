// Package integration tests the server as a client sees it: Postgres, journal,
// cluster, actors, scripted provider and API of one node run in this process, wired
// as cmd/parley wires them. Most tests reach them only through HTTP, websockets and
// server-sent events. A sub-test has the number of the guarantee or attack that it tests.
package integration
