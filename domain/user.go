package domain

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// Organisation is a tenant. No row of one is ever readable from another.
type Organisation struct {
	ID   int64
	Name string
}

// User is a signed-in member of one organisation.
type User struct {
	ID             int64
	UUID           uuid.UUID
	OrganisationID int64
	Organisation   string
	FullName       string
	Email          string
	// Picture is a data URL or a path on our own origin; empty shows initials.
	Picture     string
	IsSuperuser bool
	IsDisabled  bool
	Flags       UserFlags
}

// UserFlags open gated areas.
type UserFlags struct {
	ScheduledTaskView bool
	UploadCredentials bool
}

// Caller is the person on whose behalf something is done. Every service and
// actor checks rights by it and by nothing that a request body says.
type Caller struct {
	UserID         int64
	UserUUID       uuid.UUID
	OrganisationID int64
	FullName       string
	IsSuperuser    bool
	// Flags open gated areas. They are known of a request's caller, not of a turn's.
	Flags UserFlags
	// ChangeKey is the Idempotency-Key of a request that changes an existing object; the
	// zero value without one. A repeated request with the same key changes nothing and
	// answers with the present state.
	ChangeKey IdempotencyKey
}

// Caller makes the caller that this user is.
func (u *User) Caller() Caller {
	return Caller{
		UserID: u.ID, UserUUID: u.UUID, OrganisationID: u.OrganisationID, FullName: u.FullName, IsSuperuser: u.IsSuperuser,
		Flags: u.Flags,
	}
}

// Identity is what a verified bearer says of a person.
type Identity struct {
	Issuer  string
	Subject string
	Email   string
	// EmailVerified must be true before a first sign-in binds an email to a subject.
	EmailVerified bool
	Expires       time.Time
	// Session is the provider's name for the sign-in (sid); empty where it has none.
	Session string
	// IssuedAt is when the bearer was given, AuthTime when the person showed who they
	// are. Zero: the bearer does not say.
	IssuedAt, AuthTime time.Time
	// TokenID names the bearer itself.
	TokenID string
}

// UserService keeps people. Errors: CodeNotFound, CodeUnknownUser.
type UserService interface {
	// UserByIdentity finds the person of a bearer: by issuer and subject, else, at a
	// first sign-in, by the verified email of a user who has no subject yet, which
	// it then binds. CodeUnknownUser when there is none, CodeUnauthenticated when disabled.
	UserByIdentity(ctx context.Context, id Identity) (*User, error)
	User(ctx context.Context, caller Caller, id int64) (*User, error)
	// LogHead is the seq of the newest entry of the caller's own log, 0 for none:
	// whatever is read after it knows of every entry up to there.
	LogHead(ctx context.Context, caller Caller) (int64, error)
	// TouchSession notes that the person is there; it answers CodeUnauthenticated
	// when the session has ended or the person is disabled.
	TouchSession(ctx context.Context, caller Caller) error
	// ShareableEntities lists users and teams of the caller's organisation whose
	// names match; an empty search matches all.
	ShareableEntities(ctx context.Context, caller Caller, search string, page Page) (List[Grantee], error)
}
