// Package persistence keeps the nouns of domain in Postgres. One Store
// implements the services and the stores of domain, one file per noun; the
// journal commits what the owners of conversations write, in groups.
//
// # Who reads as whom
//
// Two pools, two roles. What a person asks runs as parley_app inside a
// transaction that names the person's organisation: forced row level security
// shows it nothing of another one, even with a wrong WHERE. The engine (claims,
// the journal, sessions, membership) runs as parley_engine and sees all.
//
// # Order of locks
//
// Conversation rows in the order of their ids, skipping those that are locked;
// then rows of app_user in the order of their ids; then everything else. Whoever
// keeps to it never waits in a circle.
//
// # Text of SQL
//
// Every statement stands in queries/ and is checked by sqlc against migrations/.
// Where several go in one round trip, the generated texts are queued in a batch.
package persistence
