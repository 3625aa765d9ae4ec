// Package postgres queries remote PostgreSQL databases.
//
// Each call makes its own connection and closes it:
//
//	settings   what a person entered, checked; it is never parsed as a connection string
//	dial       through egress.Guard, which checks the address that is connected to
//	TLS        verified, unless an operator allows plain connections to the host
//	session    one READ ONLY transaction with its own limits; a role that may do more than
//	           read tables, and the product's own database, are refused
//	question   DECLARE … CURSOR FOR the statement, through the extended protocol: the engine
//	           itself refuses everything but one SELECT that changes nothing
//	answer     FETCH in portions, up to the caps; a cell, a row and the whole are bounded
//
// SQL is not inspected here. What a statement may do is decided by the engine, by the
// rights of the role and by the transaction.
//
// When the context of a call ends, a CancelRequest is sent to the server, so that the
// statement stops there, too; a server that does not receive it ends the statement by
// statement_timeout.
package postgres
