package domain

import (
	"context"

	"github.com/google/uuid"
)

// Connection is how a database that lives elsewhere is signed in to.
type Connection struct {
	Params DataSourceParams
	// CredentialID names a secret that the person keeps under a name; Nil where Secret is
	// given in its place.
	CredentialID uuid.UUID
	// Secret must not be logged, nor stand in an error or an answer.
	Secret string
}

// Check judges what a person entered for a kind, and gives it with the defaults filled
// in. Errors: CodeInvalid with the fields.
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

// joinInvalid makes one error of the fields of several.
func joinInvalid(errs ...error) error {
	var c Checks
	for _, err := range errs {
		if e, ok := err.(*Error); ok { //nolint:errorlint // made in this package, never wrapped
			c.fields = append(c.fields, e.Fields...)
		}
	}
	return c.Err()
}

// SecretKeeper opens secrets, for who signs in with them. No call of the API answers one.
type SecretKeeper interface {
	// OwnSecret is one that a person keeps under a name. CodeInvalid with the field
	// credentialId for another person's, or none.
	OwnSecret(ctx context.Context, organisation, user int64, id uuid.UUID) (string, error)
	// SourceSecret is that of a connector. CodeNotFound where it has none.
	SourceSecret(ctx context.Context, organisation, source int64) (string, error)
}
