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

// Limits are those of the fields of a credential.
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
	// CreateCredential is for people with the flag UploadCredentials. CodeForbidden
	// for others, CodeInvalid, CodeUnavailable where this node has no key to encrypt with.
	CreateCredential(ctx context.Context, caller Caller, n NewCredential) (*Credential, error)
	// Credentials lists those that the caller keeps under a name, sorted by it. For the
	// same people.
	Credentials(ctx context.Context, caller Caller) ([]Credential, error)
}
