package postgres

import (
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
)

// faultOf turns an error of a session into one for people. The engine's message about a
// statement is for the author of the statement.
func faultOf(err error) error {
	var long *pgproto3.ExceededMaxBodyLenErr
	if errors.As(err, &long) {
		return domain.Errorf(domain.CodeInvalid,
			"A row of the result is larger than %d MB. Select fewer columns, or shorten their texts.", messageMax>>20)
	}
	return connectionFault(err)
}

// connectionFault turns an error before a statement, or of the connection, into one for
// people. It shows only what a person can correct: no address, no text of the library,
// which may quote its configuration, and nothing from a server that is not PostgreSQL.
func connectionFault(err error) error {
	var ours *domain.Error
	var engine *pgconn.PgError
	switch {
	case errors.As(err, &ours): // also the error about the product's own database, which may contain an error of PostgreSQL
		return ours
	case errors.As(err, &engine):
		return engineFault(engine)
	case strings.Contains(err.Error(), "server refused TLS connection"):
		return connectors.NoEncryption()
	}
	return connectors.ConnectionFault(err)
}

// engineFault turns an error of the engine into one for people, by its class.
func engineFault(e *pgconn.PgError) error {
	switch e.Code {
	case "28P01", "28000":
		return domain.Invalid("secret", "The database does not let this user sign in with this password or certificate from here.")
	case "3D000":
		return domain.Invalid("params."+domain.ParamDatabase, "There is no database of this name.")
	case "53300", "57P03":
		return connectors.NoMoreConnections()
	case "57014":
		return connectors.TooSlow()
	case "55P03":
		return connectors.Locked()
	}
	switch class := e.Code[:min(2, len(e.Code))]; class {
	case "08", "57", "58", "XX":
		return connectors.Unfinished(e.Code)
	}
	message := e.Message
	if e.Hint != "" {
		message += ". " + e.Hint
	}
	return connectors.EngineSays(message)
}
