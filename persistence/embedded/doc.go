// Package embedded runs a private Postgres on a machine without a database server. The
// process that uses it finds, initialises, starts, watches and stops it.
//
// # Files
//
//	<DataDir>/postgres        the database cluster, or a link to where it had to go
//	<DataDir>/postgres.log    what Postgres says, kept short
//	<DataDir>/postgres.lock   held while a process uses this folder
//	/tmp/parley-<hash>        the socket; nothing listens on TCP
//	/var/tmp/parley-<hash>    cluster and binaries, when the account that Postgres
//	                          runs under cannot reach DataDir
//
// Postgres refuses to run as root, so a root process runs it as the owner of
// an existing cluster, else as postgres, else as nobody. The home of root is
// closed to these accounts, hence the last line of the table.
//
// # What survives what
//
//	end of the parent     On Linux the kernel notifies Postgres at once, which
//	                      shuts down in order; committed data is on disk.
//	kill -9 of Postgres   It is started again and recovers from its log.
//	restart after either  Start waits for processes that still run, or stops
//	                      them, before it uses the cluster. Two servers never
//	                      use it at once: the lock excludes a second parent,
//	                      the process list shows servers that still run, and
//	                      Postgres's own interlock stays in force.
//
// The role in URL owns its database and is not a superuser, because superusers bypass row
// level security. AdminURL is for creating databases.
package embedded
