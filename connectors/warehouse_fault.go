package connectors

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"

	"parley.dev/parley/domain"
)

const (
	// causeMax is the maximum number of characters of a cause that is logged.
	causeMax = 500
	// messageMax is the maximum number of characters of an engine's message that is shown.
	messageMax = 500
)

// ConnectionFault turns an error of a connection into one for people. It shows only what a
// person can correct: no address, no text of a library, which may quote its configuration, and
// nothing from a server that is not of the expected kind.
func ConnectionFault(err error) error {
	var ours *domain.Error
	switch {
	case errors.As(err, &ours):
		return ours
	case isCertificate(err):
		return domain.Invalid("params."+domain.ParamTLS, "The server's certificate is not valid for this host, or its authority is not known.")
	case errors.Is(err, context.DeadlineExceeded), isTimeout(err):
		return domain.Errorf(domain.CodeUnavailable, "The database does not answer in time.").WithCause(hidden(err))
	}
	failed := domain.Errorf(domain.CodeUnavailable,
		"The connection to the database failed. Check host, port and encryption, or try again later.")
	return failed.WithCause(hidden(err))
}

func isCertificate(err error) bool {
	var (
		verification *tls.CertificateVerificationError
		name         x509.HostnameError
		authority    x509.UnknownAuthorityError
		invalid      x509.CertificateInvalidError
	)
	return errors.As(err, &verification) || errors.As(err, &name) || errors.As(err, &authority) || errors.As(err, &invalid)
}

func isTimeout(err error) bool {
	var e net.Error
	return errors.As(err, &e) && e.Timeout()
}

// hidden is a cause for logs without any configuration: only the innermost error is kept,
// which the network or the protocol made.
func hidden(err error) error {
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(next) {
		err = next
	}
	if _, joined := err.(interface{ Unwrap() []error }); joined {
		return errors.New("several addresses failed")
	}
	return errors.New(domain.Shorten(err.Error(), causeMax))
}

// EngineSays is an error with the engine's message, which is for the author of the statement.
func EngineSays(message string) error {
	return domain.Errorf(domain.CodeInvalid, "%s", domain.Shorten(domain.Clean("The database says: "+message), messageMax))
}

// NoEncryption is the error for a server that has no TLS.
func NoEncryption() error {
	return domain.Invalid("params."+domain.ParamTLS, "The server does not offer an encrypted connection.")
}

// TooSlow is the error for a statement that the engine has ended by its own limit of time.
func TooSlow() error {
	return domain.Errorf(domain.CodeInvalid,
		"The query took too long and was ended. Ask for less: filter earlier, group coarser or limit the rows.")
}

// NoMoreConnections is the error for an engine that accepts nobody now.
func NoMoreConnections() error {
	return domain.Errorf(domain.CodeUnavailable, "The database takes no more connections now. Try again later.")
}

// Locked is the error for a statement that would wait for another session.
func Locked() error {
	return domain.Errorf(domain.CodeUnavailable, "A table of the query is locked by another session. Try again later.")
}

// Unfinished is the error for a fault of the engine itself. code is its number, for logs.
func Unfinished(code string) error {
	return domain.Errorf(domain.CodeUnavailable, "The database could not finish the query. Try again later.").WithCause(errors.New(code))
}
