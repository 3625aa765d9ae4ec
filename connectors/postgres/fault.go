package postgres

import (
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
)

// messageLimit is the most characters of what the engine says that is shown.
const messageLimit = 500

// faultOf words what went wrong in a session. What the engine says about a statement is
// for who wrote it.
func faultOf(err error) error {
	var long *pgproto3.ExceededMaxBodyLenErr
	if errors.As(err, &long) {
		return domain.Errorf(domain.CodeInvalid,
			"A row of the result is larger than %d MB. Select fewer columns, or shorten their texts.", messageMax>>20)
	}
	return connectionFault(err)
}

// connectionFault words what went wrong before a statement was asked, or with the
// connection. Only what a person can mend is told: no address, no text of the library,
// which may quote its configuration, and nothing of what a server says that is none of
// PostgreSQL.
func connectionFault(err error) error {
	var ours *domain.Error
	var engine *pgconn.PgError
	switch {
	case errors.As(err, &ours): // also one about our own database, which may hold an error of PostgreSQL
		return ours
	case errors.As(err, &engine):
		return engineFault(engine)
	case strings.Contains(err.Error(), "server refused TLS connection"):
		return domain.Invalid("params."+domain.ParamTLS, "The server does not offer an encrypted connection.")
	}
	return connectors.ConnectionFault(err)
}

// engineFault words an error of the engine by its class.
func engineFault(e *pgconn.PgError) error {
	switch e.Code {
	case "28P01", "28000":
		return domain.Invalid("secret", "The database does not let this user sign in with this password or certificate from here.")
	case "3D000":
		return domain.Invalid("params."+domain.ParamDatabase, "There is no database of this name.")
	case "53300", "57P03":
		return domain.Errorf(domain.CodeUnavailable, "The database takes no more connections now. Try again later.")
	case "57014":
		return domain.Errorf(domain.CodeInvalid,
			"The query took too long and was ended. Ask for less: filter earlier, group coarser or limit the rows.")
	case "55P03":
		return domain.Errorf(domain.CodeUnavailable, "A table of the query is locked by somebody else. Try again later.")
	}
	switch class := e.Code[:min(2, len(e.Code))]; class {
	case "08", "57", "58", "XX":
		return domain.Errorf(domain.CodeUnavailable, "The database could not finish the query. Try again later.").WithCause(errors.New(e.Code))
	}
	message := e.Message
	if e.Hint != "" {
		message += ". " + e.Hint
	}
	return domain.Errorf(domain.CodeInvalid, "%s", domain.Shorten(domain.Clean("The database says: "+message), messageLimit))
}
