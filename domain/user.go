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
	// Picture is a data URL or a path on our own origin; if it is empty, initials are shown.
	Picture     string
	IsSuperuser bool
	IsDisabled  bool
	// IsOperator is set for the superusers of the organisation that operates the server. It is a setting
	// of the server, and no column of the person.
	IsOperator bool
	Flags      UserFlags
}

// UserFlags give access to restricted areas.
type UserFlags struct {
	ScheduledTaskView bool
	UploadCredentials bool
}

// Caller is the person on whose behalf something is done. Every service and actor checks
// rights by the caller and never by the contents of a request body.
type Caller struct {
	UserID         int64
	UserUUID       uuid.UUID
	OrganisationID int64
	FullName       string
	IsSuperuser    bool
	// IsOperator is known for the caller of a request, as Flags are.
	IsOperator bool
	// Flags give access to restricted areas. They are known for the caller of a request,
	// not for the caller of a turn.
	Flags UserFlags
	// Idempotency is the Idempotency-Key of a request that changes an existing object; zero
	// if there is none. A repeated request with the same key changes nothing and returns
	// the present state.
	Idempotency IdempotencyKey
}

// Caller returns the user as a caller.
func (u *User) Caller() Caller {
	return Caller{
		UserID: u.ID, UserUUID: u.UUID, OrganisationID: u.OrganisationID, FullName: u.FullName, IsSuperuser: u.IsSuperuser,
		IsOperator: u.IsOperator, Flags: u.Flags,
	}
}

// Identity is what a verified bearer says about a person.
type Identity struct {
	Issuer  string
	Subject string
	Email   string
	// EmailVerified must be true before a first sign-in binds an email to a subject.
	EmailVerified bool
	Expires       time.Time
	// Session is the provider's id of the sign-in (sid); empty if it has none.
	Session string
	// IssuedAt is when the bearer was issued, AuthTime when the person authenticated. Zero
	// if the bearer does not say.
	IssuedAt, AuthTime time.Time
	// TokenID identifies the bearer itself.
	TokenID string
}

// UserService stores people. Errors: CodeNotFound, CodeUnknownUser.
type UserService interface {
	// UserByIdentity finds the person of a bearer by issuer and subject. At a first sign-in
	// it finds a user without a subject by the verified email, and binds the subject to that
	// user. CodeUnknownUser if there is no such user, CodeUnauthenticated if it is disabled.
	UserByIdentity(ctx context.Context, id Identity) (*User, error)
	User(ctx context.Context, caller Caller, id int64) (*User, error)
	// LogHead returns the seq of the newest entry of the caller's own log, 0 for none: data
	// that is read after this call includes every entry up to that seq.
	LogHead(ctx context.Context, caller Caller) (int64, error)
	// TouchSession records that the person is active. It returns CodeUnauthenticated if the
	// session has ended or the person is disabled.
	TouchSession(ctx context.Context, caller Caller) error
	// ShareableEntities lists users and teams of the caller's organisation whose
	// names match; an empty search matches all.
	ShareableEntities(ctx context.Context, caller Caller, search string, page Page) (List[Grantee], error)
}
