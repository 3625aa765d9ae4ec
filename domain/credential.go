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

// Credential is a secret file that a connector signs in with, such as a private
// key. It can be given and never read again: what is kept of it in words is all
// that any call answers.
type Credential struct {
	ID        uuid.UUID
	Name      string
	CreatedAt time.Time
}

// NewCredential is what a caller gives to keep one.
type NewCredential struct {
	Name string
	// Content is the file. It must not be logged, nor stand in an error.
	Content []byte
	Key     IdempotencyKey
}

// Validate checks the fields with the specification's texts.
func (n *NewCredential) Validate() error {
	var c Checks
	c.Require(validText(n.Name, CredentialNameMax), "name", "Please enter a valid name")
	c.Require(len(n.Content) > 0, "file", "Please select a file")
	c.Require(len(n.Content) <= CredentialMax, "file", "The file is larger than 64 kB")
	return c.Err()
}

// CredentialService keeps credentials, encrypted.
type CredentialService interface {
	// CreateCredential is for people with the flag UploadCredentials. CodeForbidden
	// for others, CodeInvalid, CodeUnavailable where this node has no key to encrypt with.
	CreateCredential(ctx context.Context, caller Caller, n NewCredential) (*Credential, error)
	// Credentials lists those that the caller keeps under a name, sorted by it. For the
	// same people.
	Credentials(ctx context.Context, caller Caller) ([]Credential, error)
}
