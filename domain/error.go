package domain

import (
	"errors"
	"fmt"
)

// Code is a kind of failure. Transports map it to their own status in one table
// (api/error.go); no other code depends on a status.
type Code string

// The codes.
const (
	CodeInternal        Code = "internal"         // a fault of ours; the text is never shown
	CodeInvalid         Code = "invalid"          // the input breaks a rule; Fields say which
	CodeBadRequest      Code = "bad-request"      // the request itself is malformed
	CodeUnauthenticated Code = "unauthenticated"  // nobody is signed in
	CodeUnknownUser     Code = "unknown-user"     // known to the identity provider, not to us
	CodeForbidden       Code = "forbidden"        // may be seen but not changed
	CodeNotFound        Code = "not-found"        // not there, or not the caller's to see
	CodeConflict        Code = "conflict"         // the thing changed meanwhile
	CodeTooLarge        Code = "too-large"        // over a size limit
	CodeUnsupportedType Code = "unsupported-type" // content of a kind that is not taken
	CodeTooMany         Code = "too-many"         // over a rate or a queue's limit
	CodeUnavailable     Code = "unavailable"      // try again later
	CodeFenced          Code = "fenced"           // another activation owns the row now
)

// Error is the only error type that is passed between packages. Message is shown to people,
// so it contains no SQL, path, stack or name of another tenant.
type Error struct {
	Code    Code
	Message string
	// Fields lists what is wrong with the input, one entry per broken rule.
	Fields []FieldError
	// RetryAfter is in seconds; 0 does not say when to try again.
	RetryAfter int
	// cause is for logs only.
	cause error
}

// FieldError is one broken rule of one field. Message is the exact text of the
// specification where it gives one.
type FieldError struct {
	Field   string
	Message string
}

// Errorf makes an Error with a message that people may read.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Internal makes an error for a fault of the server. The cause is logged and never shown.
func Internal(cause error, what string) *Error {
	return &Error{Code: CodeInternal, Message: what, cause: cause}
}

// Invalid makes a validation error for one field.
func Invalid(field, message string) *Error {
	return &Error{Code: CodeInvalid, Message: message, Fields: []FieldError{{Field: field, Message: message}}}
}

// NotFound means that an object of this kind does not exist, or that the caller may not see
// it.
func NotFound(kind string) *Error {
	return &Error{Code: CodeNotFound, Message: kind + " not found"}
}

// WithCause returns a copy with a cause, for logs.
func (e *Error) WithCause(cause error) *Error {
	c := *e
	c.cause = cause
	return &c
}

// Error implements error. It includes the cause, so it is only for logs; people see Message.
func (e *Error) Error() string {
	if e.cause != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, e.Message, e.cause)
	}
	return fmt.Sprintf("%s: %s", e.Code, e.Message)
}

// Unwrap returns the cause, for errors.Is and errors.As.
func (e *Error) Unwrap() error { return e.cause }

// CodeOf returns the code of an error; anything that is not an Error is
// internal, and nil has the empty code.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return CodeInternal
}

// Checks collects the broken rules of one input, so that a person sees all of them at once.
type Checks struct{ fields []FieldError }

// Require adds a broken rule unless ok.
func (c *Checks) Require(ok bool, field, message string) {
	if !ok {
		c.fields = append(c.fields, FieldError{Field: field, Message: message})
	}
}

// Err returns the collected rules as one validation error, or nil.
func (c *Checks) Err() error {
	if len(c.fields) == 0 {
		return nil
	}
	return &Error{Code: CodeInvalid, Message: c.fields[0].Message, Fields: c.fields}
}
