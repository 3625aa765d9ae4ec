// Package persistence keeps the nouns of domain in Postgres. Each noun has a service of
// its own (Blueprints in blueprint*.go, DataSources in datasource*.go) that implements
// the interface of domain for it; a Store holds them all. They stand on one core of pools,
// transactions and idempotency keys (core.go). The journal commits what the owners of
// conversations write, in groups.
//
// # Roles
//
// Two pools, two roles. What a person asks runs as parley_app inside a
// transaction that names the person's organisation: forced row level security
// shows it nothing of another one, even with a wrong WHERE. The engine (claims,
// the journal, sessions, membership) runs as parley_engine and sees all.
//
// # Order of locks
//
// First the object that a call changes: tasks in the order of their ids, then their
// blueprint, then its steps; of the others (agents, memories, labels, data sources) a
// transaction changes one. Then rows of conversations in the order of their ids; the
// journal, which starts here, skips those that are locked. Then rows of app_user in
// the order of their ids, where an event is added to people's logs. Then everything
// that hangs on these, which is locked by its writing alone. So deleting a blueprint
// locks its tasks, itself, and the owners of the tasks; a conversation's change of a
// person's own locks that person before the row in conversation_person. Transactions
// that keep to this order cannot deadlock.
//
// # Migrations
//
// Nodes migrate when they start, while others serve: what a migration locks, everybody
// waits for. It waits for a lock for two seconds, lets those behind it go, and tries
// again. From 00031 on a test holds the files to this:
//
//   - An index of a table that is there already is made CONCURRENTLY, in a file of its
//     own that is marked NO TRANSACTION. That file waits for as long as it takes (SET
//     lock_timeout = 0: it holds nobody up), and first drops what a try before may have
//     left behind, half made.
//   - Foreign keys and checks of a table that is there are added NOT VALID, and
//     validated in a later file. NOT NULL and other types are not set on it.
//   - A file that alters a table that is there changes no rows.
//   - What the release before reads and writes stays (docs/operating.md, Upgrades):
//     a column or table goes with a later release, in a file that says "-- contract:"
//     and why nobody uses it any more.
//
// # Text of SQL
//
// Every statement stands in queries/ and is checked by sqlc against migrations/. What a
// call reads goes in one round trip: a query with the mark "-- @batch" has a method of
// dbsqlc.Batch that queues it, made by internal/batchgen from what sqlc writes, so that
// wrong parameters or rows do not compile. What several queries show of a row is a view
// (00038_shown.sql), and queries with the same rows name one type for them (@row:Name).
// A list's query counts all its pages as well (@total), except where the number is
// cheaper to read apart. A test fails for a generated method that nobody calls.
//
// A field is carried over by its name: batchgen writes functions that make the parameters
// of a query of what a person wrote (@from:BlueprintDraft), and what domain shows of a row
// (@into:Blueprint). What has no counterpart of its name, or needs a decision, a service
// sets beside them: the organisation, the caller's right, ids that are checked. Nothing
// of a field that is only kept stands in this package but its column.
package persistence
