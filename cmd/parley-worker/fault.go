package main

import (
	"errors"
	"strings"

	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/domain"
)

// messageMax is in bytes; DuckDB repeats the statement in its messages.
const messageMax = 2000

// engineError is a message of DuckDB.
type engineError struct{ message string }

// Error implements error.
func (e *engineError) Error() string { return e.message }

// faultOf makes an error fit for the frame. What DuckDB says about a statement is
// meant for its author; any unexpected error stays in this process.
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

// faultOfFile is faultOf for an upload. Nobody wrote a statement: the engine either met
// a limit or bad data, which the file's owner can do something about, or our statement
// does not fit the file, which is our fault and goes to the log.
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

// isOurs tells an error of a statement from one of the data that it reads.
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

// tidy words DuckDB's message for a model: limits in our terms, hints about
// settings that nobody may change left out, and no more than a model needs.
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
