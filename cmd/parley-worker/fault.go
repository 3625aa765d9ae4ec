package main

import (
	"errors"
	"strings"

	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/domain"
)

// messageMax is the maximum length of a message in bytes. DuckDB repeats the statement in its messages.
const messageMax = 2000

// engineError is an error that DuckDB returned.
type engineError struct{ message string }

// Error implements error.
func (e *engineError) Error() string { return e.message }

// faultOf converts an error of a query to a fault of the protocol. A message of DuckDB about a statement is
// for the author of the statement, so it is CodeInvalid. Any other unexpected error is CodeInternal.
func faultOf(err error) *frame.Fault {
	var known *domain.Error
	if errors.As(err, &known) {
		return &frame.Fault{Code: string(known.Code), Message: known.Message}
	}
	var engine *engineError
	if errors.As(err, &engine) {
		return &frame.Fault{Code: string(domain.CodeInvalid), Message: tidy(engine.message)}
	}
	return &frame.Fault{Code: string(domain.CodeInternal), Message: tidy(err.Error())}
}

// faultOfFile is faultOf for an upload, for which no person wrote a statement. If the engine reached a limit
// or found bad data, the owner of the file can correct it. If a statement of this program does not fit the
// file, it is an error of this program, with CodeInternal for the log.
func faultOfFile(err error) *frame.Fault {
	var engine *engineError
	if !errors.As(err, &engine) {
		return faultOf(err)
	}
	switch {
	case isTimeout(engine.message), isOutOfMemory(engine.message):
		return &frame.Fault{Code: string(domain.CodeInvalid), Message: "The file could not be read within the limits of memory and time."}
	case isOurs(engine.message):
		return &frame.Fault{Code: string(domain.CodeInternal), Message: tidy(engine.message)}
	}
	return &frame.Fault{Code: string(domain.CodeInvalid), Message: "The file could not be read. It may be damaged."}
}

// isOurs reports whether an error is one of the statement itself, and not of the data that the statement reads.
func isOurs(message string) bool {
	for _, class := range []string{"Binder Error", "Parser Error", "Catalog Error", "Not implemented Error", "INTERNAL Error"} {
		if strings.HasPrefix(message, class) {
			return true
		}
	}
	return false
}

func isTimeout(message string) bool { return strings.Contains(message, "INTERRUPT") }

func isOutOfMemory(message string) bool {
	return strings.Contains(message, "Out of Memory") || strings.Contains(message, "bad_alloc") ||
		strings.Contains(message, "llocation failure")
}

// tidy prepares a message of DuckDB for a model: it replaces the messages about limits, removes hints about
// settings that a query cannot change, and shortens the message.
func tidy(message string) string {
	switch {
	case isTimeout(message):
		return "The query took too long. Ask for less: filter earlier, group coarser or limit the rows."
	case isOutOfMemory(message):
		return "The query needs more memory than a query may use. Ask for less: filter earlier, group coarser or limit the rows."
	}
	if cut := strings.Index(message, "\n* SET "); cut >= 0 {
		message = message[:cut]
	}
	message = domain.Clean(strings.TrimSpace(message))
	if len(message) > messageMax {
		message = strings.ToValidUTF8(message[:messageMax], "") + " …"
	}
	return message
}
