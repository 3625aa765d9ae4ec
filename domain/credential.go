package domain

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// The limits of credentials.
const (
	CredentialNameMax = 80 // characters
	CredentialMax     = 64 << 10
)

// Credential is a secret file that a connector signs in with, such as a private key. It can
// be stored but never read again: calls return only the fields below.
type Credential struct {
	ID        uuid.UUID
	Name      string
	CreatedAt time.Time
}

// NewCredential is the input for storing a credential.
type NewCredential struct {
	Name string
	// Content is the file. It must not appear in a log or in an error.
	Content []byte
	Key     IdempotencyKey
}

// Limits returns the limits of the fields.
func (n *NewCredential) Limits() []Limit {
	return []Limit{
		valid("name", &n.Name, CredentialNameMax, "Please enter a valid name"),
		sized("file", len(n.Content), CredentialMax, "The file is larger than {bytes}"),
	}
}

// Validate checks the fields with the specification's texts.
func (n *NewCredential) Validate() error {
	var c Checks
	limits := n.Limits()
	c.Within(limits[0])
	c.Require(len(n.Content) > 0, "file", "Please select a file")
	c.Within(limits[1:]...)
	return c.Err()
}

// CredentialService keeps credentials, encrypted.
type CredentialService interface {
	// CreateCredential is for people with the flag UploadCredentials. CodeForbidden for
	// others, CodeInvalid, CodeUnavailable if this node has no key to encrypt with.
	CreateCredential(ctx context.Context, caller Caller, n NewCredential) (*Credential, error)
	// Credentials lists the caller's named credentials, sorted by name. It is for the same
	// people.
	Credentials(ctx context.Context, caller Caller) ([]Credential, error)
}
