package domain

import (
	"context"

	"github.com/google/uuid"
)

// Connection holds what is needed to sign in to a remote database.
type Connection struct {
	Params DataSourceParams
	// CredentialID is the id of a named secret of the person; Nil if Secret is given
	// instead.
	CredentialID uuid.UUID
	// Secret must not appear in a log, an error or an answer.
	Secret string
}

// Check checks what a person entered for a kind, and returns it with the defaults filled in.
// Errors: CodeInvalid with the fields.
func (c Connection) Check(kind DataSourceKind) (Connection, error) {
	params, wrong := kind.CheckParams(c.Params)
	c.Params = params
	var secret error
	switch {
	case c.CredentialID == uuid.Nil:
		secret = kind.CheckSecret(c.Secret)
	case c.Secret != "":
		secret = Invalid("secret", "Please give a secret or the id of one, not both")
	}
	return c, joinInvalid(wrong, secret)
}

// joinInvalid joins the fields of several errors into one error.
func joinInvalid(errs ...error) error {
	var c Checks
	for _, err := range errs {
		if e, ok := err.(*Error); ok { //nolint:errorlint // made in this package, never wrapped
			c.fields = append(c.fields, e.Fields...)
		}
	}
	return c.Err()
}

// SecretKeeper decrypts secrets for signing in with them. No call of the API returns one.
type SecretKeeper interface {
	// OwnSecret returns a named secret of a person. CodeInvalid with the field credentialId
	// for a secret that does not exist or belongs to another person.
	OwnSecret(ctx context.Context, organisation, user int64, id uuid.UUID) (string, error)
	// SourceSecret returns the secret of a connector. CodeNotFound if it has none.
	SourceSecret(ctx context.Context, organisation, source int64) (string, error)
}
