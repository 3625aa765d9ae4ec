// Package integration tries the server as a client meets it: Postgres, journal,
// cluster, actors, scripted provider and API of one node in this process, wired
// as cmd/parley wires them, and spoken to by HTTP, websocket and server-sent
// events alone. Sub-tests carry the number of the guarantee or attack they try.
package integration
